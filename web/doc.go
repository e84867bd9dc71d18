// Package web is what a browser or a program sees, and no more: it divides requests among
// the packages below, and holds no state of its own.
//
//	web/pages     what browsers show: HTML
//	web/desk      what hosts of tournaments see
//	web/api       what programs see: JSON
//	web/live      what sockets see: sessions, hubs, frames (PROTOCOL.md)
//	web/site      what these three share: who asks, in which language, how often
//	web/messages  the texts, in every language
//	web/static    scripts and style sheets, bundled when first asked for
//	web/socket    the transport below the frames
//	web/learn     the rules of games in words and figures
//	web/picture   pictures of boards
//
// What decides about players and games is below, in package lobby and its neighbours.
// services.go makes these services, server.go the parts and their routes, and answer.go
// turns the errors of handlers into answers.
package web

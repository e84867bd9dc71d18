// Package web is what a browser or a program sees, and no more: it divides requests among
// the packages below, and holds no state of its own.
//
//	web/pages     what browsers show: HTML
//	web/event     what players of tournaments see
//	web/desk      what hosts of tournaments see
//	web/composer  what people see who make house rules
//	web/signin    accounts and signing in
//	web/api       what programs see: JSON
//	web/live      what sockets see: sessions, hubs, frames (PROTOCOL.md)
//	web/request   how messages of clients are read
//	web/site      what the packages above share: who asks, in which language, how often
//	web/messages  the texts, in every language
//	web/static    scripts and style sheets, bundled when first asked for
//	web/local     games in the browser without a network
//	web/socket    the transport below the frames
//	web/learn     the rules of games in words and figures
//	web/picture   pictures of boards; web/movie games as moving pictures, web/paper games to print
//	web/typeface  the typeface, cut to the letters of a language
//
// What decides about players and games is below, in package lobby and its neighbours.
// services.go makes these domain services, server.go the parts and their routes, and answer.go
// turns the errors of handlers into answers.
package web

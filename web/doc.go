// Package web is what a browser or a program sees: pages, the JSON API and the
// WebSocket (PROTOCOL.md).
//
// It turns requests into commands and what rooms publish into frames. It knows
// neither the rules of games nor how rooms are stored; whoever needs those asks
// the room. The transport below the messages is package web/socket.
//
//	server.go    what is served, and how a request gets there
//	identity.go  who asks: the signed cookie
//	account.go   what one's account is entered by; signin.go: the ways to enter it
//	pages.go     pages and forms; home.go, join.go, gamepage.go: one each
//	app.go       what makes them a program to install; preview.go: pictures of links
//	assets.go    scripts and style sheets: one of each for a page, bundled at the start
//	compress.go  what is sent shorter
//	api.go       answers for programs
//	fail.go      what is answered when that goes wrong
//	session.go   one socket: what it says
//	hub.go       one room's sockets: what they hear; hubs.go: all of them
//	tabs.go      one person's sockets: which of them plays
//	frames.go    how it is written
package web

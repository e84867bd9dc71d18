// Package lobby keeps the players: their identities, their names, the games that they
// are in and their chat.
//
// [Open] migrates the lobby's tables in a database and returns the lobby's parts.
// [People] are the players: guests and accounts. [Tokens] signs the values of their
// cookies. [Games] lists the rooms of each player. [Invitations] are the codes by which
// players find a room. [Chat] keeps the lines of chat beside rooms. None of them depends
// on HTTP. All state that players share is in the database, so any number of instances
// can work with it. A [Limiter] is the exception: it is in memory, for one instance, and
// bounds how often a visitor may do something.
//
// Names and texts of players are untrusted. This package refuses invisible characters in
// them. They may still hold markup and text that runs from right to left: the code that
// shows them must escape and isolate them.
//
// A refusal is a [refusal.Error] with one of this package's codes.
//
//	lobby.go, db.go           opening all of it; the databases that it works with
//	people.go, accountname.go players, and the names of accounts (formernames.go, friendlynames.go)
//	text.go                   which names and texts are refused
//	token.go, device.go       what cookies hold
//	id.go, derivedid.go       IDs of rooms and players
//	games.go, history.go      each player's rooms; finished games
//	invitations.go, chat.go   codes of rooms; lines of chat
//	prefs.go, languages.go    settings; the languages of the pages
//	seatmates.go              second players at a screen
//	recentcache.go            a map that forgets what has not been used for long
//	limit.go, slowdown.go     how often a visitor may do something
//	codes.go, unavailable.go  codes of refusals; errors of a database that cannot be reached
//	forget.go, sweep.go       deleting a player, and what nobody needs any more (gamesweep.go, keptguests.go)
package lobby

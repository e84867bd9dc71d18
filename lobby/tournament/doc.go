// Package tournament is the room of a tournament: who plays, who is paired with whom in each
// round, and what came of it.
//
// A [Tournament] implements [machine.Machine]; package room runs it. Its games are rooms of
// package match. It opens them by tasks, and each of them reports its result with a command
// of its own. The formats, the pairing and the tie-breaks are in the packages below this one,
// which know no rooms: table.go translates between the two.
//
// How an entry comes about:
//
//	command ─> Decide: a [Change]: the rows that are different now ─> entry
//	entry   ─> Apply:  replaces these rows in the [State]
//
// A change is also what people are sent, and its rows are those of the [State]. So a page
// replaces rows as the machine does. The state holds players' IDs and no names.
//
// Where to read on:
//
//	state.go, change.go    what a tournament is, and how it changes
//	settings.go            what the host chooses
//	tournament.go          the machine; codes.go has its refusals
//	decide.go, host.go     commands, who may send them, and taking back the last step
//	forhosts.go            which commands are for hosts
//	import.go, past.go     players from a report file, and rounds that were played elsewhere
//	players.go             joining, leaving, byes, players who may not meet
//	rounds.go, table.go    pairing and starting rounds
//	waves.go               arenas and classes: players are paired as they become free
//	results.go             results of games and boards
//	bracket.go             boards of a knockout, which are matches of its bracket
//	tasks.go, opened.go    the games to open, and those that can be played now
//	ratings.go             ratings for the starting order, after the game was changed
//	bound.go               how many orders a tournament may have
//	needs.go               what a player needs in the game that is being played
//	outlook.go             the pairings of the next round, and whether all rounds can be paired
//	arbiter.go, recall.go  what a host decides about a game; taking back a round
//	closing.go             rounds with an end, and the results of games that no player came to
//	listing.go, export.go  what lists of tournaments and report files show
package tournament

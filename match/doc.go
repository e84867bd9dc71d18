// Package match is one contest as a deterministic state machine: the seats, the
// settings, the moves, the clocks, the offers, the rounds, the result.
//
// A [Match] implements [machine.Machine]; package room runs it. It knows no network,
// no storage and no clock of its own: the room tells it the time. Every figure that
// depends on time is written into an entry when it is decided. So a journal replays
// to the same state for ever, also after a formula has changed.
//
// How an entry comes about:
//
//	command ─> Decide: copy the state, change the copy, write the difference ─> entry
//	entry   ─> Apply:  fold the difference into the state
//	entry   ─> AppendPublic: the difference without its private part ─> what people see
//
// The state is a list of named fields (fieldtable.go). The public fields make up the
// snapshot of web/PROTOCOL.md; their changes are an entry's "set". The private
// fields (the secret of the draw, measurements of the network, when a player last
// made an offer) travel in the same entry under the key "~", which AppendPublic cuts
// off. A move is the one entry with a shape of its own: it carries the difference on
// the board as a trace, so that no client needs rules to show it.
//
// Where to read on:
//
//	match.go, decide.go       the machine; commands and who may send them
//	state.go, order.go        what all entries so far lead to; what a command may contain
//	settings.go, seats.go     before the game: what is played, who sits where
//	rulesets.go               the rules of a game, compiled once for all games that share them
//	movedecision.go, trace.go plies and their board diffs; legalmoves.go is what the player gets
//	clock.go, lag.go          time (timecontrol.go), and compensation for network delay
//	presence.go, outage.go    disconnected players; an outage of the server (credit.go)
//	offers.go, takeback.go    draws, takebacks, rematches (rematch.go)
//	bot.go                    what bots are asked
//	ending.go, idleend.go     resigning, leaving, losing on time, rounds, results; games that nobody plays
//	rated.go                  which games count for ratings
//	seatmate.go, awaits.go    second players at a screen; who is told about their turn
//	eventgame.go, arbiter.go  games of a tournament, and what its hosts decide about them
//	fieldtable.go, fold.go    the state as people and journals see it (statefield.go, encode.go)
//	privatefields.go          the fields that only the machine knows
//	checkpoint.go             the whole state written down, and read again
//	record.go, story.go       the match as text to keep, and ply by ply; public.go reads a snapshot
//	movelist.go               the plies of a round in few bytes; replayjson.go is a board for programs
//	codes.go                  codes of refusals
package match

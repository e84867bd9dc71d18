// Package engine decides what a mancala move does.
//
// Everything here is a value or a pure function: no clock, no goroutine, no
// I/O, no randomness. The same [Rules], [Position] and [Move] always give the
// same answer, so the server, the bots, the replay page and the tests share one
// truth. It imports the standard library only, and playing without a [Trace]
// does not allocate.
//
// A game is data. [Rules] is one value for each option of RULES.md §4; a system
// (RULES.md §5) is a row of that table, a house rule a row plus changes. [Compile] checks
// a rule set (RULES.md §6) and prepares what moving needs, once; nothing after it asks
// for a system's name. Where each rule of RULES.md lives:
//
//	RULES.md §1  board, tracks, opposites     game.go
//	RULES.md §2  positions, moves, records    position.go, move.go, record.go
//	RULES.md §3  the turn                     legal.go, play.go, sow.go, capture.go, layout.go
//	RULES.md §4  options                      rules.go, options.go
//	RULES.md §5  systems                      systems.go
//	RULES.md §6  invalid combinations         validate.go
//	RULES.md §7  ends, repetition             end.go, history.go
//	RULES.md §10 matches by difference        difference.go
package engine

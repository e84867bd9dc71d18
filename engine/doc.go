// Package engine decides what a mancala move does.
//
// Everything here is a value or a pure function. It may use no clock, no goroutine,
// no I/O and no global randomness ([Game.RandomLayOut] is given its source). The same
// [Rules], [Position] and [Move] always give the same answer, so the server, the
// bots, the replay page and the tests agree. It may import the standard library only.
// Playing without a [Trace] does not allocate.
//
// A game is data. [Rules] has one value for each option of RULES.md §4. A system
// (RULES.md §5) is a row of the table [Systems]. A house rule is a row plus changes.
// [Compile] checks a rule set (RULES.md §6) and prepares once what moving needs.
// After that no code asks for a system's name. Each section of RULES.md lives in
// these files:
//
//	RULES.md §1  board, tracks, opposites     game.go
//	RULES.md §2  positions, moves, records    position.go, marks.go, move.go, record.go
//	RULES.md §3  the turn                     legal.go, play.go, sow.go, oddlaps.go, capture.go, claim.go, layout.go
//	RULES.md §4  options                      rules.go, options.go
//	RULES.md §5  systems                      systems.go
//	RULES.md §6  invalid combinations         validate.go
//	RULES.md §7  ends, repetition             end.go, history.go
//	             captures first, blocks       mustcapture.go, threat.go
//	RULES.md §10 matches by difference        standing.go
//
// recent.go knows which options the release before this one cannot read. perft.go counts
// sequences of plies. trace.go records what a move does, describe.go puts rules into words, and errors.go has
// what a move or a rule set is refused for.
//
// Package enginetest draws random games for tests. Package search looks for good
// moves.
package engine

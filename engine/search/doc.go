// Package search plays every game of package engine: it looks for the best move
// and says what the position is worth.
//
// What to call:
//
//   - For the move of an opponent: [Level.Player] once, then [Player.Move] for each move,
//     with the history of the game and a number that is the same throughout it. What it
//     answers depends on these alone, so any instance and any player of that level will
//     do. A player may be kept for other games by the same rules; its tables take
//     [Level.Memory] bytes. A goroutine uses it alone.
//   - For a hint or an analysis: [New] once for each game of engine, then for each position
//     [Searcher.Rate], which finds out what every move is worth, or [Searcher.Search], which
//     looks further since it follows only the best. What has been learned stays for the
//     positions that follow; with a budget of nodes and [Searcher.Forget] before, the
//     answer is the same each time.
//   - For a proof of the value: [Searcher.Search] with [Limits].Prove.
//
// A [Searcher] is iterative deepening alpha-beta with a table of positions, over
// any rule set. It is asked with [Limits] and a context and answers with an
// [Answer]: a line, a value in seeds, what has been proven about it, and why it
// stopped. It starts no goroutine, keeps no clock but the limit of time, and
// allocates nothing for each position it looks at.
//
// Who is against whom: two sides play for the margin between their stores,
// partners for that of their side. With four sides the search is paranoid: the
// side at the root plays for its store less the best of the others', and the
// others play against it. That gives bounds that can be proven. The opponents of level.go
// play games of four by the other reading, max^n: the weaker ones look at everything for a
// few turns (everyone.go), the stronger ones at what matters (tree.go).
//
// A value is exact when it follows from the rules alone, without an estimate. What
// has been proven is kept apart from what has been estimated, position by position:
// an estimate is never taken for a proof, and a proof never depends on the size of
// the table or on how a position was reached (see table.go and node.go).
//
//	any game       search.go, root.go, node.go, order.go, evaluate.go, table.go
//	cycles         cycle.go; endings.go, retrograde.go: boards with few seeds, backwards
//	lay-outs       layout.go
//	Kalah family   kalah.go, kalahahead.go, kalahtable.go, kalahfew.go
//	its solver     kalahsolve.go, kalahanswer.go
//	opponents      level.go, everyone.go, tree.go; duel.go and plain.go measure them, by clock.go
package search

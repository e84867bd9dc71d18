// Package search plays every game of package engine: it looks for the best move
// and says what the position is worth.
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
// others play against it. (The other reading, max^n, cuts too little to look far.)
//
// A value is exact when it follows from the rules alone, without an estimate. What
// has been proven is kept apart from what has been estimated, position by position:
// an estimate is never taken for a proof, and a proof never depends on the size of
// the table or on how a position was reached (see table.go and node.go).
//
//	any game       search.go, root.go, node.go, order.go, evaluate.go, table.go
//	cycles         cycle.go; endings.go, retrograde.go: boards with few seeds, backwards
//	lay-outs       layout.go
//	Kalah family   kalah.go, kalahsolve.go, kalahtable.go, kalahfew.go, kalahanswer.go
//	opponents      level.go; duel.go and plain.go measure them
package search

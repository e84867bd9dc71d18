// Package search plays every game of package engine: it looks for the best move,
// values positions, and proves values where it can. It may import package engine and
// its own sub-packages only. Pages, rooms and players' identities have no place here.
//
// What to call:
//
//   - For the move of an opponent: [Level.Player] once, then [Player.Move] for each move,
//     with the history of the game and a number that stays the same throughout it. The
//     move depends on these alone, so any instance and any player of that level gives the
//     same move. A player can be used again for other games by the same rules. Its tables
//     take [Level.Memory] bytes. Only one goroutine may use it at a time.
//   - For a hint or an analysis: [New] once for each game of engine, then
//     [Searcher.Rate] or [Searcher.Search] for each position. Rate values every move.
//     Search follows only the best moves and so looks further. What a search has learned
//     stays for the next positions. With a budget of nodes, and [Searcher.Forget] before,
//     the answer is the same each time.
//   - For a proof of the value: [Searcher.Search] with [Limits].Prove.
//
// A [Searcher] is iterative deepening alpha-beta with a transposition table, for any
// rule set. A caller gives it [Limits] and a context and gets an [Answer]: a line, a
// value in seeds, what has been proven about the value, and the reason why the search
// stopped. It starts no goroutine, reads the clock only for the limit of time, and
// allocates nothing for each position.
//
// Two sides play for the margin between their stores; partners play for the margin of
// their side. With four sides the search is paranoid: the side at the root plays for
// its store minus the best of the other stores, and all others play against it. This
// gives bounds that can be proven. The opponents of level.go play games of four with
// the other assumption, max^n, where every side plays for its own margin: the weaker
// ones search all moves for a few turns (maxn.go), the stronger ones grow a tree
// (uct.go).
//
// An estimate adds up what evaluate.go sees in a position. "mancala tune NAME" compares other weights for
// a game by self-play, and "mancala duel nodes=1000,WEIGHT=N nodes=1000" compares two of them.
//
// A value is exact when it follows from the rules alone, without an estimate. Each
// position keeps proofs apart from estimates. An estimate is never taken for a proof,
// and a proof never depends on the size of the table or on the moves that led to the
// position (see transposition.go and alphabeta.go).
//
//	any game       search.go, root.go, alphabeta.go, moveorder.go, evaluate.go, transposition.go
//	cycles         cycles.go; endings.go and retrograde.go value boards with few seeds
//	lay-outs       layout.go
//	Kalah family   kalah.go and package kalah
//	opponents      level.go, maxn.go, uct.go
//	measuring      duel.go, plainalphabeta.go, clock.go
package search

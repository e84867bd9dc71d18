package engine_test

import "mancala/engine"

// conceivable are all moves that a player could think of, and some that nobody
// would.
func conceivable(g *engine.Game) []engine.Move {
	var out []engine.Move
	row := int(g.Shape().Pits)
	for pit := range row + 2 {
		for way := engine.NoWay; way <= engine.CW+1; way++ {
			out = append(out, engine.Move{Pit: uint8(pit), Way: way}, engine.Move{Kind: engine.MoveGift, Pit: uint8(pit), Way: way})
		}
	}
	for kind := engine.MovePass; kind <= engine.MoveSwap+1; kind++ {
		out = append(out, engine.Move{Kind: kind}, engine.Move{Kind: kind, Pit: 1}, engine.Move{Kind: kind, Way: engine.CW}, engine.Move{Kind: kind, Lay: "\x01"})
	}
	even := make([]int, 2*g.Shape().Pits)
	return append(out, engine.Move{Pit: 255}, engine.Move{Kind: engine.MoveGift, Pit: 255}, engine.Move{Lay: "\x01"}, engine.LayOut(even))
}

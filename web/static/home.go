package static

import (
	"mancala/web/picture"
)

// Hero is the board that represents all games: Kalah after some moves.
var Hero = picture.Board{
	Sides: 2, Partners: 1, Rows: 1, Stores: true, Made: picture.Maple, Turn: 0,
	Pits: []int{0, 5, 5, 14, 1, 3, 0, 5, 5, 1, 14, 3}, Won: []int{13, 10},
}

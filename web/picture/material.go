package picture

import (
	"image/color"

	"mancala/engine"
)

// Material is what a board is made of (UX.md §5).
type Material string

const (
	Maple Material = "maple"
	Boat  Material = "boat"
	Plank Material = "plank"
	Sand  Material = "sand"
	Clay  Material = "clay"
	Stone Material = "stone"
)

// MadeOf returns the material of a board. Its shape and options decide, never the name of the game.
// web/static/model/shape.js has the same table.
func MadeOf(r engine.Rules) Material {
	switch {
	case r.Sides == 4:
		return Clay
	case r.Rows == 2 && r.Direction != engine.DirectionChoice && r.Backward == 0: // every sowing goes the same way round
		return Sand
	case r.Rows == 2:
		return Plank
	case r.Opening != engine.OpeningFixed: // players lay the seeds out
		return Stone
	case r.Store:
		return Maple
	}
	return Boat
}

// Class returns the names of the classes of the board in a drawing of a page.
func (m Material) Class() string {
	if m == Maple {
		return "board"
	}
	return "board " + string(m)
}

// grained reports whether the board shows the fibres of wood.
func (m Material) grained() bool { return m == Maple || m == Boat || m == Plank }

// materials are the colours of boards by day.
var materials = map[Material]color.RGBA{
	Maple: wood, Boat: rgb(0xc99a63), Plank: rgb(0xd39a6a), Sand: rgb(0xe6d2a4), Clay: rgb(0xdcab80), Stone: rgb(0xcdc3b2),
}

package picture

// This file has the places of pits and stores.

// Distances around a board of two sides and between its pits, in pixels.
const (
	margin  = 36.0
	header  = 150.0
	gap     = 12.0
	padding = 16.0
)

// slot is the place of a pit or a store in the picture.
type slot struct {
	box
	store       bool
	id          int  // the pit, or the side of the store
	numberAbove bool // the number of a pit is above its seeds
}

// bend returns the radius of the corners of a bowl.
func (s slot) bend() float64 { return min(s.w, s.h) * 0.42 }

// space is where the wide picture has a board of two sides.
var space = box{margin, header, Width - 2*margin, Height - header - margin}

// rowsIn returns the places of the board, and of its stores and pits, in a space.
func (b Board) rowsIn(space box) (board box, slots []slot) {
	columns, lines := len(b.Pits)/2/b.Rows, float64(2*b.Rows)
	river, end := 0.0, 0.0
	if b.Rows == 2 {
		river = 2 * gap
	}
	if b.Stores {
		end = 120
	}
	w := (space.w - 2*padding - 2*end - boolean(b.Stores)*2*gap - gap*float64(columns-1)) / float64(columns)
	h := min((space.h-2*padding-gap*(lines-1)-river)/lines, 2*w)
	height := lines*h + gap*(lines-1) + river + 2*padding
	board = box{space.x, space.y + (space.h-height)/2, space.w, height}
	inner := board.inset(padding)
	if b.Stores {
		slots = append(slots,
			slot{box: box{inner.x, inner.y, end, inner.h}, store: true, id: 1},
			slot{box: box{inner.x + inner.w - end, inner.y, end, inner.h}, store: true, id: 0})
		inner = box{inner.x + end + gap, inner.y, inner.w - 2*(end+gap), inner.h}
	}
	for line := range 2 * b.Rows {
		y := inner.y + float64(line)*(h+gap)
		if line >= b.Rows {
			y += river
		}
		for column := range columns {
			slots = append(slots, slot{box{inner.x + float64(column)*(w+gap), y, w, h}, false, b.at(line, column, columns), line < b.Rows})
		}
	}
	return board, slots
}

// at returns the pit in a line and a column of the picture: North's outer row first,
// South's outer row last (RULES.md §1).
func (b Board) at(line, column, columns int) int {
	side := len(b.Pits) / 2
	switch {
	case b.Rows == 1 && line == 0:
		return side + columns - 1 - column
	case b.Rows == 1:
		return column
	case line == 0:
		return side + columns - 1 - column
	case line == 1:
		return side + columns + column
	case line == 2:
		return 2*columns - 1 - column
	default:
		return column
	}
}

// The square of a ring, and the depth of its pits.
const ringSize, ringDepth = 600.0, 96.0

var ringSquare = box{(Width - ringSize) / 2, (Height - ringSize) / 2, ringSize, ringSize}

// ringSlots returns the places of the pits of four sides: South below, East to the right. Each
// store is at the end of its side.
func (b Board) ringSlots() (slots []slot) {
	const depth = ringDepth
	inner := ringSquare.inset(padding)
	far := inner.w - depth // from one corner to the next
	n, gap := len(b.Pits)/4, gap
	if n > 8 {
		gap = 4
	}
	length := (inner.w - 2*depth - gap*float64(n+1)) / float64(n)
	for side := range 4 {
		for i := range n {
			along := depth + gap + float64(i)*(length+gap)
			back := inner.w - along - length
			at := [4]box{
				{inner.x + along, inner.y + far, length, depth},
				{inner.x + far, inner.y + back, depth, length},
				{inner.x + back, inner.y, length, depth},
				{inner.x, inner.y + along, depth, length},
			}[side]
			slots = append(slots, slot{at, false, side*n + i, side == 2})
		}
		corner := [4]box{{inner.x + far, inner.y + far, depth, depth}, {inner.x + far, inner.y, depth, depth}, {inner.x, inner.y, depth, depth}, {inner.x, inner.y + far, depth, depth}}[side]
		if b.Stores {
			slots = append(slots, slot{box: corner, store: true, id: side})
		}
	}
	return slots
}

// slots returns the places of all pits and stores in the wide picture.
func (b Board) slots() []slot {
	if b.Sides == 4 {
		return b.ringSlots()
	}
	_, slots := b.rowsIn(space)
	return slots
}

package picture

import (
	"image/color"
	"math"
	"strconv"
	"strings"
)

// Size of a picture of a board in pixels, as link previews expect it.
const (
	Width  = 1200
	Height = 630
)

// Board is the content of a picture: a position, as South sees it, and the score.
type Board struct {
	Sides    int  // 2 or 4
	Partners int  // seats for each side
	Rows     int  // rows of pits on each side: 1 or 2
	Stores   bool // stores are part of the board, because seeds are sown into them
	Pits     []int
	Marks    map[int]string // of pits that have some, as in the text of a position (RULES.md §2)
	Won      []int          // seeds won by each side, in its store or beside the board
	Turn     int            // the seat to move; -1: none
}

// brand is the name in the wordmark. It is the same in all languages.
const brand = "Mancala"

// PNG returns the board and the score as a PNG.
func (b Board) PNG() []byte { return b.draw().png() }

func (b Board) draw() canvas {
	c := newTable(Width, Height, 0)
	b.board(c)
	b.scores(c, header/2)
	if b.Sides == 4 {
		c.wordmark(brand, Width/2, Height/2, 44)
	} else {
		c.wordmark(brand, Width/2, header/2, 58)
	}
	return c
}

// Square returns the same as a square PNG, for places that crop others.
func (b Board) Square() []byte { return b.drawSquare().png() }

func (b Board) drawSquare() canvas {
	if b.Sides == 4 {
		c := newTable(Width, Width, -430) // the ring is drawn where it is in the wide picture
		b.board(c)
		b.scores(c, 0)
		c.wordmark(brand, Width/2, -270, 96)
		return c
	}
	c := newTable(Width, Width, 0)
	b.rows(c, box{margin, 390, Width - 2*margin, Width - 390 - 3*margin})
	b.scores(c, 300)
	c.wordmark(brand, Width/2, 130, 96)
	return c
}

// pen draws on a canvas, or as shapes of an SVG.
type pen interface {
	board(colour color.RGBA, b box, radius float64)
	bowl(b box, radius float64)
	seed(tint color.RGBA, x, y, radius float64)
	round(colour color.RGBA, b box, radius float64)
	disc(colour color.RGBA, x, y, radius float64)
	polygon(colour color.RGBA, b box, corners ...float64)
	number(colour color.RGBA, n int, x, y, size float64)
}

// material returns the colour of what the board is made of. Its shape decides (UX.md §5).
func (b Board) material() color.RGBA {
	switch {
	case b.Sides == 4:
		return clay
	case b.Rows == 2:
		return plank
	case !b.Stores:
		return boat
	default:
		return wood
	}
}

func (b Board) board(c pen) {
	if b.Sides == 4 {
		b.ring(c)
	} else {
		b.rows(c, box{margin, header, Width - 2*margin, Height - header - margin})
	}
}

// scores draws the scores of a board of two sides at the height y, or those of a ring
// beside its corners, where each side ends.
func (b Board) scores(c pen, y float64) {
	if b.Sides == 2 {
		b.score(c, 0, Width*0.17, y)
		b.score(c, 1, Width*0.83, y)
		return
	}
	const near, far = Width * 0.125, Width * 0.875
	for side, at := range [4][2]float64{{far, 551}, {far, 79}, {near, 79}, {near, 551}} {
		b.score(c, side, at[0], at[1])
	}
}

// Distances around a board of two sides and between its pits, in pixels.
const (
	margin  = 36.0
	header  = 150.0
	gap     = 12.0
	padding = 16.0
)

// rows draws two sides of one or two rows each in a space.
func (b Board) rows(c pen, space box) {
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
	board := box{space.x, space.y + (space.h-height)/2, space.w, height}
	c.board(b.material(), board, 40)
	inner := board.inset(padding)
	if b.Stores {
		store(c, 1, box{inner.x, inner.y, end, inner.h}, b.Won[1])
		store(c, 0, box{inner.x + inner.w - end, inner.y, end, inner.h}, b.Won[0])
		inner = box{inner.x + end + gap, inner.y, inner.w - 2*(end+gap), inner.h}
	}
	for line := range 2 * b.Rows {
		y := inner.y + float64(line)*(h+gap)
		if line >= b.Rows {
			y += river
		}
		for column := range columns {
			i := b.at(line, column, columns)
			b.pit(c, i, box{inner.x + float64(column)*(w+gap), y, w, h}, line < b.Rows)
		}
	}
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

// ring draws four sides around a square: South below, East to the right. Each store is
// at the end of its side.
func (b Board) ring(c pen) {
	const size, depth = 600.0, 96.0
	square := box{(Width - size) / 2, (Height - size) / 2, size, size}
	c.board(b.material(), square, 40)
	c.round(table, square.inset(depth+2*padding), 20)
	inner := square.inset(padding)
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
			b.pit(c, side*n+i, at, side == 2)
		}
		corner := [4]box{{inner.x + far, inner.y + far, depth, depth}, {inner.x + far, inner.y, depth, depth}, {inner.x, inner.y, depth, depth}, {inner.x, inner.y + far, depth, depth}}[side]
		if b.Stores {
			store(c, side, corner, b.Won[side])
		}
	}
}

// claimant returns the side that has claimed a pit, or -1.
func (b Board) claimant(pit int) int {
	if b.Marks[pit] != "x" {
		return -1
	}
	return 1 - pit/(len(b.Pits)/2)
}

// score draws the number of seeds that a side has won, next to the marks of its players.
// A bar below a mark shows whose turn it is.
func (b Board) score(c pen, side int, x, y float64) {
	const size = 92.0
	left := x - size*0.75*float64(b.Partners)
	for k := range b.Partners {
		seat := side + k*b.Sides
		at := box{left + float64(k)*size*0.8, y - size*0.33, size * 0.66, size * 0.66}
		mark(c, seat, at)
		if b.Turn == seat {
			c.round(players[seat], box{at.x, at.y + at.h + 10, at.w, 10}, 5)
		}
	}
	wide := 0.3 * float64(len(strconv.Itoa(b.Won[side]))) // half the width of the number, in units of size
	c.number(onTable, b.Won[side], left+size*(0.8*float64(b.Partners)+0.1+wide), y, size)
}

// mark draws a player's mark: a disc, a diamond, a triangle or a square (UX.md §3).
func mark(c pen, seat int, b box) {
	colour := players[seat]
	x, y := b.centre()
	right, bottom := b.x+b.w, b.y+b.h
	switch seat {
	case 0:
		c.disc(colour, x, y, b.w/2)
	case 1:
		c.polygon(colour, b, x, b.y, right, y, x, bottom, b.x, y)
	case 2:
		c.polygon(colour, b, x, b.y, right, bottom, b.x, bottom)
	default:
		c.round(colour, b.inset(b.w*0.06), b.w*0.08)
	}
}

// pit draws a pit with its seeds, and their number on the edge away from the other side.
// A small pit shows only the number. A claimed one shows the mark of the player who has claimed it. A house is
// square, and a bar lies over a blocked pit; a miniature shows neither, since pages change only its numbers.
func (b Board) pit(c pen, id int, at box, numberAbove bool) {
	n, claimant, marks := b.Pits[id], b.claimant(id), b.Marks[id]
	small := min(at.w, at.h)
	m, counts := c.(counter)
	if strings.Contains(marks, "h") && !counts {
		c.bowl(at, small*0.1)
	} else {
		c.bowl(at, small*0.42)
	}
	if strings.Contains(marks, "!") && !counts {
		defer c.polygon(digits, at, at.x, at.y+at.h, at.x, at.y+at.h-small*0.1, at.x+at.w, at.y, at.x+at.w, at.y+small*0.1)
	}
	if counts {
		said := strconv.Itoa(n)
		if claimant >= 0 {
			said = [...]string{"●", "◆"}[claimant]
		}
		m.count(strconv.Itoa(id), said, at)
		return
	}
	if claimant >= 0 {
		x, y := at.centre()
		mark(c, claimant, box{x - small*0.25, y - small*0.25, small * 0.5, small * 0.5})
		return
	}
	colour := digits
	if n == 0 {
		colour = faint
	}
	x, y := at.centre()
	switch {
	case small < 64 || small < 96 && at.w < 1.25*at.h:
		c.number(colour, n, x, y, min(52, at.h*0.75, at.w*0.7))
	case at.w >= 1.25*at.h: // a wide pit: the number is beside the seeds
		const size = 44
		c.number(colour, n, at.x+at.w-size*0.85, y, size)
		seeds(c, box{at.x + size*0.2, at.y, at.w - size*1.5, at.h}, n, small*0.1)
	default:
		size := min(56, at.h*0.36, at.w*0.6)
		y, free := at.y+at.h-size*0.75, box{at.x, at.y, at.w, at.h - size*1.1}
		if numberAbove {
			y, free.y = at.y+size*0.75, at.y+size*1.1
		}
		c.number(colour, n, x, y, size)
		seeds(c, free, n, small*0.115)
	}
}

// store draws a store with the number of its seeds.
func store(c pen, side int, b box, n int) {
	c.bowl(b, min(b.w, b.h)*0.42)
	if m, ok := c.(counter); ok {
		m.count("s"+strconv.Itoa(side), strconv.Itoa(n), b)
		return
	}
	x, y := b.centre()
	c.number(digits, n, x, y, min(60, b.w*0.5))
}

// seeds draws up to twelve seeds in b, in the pattern of a sunflower.
func seeds(c pen, b box, n int, radius float64) {
	const most, golden = 12, 2.39996 // radians
	x, y := b.centre()
	spread := min(b.w, b.h)/2 - 1.6*radius
	for i := range min(n, most) {
		r := spread * math.Sqrt((float64(i)+0.5)/most)
		sin, cos := math.Sincos(golden * float64(i))
		c.seed(tints[i%len(tints)], x+r*cos, y+r*sin, radius)
	}
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

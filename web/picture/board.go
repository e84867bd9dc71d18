package picture

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
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
	Made     Material
	Pits     []int
	Marks    map[int]string // of pits that have some, as in the text of a position (RULES.md §2)
	Won      []int          // seeds won by each side, in its store or beside the board
	Hand     bool           // Won are the seeds that each side has in hand, not seeds won
	Turn     int            // the seat to move; -1: none
	Winners  []int          // the sides that have won; several share a draw
	Ringed   []int          // the pits with a ring in the colour of the seat to move
}

// InHand reports whether the stores hold the seeds in hand. After an end by the rules they hold what each side
// has won, and the pits are empty. A player who resigns leaves seeds in the pits, and in hand.
func InHand(r engine.Rules, pits []int) bool {
	return r.Reserve > 0 && slices.ContainsFunc(pits, func(n int) bool { return n > 0 })
}

// brand is the name in the wordmark. It is the same in all languages.
const brand = "Mancala"

// PNG returns the board and the score as a PNG.
func (b Board) PNG() []byte { return b.draw().png() }

func (b Board) draw() canvas {
	c := newTable(Width, Height, 0)
	b.board(c)
	b.scores(c, header/2)
	b.sign(c)
	return c
}

// sign writes the wordmark where the wide picture has it.
func (b Board) sign(c canvas) {
	if b.Sides == 4 {
		c.wordmark(brand, Width/2, Height/2, 44)
	} else {
		c.wordmark(brand, Width/2, header/2, 58)
	}
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
	board(made Material, b box, radius float64)
	bowl(b box, radius float64)
	seed(tint color.RGBA, x, y, radius float64)
	round(colour color.RGBA, b box, radius float64)
	disc(colour color.RGBA, x, y, radius float64)
	polygon(colour color.RGBA, b box, corners ...float64)
	number(colour color.RGBA, n int, x, y, size float64)
}

func (b Board) board(c pen) {
	if b.Sides == 4 {
		b.ring(c)
	} else {
		b.rows(c, space)
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

// rows draws two sides of one or two rows each in a space.
func (b Board) rows(c pen, space box) {
	board, slots := b.rowsIn(space)
	c.board(b.Made, board, 40)
	b.fill(c, slots)
}

// ring draws four sides around a square.
func (b Board) ring(c pen) {
	c.board(b.Made, ringSquare, 40)
	c.round(table, ringSquare.inset(ringDepth+2*padding), 20)
	b.fill(c, b.ringSlots())
}

// fill draws the bowls of these pits and stores, and then what is in them: a ring can reach
// across the edge of the next bowl.
func (b Board) fill(c pen, slots []slot) {
	for _, s := range slots {
		c.bowl(s.box, s.bend())
	}
	for _, s := range slots {
		b.content(c, s)
	}
}

// content draws what is in a pit or a store. A house is square, and a bar lies over a blocked
// pit; a miniature shows neither, since pages change only its numbers.
func (b Board) content(c pen, s slot) {
	if s.store {
		store(c, s, b.Won[s.id])
		return
	}
	_, counts := c.(counter)
	house := strings.Contains(b.Marks[s.id], "h") && !counts
	bend := s.bend()
	if house {
		bend = min(s.w, s.h) * 0.1
	}
	if slices.Contains(b.Ringed, s.id) {
		b.ringAround(c, s, bend)
	}
	if house {
		c.bowl(s.box, bend)
	}
	pit(c, s, b.Pits[s.id], b.claimant(s.id))
	if strings.Contains(b.Marks[s.id], "!") && !counts {
		at, high := s.box, min(s.w, s.h)*0.1
		if !house { // the corners of the pit are round
			at = at.inset(min(s.w, s.h) * 0.1)
		}
		c.polygon(digits, at, at.x, at.y+at.h, at.x, at.y+at.h-high, at.x+at.w, at.y, at.x+at.w, at.y+high)
	}
}

// ringAround draws the ring around a pit: larger shapes, of which a smaller bowl leaves the
// edges. A dark edge sets it off from wood, whose colour can be near the player's.
func (b Board) ringAround(c pen, s slot, bend float64) {
	colour := onTable
	if b.Turn >= 0 {
		colour = players[b.Turn]
	}
	const dark, wide = 8, 5
	c.round(wall, s.inset(-dark), bend+dark)
	c.round(colour, s.inset(-wide), bend+wide)
	c.bowl(s.box, bend)
}

// claimant returns the side that has claimed a pit, or -1.
func (b Board) claimant(pit int) int {
	if b.Marks[pit] != "x" {
		return -1
	}
	return 1 - pit/(len(b.Pits)/2)
}

// score draws the number of seeds that a side has won, next to the marks of its players.
// A bar below a mark shows whose turn it is, and a star there who has won. Seeds in hand lie
// as a heap between a mark and the number.
func (b Board) score(c pen, side int, x, y float64) {
	const size, wideHeap = 92.0, 84.0
	left := x - size*0.75*float64(b.Partners) - boolean(b.Hand)*wideHeap/2
	for k := range b.Partners {
		seat := side + k*b.Sides
		at := box{left + float64(k)*size*0.8, y - size*0.33, size * 0.66, size * 0.66}
		mark(c, seat, at)
		if b.Turn == seat {
			c.round(players[seat], box{at.x, at.y + at.h + 10, at.w, 10}, 5)
		}
		if slices.Contains(b.Winners, side) {
			star(c, at.x+at.w/2, at.y+at.h+21, 17)
		}
	}
	wide := 0.3 * float64(len(strconv.Itoa(b.Won[side]))) // half the width of the number, in units of size
	left += size * (0.8*float64(b.Partners) + 0.1)
	if b.Hand {
		heap(c, box{left, y - size*0.33, wideHeap, size * 0.66}, b.Won[side])
		left += wideHeap + size*0.1
	}
	c.number(onTable, b.Won[side], left+size*wide, y, size)
}

// heap draws up to ten seeds as a heap on the table: rows of four, three, two and one.
func heap(c pen, b box, n int) {
	const most, widest = 10, 4
	radius := b.w / (2 * widest)
	deep := (b.h - 2*radius) / (widest - 1) // from one row to the next
	drawn := 0
	for row := range widest {
		wide := widest - row
		for i := range wide {
			if drawn == min(n, most) {
				return
			}
			x := b.x + b.w/2 + radius*float64(2*i-wide+1)
			c.seed(tints[drawn%len(tints)], x, b.y+b.h-radius-deep*float64(row), radius)
			drawn++
		}
	}
}

// star draws a star with five points.
func star(c pen, x, y, radius float64) {
	var corners []float64
	for i := range 10 {
		sin, cos := math.Sincos(math.Pi * float64(i) / 5)
		far := radius * (1 - 0.55*float64(i%2))
		corners = append(corners, x+far*sin, y-far*cos)
	}
	c.polygon(tints[0], box{x - radius, y - radius, 2 * radius, 2 * radius}, corners...)
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
// A small pit shows only the number. A claimed one shows the mark of the player who has claimed it.
func pit(c pen, s slot, n, claimant int) {
	b, small := s.box, min(s.w, s.h)
	if m, ok := c.(counter); ok {
		said := strconv.Itoa(n)
		if claimant >= 0 {
			said = [...]string{"●", "◆"}[claimant]
		}
		m.count(strconv.Itoa(s.id), said, b)
		return
	}
	if claimant >= 0 {
		x, y := b.centre()
		mark(c, claimant, box{x - small*0.25, y - small*0.25, small * 0.5, small * 0.5})
		return
	}
	colour := digits
	if n == 0 {
		colour = faint
	}
	x, y := b.centre()
	switch {
	case small < 64 || small < 96 && b.w < 1.25*b.h:
		c.number(colour, n, x, y, min(52, b.h*0.75, b.w*0.7))
	case b.w >= 1.25*b.h: // a wide pit: the number is beside the seeds
		const size = 44
		c.number(colour, n, b.x+b.w-size*0.85, y, size)
		seeds(c, box{b.x + size*0.2, b.y, b.w - size*1.5, b.h}, n, small*0.1)
	default:
		size := min(56, b.h*0.36, b.w*0.6)
		y, free := b.y+b.h-size*0.75, box{b.x, b.y, b.w, b.h - size*1.1}
		if s.numberAbove {
			y, free.y = b.y+size*0.75, b.y+size*1.1
		}
		c.number(colour, n, x, y, size)
		seeds(c, free, n, small*0.115)
	}
}

// store draws a store with the number of its seeds.
func store(c pen, s slot, n int) {
	if m, ok := c.(counter); ok {
		m.count("s"+strconv.Itoa(s.id), strconv.Itoa(n), s.box)
		return
	}
	x, y := s.centre()
	c.number(digits, n, x, y, min(60, s.w*0.5))
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

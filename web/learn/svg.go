package learn

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
	"mancala/web/picture"
)

// Marks are the marks on a picture besides the seeds, as on the board of a game.
type Marks struct {
	From  []int       // slots that were lifted: a dashed ring
	To    []int       // the slot of the last seed: a ring
	Taken []int       // slots that were captured: a cross
	Added map[int]int // seeds sown, by slot: "+1"
	Path  [][2]int    // steps of the sowing, from slot to slot: small arrows
}

// Sizes of a picture, in units of its view box.
const (
	pitW, pitH = 42, 54
	gap        = 8
	rim        = 8
	storeW     = 44
)

type box struct{ x, y, w, h float64 }

func (b box) middle() (float64, float64) { return b.x + b.w/2, b.y + b.h/2 }

// Board draws a position as South sees it. The colours are variables of the page, so the
// picture fits every theme. alt is its text alternative.
func Board(g *engine.Game, p engine.Position, m Marks, alt string) template.HTML {
	boxes, width, height := places(g)
	s := g.Shape()
	pits := int(s.Sides) * int(s.Pits)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="drawn figure" viewBox="0 0 %g %g" role="img" aria-label="%s">`, width, height, html.EscapeString(alt))
	wood := box{1, 1, width - 2, height - 2}
	if !g.Rules().Store && s.Sides == 2 { // the numbers of won seeds are beside the board
		wood.x, wood.w = storeW, width-2*storeW
	}
	fmt.Fprintf(&b, `<rect class="%s" x="%g" y="1" width="%g" height="%g" rx="18"/>`, picture.MadeOf(g.Rules()).Class(), wood.x, wood.w, wood.h)
	b.WriteString(`<g class="pit">`)
	for slot, at := range boxes {
		owner := ""
		if slot >= pits && !g.Rules().Store {
			continue
		}
		if slot >= pits {
			owner = fmt.Sprintf(` stroke="var(--p%d)" stroke-width="2"`, slot-pits)
		}
		round := 14
		if strings.Contains(p.Marks.Of(slot), "h") { // a house is square
			round = 3
		}
		fmt.Fprintf(&b, `<rect x="%g" y="%g" width="%g" height="%g" rx="%d"%s/>`, at.x, at.y, at.w, at.h, round, owner)
	}
	b.WriteString(`</g>`)
	drawn := boxes
	if !g.Rules().Store {
		drawn = boxes[:pits]
	}
	seeds(&b, drawn, p)
	rings(&b, drawn, m)
	numbers(&b, drawn, p, m, int(s.Pits))
	if alt != "" { // a decoration is too small for them, and for heaps
		labels(&b, drawn, int(s.Pits))
	}
	won(&b, boxes, len(drawn), p, inHand(g, p) && alt != "")
	arrows(&b, boxes, m.Path)
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) // safe: numbers, constants, and alt, which is escaped
}

// Blank draws the outline of a board without seeds, to be filled in by hand. Each pit has its number. alt is its
// text alternative.
func Blank(g *engine.Game, alt string) template.HTML {
	boxes, width, height := places(g)
	s := g.Shape()
	pits := int(s.Sides) * int(s.Pits)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="drawn figure blank" viewBox="0 0 %g %g" role="img" aria-label="%s">`, width, height, html.EscapeString(alt))
	fmt.Fprintf(&b, `<rect x="1" y="1" width="%g" height="%g" rx="18"/><g text-anchor="middle" font-size="11">`, width-2, height-2)
	for slot, at := range boxes {
		fmt.Fprintf(&b, `<rect x="%g" y="%g" width="%g" height="%g" rx="14"/>`, at.x, at.y, at.w, at.h)
		if slot < pits {
			fmt.Fprintf(&b, `<text x="%g" y="%g">%d</text>`, at.x+at.w/2, at.y+at.h-5, slot%int(s.Pits)+1)
		}
	}
	b.WriteString(`</g></svg>`)
	return template.HTML(b.String()) // safe: numbers, constants, and alt, which is escaped
}

// seeds draws up to nine seeds of each slot, each as a dot of one thick line. Each seed is drawn relative to the one
// before: equal heaps are equal text, which a page full of boards compresses well.
func seeds(b *strings.Builder, boxes []box, p engine.Position) {
	var dots strings.Builder
	for slot, at := range boxes {
		n := min(int(p.Slots[slot]), 9)
		if n > 0 {
			fmt.Fprintf(&dots, "M%.0f %.0f", at.x+at.w/2, at.y+(at.h-18)/2+1)
		}
		atX, atY := 0, 0 // of the seed before
		for i := range n {
			// A sunflower pattern: no two seeds touch, and one more seed moves none of them.
			r, a := min(5.2, at.h/9)*math.Sqrt(float64(i)+0.5), float64(i)*2.4
			if n == 1 {
				r = 0
			}
			x, y := int(math.Round(r*math.Cos(a))), int(math.Round(r*math.Sin(a)))
			fmt.Fprintf(&dots, "m%d %dh0", x-atX, y-atY)
			atX, atY = x, y
		}
	}
	if dots.Len() > 0 {
		fmt.Fprintf(b, `<path stroke="var(--seed)" stroke-width="7" stroke-linecap="round" d="%[1]s"/><path class="shine" d="%[1]s"/>`, dots.String())
	}
}

func rings(b *strings.Builder, boxes []box, m Marks) {
	ring := func(slots []int, dashes string) {
		for _, slot := range slots {
			at := boxes[slot]
			fmt.Fprintf(b, `<rect x="%g" y="%g" width="%g" height="%g" rx="12" fill="none" stroke="var(--on-pit)" stroke-width="2"%s/>`,
				at.x+2, at.y+2, at.w-4, at.h-4, dashes)
		}
	}
	ring(m.From, ` stroke-dasharray="5 4"`)
	ring(m.To, "")
}

// numbers writes the number of seeds in each slot, and the change that the move made.
func numbers(b *strings.Builder, boxes []box, p engine.Position, m Marks, row int) {
	b.WriteString(`<g text-anchor="middle" font-size="15" font-weight="700" fill="var(--on-pit)">`)
	for slot, at := range boxes {
		x, _ := at.middle()
		if m.Added[slot] > 0 {
			x -= 7
			if p.Slots[slot] > 9 { // the second digit would touch the change
				x -= 2
			}
		}
		if p.Marks.Of(slot) == "x" { // the mark of the other side
			fmt.Fprintf(b, `<text x="%g" y="%g" font-size="22" font-weight="400">%s</text>`, x, at.y+at.h/2+8, [2]string{"◆", "●"}[slot/row])
			continue
		}
		fmt.Fprintf(b, `<text x="%g" y="%g">%d</text>`, x, at.y+at.h-5, p.Slots[slot])
	}
	for slot, at := range boxes {
		x, _ := at.middle()
		if p.Marks.Of(slot) == "x" {
			continue
		}
		if slices.Contains(m.Taken, slot) {
			fmt.Fprintf(b, `<text x="%g" y="%g" font-size="22">×</text>`, x, at.y+(at.h-18)/2+8)
		} else if n := m.Added[slot]; n > 0 {
			fmt.Fprintf(b, `<text x="%g" y="%g" font-size="11" font-weight="400" text-anchor="end">+%s</text>`, at.x+at.w-5, at.y+at.h-6, strconv.Itoa(n))
		}
	}
	b.WriteString(`</g>`)
}

// labels writes the numbers of South's pits, below them.
func labels(b *strings.Builder, boxes []box, row int) {
	b.WriteString(`<g text-anchor="middle" font-size="10" fill="var(--on-board)">`)
	for i := range row {
		at := boxes[i]
		x, _ := at.middle()
		fmt.Fprintf(b, `<text x="%g" y="%g">%d</text>`, x, at.y+at.h+8.5, i+1)
	}
	b.WriteString(`</g>`)
}

// inHand reports whether the stores hold the seeds in hand. Positions of the rules pages are of no game that was
// resigned, so the phase says the same as the pits do in picture.InHand.
func inHand(g *engine.Game, p engine.Position) bool {
	return g.Rules().Reserve > 0 && p.Phase != engine.Over
}

// won writes the number of seeds that each side has won in a game without stores, or below a heap the number of those
// in hand. A side that has none has no number.
func won(b *strings.Builder, boxes []box, from int, p engine.Position, hand bool) {
	for slot, at := range boxes[from:] {
		if n := p.Slots[from+slot]; n > 0 {
			x, y := at.middle()
			if hand { // beside the board, which reaches under the box of a store
				x, y = x+float64(6-12*slot), y+8
				heap(b, x, y-22, int(n))
			}
			fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="middle" font-size="20" font-weight="700" fill="var(--p%d)">%d</text>`, x, y+7, slot, n)
		}
	}
}

// heap draws up to six seeds as a heap: rows of three, two and one. x and y are the middle of the lowest row.
func heap(b *strings.Builder, x, y float64, n int) {
	var dots strings.Builder
	for i, at := range [...][2]float64{{-9, 0}, {0, 0}, {9, 0}, {-4.5, -7}, {4.5, -7}, {0, -14}} {
		if i < n {
			fmt.Fprintf(&dots, "M%.1f %.1fh0", x+at[0], y+at[1])
		}
	}
	fmt.Fprintf(b, `<g stroke-linecap="round"><path stroke="var(--pit)" stroke-width="10" d="%[1]s"/>`+
		`<path stroke="var(--seed)" stroke-width="8" d="%[1]s"/></g><path class="shine" d="%[1]s"/>`, dots.String())
}

// arrows draws a small arrowhead halfway between the two slots of each step.
func arrows(b *strings.Builder, boxes []box, path [][2]int) {
	if len(path) == 0 {
		return
	}
	b.WriteString(`<path fill="var(--on-board)" d="`)
	for _, step := range path {
		dx, dy, x, y := between(boxes[step[0]], boxes[step[1]])
		at := func(v float64) int { return int(math.Round(v)) }
		// Relative to its tip, as the seeds of a heap are.
		fmt.Fprintf(b, "M%d %dl%d %dl%d %dz", at(x+4*dx), at(y+4*dy), at(-7*dx-5*dy), at(-7*dy+5*dx), at(10*dy), at(-10*dx))
	}
	b.WriteString(`"/>`)
}

// between returns the direction from one box to another, and the middle of the gap
// between them.
func between(from, to box) (dx, dy, x, y float64) {
	fx, fy := from.middle()
	tx, ty := to.middle()
	// Measure from edge to edge, because a store is much higher than a pit.
	fx, tx = towards(from.x, from.w, tx), towards(to.x, to.w, fx)
	fy, ty = towards(from.y, from.h, ty), towards(to.y, to.h, fy)
	dx, dy = tx-fx, ty-fy
	if length := math.Hypot(dx, dy); length > 0 {
		dx, dy = dx/length, dy/length
	}
	return dx, dy, (fx + tx) / 2, (fy + ty) / 2
}

// towards returns the point of a span that is nearest to another point.
func towards(start, length, point float64) float64 {
	return max(start, min(start+length, point))
}

// places returns the box of each slot: South's row at the bottom, stores at their
// owners' right.
func places(g *engine.Game) (boxes []box, width, height float64) {
	s := g.Shape()
	if s.Sides == 4 {
		return ring(int(s.Pits))
	}
	rows, row := g.Rules().Rows, int(s.Pits)
	cols := row / rows
	boxes = make([]box, 2*row+2)
	left := float64(rim + storeW + gap)
	y := func(line int) float64 { // 0 at the top; a wider gap between the sides
		return float64(rim + line*(pitH+gap) + line/rows*gap)
	}
	for i := range row {
		line, col := i/cols, i%cols // the second row runs the other way
		if line == 1 {
			col = cols - 1 - col
		}
		x := left + float64(col*(pitW+gap))
		boxes[i] = box{x, y(2*rows - 1 - line), pitW, pitH}
		boxes[row+i] = box{left + float64((cols-1-col)*(pitW+gap)), y(line), pitW, pitH}
	}
	width = 2*left + float64(cols*(pitW+gap)-gap)
	height = y(2*rows-1) + pitH + rim + 6 // 6 for the numbers of the pits
	boxes[2*row] = box{width - rim - storeW, rim, storeW, height - 2*rim}
	boxes[2*row+1] = box{rim, rim, storeW, height - 2*rim}
	return boxes, width, height
}

// ring returns the boxes of a game of four: a square, with each side's store in the
// corner at its right.
func ring(row int) (boxes []box, width, height float64) {
	const deep, pit = 50, 50
	long := float64(row*(pit+gap) + gap)
	width = 2*(rim+deep) + long
	far := width - rim - deep
	boxes = make([]box, 4*row+4)
	for i := range row {
		at := rim + deep + gap + float64(i*(pit+gap))
		back := width - at - pit
		boxes[i] = box{at, far, pit, deep}
		boxes[row+i] = box{far, back, deep, pit}
		boxes[2*row+i] = box{back, rim, pit, deep}
		boxes[3*row+i] = box{rim, at, deep, pit}
	}
	for side, corner := range []box{{far, far, deep, deep}, {far, rim, deep, deep}, {rim, rim, deep, deep}, {rim, far, deep, deep}} {
		boxes[4*row+side] = corner
	}
	return boxes, width, width + 6
}

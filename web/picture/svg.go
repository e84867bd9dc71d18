package picture

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"
)

// classes are the class names of colours in a page. The page's theme sets their values.
var classes = map[color.RGBA]string{
	hollow: "pit", table: "gap", digits: "digit", faint: "zero",
	tints[0]: "seed", tints[1]: "seed light", tints[2]: "seed warm", tints[3]: "seed pale",
}

// SVG returns the board without the score, as an SVG for a page. It is decoration:
// screen readers skip it.
func (b Board) SVG() string {
	s := &shapes{}
	b.board(s)
	return b.framed(s.String(), "drawn")
}

func (b Board) framed(drawing, class string) string {
	return `<svg class="` + class + `" viewBox="` + b.view() + `" aria-hidden="true">` + drawing + `</svg>`
}

// view returns the part of the picture that the board takes.
func (b Board) view() string {
	if b.Sides == 4 {
		return "300 15 600 600"
	}
	return fmt.Sprintf("%v %v %v %v", margin, header, Width-2*margin, Height-header-margin)
}

// Symbol returns the board without numbers and seeds, as a symbol that a page can use many
// times.
func (b Board) Symbol(id string) string {
	o := &outline{}
	b.board(o)
	return `<symbol id="` + id + `" viewBox="` + b.view() + `">` + o.String() + `</symbol>`
}

// counter is a pen that shows what is said of a pit or a store, its number or a mark, and no seeds.
type counter interface {
	count(slot, said string, b box)
}

type outline struct{ shapes }

func (*outline) count(string, string, box) {}

// Miniature returns the board with numbers and no seeds, for a card. The data-at of a
// number is its slot as in PROTOCOL.md, so a page can update it without drawing.
func (b Board) Miniature() string {
	m := &miniature{}
	b.board(m)
	return b.framed(m.String(), "drawn mini")
}

type miniature struct{ shapes }

func (m *miniature) count(slot, said string, b box) {
	x, y := b.centre()
	size := min(110, b.h*0.75, b.w*0.66)
	fmt.Fprintf(m, `<text data-at="%s" x="%s" y="%s" font-size="%s" text-anchor="middle">%s</text>`, slot, short(x), short(y+size*0.36), short(size), said)
}

// shapes is a pen that writes SVG elements.
type shapes struct{ strings.Builder }

func (s *shapes) round(colour color.RGBA, b box, radius float64) { s.rect(classes[colour], b, radius) }

func (s *shapes) rect(class string, b box, radius float64) {
	fmt.Fprintf(s, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="%s"/>`,
		class, short(b.x), short(b.y), short(b.w), short(b.h), short(min(radius, b.w/2, b.h/2)))
}

func (s *shapes) disc(colour color.RGBA, x, y, radius float64) {
	fmt.Fprintf(s, `<circle class="%s" cx="%s" cy="%s" r="%s"/>`, classes[colour], short(x), short(y), short(radius))
}

func (s *shapes) board(made Material, b box, radius float64) { s.rect(made.Class(), b, radius) }

func (s *shapes) bowl(b box, radius float64) { s.round(hollow, b, radius) }

func (s *shapes) seed(tint color.RGBA, x, y, radius float64) { s.disc(tint, x, y, radius) }

func (s *shapes) polygon(color.RGBA, box, ...float64) {} // marks belong to scores, which an SVG does not have

func (s *shapes) number(colour color.RGBA, n int, x, y, size float64) {
	fmt.Fprintf(s, `<text class="%s" x="%s" y="%s" font-size="%s" text-anchor="middle">%d</text>`, classes[colour], short(x), short(y+size*0.36), short(size), n)
}

// short formats a number with at most one digit after the point.
func short(f float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}

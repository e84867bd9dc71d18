package picture

import (
	"image"
	"image/color"
	"math"
)

// shade is a paint that changes from place to place within a box: with the distance from a
// point, as far as reach, or from the upper left to the lower right if reach is 0. Point and
// reach are in parts of the box, as in an SVG.
type shade struct {
	box
	x, y, reach float64
	stops       []stop
}

// stop is the colour at a part of the way, from 0 to 1.
type stop struct {
	at     float64
	colour color.NRGBA
}

func translucent(hex uint32, alpha uint8) color.NRGBA {
	c := rgb(hex)
	return color.NRGBA{c.R, c.G, c.B, alpha}
}

// in returns the shade that fills a box.
func (s shade) in(b box) shade {
	s.box = b
	return s
}

// ColorModel is a part of [image.Image].
func (s shade) ColorModel() color.Model { return color.NRGBAModel }

// Bounds is a part of [image.Image]. A shade has no end.
func (s shade) Bounds() image.Rectangle { return image.Rect(-1e6, -1e6, 1e6, 1e6) }

// At is a part of [image.Image].
func (s shade) At(x, y int) color.Color {
	dx, dy := (float64(x)+0.5-s.box.x)/s.w, (float64(y)+0.5-s.box.y)/s.h
	way := (dx + dy) / 2
	if s.reach > 0 {
		way = math.Hypot(dx-s.x, dy-s.y) / s.reach
	}
	before := s.stops[0]
	for _, after := range s.stops {
		if way < after.at {
			return between(before.colour, after.colour, (way-before.at)/(after.at-before.at))
		}
		before = after
	}
	return before.colour
}

// between returns the colour that is a part of the way from a to b.
func between(a, b color.NRGBA, part float64) color.NRGBA {
	part = max(0, part)
	step := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*part)) }
	return color.NRGBA{step(a.R, b.R), step(a.G, b.G), step(a.B, b.B), step(a.A, b.A)}
}

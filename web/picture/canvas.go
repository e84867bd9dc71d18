// Package picture draws boards: the picture of a link preview, moving pictures, miniatures, faces, and
// the icon of the installed app. Pictures hold digits and marks and no words, so one picture
// serves every language.
package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"mancala/web/typeface"
)

// The colours of boards by day, on the dark table (UX.md §5).
var (
	table   = rgb(0x24170d)
	lit     = rgb(0x6b4526)
	onTable = rgb(0xf8edd9)
	edge    = rgb(0x6b4420) // the thickness of a tile of wood
	wood    = rgb(0xe2b676)
	hollow  = rgb(0x4f2d15)
	wall    = rgb(0x2a1609) // of a pit, in shadow
	digits  = rgb(0xfff6e5)
	faint   = rgb(0xb99c7f)
	players = [4]color.RGBA{rgb(0x7cc4ff), rgb(0xffb27a), rgb(0x5fd3a6), rgb(0xe7a6d8)}
	tints   = [4]color.RGBA{rgb(0xf3bf55), rgb(0xfbefd6), rgb(0xf0a377), rgb(0xb5d8bd)}
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// Light and shadow, laid over the colours. The light comes from the upper left (UX.md §5).
var (
	gleam  = color.RGBA{0x50, 0x50, 0x50, 0x50}
	shadow = color.RGBA{0, 0, 0, 0x58}
	grain  = color.RGBA{0x0e, 0x06, 0x01, 0x18}
)

// box is a rectangle in pixels.
type box struct{ x, y, w, h float64 }

func (b box) centre() (x, y float64) { return b.x + b.w/2, b.y + b.h/2 }

// inset returns the box without a margin on every side.
func (b box) inset(margin float64) box {
	return box{b.x + margin, b.y + margin, b.w - 2*margin, b.h - 2*margin}
}

// times returns the box in a picture that is scale times as large.
func (b box) times(scale float64) box { return box{b.x * scale, b.y * scale, b.w * scale, b.h * scale} }

// canvas is the pen that draws pixels.
type canvas struct {
	*image.RGBA
	scale float64 // pixels of this picture for each pixel of a link preview
}

func newCanvas(w, h int, ground color.Color) canvas {
	c := canvas{image.NewRGBA(image.Rect(0, 0, w, h)), 1}
	draw.Draw(c, c.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	return c
}

// polygon fills the area between corners, which are alternating x and y within b.
func (c canvas) polygon(colour color.RGBA, b box, corners ...float64) {
	c.fill(image.NewUniform(colour), b.times(c.scale), func(v *vector.Rasterizer, left, top float64) {
		for i := 0; i < len(corners); i += 2 {
			x, y := float32(corners[i]*c.scale-left), float32(corners[i+1]*c.scale-top)
			if i == 0 {
				v.MoveTo(x, y)
			} else {
				v.LineTo(x, y)
			}
		}
	})
}

// bend is the distance, in radii, from the corner of a square to the control point of
// the cubic curve that approximates a quarter of a circle.
const bend = 1 - 0.5523

// round fills a box with rounded corners.
func (c canvas) round(colour color.RGBA, b box, radius float64) {
	c.rounded(image.NewUniform(colour), b, radius)
}

// shaded is round with a colour that changes from place to place.
func (c canvas) shaded(paint shade, b box, radius float64) {
	c.rounded(paint.in(b.times(c.scale)), b, radius)
}

func (c canvas) rounded(paint image.Image, b box, radius float64) {
	radius = c.scale * min(radius, b.w/2, b.h/2)
	b = b.times(c.scale)
	c.fill(paint, b, func(v *vector.Rasterizer, left, top float64) {
		x0, y0, x1, y1 := float32(b.x-left), float32(b.y-top), float32(b.x+b.w-left), float32(b.y+b.h-top)
		r, k := float32(radius), float32(radius*bend)
		v.MoveTo(x0+r, y0)
		v.LineTo(x1-r, y0)
		v.CubeTo(x1-k, y0, x1, y0+k, x1, y0+r)
		v.LineTo(x1, y1-r)
		v.CubeTo(x1, y1-k, x1-k, y1, x1-r, y1)
		v.LineTo(x0+r, y1)
		v.CubeTo(x0+k, y1, x0, y1-k, x0, y1-r)
		v.LineTo(x0, y0+r)
		v.CubeTo(x0, y0+k, x0+k, y0, x0+r, y0)
	})
}

func (c canvas) disc(colour color.RGBA, x, y, radius float64) {
	c.round(colour, box{x - radius, y - radius, 2 * radius, 2 * radius}, radius)
}

// board fills a board: its thickness below, a bright upper edge, and grain.
func (c canvas) board(made Material, b box, radius float64) {
	c.round(shadow, box{b.x, b.y + 7, b.w, b.h}, radius)
	c.round(gleam, b, radius)
	c.round(materials[made], box{b.x + 1, b.y + 2, b.w - 1, b.h - 2}, radius)
	if !made.grained() {
		return
	}
	inner := b.inset(min(radius, b.h/2) * 0.6)
	for i := 0; inner.h > 40 && i < int(inner.h/9); i++ { // long fibres, at places without a pattern
		at := math.Mod(float64(i)*0.618, 1)
		long := inner.w * (0.2 + 0.5*math.Mod(float64(i)*0.377, 1))
		c.round(grain, box{inner.x + at*(inner.w-long), inner.y + 9*float64(i), long, 2 + 3*at}, 2)
	}
}

// bowl fills a pit or a store: the wall below the upper left edge lies in shadow, the
// opposite edge is bright.
func (c canvas) bowl(b box, radius float64) {
	deep := min(b.w, b.h) * 0.045
	c.round(gleam, box{b.x + deep*0.4, b.y + deep*0.6, b.w, b.h}, radius)
	c.round(wall, b, radius)
	c.round(hollow, box{b.x + deep, b.y + deep*1.6, b.w - deep*1.2, b.h - deep*1.8}, radius-deep)
}

// seed draws a seed with its highlight and the shadow that falls into the pit.
func (c canvas) seed(tint color.RGBA, x, y, radius float64) {
	c.disc(shadow, x+radius*0.18, y+radius*0.26, radius)
	c.disc(tint, x, y, radius)
	c.disc(gleam, x-radius*0.28, y-radius*0.32, radius*0.36)
}

// fill fills a path within b, which is in pixels of this picture. The path has its origin near b, so a small shape needs only
// a small rasterizer.
func (c canvas) fill(paint image.Image, b box, path func(v *vector.Rasterizer, left, top float64)) {
	area := image.Rect(int(b.x)-1, int(b.y)-1, int(b.x+b.w)+2, int(b.y+b.h)+2)
	v := vector.NewRasterizer(area.Dx(), area.Dy())
	path(v, float64(area.Min.X), float64(area.Min.Y))
	v.ClosePath()
	v.Draw(c.RGBA, area, paint, area.Min) // no shape is near the picture's edge
}

// letters returns the typeface at a size. Closing it frees nothing that is shared.
func letters(size float64) font.Face {
	f, err := opentype.NewFace(typeface.Bold(), &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic("picture: " + err.Error()) // these options are valid
	}
	return f
}

// width returns the width of a text.
func (c canvas) width(text string, size float64) float64 {
	f := letters(size)
	defer f.Close()
	return float64(font.MeasureString(f, text)) / 64
}

// text writes a text centred at x and y.
func (c canvas) text(colour color.RGBA, text string, x, y, size float64) {
	x, y, size = x*c.scale, y*c.scale, size*c.scale
	f := letters(size)
	defer f.Close()
	d := font.Drawer{Dst: c, Src: image.NewUniform(colour), Face: f}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(x*64) - d.MeasureString(text)/2, Y: fixed.Int26_6((y + size*0.34) * 64)} // digits are 0.68 high
	d.DrawString(text)
}

// number writes a number centred at x and y.
func (c canvas) number(colour color.RGBA, n int, x, y, size float64) {
	c.text(colour, strconv.Itoa(n), x, y, size)
}

// shadesOfTable is the number of steps in which the light falls off.
const shadesOfTable = 32

// mix returns the colour that is a part of the way from a to b.
func mix(a, b color.RGBA, part float64) color.RGBA {
	step := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*part) }
	return color.RGBA{step(a.R, b.R), step(a.G, b.G), step(a.B, b.B), 255}
}

// newTable returns a canvas with the table in the light of the lamp, which hangs above the
// upper left. top is the y of its first line. The light falls off in steps, so that the
// picture stays small as a PNG.
func newTable(w, h, top int) canvas {
	const fine = 2048
	var shades [fine + 1]color.RGBA // by the square of the distance
	for i := range shades {
		far := math.Round(math.Sqrt(float64(i)/fine)*shadesOfTable) / shadesOfTable
		shades[i] = mix(lit, table, far)
	}
	c := canvas{image.NewRGBA(image.Rect(0, top, w, top+h)), 1}
	pixels := c.Pix
	for y := range h {
		dy := float64(y)/float64(h) + 0.15
		for x := range w {
			dx := float64(x)/float64(w) - 0.3
			s := shades[min(fine, int((dx*dx+0.8*dy*dy)*(fine/0.9)))]
			pixels[0], pixels[1], pixels[2], pixels[3] = s.R, s.G, s.B, s.A
			pixels = pixels[4:]
		}
	}
	return c
}

// png returns the picture as a PNG.
func (c canvas) png() []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, c.RGBA) // writing to a buffer does not fail
	return b.Bytes()
}

// Package picture draws a board and a score as the picture of a link preview, and the
// icon of the installed app. Pictures hold digits and marks and no words, so one picture
// serves every language.
package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// The light theme's colours (UX.md §5).
var (
	paper   = rgb(0xf6f1e7)
	ink     = rgb(0x1d1a16)
	wood    = rgb(0xe8c48f)
	hollow  = rgb(0x6b4423)
	digits  = rgb(0xfff6e5)
	faint   = rgb(0xb99c7f)
	players = [4]color.RGBA{rgb(0x00609c), rgb(0xa34400), rgb(0x00684a), rgb(0x8a3a78)}
	tints   = [4]color.RGBA{rgb(0xf4d35e), rgb(0xf7e7b4), rgb(0xf0b67f), rgb(0xffe9d0)}
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// box is a rectangle in pixels.
type box struct{ x, y, w, h float64 }

func (b box) centre() (x, y float64) { return b.x + b.w/2, b.y + b.h/2 }

// inset returns the box without a margin on every side.
func (b box) inset(margin float64) box {
	return box{b.x + margin, b.y + margin, b.w - 2*margin, b.h - 2*margin}
}

// canvas is the pen that draws pixels.
type canvas struct{ *image.RGBA }

func newCanvas(w, h int, ground color.Color) canvas {
	c := canvas{image.NewRGBA(image.Rect(0, 0, w, h))}
	draw.Draw(c, c.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	return c
}

// polygon fills the area between corners, which are alternating x and y within b.
func (c canvas) polygon(colour color.RGBA, b box, corners ...float64) {
	c.fill(colour, b, func(v *vector.Rasterizer, left, top float64) {
		for i := 0; i < len(corners); i += 2 {
			x, y := float32(corners[i]-left), float32(corners[i+1]-top)
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
	radius = min(radius, b.w/2, b.h/2)
	c.fill(colour, b, func(v *vector.Rasterizer, left, top float64) {
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

// fill fills a path within b. The path has its origin near b, so a small shape needs only
// a small rasterizer.
func (c canvas) fill(colour color.RGBA, b box, path func(v *vector.Rasterizer, left, top float64)) {
	area := image.Rect(int(b.x)-1, int(b.y)-1, int(b.x+b.w)+2, int(b.y+b.h)+2)
	v := vector.NewRasterizer(area.Dx(), area.Dy())
	path(v, float64(area.Min.X), float64(area.Min.Y))
	v.ClosePath()
	v.Draw(c.RGBA, area, image.NewUniform(colour), image.Point{}) // no shape is near the picture's edge
}

var bold = func() *opentype.Font {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic("picture: " + err.Error()) // the font is part of the binary
	}
	return f
}()

// number writes a number centred at x and y.
func (c canvas) number(colour color.RGBA, n int, x, y, size float64) {
	face, err := opentype.NewFace(bold, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic("picture: " + err.Error()) // these options are valid
	}
	defer face.Close()
	text := strconv.Itoa(n)
	d := font.Drawer{Dst: c, Src: image.NewUniform(colour), Face: face}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(x*64) - d.MeasureString(text)/2, Y: fixed.Int26_6((y + size*0.36) * 64)} // digits are 0.72 high
	d.DrawString(text)
}

// png returns the picture as a PNG.
func (c canvas) png() []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, c.RGBA) // writing to a buffer does not fail
	return b.Bytes()
}

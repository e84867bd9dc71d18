package picture

import (
	"crypto/sha256"
	"embed"
	"image/color"
	"io/fs"
)

//go:embed *.go
var sources embed.FS

// Version returns a hash that changes whenever the drawing of a picture is changed: it is the
// hash of the sources of this package.
func Version() [sha256.Size]byte {
	sum := sha256.New()
	names, err := fs.Glob(sources, "*.go")
	if err != nil {
		panic("picture: " + err.Error()) // the pattern is valid
	}
	for _, name := range names {
		body, err := sources.ReadFile(name)
		if err != nil {
			panic("picture: " + err.Error()) // the sources are part of the binary
		}
		sum.Write(body)
	}
	return [sha256.Size]byte(sum.Sum(nil))
}

// The mark is one pit with four seeds in a tile of maple (UX.md, "The direction"). Its parts
// are measured in parts of the tile. static/icon.svg is the same drawing.
var markSeeds = [4]struct {
	x, y float64
	tint color.RGBA
}{{0.383, 0.367, tints[0]}, {0.625, 0.398, tints[1]}, {0.367, 0.594, tints[3]}, {0.594, 0.625, tints[2]}}

// Icon returns the app's icon as a square PNG. A maskable icon fills the square with wood
// and keeps its drawing in the middle four fifths, because systems crop it.
func Icon(size int, maskable bool) []byte {
	side := float64(size)
	c := newCanvas(size, size, color.Transparent)
	tile := box{0, 0, side, side}
	if maskable {
		c = newCanvas(size, size, wood)
		tile = tile.inset(side * 0.13)
	}
	c.drawMark(tile, !maskable)
	return c.png()
}

// drawMark draws the mark. Without a tile, the wood around the pit is there already.
func (c canvas) drawMark(b box, tile bool) {
	if tile {
		b = b.inset(b.w * 0.03)
		radius := b.w * 0.28
		c.round(edge, b, radius)
		c.round(wood, box{b.x, b.y, b.w, b.h * 0.95}, radius)
		c.round(gleam, box{b.x + b.w*0.03, b.y + b.h*0.015, b.w * 0.94, b.h * 0.3}, radius)
		c.round(wood, box{b.x + b.w*0.012, b.y + b.h*0.025, b.w * 0.976, b.h * 0.91}, radius)
	}
	pit := b.inset(b.w * 0.13)
	pit.y -= b.h * 0.015
	c.bowl(pit, pit.w/2)
	for _, s := range markSeeds {
		c.seed(s.tint, b.x+s.x*b.w, b.y+s.y*b.h-b.h*0.015, b.w*0.128)
	}
}

// wordmark draws the mark and the name around x, centred at y. size is the height of the
// letters' line.
func (c canvas) wordmark(name string, x, y, size float64) {
	tile := size * 1.15
	wide := c.width(name, size)
	left := x - (tile+size*0.3+wide)/2
	c.drawMark(box{left, y - tile/2, tile, tile}, true)
	c.text(onTable, name, left+tile+size*0.3+wide/2, y, size)
}

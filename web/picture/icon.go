package picture

import (
	"crypto/sha256"
	"embed"
	"image"
	"image/color"
	"image/draw"
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

// The mark is one pit with four seeds in a tile of maple (UX.md, "The direction"). static/icon.svg
// is the same drawing, in the same units: the tile has the side markSide.
const (
	markSide = 64
	markPit  = 23.5 // the radius of the pit
	markSeed = 8    // the radius of a seed
)

var markSeeds = [4]struct {
	x, y float64
	tint color.RGBA
}{{24.5, 23.5, tints[0]}, {40, 25.5, tints[1]}, {23.5, 38, tints[3]}, {38, 40, tints[2]}}

// The light on the parts of the mark.
var (
	markWood  = shade{stops: []stop{{0, translucent(0xf3cf93, 255)}, {1, translucent(0xbd8443, 255)}}}
	markBowl  = shade{x: 0.62, y: 0.76, reach: 0.8, stops: []stop{{0, translucent(0x6a4222, 255)}, {0.6, translucent(0x4a2a13, 255)}, {1, translucent(0x2a1508, 255)}}}
	markLight = shade{x: 0.33, y: 0.3, reach: 0.75, stops: []stop{{0, translucent(0xffffff, 191)}, {0.45, translucent(0xffffff, 0)}, {1, translucent(0, 89)}}}
	markLip   = color.RGBA{0x66, 0x5d, 0x50, 0x66} // the edge of the pit that faces the light
	markDark  = color.RGBA{0x0f, 0x07, 0x02, 0x8c} // the shadow of a seed
)

// Icon returns the app's icon as a square PNG. A maskable icon fills the square with wood
// and keeps its drawing in the middle four fifths, because systems crop it.
func Icon(size int, maskable bool) []byte {
	side := float64(size)
	c := newCanvas(size, size, color.Transparent)
	tile := box{0, 0, side, side}
	if maskable {
		draw.Draw(c, c.Bounds(), markWood.in(tile), image.Point{}, draw.Src)
		tile = tile.inset(side * 0.03)
	}
	c.drawMark(tile, !maskable)
	return c.png()
}

// drawMark draws the mark. Without a tile, the wood around the pit is there already.
func (c canvas) drawMark(b box, tile bool) {
	unit := b.w / markSide
	part := func(x, y, w, h float64) box { return box{b.x + x*unit, b.y + y*unit, w * unit, h * unit} }
	ball := func(x, y, r float64) box { return part(x-r, y-r, 2*r, 2*r) }
	if tile {
		c.round(edge, part(2, 2, 60, 60), 17*unit)
		c.shaded(markWood, part(2, 2, 60, 57), 17*unit)
	}
	middle := markSide / 2.0
	if tile {
		middle-- // the tile shows how thick it is
	}
	c.round(markLip, ball(32.4, middle+0.8, markPit), markPit*unit)
	c.shaded(markBowl, ball(32, middle, markPit), markPit*unit)
	for _, s := range markSeeds {
		c.round(markDark, ball(s.x+1.5, s.y+2.5+middle-31, markSeed), markSeed*unit)
	}
	for _, s := range markSeeds {
		at := ball(s.x, s.y+middle-31, markSeed)
		c.round(s.tint, at, markSeed*unit)
		c.shaded(markLight, at, markSeed*unit)
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

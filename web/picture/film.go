package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"time"
)

// The size of a moving picture in pixels. It is two thirds of a link preview.
const (
	FilmWidth  = 800
	FilmHeight = 420
)

// Film is a moving picture of one board, as a GIF. A frame holds only the rectangle that has
// changed, and of that only the pixels that have changed.
//
// Frames are encoded when they are added, so a film takes little memory beyond its GIF.
type Film struct {
	slots   []slot
	empty   canvas // the table and the board without seeds
	frame   canvas
	palette color.Palette
	nearest map[color.RGBA]uint8
	shown   *image.Paletted // after the frames so far
	next    *image.Paletted // what the next frame changes
	file    bytes.Buffer    // the GIF without its trailer
}

// NewFilm returns a film without frames. All its boards have the shape of b.
func NewFilm(b Board) *Film {
	f := &Film{
		slots: b.slots(), empty: newTable(FilmWidth, FilmHeight, 0), palette: b.palette(), nearest: map[color.RGBA]uint8{},
	}
	f.empty.scale = float64(FilmWidth) / Width
	b.Ringed, b.Marks = nil, nil
	b.board(bare{f.empty})
	b.sign(f.empty)
	f.frame = canvas{image.NewRGBA(f.empty.Rect), f.empty.scale}
	f.shown, f.next = image.NewPaletted(f.empty.Rect, f.palette), image.NewPaletted(f.empty.Rect, f.palette)
	return f
}

// bare is a canvas on which pits and stores stay empty.
type bare struct{ canvas }

func (bare) count(string, string, box) {}

// Add adds a frame that stays for a time.
func (f *Film) Add(b Board, stays time.Duration) error {
	f.draw(b)
	return f.encode(f.changes(), stays)
}

// draw draws a board as the next frame.
func (f *Film) draw(b Board) {
	copy(f.frame.Pix, f.empty.Pix)
	for _, s := range f.slots {
		b.content(f.frame, s)
	}
	b.scores(f.frame, header/2)
}

// changes compares the frame with what is shown. It returns the rectangle that holds all
// changes; pixels without a change are transparent. What is shown is then the frame.
func (f *Film) changes() *image.Paletted {
	clear(f.next.Pix)
	left, top, right, bottom := FilmWidth, FilmHeight, 0, 0
	var last color.RGBA
	var index uint8
	for i := range f.next.Pix {
		p := f.frame.Pix[4*i : 4*i+3 : 4*i+3]
		if c := (color.RGBA{p[0], p[1], p[2], 255}); c != last {
			last, index = c, f.indexOf(c)
		}
		if index == f.shown.Pix[i] {
			continue
		}
		f.next.Pix[i], f.shown.Pix[i] = index, index
		x, y := i%FilmWidth, i/FilmWidth
		left, top, right, bottom = min(left, x), min(top, y), max(right, x+1), max(bottom, y+1)
	}
	if right == 0 { // nothing has changed, and a frame has at least one pixel
		return f.next.SubImage(image.Rect(0, 0, 1, 1)).(*image.Paletted)
	}
	return f.next.SubImage(image.Rect(left, top, right, bottom)).(*image.Paletted)
}

// indexOf returns the index of the colour in the palette that is nearest to c.
func (f *Film) indexOf(c color.RGBA) uint8 {
	index, ok := f.nearest[c]
	if !ok {
		index = uint8(transparent + 1 + f.palette[transparent+1:].Index(c))
		f.nearest[c] = index
	}
	return index
}

// loop is the block of a GIF that makes it begin again at its end, any number of times.
const loop = "\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"

// trailer is the last byte of a GIF.
const trailer = 1

// encode adds a frame to the file. [gif.EncodeAll] takes all frames at once, and those of a
// long game take a hundred megabytes. So each frame is encoded as a GIF of its own, and the
// file takes the header of the first and the blocks of all.
func (f *Film) encode(frame *image.Paletted, stays time.Duration) error {
	var one bytes.Buffer
	err := gif.EncodeAll(&one, &gif.GIF{
		Image: []*image.Paletted{frame}, Delay: []int{int(stays / (10 * time.Millisecond))},
		Disposal: []byte{gif.DisposalNone}, Config: image.Config{ColorModel: f.palette, Width: FilmWidth, Height: FilmHeight},
	})
	if err != nil {
		return err
	}
	header := headerSize(len(f.palette))
	if f.file.Len() == 0 {
		f.file.Write(one.Bytes()[:header])
		f.file.WriteString(loop)
	}
	f.file.Write(one.Bytes()[header : one.Len()-trailer])
	return nil
}

// headerSize returns the number of bytes before the first block of a GIF: a screen, and the
// palette, whose size is a power of two.
func headerSize(colours int) int {
	padded := 2
	for padded < colours {
		padded *= 2
	}
	return 13 + 3*padded
}

// GIF returns the file.
func (f *Film) GIF() []byte { return append(bytes.Clone(f.file.Bytes()), ';') }

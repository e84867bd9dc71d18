package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"slices"
	"testing"
	"time"
)

// filmed returns the decoded film of these boards, and what it shows at its end.
func filmed(t *testing.T, boards ...Board) (*gif.GIF, *image.RGBA) {
	t.Helper()
	f := NewFilm(boards[0])
	for _, b := range boards {
		if err := f.Add(b, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gif.DecodeAll(bytes.NewReader(f.GIF()))
	if err != nil {
		t.Fatal(err)
	}
	shown := image.NewRGBA(image.Rect(0, 0, FilmWidth, FilmHeight))
	for _, frame := range g.Image {
		draw.Draw(shown, frame.Rect, frame, frame.Rect.Min, draw.Over)
	}
	return g, shown
}

// small returns the board as a link preview draws it, in the size of a film.
func small(b Board) canvas {
	c := newTable(FilmWidth, FilmHeight, 0)
	c.scale = float64(FilmWidth) / Width
	b.board(c)
	b.scores(c, header/2)
	b.sign(c)
	return c
}

// moved returns a board with a seed more in each third pit, one won, and a ring.
func moved(b Board) Board {
	b.Pits, b.Won = slices.Clone(b.Pits), slices.Clone(b.Won)
	for i := 0; i < len(b.Pits); i += 3 {
		b.Pits[i]++
	}
	b.Won[0]++
	b.Ringed = []int{1}
	return b
}

func TestFilmEndsWithThePictureOfItsLastBoard(t *testing.T) {
	for name, b := range boards {
		last := moved(b)
		_, shown := filmed(t, b, last, b, last)
		want, palette := small(last), b.palette()
		worst, sum, nearest := 0, 0, map[color.RGBA]color.Color{}
		for i := 0; i < len(want.Pix); i += 4 {
			c := color.RGBA{want.Pix[i], want.Pix[i+1], want.Pix[i+2], 255}
			if nearest[c] == nil {
				nearest[c] = palette[1:].Convert(c)
			}
			if got := (color.RGBA{shown.Pix[i], shown.Pix[i+1], shown.Pix[i+2], 255}); got != nearest[c] {
				t.Fatalf("%s: pixel %d, %d is %v, want %v", name, i/4%FilmWidth, i/4/FilmWidth, got, nearest[c])
			}
			for k := range 3 {
				off := int(want.Pix[i+k]) - int(shown.Pix[i+k])
				worst, sum = max(worst, off, -off), sum+max(off, -off)
			}
		}
		if mean := float64(sum) / float64(FilmWidth*FilmHeight*3); worst > 60 || mean > 0.5 {
			t.Errorf("%s: the colours of the palette are off by %.2f on average, and by %d in the worst case", name, mean, worst)
		}
	}
}

func TestFrameHoldsOnlyWhatHasChanged(t *testing.T) {
	b := boards["kalah"]
	ringed := b
	ringed.Ringed = []int{2}
	g, _ := filmed(t, b, ringed, ringed)
	if size := g.Image[0].Bounds().Size(); size != image.Pt(FilmWidth, FilmHeight) {
		t.Errorf("the first frame has the size %v", size)
	}
	pit := g.Image[1].Bounds()
	if pit.Dx() > FilmWidth/6 || pit.Dy() > FilmHeight/2 {
		t.Errorf("a ring around one pit takes the frame %v", pit)
	}
	clear := 0
	for _, index := range g.Image[1].Pix {
		if index == transparent {
			clear++
		}
	}
	if clear < pit.Dx()*pit.Dy()/2 {
		t.Errorf("only %d of %d pixels of it are transparent", clear, pit.Dx()*pit.Dy())
	}
	if size := g.Image[2].Bounds().Size(); size != image.Pt(1, 1) {
		t.Errorf("a frame without a change has the size %v", size)
	}
}

func TestFilmRepeatsAndKeepsItsTimes(t *testing.T) {
	g, _ := filmed(t, boards["ring"], boards["ring"])
	if g.LoopCount != 0 || !slices.Equal(g.Delay, []int{100, 100}) {
		t.Errorf("it repeats %d times (0: always), and its frames stay for %v hundredths of a second", g.LoopCount, g.Delay)
	}
}

func TestPaletteOfEveryBoardFitsIntoAGIF(t *testing.T) {
	for name, b := range boards {
		if n := len(b.palette()); n > 256 {
			t.Errorf("%s: %d colours", name, n)
		}
	}
}

// No shape may cross the edge of the picture.
func TestStarsAndRingsOfAllPlayersFitIntoThePicture(t *testing.T) {
	for name, b := range boards {
		was := b.draw()
		b.Turn, b.Won = -1, slices.Repeat([]int{250}, b.Sides)
		without := b.draw()
		for side := range b.Sides {
			b.Winners = append(b.Winners, side)
		}
		for i := range b.Pits {
			b.Ringed = append(b.Ringed, i)
		}
		if with := b.draw(); bytes.Equal(with.Pix, without.Pix) || bytes.Equal(with.Pix, was.Pix) {
			t.Errorf("%s: stars and rings are not drawn", name)
		}
		b.drawSquare()
		filmed(t, b)
	}
}

func BenchmarkFrame(b *testing.B) {
	f := NewFilm(boards["kalah"])
	for b.Loop() {
		f.draw(moved(boards["kalah"]))
		f.changes()
		f.draw(boards["kalah"])
		f.changes()
	}
}

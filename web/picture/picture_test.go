package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// boards are all shapes that rules can have, at their smallest, usual and
// largest.
var boards = map[string]Board{
	"kalah":       {Sides: 2, Partners: 1, Rows: 1, Stores: true, Pits: []int{0, 5, 5, 14, 1, 3, 0, 5, 5, 1, 14, 3}, Won: []int{13, 10}, Turn: 0},
	"oware":       {Sides: 2, Partners: 1, Rows: 1, Pits: []int{0, 5, 5, 14, 1, 3, 0, 5, 5, 1, 14, 3}, Won: []int{13, 0}, Turn: 1},
	"teams":       {Sides: 2, Partners: 2, Rows: 1, Stores: true, Pits: repeat(4, 12), Won: []int{0, 0}, Turn: 2},
	"maruba":      {Sides: 2, Partners: 1, Rows: 2, Pits: repeat(2, 32), Won: []int{0, 32}, Turn: -1},
	"two rows":    {Sides: 2, Partners: 1, Rows: 2, Stores: true, Pits: repeat(25, 26*2), Won: []int{100, 100}, Turn: 1},
	"thirteen":    {Sides: 2, Partners: 1, Rows: 1, Stores: true, Pits: repeat(9, 26), Won: []int{250, 200}, Turn: 1},
	"one":         {Sides: 2, Partners: 1, Rows: 1, Stores: true, Pits: []int{3, 200}, Won: []int{0, 0}, Turn: 0},
	"ring":        {Sides: 4, Partners: 1, Rows: 1, Stores: true, Pits: repeat(4, 24), Won: []int{1, 2, 3, 44}, Turn: 3},
	"large ring":  {Sides: 4, Partners: 1, Rows: 1, Stores: true, Pits: repeat(4, 52), Won: []int{1, 2, 3, 44}, Turn: 1},
	"plain ring":  {Sides: 4, Partners: 1, Rows: 1, Pits: repeat(13, 16), Won: []int{0, 0, 0, 0}, Turn: 2},
	"nobody sits": {Sides: 2, Partners: 1, Rows: 1, Stores: true, Pits: repeat(0, 12), Won: []int{0, 0}, Turn: -1},
}

func repeat(n, times int) []int { return slices.Repeat([]int{n}, times) }

// With MANCALA_PICTURES=folder the pictures are left there to be looked at.
func TestBoards(t *testing.T) {
	for name, b := range boards {
		body := b.PNG()
		if folder := os.Getenv("MANCALA_PICTURES"); folder != "" {
			if err := os.WriteFile(filepath.Join(folder, name+".png"), body, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if size := decode(t, body).Bounds().Size(); size != image.Pt(Width, Height) || len(body) > 150<<10 {
			t.Errorf("%s: %v, %d bytes", name, size, len(body))
		}
	}
}

// Everything that a board says can be seen in its picture.
func TestEveryPartIsDrawn(t *testing.T) {
	for name, b := range boards {
		was := b.draw()
		differs := func(what string, other Board) {
			if bytes.Equal(was.Pix, other.draw().Pix) {
				t.Errorf("%s: %s cannot be seen", name, what)
			}
		}
		for i := 0; i < len(b.Pits); i += 7 {
			other := b
			other.Pits = slices.Clone(b.Pits)
			other.Pits[i]++
			differs("a seed in a pit", other)
		}
		for side := range b.Won {
			other := b
			other.Won = slices.Clone(b.Won)
			other.Won[side]++
			differs("a seed won", other)
		}
		other := b
		other.Turn = (b.Turn + 1) % (b.Sides * b.Partners)
		differs("the turn", other)
	}
}

// What is drawn in a page has a class for every colour.
func TestSVG(t *testing.T) {
	for name, b := range boards {
		svg := b.SVG()
		if strings.Contains(svg, `class=""`) || strings.Contains(svg, "style=") || strings.Contains(svg, "NaN") {
			t.Errorf("%s: %.300s", name, svg)
		}
		if n := strings.Count(svg, "<text"); n < len(b.Pits) {
			t.Errorf("%s: %d numbers for %d pits", name, n, len(b.Pits))
		}
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIcon(t *testing.T) {
	for _, size := range []int{48, 192, 512} {
		for _, maskable := range []bool{false, true} {
			icon := decode(t, Icon(size, maskable))
			if icon.Bounds().Size() != image.Pt(size, size) {
				t.Errorf("%d: %v", size, icon.Bounds())
			}
			if r, g, b, _ := icon.At(0, 0).RGBA(); maskable && (r>>8 != uint32(wood.R) || g>>8 != uint32(wood.G) || b>>8 != uint32(wood.B)) {
				t.Errorf("%d: the corner of what is cut to a shape is not filled", size)
			}
		}
	}
}

func decode(t *testing.T, body []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func BenchmarkBoard(b *testing.B) {
	for b.Loop() {
		boards["kalah"].PNG()
	}
}

func BenchmarkIcon(b *testing.B) {
	for b.Loop() {
		Icon(512, true)
	}
}

// A miniature counts every slot once, by the name that the protocol has for it.
func TestMiniature(t *testing.T) {
	for name, b := range boards {
		drawing := b.Miniature()
		if err := xml.Unmarshal([]byte(drawing), new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want := map[string]int{}
		for i, n := range b.Pits {
			want[fmt.Sprint(i)] = n
		}
		for side, n := range b.Won {
			if b.Stores {
				want[fmt.Sprint("s", side)] = n
			}
		}
		for slot, n := range want {
			counted := regexp.MustCompile(fmt.Sprintf(`data-at="%s"[^>]*>(\d+)<`, slot)).FindAllStringSubmatch(drawing, -1)
			if len(counted) != 1 || counted[0][1] != fmt.Sprint(n) {
				t.Errorf("%s: slot %s shows %v, want %d once", name, slot, counted, n)
			}
		}
		if got := strings.Count(drawing, "data-at="); got != len(want) || strings.Contains(drawing, "circle") {
			t.Errorf("%s: %d numbers for %d slots, or seeds", name, got, len(want))
		}
	}
}

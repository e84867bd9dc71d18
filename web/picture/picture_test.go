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

	"mancala/engine"
)

// boards are all shapes of board that rules allow, at their smallest, usual and largest
// sizes.
var boards = map[string]Board{
	"kalah":       {Sides: 2, Partners: 1, Rows: 1, Stores: true, Made: Maple, Pits: []int{0, 5, 5, 14, 1, 3, 0, 5, 5, 1, 14, 3}, Won: []int{13, 10}, Turn: 0},
	"oware":       {Sides: 2, Partners: 1, Rows: 1, Made: Boat, Pits: []int{0, 5, 5, 14, 1, 3, 0, 5, 5, 1, 14, 3}, Won: []int{13, 0}, Turn: 1},
	"teams":       {Sides: 2, Partners: 2, Rows: 1, Stores: true, Made: Maple, Pits: repeat(4, 12), Won: []int{0, 0}, Turn: 2},
	"house":       {Sides: 2, Partners: 1, Rows: 2, Made: Plank, Pits: repeat(2, 32), Marks: map[int]string{11: "h", 20: "h!", 25: "!"}, Won: []int{22, 3}, Hand: true, Turn: 1},
	"maruba":      {Sides: 2, Partners: 1, Rows: 2, Made: Sand, Pits: repeat(2, 32), Won: []int{0, 32}, Turn: -1},
	"two rows":    {Sides: 2, Partners: 1, Rows: 2, Stores: true, Made: Plank, Pits: repeat(25, 26*2), Won: []int{100, 100}, Turn: 1},
	"thirteen":    {Sides: 2, Partners: 1, Rows: 1, Stores: true, Made: Stone, Pits: repeat(9, 26), Won: []int{250, 200}, Turn: 1},
	"one":         {Sides: 2, Partners: 1, Rows: 1, Stores: true, Made: Maple, Pits: []int{3, 200}, Won: []int{0, 0}, Turn: 0},
	"ring":        {Sides: 4, Partners: 1, Rows: 1, Stores: true, Made: Clay, Pits: repeat(4, 24), Won: []int{1, 2, 3, 44}, Turn: 3},
	"large ring":  {Sides: 4, Partners: 1, Rows: 1, Stores: true, Made: Clay, Pits: repeat(4, 52), Won: []int{1, 2, 3, 44}, Turn: 1},
	"plain ring":  {Sides: 4, Partners: 1, Rows: 1, Made: Clay, Pits: repeat(13, 16), Won: []int{0, 0, 0, 0}, Turn: 2},
	"empty seats": {Sides: 2, Partners: 1, Rows: 1, Stores: true, Made: Maple, Pits: repeat(0, 12), Won: []int{0, 0}, Turn: -1},
}

func repeat(n, times int) []int { return slices.Repeat([]int{n}, times) }

// TestPicturesHaveTheSizeOfALinkPreview also writes the pictures to the folder in
// MANCALA_PICTURES, for people to look at.
func TestPicturesHaveTheSizeOfALinkPreview(t *testing.T) {
	for name, b := range boards {
		body := b.PNG()
		if folder := os.Getenv("MANCALA_PICTURES"); folder != "" {
			if err := os.WriteFile(filepath.Join(folder, name+".png"), body, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if size := decode(t, body).Bounds().Size(); size != image.Pt(Width, Height) || len(body) > 180<<10 {
			t.Errorf("%s: the picture has the size %v and %d bytes", name, size, len(body))
		}
	}
}

// TestEveryPartOfABoardIsDrawn changes one part at a time and expects another picture.
func TestEveryPartOfABoardIsDrawn(t *testing.T) {
	for name, b := range boards {
		was := b.draw()
		differs := func(what string, other Board) {
			if bytes.Equal(was.Pix, other.draw().Pix) {
				t.Errorf("%s: %s does not change the picture", name, what)
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

func TestSquarePictureShowsAllThatTheWideOneDoes(t *testing.T) {
	for name, b := range boards {
		body := b.Square()
		if folder := os.Getenv("MANCALA_PICTURES"); folder != "" {
			if err := os.WriteFile(filepath.Join(folder, name+" square.png"), body, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if size := decode(t, body).Bounds().Size(); size != image.Pt(Width, Width) || len(body) > 250<<10 {
			t.Errorf("%s: the picture has the size %v and %d bytes", name, size, len(body))
		}
		other := b
		other.Pits, other.Won = slices.Clone(b.Pits), slices.Clone(b.Won)
		other.Pits[0]++
		if bytes.Equal(b.drawSquare().Pix, other.drawSquare().Pix) {
			t.Errorf("%s: a seed in a pit does not change the picture", name)
		}
		other.Pits[0], other.Won[0] = b.Pits[0], b.Won[0]+1
		if bytes.Equal(b.drawSquare().Pix, other.drawSquare().Pix) {
			t.Errorf("%s: a seed won does not change the picture", name)
		}
	}
}

func TestSVGHasAClassForEveryColourAndANumberForEveryPit(t *testing.T) {
	for name, b := range boards {
		svg := b.SVG()
		if strings.Contains(svg, `class=""`) || strings.Contains(svg, "style=") || strings.Contains(svg, "NaN") {
			t.Errorf("%s: a colour has no class, or a number is wrong: %.300s", name, svg)
		}
		if n := strings.Count(svg, "<text"); n < len(b.Pits) {
			t.Errorf("%s: %d numbers for %d pits", name, n, len(b.Pits))
		}
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIconIsSquareAndAMaskableOneIsFilled(t *testing.T) {
	for _, size := range []int{48, 192, 512} {
		for _, maskable := range []bool{false, true} {
			icon := decode(t, Icon(size, maskable))
			if icon.Bounds().Size() != image.Pt(size, size) {
				t.Errorf("%d: the icon has the bounds %v", size, icon.Bounds())
			}
			if _, _, _, a := icon.At(0, 0).RGBA(); (a == 0xffff) != maskable {
				t.Errorf("%d: the corner of the icon is filled: %t, maskable: %t", size, a == 0xffff, maskable)
			}
		}
	}
}

// The icon is lit as icon.svg is, from the upper left: wood and seeds are brighter there, and the pit, whose wall
// lies in shadow, darker.
func TestIconIsLitFromTheUpperLeft(t *testing.T) {
	const size = 512
	for _, maskable := range []bool{false, true} {
		body := Icon(size, maskable)
		if folder := os.Getenv("MANCALA_PICTURES"); folder != "" {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("icon %t.png", maskable)), body, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		icon := decode(t, body)
		light := func(x, y float64) int {
			r, g, b, _ := icon.At(int(x*size), int(y*size)).RGBA()
			return int(r+g+b) >> 8
		}
		for what, at := range map[string][4]float64{ // in parts of the icon: the brighter place, and the darker one
			"wood": {0.12, 0.12, 0.88, 0.85},
			"pit":  {0.62, 0.78, 0.36, 0.19},
			"seed": {0.34, 0.32, 0.45, 0.44},
		} {
			if bright, dark := light(at[0], at[1]), light(at[2], at[3]); bright < dark+15 {
				t.Errorf("maskable %t: the %s has the brightness %d where the light falls and %d elsewhere", maskable, what, bright, dark)
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

func TestMiniatureCountsEverySlotOnceByItsNameInTheProtocol(t *testing.T) {
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
			t.Errorf("%s: the miniature has %d numbers for %d slots, or draws seeds", name, got, len(want))
		}
	}
}

func TestFacesFollowFromTheKeyAndDiffer(t *testing.T) {
	seen := map[string]string{}
	for i := range 400 {
		key := fmt.Sprintf("p%d", i)
		svg := Face(key)
		if svg != Face(key) {
			t.Fatalf("%s has two faces", key)
		}
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		if n := strings.Count(svg, "h0"); n < 4 {
			t.Errorf("%s has %d seeds: %s", key, n, svg)
		}
		if other, taken := seen[svg]; taken {
			t.Errorf("%s and %s have the same face", key, other)
		}
		seen[svg] = key
	}
	if folder := os.Getenv("MANCALA_PICTURES"); folder != "" {
		sheet := `<body style="background:#fdf8ee">`
		for i := range 60 {
			sheet += Face(fmt.Sprintf("p4poaje7cyj%d", i)) + " "
		}
		if err := os.WriteFile(filepath.Join(folder, "faces.html"), []byte(sheet), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A page changes only the numbers of a miniature, so that it must not show a house that may be gone.
func TestHousesAndBlockedPitsAreInPicturesAndNotInMiniatures(t *testing.T) {
	plain := Board{Sides: 2, Partners: 1, Rows: 2, Made: Plank, Pits: make([]int, 32), Won: []int{22, 22}, Turn: -1}
	for _, marks := range []string{"h", "!", "h!"} {
		b := plain
		b.Marks = map[int]string{11: marks}
		if bytes.Equal(b.PNG(), plain.PNG()) {
			t.Errorf("the picture shows no %s", marks)
		}
		if b.Miniature() != plain.Miniature() {
			t.Errorf("the miniature shows %s", marks)
		}
	}
}

// TestSeedsInHandLieBesideTheBoard draws a heap for a hand.
func TestSeedsInHandLieBesideTheBoard(t *testing.T) {
	won := boards["house"]
	won.Hand = false
	hand := won
	hand.Hand = true
	if bytes.Equal(hand.draw().Pix, won.draw().Pix) || bytes.Equal(hand.drawSquare().Pix, won.drawSquare().Pix) {
		t.Error("seeds in hand are drawn as seeds won")
	}
	few := hand
	few.Won = []int{22, 4}
	if bytes.Equal(hand.draw().Pix, few.draw().Pix) {
		t.Error("a seed in hand does not change the picture")
	}
}

// TestStoresHoldTheHandsUntilThePitsAreEmpty asks of a board in play and of one at its end.
func TestStoresHoldTheHandsUntilThePitsAreEmpty(t *testing.T) {
	for rules, want := range map[string]bool{"bao": true, "bao-kujifunza": false, "kalah": false} {
		r, _ := engine.System(rules)
		if got := InHand(r, []int{0, 2}); got != want {
			t.Errorf("%s in play: %t, want %t", rules, got, want)
		}
		if InHand(r, []int{0, 0}) {
			t.Errorf("%s at its end has seeds in hand", rules)
		}
	}
}

// TestClaimedPitHasTheMarkOfItsClaimant draws a pit of South that North has claimed, and the reverse.
func TestClaimedPitHasTheMarkOfItsClaimant(t *testing.T) {
	b := Board{Sides: 2, Partners: 1, Rows: 1, Made: Boat, Pits: []int{0, 3, 0, 2}, Marks: map[int]string{0: "x", 2: "x"}, Won: []int{6, 7}, Turn: -1}
	drawing := b.Miniature()
	for _, want := range []string{`data-at="0"[^>]*>◆<`, `data-at="1"[^>]*>3<`, `data-at="2"[^>]*>●<`} {
		if !regexp.MustCompile(want).MatchString(drawing) {
			t.Errorf("%s is not in\n%s", want, drawing)
		}
	}
	plain := b
	plain.Marks = nil
	if bytes.Equal(b.PNG(), plain.PNG()) {
		t.Error("the picture shows no claim")
	}
}

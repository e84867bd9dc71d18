package typeface

import (
	"bytes"
	"testing"

	tdfont "github.com/tdewolff/font"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"mancala/web/messages"
)

// most is the part of the first view that the typeface may take (UX.md §11, Q3).
const most = 13_000

func subset(t *testing.T) []byte {
	t.Helper()
	woff, err := WOFF2("é")
	if err != nil {
		t.Fatal(err)
	}
	return woff
}

func TestSubsetIsSmallAndAlwaysTheSame(t *testing.T) {
	first := subset(t)
	if len(first) > most || len(first) < 5000 {
		t.Errorf("the subset has %d bytes", len(first))
	}
	if !bytes.Equal(first, subset(t)) {
		t.Error("the same font gave other bytes")
	}
}

// A letter that the face does not have would be an error at the start of a server.
func TestSubsetOfEachLanguageIsSmall(t *testing.T) {
	spoken, err := messages.LoadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range spoken.Catalogs {
		if !c.Latin() {
			continue
		}
		woff, err := WOFF2(c.Letters())
		if err != nil || len(woff) > most {
			t.Errorf("%s: %d bytes, %v", c.Lang, len(woff), err)
		}
	}
}

func TestFiguresAlignAndPairsAreKerned(t *testing.T) {
	plain, err := tdfont.ToSFNT(subset(t))
	if err != nil {
		t.Fatal(err)
	}
	f, err := opentype.Parse(plain)
	if err != nil {
		t.Fatal(err)
	}
	var b sfnt.Buffer
	size := fixed.I(int(f.UnitsPerEm()))
	glyph := func(letter rune) sfnt.GlyphIndex {
		g, err := f.GlyphIndex(&b, letter)
		if err != nil || g == 0 {
			t.Fatalf("%q: glyph %d, %v", letter, g, err)
		}
		return g
	}
	width := func(letter rune) fixed.Int26_6 {
		w, err := f.GlyphAdvance(&b, glyph(letter), size, font.HintingNone)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	for digit := '1'; digit <= '9'; digit++ {
		if width(digit) != width('0') {
			t.Errorf("%c is %v wide, 0 is %v", digit, width(digit), width('0'))
		}
	}
	if k, err := f.Kern(&b, glyph('A'), glyph('V'), size, font.HintingNone); err != nil || k.Round() != -100 {
		t.Errorf("A and V: %v, %v", k, err)
	}
	for id, want := range map[sfnt.NameID]string{sfnt.NameIDCopyright: copyright, sfnt.NameIDLicense: license} {
		if got, err := f.Name(&b, id); err != nil || got != want {
			t.Errorf("name %d: %q, %v", id, got, err)
		}
	}
}

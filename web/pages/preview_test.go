package pages

import (
	"bytes"
	"testing"

	"mancala/web/picture"
)

// The number of kept pictures is limited, whatever the number of positions requested.
func TestFewPicturesAreKept(t *testing.T) {
	p := previews{drawn: map[string]drawn{}}
	for n := range maxPictures + 5 {
		p.drawn[string(rune(n))] = drawn{}
	}
	b := picture.Board{Sides: 2, Partners: 1, Rows: 1, Made: picture.Boat, Pits: []int{1, 2}, Won: []int{0, 0}}
	d, err := p.of(b, false, func() error { return nil })
	if err != nil || !bytes.Equal(d.body, b.PNG()) || len(p.drawn) > maxPictures {
		t.Errorf("%v, %d kept", err, len(p.drawn))
	}
}

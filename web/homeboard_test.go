package web

import (
	"image/png"
	"net/url"
	"strings"
	"testing"

	"mancala/web/webtest"
)

// A tap on a pit of the home page's board is the first move of a game against level 1,
// also for a client without identity.
func TestPitOfTheHomeBoardIsTheFirstMoveOfAGame(t *testing.T) {
	s := serve(t)
	p := s.person()
	id, err := p.Make(s.ctx, url.Values{"rules": {"kalah"}, "bot": {"1"}, "start": {"creator"}, "first": {"c"}})
	s.must(err)
	s.must(s.open(p, id).Until(s.ctx, "the move, and the same player's turn", func(g *webtest.Game) bool {
		return g.Number("ply") == 1 && g.Number("turn") == 0 && len(g.Legal) > 0
	}))
	// A move that cannot be played leaves the game as it is.
	id, err = p.Make(s.ctx, url.Values{"rules": {"kalah"}, "bot": {"1"}, "start": {"creator"}, "first": {"z"}})
	s.must(err)
	s.must(s.open(p, id).Until(s.ctx, "the first turn", func(g *webtest.Game) bool {
		return g.Number("ply") == 0 && len(g.Legal) > 0
	}))
}

// The fields for pits and seeds change the rules as the typed options do, and what was
// typed counts where both say something.
func TestPitsAndSeedsOfAFormAreHouseRules(t *testing.T) {
	s := serve(t)
	for _, tt := range []struct{ pits, seeds, options, want string }{
		{"", "", "", ""}, {"7", "5", "", "pits=7 seeds=5"}, {"8", "", "pits=5", "pits=5"}, {"", "3", "pits=5", "pits=5 seeds=3"},
	} {
		p := s.person()
		id, err := p.Make(s.ctx, url.Values{"rules": {"kalah"}, "pits": {tt.pits}, "seeds": {tt.seeds}, "options": {tt.options}})
		s.must(err)
		if page := s.plain("/"+id, nil).Body; tt.want != "" && !strings.Contains(page, tt.want) || tt.want == "" && strings.Contains(page, "seeds=") {
			t.Errorf("%+v: the page does not say %q", tt, tt.want)
		}
	}
}

func TestSquarePictureFollowsTheGame(t *testing.T) {
	s := serve(t)
	id, seats := s.game("start=creator")
	before := s.plain("/"+id+"/square.png", nil)
	img, err := png.Decode(strings.NewReader(before.Body))
	s.must(err)
	if size := img.Bounds().Size(); size.X != 1200 || size.Y != 1200 || before.Header.Get("ETag") == s.picture(id).Header.Get("ETag") {
		t.Errorf("the picture has the size %v and the tag %s", size, before.Header.Get("ETag"))
	}
	s.move(seats[0], "c")
	if after := s.plain("/"+id+"/square.png", nil); after.Header.Get("ETag") == before.Header.Get("ETag") {
		t.Error("the picture is the same after a move")
	}
}

package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mancala/web/webtest"
)

// replayed returns a game of Kalah that ended after three plies: South's c and a, North's b.
func (s *service) replayed(settings string) string {
	s.Helper()
	id, seats := s.game("rules=kalah" + settings)
	s.move(seats[0], "c")
	s.move(seats[0], "a")
	s.move(seats[1], "b")
	s.must(seats[0].Until(s.ctx, "the moves", func(g *webtest.Game) bool { return g.Number("ply") == 3 }))
	s.must(seats[1].Must(s.ctx, "resign", nil))
	s.must(seats[0].Until(s.ctx, "the end", func(g *webtest.Game) bool { return g.Over() }))
	return id
}

// shows reports whether a page's board has these seeds in pit 0, pit 2 and South's store.
func shows(page string, first, third, store string) bool {
	for at, n := range map[string]string{`data-pit="0" data-owner="0" data-count="`: first, `data-pit="2" data-owner="0" data-count="`: third, `data-store="0" data-place="bottom" data-count="`: store} {
		if !strings.Contains(page, at+n+`"`) {
			return false
		}
	}
	return true
}

// The server draws the moment of a link on the page, in the frame and in the preview. A place that the
// game does not have is the nearest one. Places count plies; the page counts turns, and the first two plies are one.
func TestLinkToAMomentShowsItsPosition(t *testing.T) {
	s := serve(t)
	id := s.replayed("")
	for place, want := range map[string]struct{ at, turn, first, third, store string }{
		"0": {"0", "0", "4", "4", "0"}, "1": {"1", "1", "4", "0", "1"}, "2": {"2", "1", "0", "1", "1"},
		"1.1": {"1", "1", "4", "0", "1"}, "0.1": {"1", "1", "4", "0", "1"}, "999.1": {"1", "1", "4", "0", "1"},
	} {
		for _, path := range []string{"/" + id, "/embed/" + id} {
			page := s.plain(path+"?ply="+place, nil)
			if page.Status != http.StatusOK || !shows(page.Body, want.first, want.third, want.store) || !strings.Contains(page.Body, "looking at move "+want.turn+" of 2") {
				t.Errorf("%s at %s: %d", path, place, page.Status)
			}
			if !strings.Contains(page.Body, `"state":"over"`) {
				t.Errorf("%s at %s: the script does not get the end", path, place)
			}
		}
		page := s.plain("/"+id+"?ply="+place, nil).Body
		link := s.base + "/" + id
		if meta(page, "canonical") != link || meta(page, "og:url") != link+"?ply="+want.at || meta(page, "og:image") != link+"/og.png?ply="+want.at {
			t.Errorf("at %s the preview is of %s, %s", place, meta(page, "og:url"), meta(page, "og:image"))
		}
	}
	end := s.plain("/"+id, nil).Body
	if told := meta(end, "og:description"); told != "A game of Kalah that is over. Open the link to see its moves." {
		t.Errorf("the preview says %q", told)
	}
	for _, place := range []string{"3", "4", "99999", "x", "-1", "2-34", "1.2.3", "123456"} {
		page := s.plain("/"+id+"?ply="+place, nil)
		if page.Status != http.StatusOK || meta(page.Body, "og:url") != s.base+"/"+id || meta(page.Body, "og:image") != meta(end, "og:image") || !strings.Contains(page.Body, "The game is over.") {
			t.Errorf("at %s: %d", place, page.Status)
		}
	}
}

func TestPictureOfAMomentIsThatOfItsPosition(t *testing.T) {
	s := serve(t)
	id := s.replayed("")
	position := "/position.png?rules=kalah&position=" + url.QueryEscape("4,4,0,5,5,5/4,4,4,4,4,4 1/0 S play 0 1")
	for _, form := range [][2]string{{"/og.png?ply=1", position}, {"/square.png?ply=1", position + "&square"}} {
		got, want := s.plain("/"+id+form[0], nil), s.plain(form[1], nil)
		if got.Status != http.StatusOK || got.Header.Get("ETag") != want.Header.Get("ETag") {
			t.Errorf("%s: %d %s, want %s", form[0], got.Status, got.Header.Get("ETag"), want.Header.Get("ETag"))
		}
	}
	if got, want := s.plain("/"+id+"/og.png?ply=9", nil), s.picture(id); got.Header.Get("ETag") != want.Header.Get("ETag") {
		t.Error("a ply after the end has another picture than the end")
	}
}

// A link to a moment of a game that goes on opens the game as it is, as far as the reader may see it.
func TestLinkToAMomentOfARunningGameOpensIt(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	s.move(seats[0], "c")
	s.must(seats[1].Until(s.ctx, "the move", func(g *webtest.Game) bool { return g.Number("ply") == 1 }))
	late := s.replayed("&delay=60") // its watchers have seen nothing yet
	for game, want := range map[string][3]string{id: {"4", "0", "1"}, late: {"4", "4", "0"}} {
		for _, path := range []string{"/" + game, "/embed/" + game} {
			for _, place := range []string{"0", "1", "2"} {
				page := s.plain(path+"?ply="+place, nil)
				if page.Status != http.StatusOK || !shows(page.Body, want[0], want[1], want[2]) || strings.Contains(page.Body, "looking at move") {
					t.Errorf("%s at %s: %d", path, place, page.Status)
				}
			}
		}
		if got, want := s.plain("/"+game+"/og.png?ply=2", nil).Header.Get("ETag"), s.picture(game).Header.Get("ETag"); got != want {
			t.Errorf("%s: the picture is of a moment", game)
		}
	}
	// A player has seen the end.
	if page, err := s.people[2].Get(s.ctx, "/"+late+"?ply=1"); err != nil || !strings.Contains(page.Body, "looking at move 1 of 2") {
		t.Errorf("a player: %d %v", page.Status, err)
	}
}

package e2e

import (
	"fmt"
	"testing"
)

// sizes are the screens on which no page may need a sideways scroll.
var sizes = []screen{{w: 320, h: 568}, {w: 360, h: 640}, {w: 412, h: 915}, {w: 740, h: 360}, {w: 820, h: 1180}, {w: 1440, h: 900}}

// fits checks a page on all screens. If a player can play on the page, board
// and status must fit a small phone without scrolling.
func (p *person) fits(what string, toPlay bool) {
	p.t.Helper()
	for _, size := range sizes {
		p.resize(size)
		p.until(fmt.Sprintf("e2e.arrived() && innerWidth === %d", size.w))
		ask[bool](p, "new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => shown(true))))") // the page has handled the resize
		const wide = `(() => {
			const page = document.scrollingElement;
			if (page.scrollWidth <= page.clientWidth) return "";
			for (const el of document.querySelectorAll("main *")) if (el.getBoundingClientRect().right > page.clientWidth + 1 && el.checkVisibility()) return el.outerHTML.slice(0, 200);
			return String(page.scrollWidth);
		})()`
		if over := ask[string](p, wide); over != "" {
			p.t.Errorf("%s on %d×%d is too wide for %s", what, size.w, size.h, over)
		}
		if !toPlay || size.w != 360 {
			continue
		}
		const low = `(() => {
			scrollTo(0, 0);
			const bottom = (s) => document.querySelector(s).getBoundingClientRect().bottom;
			return Math.ceil(Math.max(bottom("[data-board]"), bottom("#status")));
		})()`
		if bottom := ask[int](p, low); bottom > int(size.h) {
			p.t.Errorf("%s on %d×%d reaches down to %d", what, size.w, size.h, bottom)
		}
	}
}

// overflow returns by how many pixels a page is wider than its screen. On a phone innerWidth grows with such
// a page, and clientWidth does not.
func (p *person) overflow() int {
	p.t.Helper()
	p.until("e2e.arrived()")
	return ask[int](p, "((page) => page.scrollWidth - page.clientWidth)(document.scrollingElement)")
}

func TestEveryPageFitsItsScreenAndPassesAxe(t *testing.T) {
	t.Parallel()
	t.Run("pages", func(t *testing.T) {
		t.Parallel()
		s := serve(t)
		ada := s.person("Ada", desktop)
		ada.opens("/")
		ada.fits("the home page", false)
		ask[bool](ada, `(document.querySelector("details").open = true)`)
		ada.fits("the settings", false)
		ada.forgive("404")
		ada.opens("/nothing0here")
		ada.fits("a page that is not there", false)
	})
	for _, tt := range []struct {
		rules   string
		players int
	}{{"kalah", 2}, {"oware", 2}, {"giuthi", 2}, {"maruba", 2}, {"bao", 2}, {"wise", 2}, {"basic-teams", 4}, {"basic-four", 4}} {
		t.Run(tt.rules, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			one := s.person("One", desktop)
			id := one.makes(settings{rules: tt.rules, start: "creator", clock: "5+3"})
			one.fits("the waiting room", false)
			guest := s.person("Guest", desktop)
			guest.opens("/" + id)
			guest.online()
			guest.fits("the offer of a seat", false)
			g := &table{t: t, server: s, id: id, players: []*person{one}, watchers: []*person{guest}, random: fixed(), draft: map[*person][]int{}}
			for i := 1; i < tt.players; i++ {
				p := s.person(names[i], desktop)
				p.joins(id)
				g.players = append(g.players, p)
			}
			for _, p := range g.all() {
				p.until(`["live", "setup"].includes(e2e.board()?.state)`)
				p.online()
			}
			v := g.shows()
			if v.Snap.Phase == "setup" {
				p := g.seat(v.Snap.Turn)
				p.fits("the lay-out", false)
				p.presses(action("layout-deal"))
				p.presses(action("layout-done"))
				p.until("e2e.board().ply === 1")
				v = g.shows()
				g.seat(v.Snap.Turn).fits("the choice of a side", false)
				v = g.ply(v)
			}
			for range 2 * tt.players {
				v = g.ply(v)
			}
			one.fits("the game", true)
			guest.fits("the game for a watcher", true)
			if tt.players == 4 {
				return // the end of these games takes too long
			}
			p := g.seat(v.Snap.Turn)
			p.presses(action("draw"))
			g.other(p).sees("#offers")
			g.other(p).fits("an offer", true)
			g.ends(v, p)
			one.sees("#result")
			one.fits("the result", false)
		})
	}
}

// ends resigns the game. In a match it first checks the page between two
// rounds.
func (g *table) ends(v view, p *person) {
	g.t.Helper()
	resign := action("resign")
	if v.Snap.Rules == "wise" {
		g.other(p).presses("#offers " + action("accept"))
		p.sees(action("resign-match"))
		p.until("e2e.board().state === 'over'")
		p.fits("the time between rounds", false)
		resign = action("resign-match")
	}
	p.confirms(resign)
}

// The board and the three ways to play are in the first view of home, and the options of each way
// are above its button.
func TestHomeShowsTheBoardAndThreeWaysInItsFirstView(t *testing.T) {
	t.Parallel()
	needs(t)
	s := serve(t)
	for _, size := range sizesOfPages {
		p := s.person("Ada", size)
		p.opens("/")
		p.until("e2e.arrived()")
		if low := ask[[]string](p, `[".hero svg", "[data-action=new]", "[data-action=find]", "[data-action=bot]"].filter((part) => document.querySelector(part).getBoundingClientRect().bottom > innerHeight)`); len(low) > 0 {
			t.Errorf("%d px: %v are below the first view", size.w, low)
		}
		if below := ask[int](p, `[...document.querySelectorAll(".way > details")].filter((d) => d.getBoundingClientRect().top > d.closest("form").querySelector("button.big").getBoundingClientRect().top).length`); below > 0 {
			t.Errorf("%d px: options are below their button", size.w)
		}
	}
}

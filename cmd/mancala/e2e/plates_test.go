package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// A player has a face of seeds, the same on every page and after a new load. It
// appears when the player arrives.
func TestPlayersHaveTheSameFaceOnEveryPage(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", clock: "5+3"}, 2)
	// The drawing of a face, whether it came with the page or later.
	const faces = `Promise.all([0, 1].map(async (seat) => {
		const el = document.querySelector(".seat[data-seat='" + seat + "'] .face");
		await e2e.when(() => el.firstElementChild !== null, 60_000);
		const img = el.querySelector("img");
		const text = img ? await (await fetch(img.src)).text() : el.innerHTML;
		return [...text.matchAll(/ d="([^"]*)"/g)].map((m) => m[1]).join();
	})).then((both) => both.join(" | "))`
	want := ask[string](g.watchers[0], faces)
	if len(want) < 40 {
		t.Fatalf("the watcher sees the faces %q", want)
	}
	for _, p := range g.players {
		if got := ask[string](p, faces); got != want {
			t.Errorf("%s sees the faces %s, and the watcher %s", p.name, got, want)
		}
		p.opens("/" + g.id)
		p.online()
		if got := ask[string](p, faces); got != want {
			t.Errorf("after a new load %s sees the faces %s, and the watcher %s", p.name, got, want)
		}
	}
}

// Where the window has space for it, the names above and below the board are plates; on
// phones and beside boards that fill the window they stay one line high. A pile of
// captured seeds stands in the middle of its plate.
func TestNamesArePlatesWhereTheWindowHasRoom(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for rules, heights := range map[string][3]int{"kalah": {40, 72, 72}, "oware": {40, 72, 66}, "maruba": {40, 72, 40}} {
		g := deal(t, s, settings{rules: rules}, 2)
		p := g.watchers[0]
		for i, size := range []screen{phone, tablet, desktop} {
			p.resize(size)
			p.until(fmt.Sprintf("e2e.arrived() && innerWidth === %d", size.w))
			const tall = `new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => shown([".seats[data-place=top] .seat", ".seats[data-place=bottom] .seat"].map((s) => Math.round(document.querySelector(s).getBoundingClientRect().height))))))`
			for _, got := range ask[[]int](p, tall) {
				if want := heights[i]; got < want-3 || got > want+3 {
					t.Errorf("%s at %d px: a name is %d px high, want %d", rules, size.w, got, want)
				}
			}
			const off = `(() => {
				const middle = (s) => { const b = document.querySelector(s).getBoundingClientRect(); return b.top + b.height / 2; };
				return document.querySelector("[data-stores='1']") ? 0 : Math.max(...["top", "bottom"].map((place) => Math.abs(middle(".store[data-place=" + place + "]") - middle(".seats[data-place=" + place + "] .seat"))));
			})()`
			if far := ask[float64](p, off); far > 3 {
				t.Errorf("%s at %d px: a pile is %.1f px from the middle of its plate", rules, size.w, far)
			}
		}
	}
}

// A projector shows the board, the names and the clocks and nothing else, all of it
// large, and at the end who won. The keys of a player still work.
func TestProjectorShowsTheBoardNamesAndClocks(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, rules := range []string{"kalah", "oware"} {
		g := deal(t, s, settings{rules: rules, clock: "5+3"}, 2)
		v := g.plays(g.shows(), 4) // a game with a clock must begin soon
		ada := g.seat(v.Snap.Turn)
		const seen = `Array.from(document.querySelectorAll("body *")).filter((el) => {
			const box = el.getBoundingClientRect();
			return el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 1 && box.height > 1 &&
				getComputedStyle(el).clipPath === "none" && !el.closest(".title, .skip, mancala-board, .seats") && !el.querySelector("mancala-board, .seats");
		}).map((el) => el.outerHTML.slice(0, 80))`
		for _, size := range []screen{{w: 1920, h: 1080}, {w: 1280, h: 720}, phone} {
			ada.resize(size)
			ada.opens("/" + g.id + "?screen")
			ada.online()
			if got := ask[[]string](ada, seen); len(got) > 0 {
				t.Errorf("%s at %d px: a projector also shows %q", rules, size.w, got)
			}
			if !ask[bool](ada, `document.querySelectorAll("mancala-board, .seat .name, .seat .clock").length === 5 && document.scrollingElement.scrollHeight <= innerHeight + 1`) {
				t.Errorf("%s at %d px: board, names or clocks are missing or out of the window", rules, size.w)
			}
			if size.w < 1920 {
				continue
			}
			small := ask[[]string](ada, `Array.from(document.querySelectorAll(".seat :is(.name, .clock, .score), .cell .count")).filter((el) => parseFloat(getComputedStyle(el).fontSize) < 40).map((el) => el.className + " " + getComputedStyle(el).fontSize)`)
			if len(small) > 0 {
				t.Errorf("%s: from ten metres one cannot read %q", rules, small)
			}
		}
		if rules == "oware" {
			continue
		}
		ada.until(mayAct)
		legal := ask[[]int](ada, "e2e.legal()")
		ada.types(strconv.Itoa(legal[0]%6 + 1))
		if now := g.shows(); now.Snap.Ply != v.Snap.Ply+1 {
			t.Errorf("a key played no move: ply %d after %d", now.Snap.Ply, v.Snap.Ply)
		}
		g.other(ada).resigns()
		ada.until(`document.querySelector("#status").checkVisibility() && document.querySelector("#status").textContent.startsWith("You won")`)
	}
}

// The server and the script agree on what a board is made of.
func TestBoardIsMadeOfTheSameOnServerAndPage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for rules, made := range map[string]string{"kalah": "maple", "oware": "boat", "bao": "plank", "omweso": "plank", "hus": "sand", "basic-four": "clay", "wise": "stone"} {
		p := s.person("Ada", phone)
		id := p.makes(settings{rules: rules})
		if html := s.get("/" + id); !strings.Contains(html, `data-made="`+made+`"`) {
			t.Errorf("the server's board of %s is not %s", rules, made)
		}
		if got := ask[string](p, `document.querySelector("mancala-board").dataset.made`); got != made {
			t.Errorf("on the page the board of %s is %s, want %s", rules, got, made)
		}
	}
}

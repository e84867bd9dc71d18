package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func card(id string) string { return fmt.Sprintf("[data-playing] [data-game=%q]", id) }

// The page of live games and the home page follow a game, show its end, and go
// on to the next game. Nothing changes under the pointer or the focus.
func TestWatchPageGoesOnToTheNextGame(t *testing.T) {
	t.Parallel()
	s := serve(t)
	one := deal(t, s, settings{rules: "basic-first-out", listed: true}, 2)
	wanda, home := s.person("Wilma", phone), s.person("Hanna", tablet)
	for p, path := range map[*person]string{wanda: "/watch", home: "/"} {
		p.opens(path)
		p.sees(card(one.id))
		if !ask[bool](p, fmt.Sprintf(`((kind) => kind.scrollWidth <= kind.clientWidth && kind.clientHeight > 30)(document.querySelector('%s .kind'))`, card(one.id))) {
			t.Errorf("%s cannot read the whole of a long name", p.name)
		}
	}
	v := one.plays(one.shows(), 2)
	for _, p := range []*person{wanda, home} {
		for slot, seeds := range v.Snap.Pits {
			p.until(fmt.Sprintf(`document.querySelector('%s [data-at="%d"]').textContent === "%d"`, card(one.id), slot, seeds))
		}
		p.hears(card(one.id)+" .said", fmt.Sprintf("%d moves", v.Snap.Ply))
	}
	ask[bool](home, fmt.Sprintf(`(document.querySelector('%s a').focus(), true)`, card(one.id)))
	two := deal(t, s, settings{rules: "oware", listed: true}, 2)
	wanda.sees(card(two.id)) // listed after the first game
	one.players[0].resigns()
	for _, p := range []*person{wanda, home} {
		p.hears(card(one.id)+" .said", "Finished")
	}
	box := `JSON.stringify(document.querySelector(".place").getBoundingClientRect())`
	before := ask[string](home, box)
	ask[bool](home, `(document.activeElement.blur(), true)`)
	home.sees(card(two.id))
	if after := ask[string](home, box); after != before {
		t.Errorf("the place of the game was %s and is %s", before, after)
	}
}

// A player who resigns leaves seeds in hand. The card still says so.
func TestFinishedCardNamesSeedsInHand(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := deal(t, s, settings{rules: "bao", listed: true}, 2)
	g.plays(g.shows(), 2)
	wanda := s.person("Wilma", phone)
	wanda.opens("/watch")
	held := card(g.id) + " .held"
	wanda.hears(held, "In hand")
	g.players[0].resigns()
	wanda.sees(card(g.id) + "[data-over]")
	if !ask[bool](wanda, fmt.Sprintf("e2e.visible(%q)", held)) {
		t.Error("the card of a finished game has a number without its word")
	}
}

// A watcher of a game with a delay sees none of the players' present moves, on
// an open page or on a new one.
func TestWatcherOfADelayedGameSeesNoPresentMove(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for inTime := false; !inTime; { // a busy machine may take the minute of the delay for itself
		g := deal(t, s, settings{rules: "kalah", delay: "60"}, 2)
		fan := g.watchers[0]
		before, public := g.movesUnseen(fan)
		for _, how := range []string{"on the open page", "on a new page"} {
			now := ask[string](fan, "e2e.sign()")
			if inTime = time.Now().Before(public); inTime && now != before {
				t.Errorf("%s the watcher sees %s, a minute ago it was %s", how, now, before)
			}
			fan.opens("/" + g.id)
			fan.online()
		}
	}
}

// movesUnseen makes the first move of a game for two with a delay of a minute, and waits until the other
// player sees it. It returns what a watcher saw before the move, and until when the watcher must not see it.
func (g *table) movesUnseen(fan *person) (before string, public time.Time) {
	g.t.Helper()
	before = ask[string](fan, "e2e.sign()")
	p := g.seat(g.shows().Snap.Turn)
	p.until(mayAct)
	public = time.Now().Add(time.Minute)
	g.sows(p)
	g.other(p).until(`e2e.board().ply > 0`)
	return before, public
}

// Who watches reads what to do in an empty chat, has phrases for watchers that only
// watchers read, and is led to another game after the end.
func TestWatcherHasPhrasesAndANextGame(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah"}, 2)
	wanda, ada := g.watchers[0], g.players[0]
	wanda.opens("/")
	wanda.clicks(action("new")) // now she has a name
	wanda.until("location.pathname.length === 11")
	wanda.opens("/" + g.id)
	wanda.online()
	wanda.presses(".openers [popovertarget=chat-panel]")
	wanda.until(`document.querySelector("#chat").checkVisibility()`)
	if got := ask[string](wanda, `getComputedStyle(document.querySelector("#chat"), "::before").content`); !strings.Contains(got, "Tap a phrase") {
		t.Errorf("the empty chat of a watcher says %s", got)
	}
	const phrases = `Array.from(document.querySelectorAll("[data-preset]:not([hidden])"), (b) => b.dataset.preset).join(" ")`
	if got, want := ask[string](wanda, phrases), "hello nice-move well-played thanks wow so-close"; got != want {
		t.Errorf("a watcher has the phrases %s, want %s", got, want)
	}
	if got := ask[string](ada, phrases); !strings.Contains(got, "rematch") || strings.Contains(got, "wow") {
		t.Errorf("a player has the phrases %s", got)
	}
	wanda.presses("[data-preset=wow]")
	wanda.until(`document.querySelector("#chat li bdi")?.textContent === "Wow!"`)
	if n := ask[int](ada, `document.querySelectorAll("#chat li").length`); n > 0 {
		t.Errorf("a player reads %d lines of the watchers", n)
	}
	g.plays(g.shows(), 4) // a player who has not played cannot resign
	ada.resigns()
	wanda.sees("#result")
	if got := ask[string](wanda, `((next) => next.textContent + " " + next.getAttribute("href"))(document.querySelector("#result [data-action=new]"))`); got != "Watch another game /watch" {
		t.Errorf("after the end a watcher is offered %q", got)
	}
}

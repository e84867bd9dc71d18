package e2e

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// mover and waiter are the player on turn and the opponent, in a game for two.
func (g *table) mover(v view) (mover, waiter *person) {
	g.t.Helper()
	p := g.seat(v.Snap.Turn)
	return p, g.other(p)
}

// offered waits until every page shows an offer. Only the page of its receiver
// has buttons.
func (g *table) offered(by *person, text string) {
	g.t.Helper()
	for _, p := range g.all() {
		p.hears("#offers", text)
		if got := ask[bool](p, `e2e.visible("#offers [data-action=accept]")`); got != (p == g.other(by)) {
			g.t.Errorf("%s can accept: %t", p.name, got)
		}
	}
}

func (g *table) withdrawn() {
	g.t.Helper()
	for _, p := range g.all() {
		p.loses("#offers")
	}
}

func TestResigningTakesTwoTaps(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah"}, 2)
	v := g.plays(g.shows(), 3)
	loser, winner := g.mover(v)
	loser.keepsAsking()
	loser.clicks(action("resign"))
	loser.hears(action("resign"), "Tap again")
	if v := g.shows(); v.Snap.State != "live" {
		t.Fatal("one tap has resigned")
	}
	loser.clicks(action("resign"))
	winner.hears("#headline", "You won")
	loser.hears("#reason", "You resigned")
	for _, p := range []*person{winner, g.watchers[0]} {
		p.hears("#reason", " resigned")
	}
	g.replays(g.shows())
}

// No button changes its place while one asks for a second tap. A tap that comes after the question has gone
// meets the button that asked, even at its edge.
func TestLateSecondTapAsksAgain(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah"}, 2)
	g.plays(g.shows(), 3)
	const places = `Array.from(document.querySelectorAll(".bar button"), (b) => b.getBoundingClientRect())
		.map((r) => [r.x, r.y, r.width, r.height])`
	near := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Abs(a-b) < 1 })
	}
	resign := "#actions " + action("resign")
	for _, p := range g.players {
		before := ask[[][]float64](p, places)
		asking := ask[[][]float64](p, fmt.Sprintf("(document.querySelector(%q).click(), %s)", resign, places))
		if !slices.EqualFunc(asking, before, near) {
			t.Errorf("%s: while the button asks, buttons are at %v, and before at %v", p.name, asking, before)
		}
		edge := ask[[]float64](p, fmt.Sprintf(
			`(({ right, top, height }) => [right - 4, top + height / 2])(document.querySelector(%q).getBoundingClientRect())`, resign))
		p.until(`!document.querySelector("#actions .armed")`)
		ask[bool](p, `(window.asked = [], new MutationObserver((changes) => {
			for (const { target } of changes) if (target.matches(".armed")) asked.push(target.dataset.action);
		}).observe(document.querySelector("#actions"), { subtree: true, attributeFilter: ["class"] }), true)`)
		p.touches(edge, true)
		p.touches(edge, false)
		p.until(`asked.join() === "resign"`)
	}
	if v := g.shows(); v.Snap.State != "live" {
		t.Error("a late tap has resigned")
	}
}

func TestDrawIsOfferedAndAnswered(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "oware"}, 2)
	v := g.plays(g.shows(), 4)
	one, two := g.mover(v)
	one.clicks(action("draw"))
	g.offered(one, "draw")
	two.clicks("#offers " + action("decline"))
	g.withdrawn()
	one.clicks(action("draw")) // too early: a player may offer a draw every five moves
	one.hears("#status", "Wait a little")
	two.clicks(action("draw"))
	g.offered(two, "draw")
	one.until(`!document.querySelector("#status").textContent.includes("Wait a little")`) // the refusal is no answer to the offer
	two.clicks("#offers " + action("decline"))                                            // a player can withdraw their own offer
	g.withdrawn()
	for range 12 {
		v = g.ply(v)
	}
	one.clicks(action("draw"))
	g.offered(one, "draw")
	one.opens("/" + g.id) // an offer survives a reload
	g.offered(one, "draw")
	two.clicks("#offers " + action("accept"))
	for _, p := range g.all() {
		p.hears("#headline", "draw")
		p.hears("#reason", "agreed")
	}
	g.replays(g.shows())
}

func TestTakebackIsAskedForAndGranted(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "oware"}, 2)
	before := g.plays(g.shows(), 4)
	one, two := g.mover(before)
	g.ply(before)
	one.clicks(action("takeback"))
	g.offered(one, "take a move back")
	two.clicks("#offers " + action("decline"))
	g.withdrawn()
	two.clicks(action("takeback")) // takes back their own last move and the ply after it
	g.offered(two, "take a move back")
	one.clicks("#offers " + action("accept"))
	for _, p := range g.all() {
		p.until(fmt.Sprintf("e2e.board().ply === %d", before.Snap.Ply-1))
	}
	after := g.shows()
	if want := before.Snap.Moves[:3]; !slices.Equal(after.Snap.Moves, want) {
		t.Fatalf("the moves are %v, want %v", after.Snap.Moves, want)
	}
	g.plays(after, 3)
}

func TestGameIsAbortedBeforeItsFirstMoves(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah"}, 2)
	p := g.players[1]
	abort := "#actions " + action("abort")
	p.keepsAsking()
	p.clicks(abort)
	p.hears(abort, "Tap again")
	p.clicks(abort)
	for _, q := range g.all() {
		q.hears("#headline", "Nobody won")
	}
	g.replays(g.shows())
}

// For a rematch both players are taken to the new game, with the sides changed.
// A watcher gets a link.
func TestRematchSwapsSidesAndTellsWatchers(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", start: "creator"}, 2)
	g.plays(g.shows(), 3)
	ada, ben, wanda := g.players[0], g.players[1], g.watchers[0]
	ada.resigns()
	ada.sees("#result")
	ben.clicks("#result " + action("rematch"))
	g.offered(ben, "rematch")
	old := g.id
	ada.clicks("#offers " + action("accept"))
	for _, p := range []*person{ada, ben} {
		p.until(fmt.Sprintf("location.pathname !== '/%s' && location.pathname.length === 11", old))
		p.online()
	}
	wanda.clicks(action("rematch-open"))
	wanda.until(fmt.Sprintf("location.pathname !== '/%s'", old))
	g.id = strings.TrimPrefix(ask[string](ada, "location.pathname"), "/")
	g.seats = nil
	if a, b := ada.role(), ben.role(); a != "1" || b != "0" {
		t.Errorf("Ada has seat %s and Ben %s, want them changed", a, b)
	}
	g.plays(g.shows(), 3)
}

// Watchers do not read the players' chat, and players do not read the watchers'
// chat.
func TestPlayersAndWatchersChatApart(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah"}, 2)
	ada, ben, wanda := g.players[0], g.players[1], g.watchers[0]
	lines := func(p *person) string {
		return ask[string](p, `Array.from(document.querySelectorAll("#chat bdi"), (b) => b.textContent).join("|")`)
	}
	ada.clicks("[data-preset=good-luck]")
	ben.hears("#chat", "Good luck!")
	wanda.hears("#chat-off", "Play one game first") // Wanda has no identity yet
	wanda.loses("#chat-form")
	wanda.makes(settings{})
	wanda.opens("/" + g.id)
	wanda.online()
	wanda.draws("chat")
	wanda.clicks("[data-preset=nice-move]")
	wanda.hears("#chat", "Nice move")
	ben.draws("chat")
	ben.clicks("#chat-form [name=text]")
	ben.types("<b>Hi</b> & thanks\r")
	for _, p := range []*person{ada, ben} {
		p.hears("#chat", "<b>Hi</b> & thanks")
	}
	const said = "Good luck!|<b>Hi</b> & thanks"
	for p, want := range map[*person]string{ada: said, ben: said, wanda: "Nice move"} {
		if got := lines(p); got != want {
			t.Errorf("%s reads %q, want %q", p.name, got, want)
		}
	}
	ben.opens("/" + g.id)
	ben.hears("#chat", "thanks")
	if got := lines(ben); got != said {
		t.Errorf("after a reload Ben reads %q, want %q", got, said)
	}
}

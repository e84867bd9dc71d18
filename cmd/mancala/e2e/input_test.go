package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// called returns the name that a player has in the game.
func (p *person) called() string {
	p.t.Helper()
	p.until(`document.querySelector(".seat .name").textContent !== ""`)
	return strings.TrimSuffix(p.text(fmt.Sprintf(".seat[data-seat='%s'] .name", p.role())), " (you)")
}

// opposed returns a game for two and its players: Ada, who starts, and Ben.
func opposed(t *testing.T, rules string) (g *table, ada, ben *person) {
	t.Helper()
	g = deal(t, serve(t), settings{rules: rules, start: "creator"}, 2)
	return g, g.players[0], g.players[1]
}

func (p *person) ply(n int) {
	p.t.Helper()
	p.until(fmt.Sprintf("e2e.board().ply === %d", n))
}

// again waits until a player may play another move right after their own.
func (p *person) again(n int) {
	p.t.Helper()
	p.until(fmt.Sprintf("e2e.board().ply === %d && e2e.legal().length > 0", n))
}

// A player who points at a pit sees what the move would do. A key makes the
// page describe it.
func TestPreviewShowsWhatAMoveWouldDo(t *testing.T) {
	t.Parallel()
	_, ada, ben := opposed(t, "kalah")
	reached := `Array.from(document.querySelectorAll("[data-mark~=preview]"), (p) => Number(p.dataset.pit)).sort().join()`
	ada.lies(pit(2))
	ada.hears(".peek .bubble", "again")
	ada.until(reached + ` === "3,4,5"`)
	ada.until(`document.querySelectorAll(".peek .ghost").length === 4 && document.querySelectorAll(".peek .goal").length === 1`)
	for _, size := range []screen{desktop, {w: 360, h: 740}} {
		ada.resize(size)
		ada.lies("#title")
		ada.loses(".peek")
		ada.lies(pit(2))
		ada.hears(".peek .bubble", "again")
		if covered := ask[[]string](ada, `((words) => [...document.querySelectorAll("[data-pit] :is(.num, .count)")]
			.filter((number) => {
				const box = number.getBoundingClientRect();
				return box.left < words.right && box.right > words.left && box.top < words.bottom && box.bottom > words.top;
			}).map((number) => number.className + " " + number.dataset.n)
		)(document.querySelector(".bubble").getBoundingClientRect())`); len(covered) > 0 {
			t.Errorf("%v: the words of the preview cover %q", size, covered)
		}
	}
	ada.resize(desktop)
	ada.lies("#title")
	ada.loses(".peek")
	ada.tabsTo("[data-pit]")
	ada.types(kb.End)
	ada.until(reached + ` === "6,7,8"`) // pit 6: into the store and three of Ben's
	ada.asks(kb.Home+kb.ArrowRight+kb.ArrowRight+"p", "say", "Pit 3 ends in your store. You play again.")
	ada.types("3")
	ada.again(1)
	ada.asks("p", "shout", "Pit 3 is empty.")
	ada.types("6")
	ben.ply(2)

	ben.holds(pit(8), `e2e.visible(".peek")`) // a long press shows the preview and does not play
	ben.loses(".peek")
	ben.ply(2)
	ben.pref("preview", "off")
	ben.tabsTo("[data-pit]")
	ben.loses(".peek")
}

// A watcher of a game with assists sees previews of the players' moves.
func TestWatchersSeePreviewsInAGameWithAssists(t *testing.T) {
	t.Parallel()
	g, ada, _ := opposed(t, "kalah")
	wanda := g.watchers[0]
	wanda.lies(pit(2))
	wanda.hears(".peek .bubble", "again")
	wanda.lies("#title")
	wanda.loses(".peek")
	wanda.tabsTo("[data-pit]")
	wanda.types(kb.Home + kb.ArrowRight + kb.ArrowRight + "p")
	wanda.hears("#say", fmt.Sprintf("Pit 3 ends in %s's store. %[1]s plays again.", ada.called()))
	ada.clicks(pit(2))
	wanda.ply(1)
	wanda.lies(pit(0)) // other moves are legal now
	wanda.until(`document.querySelectorAll(".peek .ghost").length === 4`)
	wanda.clicks(pit(0))
	wanda.hears("#status", "You are watching")
}

// With confirmation, a first tap asks and a second tap plays. A tap on another
// place, or Escape, cancels.
func TestFirstTapAsksAndSecondTapPlays(t *testing.T) {
	t.Parallel()
	_, ada, ben := opposed(t, "kalah")
	ada.pref("confirm", "always")
	armed := func(p *person, n int) {
		t.Helper()
		p.until(fmt.Sprintf(`document.querySelector("[data-armed]")?.dataset.pit === "%d"`, n))
	}
	ada.clicks(pit(2))
	armed(ada, 2)
	ada.hears("#status", "Pit 3 ends in your store. You play again. Tap again to play.")
	ada.clicks(pit(4))
	armed(ada, 4)
	ada.clicks("#title")
	ada.loses("[data-armed]")
	ada.clicks(pit(2))
	armed(ada, 2)
	ada.types(kb.Escape)
	ada.loses("[data-armed]")
	ada.clicks(pit(2))
	ada.clicks(pit(2))
	ada.again(1)
	ada.types("6")
	armed(ada, 5)
	ada.types("6")
	ben.ply(2)
}

// A premove is played when the opponent has moved, or dropped with a reason.
func TestPremoveIsPlayedOrDroppedWithAReason(t *testing.T) {
	t.Parallel()
	_, ada, ben := opposed(t, "kalah")
	ben.clicks(pit(8))
	ben.hears("#status", "Planned: pit 3.")
	ben.sees("[data-pit='8'][data-mark~=premove]")
	ben.clicks(pit(8))
	ben.loses("[data-mark~=premove]")
	ben.clicks(pit(8))
	ben.sees("[data-mark~=premove]")
	ada.tabsTo("[data-pit]")
	ada.types("1")
	ada.ply(2) // Ben's pit 3 has been played into his store
	ben.until("e2e.board().turn === 1")
	ben.clicks(pit(7))
	ada.ply(3)
	ben.rests()
	ben.clicks(pit(7)) // empty now
	ben.hears("#status", "Planned: pit 2.")
	ada.types("3")
	ben.hears("#status", "Your planned move was dropped: pit 2 is empty.")
	ben.ply(4)
	ben.pref("premove", "off")
	ben.until("e2e.legal().length > 0")
	ben.clicks(pit(9))
	ada.ply(5)
	ben.rests()
	ben.clicks(pit(9))
	ben.hears("#status", "It is "+ada.called()+"'s turn.")
}

// A double click plays one move and sets no premove.
func TestDoubleClickPlaysOneMove(t *testing.T) {
	t.Parallel()
	g, ada, ben := opposed(t, "kalah")
	at := ada.spot(pit(0))
	ada.do(chromedp.MouseClickXY(at[0], at[1]))
	ada.do(chromedp.MouseClickXY(at[0], at[1], chromedp.ClickCount(2)))
	ben.ply(1)
	ada.loses("[data-mark~=premove]")
	g.plays(g.shows(), 1)
	if v := g.shows(); v.Snap.Ply != 2 {
		t.Errorf("a double click and Ben's move made %d plies", v.Snap.Ply)
	}
}

// A key that is held down repeats itself. It plays one move and sets no premove.
func TestHeldKeyPlaysOneMove(t *testing.T) {
	t.Parallel()
	g, ada, ben := opposed(t, "oware")
	for n, key := range []string{kb.Enter, " ", "3"} {
		ada.until(mayAct)
		ada.tabsTo("[data-pit]")
		ada.types(kb.Home + strings.Repeat(kb.ArrowRight, n))
		ada.keepsDown(key)
		ben.ply(2*n + 1)
		ada.loses("[data-mark~=premove]")
		g.plays(g.shows(), 1)
		if v := g.shows(); v.Snap.Ply != 2*n+2 {
			t.Fatalf("a held key and Ben's move made the game %d plies long", v.Snap.Ply)
		}
	}
}

// If a pit can be sown in two directions, a premove is for one of them.
func TestPremoveHasADirection(t *testing.T) {
	t.Parallel()
	g, ada, ben := opposed(t, "giuthi")
	own := g.shows().Snap.Shape[2]
	ben.clicks(pit(own + 2))
	ben.clicks("[data-way='>']")
	ben.hears("#status", "Planned: pit 3 to the right.")
	ben.clicks(pit(own + 2))
	ben.loses("[data-mark~=premove]")
	ben.loses("[data-way]")
	ben.tabsTo("#order")
	ben.types("3" + kb.Enter)
	ben.hears("#answer", "Pit 3 can go several ways: type 3< or 3>.")
	ben.types("3<" + kb.Enter)
	ben.hears("#status", "Planned: pit 3 to the left.")
	ada.clicks(pit(0))
	ada.clicks("[data-way='>']")
	ada.until("e2e.board().ply >= 2")
	if moves := g.shows().Snap.Moves; moves[1] != "c<" {
		t.Errorf("Ben played %s, and had planned c<", moves[1])
	}
}

// A refused click on a pit gives the reason and a link to the rule.
func TestRefusedClickGivesAReasonAndTheRule(t *testing.T) {
	t.Parallel()
	_, ada, ben := opposed(t, "kalah")
	ada.clicks(pit(7))
	for _, region := range []string{"#status", "#shout"} {
		ada.hears(region, "That is "+ben.called()+"'s pit.")
	}
	ada.clicks(pit(2))
	ada.ply(1)
	ada.rests()
	ada.clicks(pit(2))
	ada.hears("#shout", "Pit 3 is empty.")
	ada.sees("#why")
	if got := ask[string](ada, `document.querySelector("#why").getAttribute("href")`); got != "/learn/kalah#lift" {
		t.Errorf("Why? leads to %s", got)
	}
	for _, size := range []screen{desktop, phone} {
		ada.resize(size)
		if apart := ask[float64](ada, `((text) => (text.selectNodeContents(document.querySelector("#status")),
			document.querySelector("#why").getBoundingClientRect().left - text.getBoundingClientRect().right))(new Range())`); apart > 24 {
			t.Errorf("%v: Why? is %.0f px beside its sentence", size, apart)
		}
	}
	ada.resize(desktop)
	ada.clicks("#why")
	ada.hears(".why-sheet[open] .why-text", "pit") // the paragraph, not the whole page
	ada.types(kb.Escape)
	ada.loses("dialog[open]")
	ada.clicks(pit(5))
	ada.ply(2)
	ada.loses("#why")
}

// A refusal that is on the page when the game ends makes way for the result.
func TestResultReplacesARefusal(t *testing.T) {
	t.Parallel()
	_, ada, ben := opposed(t, "kalah")
	ada.clicks(pit(2))
	ada.ply(1)
	ada.clicks(pit(5))
	ben.ply(2)
	ben.clicks(pit(6))
	ada.ply(3)
	ada.clicks(pit(2))
	ada.hears("#status", "Pit 3 is empty.")
	ben.keepsAsking()
	ben.clicks("[data-action=resign]")
	ben.clicks("[data-action=resign].armed")
	ada.hears("#status", "You won, 2 to 0.")
	ada.loses("#why")
}

// While a move is being sent, keys that ask for legal moves get the answer that
// the move is under way. Keys that play set a premove.
func TestKeysAreAnsweredWhileAMoveIsBeingSent(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", desktop)
	ada.meddles("return [text];", `return JSON.parse(text).kind === "move" ? [] : [text];`) // the move never arrives
	g := &table{t: t, server: s, random: fixed(), players: []*person{ada, s.person("Ben", phone)}}
	g.id = ada.makes(settings{rules: "kalah", start: "creator"})
	g.players[1].joins(g.id)
	ada.until(`e2e.legal().length > 0`)
	ada.tabsTo("[data-pit]")
	ada.types("1")
	ada.asks("p", "say", "Sending your move…")
	ada.asks("t", "say", "There is no clock.")
	ada.asks("m", "say", "Sending your move…")
	presses := func(key, want string) {
		t.Helper()
		ada.types(key)
		ada.hears("#status", want)
	}
	presses("2", "Planned: pit 2.")
	presses(kb.Escape, "Nothing is planned.")
	ada.pref("premove", "off")
	presses("3", "Sending your move…")
}

// A finger drawn along the row sows in that direction.
func TestStrokeSowsInItsDirection(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "giuthi", start: "friend"}, 2)
	ben := g.players[1] // on a phone
	ben.strokes(pit(2), -60)
	g.players[0].ply(1)
	if moves := g.shows().Snap.Moves; moves[0] != "c<" {
		t.Errorf("a stroke to the left played %s", moves[0])
	}
	ben.loses("[data-way]")
}

// A long press on a pit adds seeds to it continuously.
func TestLongPressAddsSeedsContinuously(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "wise"}, 2)
	p := g.seat(g.shows().Snap.Turn)
	p.until("e2e.laid() === 0")
	own := g.side(p) * 6
	p.holds(pit(own+2), "e2e.laid() >= 8") // the opposite pit fills too
	laid := ask[int](p, "e2e.laid()")
	p.clicks(pit(own + 3))
	p.until(fmt.Sprintf("e2e.laid() === %d", laid+2)) // the click at the end of the press added no seed
}

// If the player wishes, forced moves are played automatically. While an earlier position is shown, they wait.
func TestForcedMovesArePlayedIfThePlayerWishes(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "oware", options: "start=rightmost"}, 2) // the rules leave no choice, whatever the game is called
	v := g.shows()
	for v.Snap.Ply < 2 { // the test goes back to an earlier position
		v = g.ply(v)
	}
	for _, p := range g.players {
		p.pref("forced", "auto") // takes effect from the next turn on
	}
	mover, waiter := g.seat(v.Snap.Turn), g.seat(1-v.Snap.Turn)
	waiter.hastens(action("back")) // on a phone the button is in a sheet
	waiter.until(fmt.Sprintf("e2e.board().ply === %d", v.Snap.Ply-1))
	mover.sees("[data-only]")
	mover.clicks("[data-only][data-legal='1']")
	mover.until(fmt.Sprintf("e2e.board().ply >= %d", v.Snap.Ply+1))
	waiter.hastens(action("last"))
	for _, p := range g.all() {
		p.until(fmt.Sprintf("e2e.board().ply >= %d || e2e.board().state === 'over'", v.Snap.Ply+4))
	}
}

// The move field offers everything that the board offers, for players who
// cannot use its keys.
func TestMoveFieldOffersWhatTheBoardOffers(t *testing.T) {
	t.Parallel()
	_, ada, ben := opposed(t, "kalah")
	ada.tabsTo("#order")
	ada.sees("#order")
	says := func(text, region, want string) {
		t.Helper()
		ada.types(text + kb.Enter)
		ada.hears(region, want)
		ada.placed(text)
	}
	says("b", "#answer", "Your row, left to right: 4, 4, 4, 4, 4, 4. Your store 0. "+ben.called()+"'s row, from "+ben.called()+"'s left: 4, 4, 4, 4, 4, 4. Their store 0.")
	aloud := func(text, region, want string) {
		t.Helper()
		ada.asks(text+kb.Enter, region, want)
		ada.placed(text)
	}
	aloud("m", "say", "You can play 1, 2, 3, 4, 5 or 6.")
	aloud("3", "say", "You played 3. Last seed in your store. Play again.")
	aloud("3", "shout", "Pit 3 is empty.")
	says("7", "#answer", "You have no pit 7.")
	says("s", "#answer", "Score 1 to 0.")
	says("t", "#answer", "There is no clock.")
	says("l", "#answer", "You played 3. Last seed in your store.")
	says("hello", "#answer", "“hello” is not known here.")
	aloud("6", "say", "You played 6, sowed 5. Score 2 to 0. "+ben.called()+"'s turn.")
	ben.ply(2)
	says("draw", "#offers", "You offered a draw.")
	says("resign", "#answer", "Enter resign once more to do it.")
	ada.types("resign" + kb.Enter)
	ben.hears("#headline", "You won")
}

// The arrows of a pit lie over no other pit that could be played: a tap there would sow the first pit.
func TestChoiceOfADirectionCoversNoOtherPlayablePit(t *testing.T) {
	t.Parallel()
	g := dealAt(t, serve(t), settings{rules: "bao", start: "creator"}, []screen{small, desktop}, tablet)
	g.hurries()
	for range 2 {
		p := g.seat(g.shows().Snap.Turn)
		p.until(mayAct)
		for _, n := range ask[[]int](p, "e2e.legal()") {
			p.clicks(pit(n))
			p.until(`e2e.visible(".ways")`)
			if under := ask[[]string](p, fmt.Sprintf(`(() => {
				const arrows = document.querySelector(".ways").getBoundingClientRect();
				return [...document.querySelectorAll("[data-legal='1']:not([data-pit='%d']) .bowl")].filter((pit) => {
					const r = pit.getBoundingClientRect();
					return r.left + 8 < arrows.right && r.right > arrows.left + 8 && r.top + 8 < arrows.bottom && r.bottom > arrows.top + 8;
				}).map((pit) => pit.closest("[data-pit]").dataset.pit);
			})()`, n)); len(under) > 0 {
				t.Errorf("%s: the arrows of pit %d lie over the pits %v", p.name, n, under)
			}
			p.types(kb.Escape)
			p.loses(".ways")
			p.rests()
		}
		g.ply(g.shows())
	}
}

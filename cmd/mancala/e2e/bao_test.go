package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"mancala/engine"
)

// A whole game of Bao by two players and a watcher: one player uses the keyboard alone, the other has only what
// the accessibility tree names, and the server is killed in the middle. In this game seeds are entered, and a house
// is sown on.
func TestBaoIsPlayedToItsEndThroughARestartByKeysAndByNames(t *testing.T) {
	t.Parallel()
	g := dealAt(t, serve(t), settings{rules: "bao", start: "creator"}, []screen{phone, desktop}, tablet)
	g.random = chosen(shortBao)
	g.hurries()
	g.lasts()
	ada, ben := g.players[0], g.players[1]
	if got := ask[string](ada, `document.querySelector("[data-store='0']").getAttribute("aria-label")`); got != "You have 22 seeds in hand." {
		t.Errorf("the pile is called %q", got)
	}
	label := func() string {
		return ask[string](ada, `getComputedStyle(document.querySelector("[data-store='0']"), "::before").content`)
	}
	if got := label(); got != `"In hand"` {
		t.Errorf("on the pile stands %s", got)
	}
	ben.tabsTo("[data-pit]")
	bao := compiled(t, "bao")
	v := g.shows()
	house := func() []int {
		return ask[[]int](g.watchers[0], `Array.from(document.querySelectorAll("[data-kind*=h]"), (pit) => Number(pit.dataset.pit))`)
	}
	if got := house(); !slices.Equal(got, []int{27, 11}) && !slices.Equal(got, []int{11, 27}) {
		t.Errorf("the watcher sees the houses %v", got)
	}
	for v.Snap.State != "over" {
		if v.Snap.Ply == 12 {
			g.restarts(g.server.kill)
			v = g.returns(v)
		}
		p, m, done := g.seat(v.Snap.Turn), g.next(bao, v.Snap.Moves, sowsHouse), fmt.Sprintf("e2e.board().ply > %d", v.Snap.Ply)
		p.until(mayAct)
		if p == ben {
			p.byKeys(m, v.Snap.Turn, done)
		} else {
			p.byNames(m, v, done)
		}
		v = g.shows()
		for pit, marks := range v.Snap.Marks {
			if got := ask[string](g.watchers[0], fmt.Sprintf(`document.querySelector("[data-pit='%d']").dataset.kind`, pit)); got != marks {
				t.Fatalf("ply %d: pit %d is marked %q on the watcher's page, and %q", v.Snap.Ply, pit, got, marks)
			}
		}
		if got := house(); len(got) > len(v.Snap.Marks) {
			t.Fatalf("ply %d: the watcher sees the houses %v, marked are %v", v.Snap.Ply, got, v.Snap.Marks)
		}
	}
	if !slices.ContainsFunc(v.Snap.Moves, func(m string) bool { return strings.HasSuffix(m, "*") }) {
		t.Errorf("no move sowed a house on: choose another seed\n%v", v.Snap.Moves)
	}
	g.ended(v)
	if got := label(); got != "none" && got != `""` {
		t.Errorf("after the game %s stands on the pile", got)
	}
	g.replays(v)
	said := ask[[]string](g.watchers[0], `e2e.heard("say")`)
	for _, want := range []string{"entered a seed into", "In hand", "emptied the house in", "blocked "} {
		if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("the watcher never heard %q in\n%s", want, strings.Join(said, "\n"))
		}
	}
	t.Logf("%d plies, %s: %v", v.Snap.Ply, v.Snap.Result.Reason, v.Snap.Moves)
}

// In an inner row, a sign of the move field and of the list points where the player sees the seeds go, as the
// sentences say. Records keep theirs.
func TestSignsOfMovesPointWhereThePlayerSeesTheSeedsGo(t *testing.T) {
	t.Parallel()
	g, ada, ben := inMotion(t, "bao")
	g.hurries()
	ada.until(mayAct)
	ada.tabsTo("#order")
	ada.types("10" + kb.Enter)
	ada.hears("#answer", "Pit 10 can go several ways: type 10< or 10>.")
	ada.types("10<" + kb.Enter)
	v := g.shows()
	if v.Snap.Ply != 1 || v.Snap.Moves[0] != "j>" {
		t.Errorf("10< played %v, want j>", v.Snap.Moves)
	}
	ben.until(`e2e.heard("say").some((s) => s.includes("10 to the left"))`)
	for _, p := range []*person{ada, g.watchers[0]} {
		p.hears("#status", "10<")
	}
}

// The hand that is shown is that of the player who moves, also where it first takes seeds of the opponent, as in
// the last of these plies.
func TestHandIsThatOfThePlayerWhoMoves(t *testing.T) {
	t.Parallel()
	g, _, _ := inMotion(t, "bao")
	for ply, text := range []string{"j<", "k>", "l>"} {
		seat := ply % 2
		for _, p := range g.players {
			ask[bool](p, `(() => {
				window.hands = [];
				new MutationObserver((changes) => {
					for (const node of changes.flatMap((c) => [...c.addedNodes])) if (node.matches?.(".hand")) hands.push(node.style.getPropertyValue("--owner"));
				}).observe(document.querySelector("mancala-board"), { subtree: true, childList: true });
				return true;
			})()`)
		}
		m, ok := engine.ParseMove(text)
		if !ok {
			t.Fatalf("%q is no move", text)
		}
		mover := g.seat(seat)
		mover.until(mayAct)
		mover.byTaps(16*seat+int(m.Pit), m, fmt.Sprintf("e2e.board().ply > %d", ply))
		g.shows()
		want := fmt.Sprintf("var(--p%d)", seat)
		for _, p := range g.players {
			hands := ask[[]string](p, "hands")
			if len(hands) == 0 || slices.ContainsFunc(hands, func(hand string) bool { return hand != want }) {
				t.Errorf("after %s %s has seen the hands %q, want that of seat %d", text, p.name, hands, seat)
			}
		}
	}
}

// shortBao is a number whose random game has 47 plies. Each player sows a house on, both hands are emptied, and
// pits are blocked.
const shortBao = 16949

func sowsHouse(m engine.Move) bool { return m.Way&engine.SowHouse != 0 }

// next returns a move for the position after these moves: the first of those that the test prefers, if there is
// one, and otherwise a random one.
func (g *table) next(rules *engine.Game, moves []string, prefers func(engine.Move) bool) engine.Move {
	g.t.Helper()
	p, h := rules.Start(), engine.History{}
	for _, text := range moves {
		m, ok := engine.ParseMove(text)
		if !ok {
			g.t.Fatalf("%q is no move", text)
		}
		if err := rules.Play(&p, &h, m, nil); err != nil {
			g.t.Fatal(err)
		}
	}
	legal := rules.LegalMoves(&p, nil)
	if i := slices.IndexFunc(legal, prefers); i >= 0 {
		return legal[i]
	}
	return legal[g.random.IntN(len(legal))]
}

// byKeys plays a move by keys alone: arrows to the pit, Enter, and arrows to the direction if there are
// several.
func (p *person) byKeys(m engine.Move, side int, done string) {
	p.t.Helper()
	p.walksTo(16*side + int(m.Pit))
	p.types(kb.Enter)
	p.until(done + ` || e2e.visible("[data-way]")`)
	if ask[bool](p, done) {
		return
	}
	ways := ask[[]string](p, `Array.from(document.querySelectorAll("[data-way]"), (w) => w.dataset.way)`)
	for range ways {
		p.types(kb.ArrowLeft)
	}
	for range slices.Index(ways, m.String()[1:]) {
		p.types(kb.ArrowRight)
	}
	p.types(kb.Enter)
	p.until(done)
	p.placed("a ply")
}

// byTaps plays a move by taps on its pit, and on the direction if there are several.
func (p *person) byTaps(slot int, m engine.Move, done string) {
	p.t.Helper()
	const armed, asks = `document.querySelector("[data-armed]") !== null`, `e2e.visible("[data-way]")`
	at := pit(slot)
	p.clicks(at)
	p.until(done + " || " + asks + " || " + armed)
	switch {
	case ask[bool](p, asks):
		p.clicks(fmt.Sprintf("[data-way='%s']", m.String()[1:]))
	case ask[bool](p, armed): // small pits need a second tap
		p.clicks(at)
	}
	p.until(done)
}

// byNames plays a move of Bao by the accessibility tree alone, which names each pit with its seeds and marks, and each
// direction.
func (p *person) byNames(m engine.Move, v view, done string) {
	p.t.Helper()
	at := 16*v.Snap.Turn + int(m.Pit)
	name := fmt.Sprintf("Your pit %d, %d seeds", m.Pit+1, v.Snap.Pits[at])
	if v.Snap.Pits[at] == 1 {
		name = strings.TrimSuffix(name, "s")
	}
	marks := v.Snap.Marks[at]
	for _, mark := range []struct{ sign, called string }{{"h", ", house"}, {"!", ", blocked"}} {
		if strings.Contains(marks, mark.sign) {
			name += mark.called
		}
	}
	p.named(name + ".")
	p.until(done + ` || e2e.visible("[data-way]")`)
	if ask[bool](p, done) {
		return
	}
	way := map[engine.Way]string{engine.CCW: "Counter-clockwise", engine.CW: "Clockwise"}[m.Way&^engine.SowHouse]
	if sowsHouse(m) {
		way += ", and on from the house"
	}
	p.named(way)
	p.until(done)
}

// named presses the button with a name in the accessibility tree.
func (p *person) named(name string) {
	p.t.Helper()
	if buttons := p.tree()["button"]; !slices.Contains(buttons, name) {
		p.t.Fatalf("no button is called %q in %q", name, buttons)
	}
	p.presses(fmt.Sprintf("button[aria-label=%q]", name))
}

// walksTo moves the focus to a pit of the player's two rows with the arrow keys alone. The outer row is at the
// bottom, from left to right, and the inner one runs back above it.
func (p *person) walksTo(to int) {
	p.t.Helper()
	place := func(pit int) (line, column int) {
		if pit%16 < 8 {
			return 0, pit % 16
		}
		return 1, 15 - pit%16
	}
	toLine, toColumn := place(to)
	for range 30 {
		at := p.focus()
		line, column := place(at)
		switch {
		case at == to:
			return
		case at < 0: // on a pile beside the board
			p.types(kb.ArrowDown)
			if p.focus() < 0 {
				p.types(kb.ArrowUp)
			}
		case at/16 != to/16, line > toLine:
			p.types(kb.ArrowDown)
		case line < toLine:
			p.types(kb.ArrowUp)
		case column < toColumn:
			p.types(kb.ArrowRight)
		default:
			p.types(kb.ArrowLeft)
		}
		p.placed("an arrow")
	}
	p.t.Fatalf("%s does not come to pit %d with the arrows\n%s", p.name, to, p.describe())
}

// compiled returns the rules of a system, ready to play.
func compiled(t *testing.T, system string) *engine.Game {
	t.Helper()
	rules, ok := engine.System(system)
	if !ok {
		t.Fatalf("there is no system %q", system)
	}
	return engine.MustCompile(rules.String())
}

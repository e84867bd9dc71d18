package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"mancala/engine"
)

// watchMoves records from now on what a page shows of moves.
const watchMoves = `(() => {
	const board = document.querySelector("[data-board]");
	window.seen = { counts: [], anim: [], lasts: [], travels: 0, dots: [], rests: [], held: [], tints: [] };
	const tint = (seed) => /\bt[0-3]\b/.exec(seed.className)?.[0] ?? "";
	new MutationObserver((changes) => {
		for (const { target, addedNodes } of changes) {
			if (target.matches(".held")) seen.held.push(addedNodes[0]?.textContent ?? ""); // not what it says by now
		}
	}).observe(board, { subtree: true, childList: true });
	const counts = {};
	let shown = board.dataset.anim; // a page that draws the board again sets the same value
	for (const cell of board.querySelectorAll("[data-count]")) counts[cell.dataset.pit ?? "s" + cell.dataset.store] = cell.dataset.count;
	new MutationObserver((changes) => {
		for (const { target, attributeName } of changes) {
			const { pit, store, count } = target.dataset;
			const slot = pit ?? "s" + store;
			if (attributeName === "data-count") {
				if (counts[slot] !== count) seen.counts.push(slot + "=" + count);
				counts[slot] = count;
			} else if (attributeName === "data-anim" && shown !== target.dataset.anim) seen.anim.push(shown = target.dataset.anim);
			else if (attributeName === "data-lasts") seen.lasts.push(Number(target.dataset.lasts));
		}
		const { ply, pits, anim } = e2e.board();
		if (anim === "idle") seen.rests.push(ply + ": " + pits);
		seen.dots = Array.from(board.querySelectorAll(".dot"), (d) => d.textContent);
	}).observe(board, { subtree: true, attributes: true, attributeFilter: ["data-count", "data-anim", "data-lasts"] });
	const animate = Element.prototype.animate;
	Element.prototype.animate = function (frames, how) {
		if (this.matches(".falling")) seen.tints.push(tint(this));
		if (this.matches(".layer > span:has(> .seed)")) seen.tints.push(...Array.from(this.children, tint));
		if (["transform", "translate", "rotate", "scale"].some((p) => [frames].flat().some((f) => p in f))) seen.travels++;
		return animate.call(this, frames, how);
	};
	return true;
})()`

// seen is the record of watchMoves.
type seen struct {
	Counts  []string
	Anim    []string
	Lasts   []int
	Travels int
	Dots    []string
	Rests   []string // ply and pits, each time the motion stopped
	Held    []string // the hand, as the middle of a ring showed it
	Tints   []string // of the moving seeds
	Frames  int      // how many the page has drawn of a move, as countFrames counts them
}

func (p *person) saw() seen {
	p.t.Helper()
	var s seen
	if err := json.Unmarshal([]byte(ask[string](p, "JSON.stringify(seen)")), &s); err != nil {
		p.t.Fatal(err)
	}
	return s
}

// countFrames counts from now on how many frames the page draws while it shows a move.
const countFrames = `(() => {
	seen.frames = 0;
	const drawn = () => {
		if (document.querySelector("[data-board]").dataset.anim === "running") seen.frames++;
		requestAnimationFrame(drawn);
	};
	requestAnimationFrame(drawn);
	return true;
})()`

// pref sets a setting on the open page alone.
func (p *person) pref(name, value string) {
	p.t.Helper()
	ask[bool](p, fmt.Sprintf("(document.documentElement.dataset[%q] = %q, true)", name, value))
}

// running holds while a page shows a move. idle holds when it has finished.
const (
	running = `document.querySelector("[data-board]").dataset.anim === "running"`
	idle    = `document.querySelector("[data-board]").dataset.anim === "idle"`
)

// inMotion returns a game for two whose creator is on turn. Both pages show
// motion and record it.
func inMotion(t *testing.T, rules string) (g *table, ada, ben *person) {
	t.Helper()
	g = deal(t, serve(t), settings{rules: rules, start: "creator"}, 2)
	ada, ben = g.players[0], g.players[1]
	for _, p := range g.players {
		p.moves(true)
		p.keepsTime()
		ask[bool](p, watchMoves)
	}
	return g, ada, ben
}

// longBao are moves of Bao after which j> sows for 267 laps in 1,738 steps and captures nothing.
const longBao = "k< j> l> k> l< n> j> i>* i> o< k> l> j> k< o< l< j> k> l> i> k< i> k> m< o< k> k> k> m< k< i> j> p< k< p< k< l< k> i> n> l> j> i> n< g> d> f< i> a>"

// A sowing of hundreds of laps is shown within the time that any move may take, to the players and to a watcher.
// Its preview has no seed by seed, and its sentence counts the laps.
func TestSowingOfHundredsOfLapsIsShownInTheTimeOfAMove(t *testing.T) {
	t.Parallel()
	g := dealAt(t, serve(t), settings{rules: "bao", start: "creator"}, []screen{phone, desktop}, tablet)
	ada, ben := g.players[0], g.players[1]
	g.hurries()
	for ply, move := range strings.Fields(longBao) {
		p := g.seat(ply % 2)
		body := fmt.Sprintf(`{"kind":"move","id":"m%d","ply":%d,"move":%q}`, ply, ply, move)
		if got := ask[int](p, fmt.Sprintf(`fetch("/api/v1/games/%s/commands", { method: "POST", body: %q, headers: { "content-type": "application/json" } }).then((r) => r.status)`, g.id, body)); got != 200 {
			t.Fatalf("move %d, %s: %d", ply+1, move, got)
		}
	}
	g.shows()
	for _, p := range g.all() {
		p.moves(true)
		p.pref("speed", "normal")
		ask[bool](p, watchMoves)
		ask[bool](p, countFrames)
	}
	m, _ := engine.ParseMove("j>")
	ben.tabsTo("[data-pit]")
	ben.walksTo(16 + int(m.Pit))
	ben.asks("p", "say", "267 laps")
	from := len(ada.heard("say"))
	ben.byTaps(16+int(m.Pit), m, `e2e.board().ply > 49`)
	v := g.shows()
	for _, p := range g.all() {
		s := p.saw()
		if len(s.Lasts) != 1 || s.Lasts[0] < 3000 || s.Lasts[0] > 4000 || !slices.Equal(s.Anim, []string{"running", "idle"}) {
			t.Errorf("%s sees a move that is to last %v ms: %v", p.name, s.Lasts, s.Anim)
		}
		if n := len(s.Counts); n < min(30, s.Frames) || n > 400 { // a slow machine draws fewer frames
			t.Errorf("%s sees %d changes of numbers in %d frames", p.name, n, s.Frames)
		}
	}
	if said := strings.Join(ada.heard("say")[from:], " "); !strings.Contains(said, "267 laps") {
		t.Errorf("Ada hears %q", said)
	}
	if v.Snap.Ply != 50 {
		t.Errorf("the game has %d plies", v.Snap.Ply)
	}
}

// A sowing of k seeds lasts 120 + 180 k + 250 ms, and counts change seed by
// seed.
func TestSowingTakesItsTimeAndCountsSeedBySeed(t *testing.T) {
	t.Parallel()
	g, ada, _ := inMotion(t, "kalah")
	ada.clicks(pit(0))
	g.shows()
	for _, p := range g.players {
		s := p.saw()
		if want := []int{120 + 4*180 + 250}; !slices.Equal(s.Lasts, want) {
			t.Errorf("%s sees a sow of 4 seeds that is to last %v ms, want %v", p.name, s.Lasts, want)
		}
		if want := []string{"0=0", "1=5", "2=5", "3=5", "4=5"}; !slices.Equal(s.Counts, want) {
			t.Errorf("%s sees the counts %v, want %v", p.name, s.Counts, want)
		}
		if want := []string{"running", "idle"}; !slices.Equal(s.Anim, want) || s.Travels == 0 {
			t.Errorf("%s sees %v with %d things that travel, want %v and some", p.name, s.Anim, s.Travels, want)
		}
	}
}

// A seed keeps its tint from its old place to its new one.
func TestSeedKeepsItsTintWhenItMoves(t *testing.T) {
	t.Parallel()
	g, ada, _ := inMotion(t, "kalah")
	const tints = `Array.from(document.querySelectorAll(%q), (seed) => /\bt[0-3]\b/.exec(seed.className)[0]).join(" ")`
	want := ask[string](ada, fmt.Sprintf(tints, `[data-pit="0"] .seed`))
	ada.clicks(pit(0))
	g.shows()
	want += " " + ask[string](ada, fmt.Sprintf(tints, `:is([data-pit="1"], [data-pit="2"], [data-pit="3"], [data-pit="4"]) [data-slot="4"]`))
	if got := strings.Join(ada.saw().Tints, " "); got != want {
		t.Errorf("seeds travelled with the tints %s, want %s", got, want)
	}
}

// In a ring the middle shows how many seeds are in the hand.
func TestMiddleOfARingCountsTheSeedsInTheHand(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "basic-four"}, 4)
	watcher := g.watchers[0]
	watcher.moves(true)
	watcher.keepsTime()
	ask[bool](watcher, watchMoves)
	for _, p := range g.players { // names are placed as their rows lie around the board
		seat, order := ask[int](p, "Number(document.querySelector('[data-board]').dataset.role)"), ask[[]int](p, `
			Array.from(document.querySelectorAll(".seats[data-place=top] .seat")).sort((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x).map((s) => Number(s.dataset.seat))`)
		if want := []int{(seat + 3) % 4, (seat + 2) % 4, (seat + 1) % 4}; !slices.Equal(order, want) {
			t.Errorf("seat %d sees the names of %v above the board, want %v", seat, order, want)
		}
	}
	// A page that stalls passes over some seeds of a move. Then one of the next moves is shown whole.
	var held []string
	for plies := 0; plies < 4 && !strings.Contains(strings.Join(held, " "), "4 3 2 1"); plies++ {
		g.plays(g.shows(), 1)
		held = watcher.saw().Held
	}
	if said := strings.Join(held, " "); !strings.HasPrefix(said, "4 ") || !strings.Contains(said, "4 3 2 1") || held[len(held)-1] != "" {
		t.Errorf("the middle said %q of the hand, want 4, 3, 2, 1 and nothing", held)
	}
}

// Seeds of a lay-out fall into place: at once on the page of the player who
// lays them out, and on other pages when the lay-out is complete.
func TestSeedsOfALayoutFallIntoPlace(t *testing.T) {
	t.Parallel()
	g, ada, ben := inMotion(t, "ignorant")
	ada.clicks(pit(0))
	ada.until(`document.querySelector("[data-pit='0']").dataset.count === "1"`)
	if n := ada.saw().Travels; n != 1 {
		t.Errorf("%d things travel when a seed is laid, want it alone", n)
	}
	ada.clicks(action("layout-clear"))
	g.plays(g.shows(), 1)
	if n := ben.saw().Travels; n == 0 {
		t.Error("the seeds that were laid out do not fall for the other")
	}
}

// A tap while a move is shown ends the motion and plays at once.
func TestTapEndsTheMotionAndPlays(t *testing.T) {
	t.Parallel()
	g, ada, ben := inMotion(t, "kalah")
	for _, p := range g.players {
		p.pref("speed", "slow")
	}
	ada.clicks(pit(0))
	got := ask[string](ben, `e2e.when(() => `+running+` && e2e.legal().length > 0, 20000).then(() => {
		const was = e2e.board();
		document.querySelector("[data-pit='8']").click();
		const now = e2e.board();
		return JSON.stringify([was.anim, now.anim, now.pits.slice(0, 5), now.pits[8]]);
	})`)
	if want := `["running","running",[0,5,5,5,5],0]`; got != want {
		t.Errorf("Ben taps in the middle of Ada's move: before, after, Ada's pits, his pit: %s, want %s", got, want)
	}
	if v := g.shows(); v.Snap.Ply != 2 {
		t.Errorf("the game is at ply %d, want 2: %v", v.Snap.Ply, v.Snap.Moves)
	}
}

// With reduced motion a move shows at once, and dots number the seeds.
func TestReducedMotionNumbersTheSeeds(t *testing.T) {
	t.Parallel()
	g, ada, ben := inMotion(t, "kalah")
	for _, p := range g.players { // on phones dots have the least space
		p.resize(phone)
		p.until("innerWidth === 360")
	}
	ben.moves(false)
	ada.pref("motion", "on")
	ada.clicks(pit(0))
	g.shows()
	for _, p := range g.players {
		s := p.saw()
		if s.Travels > 0 || !slices.Equal(s.Dots, []string{"1", "2", "3", "4"}) {
			t.Errorf("%s wants no motion and sees %d things that travel, dots %v", p.name, s.Travels, s.Dots)
		}
		const covered = `(() => {
			const boxes = (q) => [...document.querySelectorAll("mancala-board " + q)].map((el) => el.getBoundingClientRect());
			const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
			const seeds = boxes("[data-slot]"), dots = boxes(".dot");
			return dots.length === 4 ? dots.filter((dot) => seeds.some((seed) => meet(dot, seed))).length : -1;
		})()`
		if n := ask[int](p, covered); n != 0 {
			t.Errorf("of %s's dots %d lie on seeds", p.name, n)
		}
	}
}

// keepsTime lets the clock of the open page stand while a timer of the page is late. So the page shows each step of
// a move, however busy the machine is.
func (p *person) keepsTime() {
	p.t.Helper()
	ask[bool](p, `((real, start, stop) => {
		let lag = 0;
		const due = new Map();
		performance.now = () => Math.min(real() - lag, ...due.values());
		window.setTimeout = (call, ms = 0, ...rest) => {
			const at = performance.now() + ms;
			const id = start(() => {
				due.delete(id);
				lag = Math.max(lag, real() - at);
				call(...rest);
			}, ms);
			due.set(id, at);
			return id;
		};
		window.clearTimeout = (id) => (due.delete(id), stop(id));
		return true;
	})(performance.now.bind(performance), setTimeout, clearTimeout)`)
}

// hides makes a page believe that its tab is hidden or visible.
func (p *person) hides(yes bool) {
	p.t.Helper()
	ask[bool](p, fmt.Sprintf(`(Object.defineProperty(document, "hidden", { configurable: true, value: %t }), document.dispatchEvent(new Event("visibilitychange")))`, yes))
}

// A hidden page shows no motion. A page that is hidden or rotated during a move
// shows the right board at once.
func TestHiddenPageShowsNoMotion(t *testing.T) {
	t.Parallel()
	g, ada, ben := inMotion(t, "kalah")
	ben.hides(true)
	ada.clicks(pit(0))
	ben.until("e2e.board().ply === 1")
	if s := ben.saw(); len(s.Lasts) > 0 || slices.Contains(s.Anim, "running") {
		t.Errorf("Ben does not look and is shown %v", s)
	}
	g.shows()
	ben.hides(false)

	for _, p := range g.players {
		p.pref("speed", "slow")
	}
	ben.clicks(pit(8)) // ends in Ben's store: Ben plays again
	ada.until(running)
	ada.hides(true)
	if ask[string](ada, "e2e.board().anim") != "idle" {
		t.Error("Ada leaves the page in the middle of a move, and it goes on")
	}
	ada.hides(false)
	ben.until("e2e.legal().length > 0")
	ben.clicks(pit(6))
	ben.until(running)
	ben.resize(screen{w: 740, h: 360, touch: true})
	g.shows()
}

// The page of a covered window gets no frames, although it is not hidden. It shows every move all the same.
func TestPageWithoutFramesShowsEveryMove(t *testing.T) {
	t.Parallel()
	s := serve(t)
	wanda := s.person("Wanda", phone)
	wanda.moves(true)
	wanda.onEveryPage("window.requestAnimationFrame = () => 1")
	g := deal(t, s, settings{rules: "kalah", start: "creator"}, 2)
	wanda.opens("/" + g.id)
	wanda.online()
	v := g.shows()
	for range 3 {
		v = g.ply(v)
		wanda.until(fmt.Sprintf("e2e.board().ply === %d && %s", v.Snap.Ply, idle))
	}
}

// A page catches up with moves that come faster than it can show them.
func TestPageCatchesUpWithFastMoves(t *testing.T) {
	t.Parallel()
	g, _, _ := inMotion(t, "kalah")
	s, wanda := g.server, g.watchers[0]
	wanda.moves(true)
	wanda.pref("speed", "slow")
	for _, p := range g.players {
		p.pref("speed", "instant")
	}
	for ply := range 8 {
		p := g.seat(s.game(g.id).Snap.Turn)
		p.until(fmt.Sprintf("e2e.board().ply === %d && e2e.legal().length > 0", ply))
		p.presses(pit(ask[[]int](p, "e2e.legal()")[0]))
		p.until(fmt.Sprintf("e2e.board().ply === %d", ply+1))
	}
	g.shows()
}

// A player steps through a move event by event. Then the board is as before.
func TestMoveIsSteppedThroughEventByEvent(t *testing.T) {
	t.Parallel()
	g, ada, ben := inMotion(t, "kalah")
	ada.clicks(pit(0))
	g.shows()
	for i, want := range []string{"0,4,4,4,4,4", "0,5,4,4,4,4", "0,5,5,4,4,4", "0,5,5,5,4,4"} {
		if i == 0 { // on a phone the button is with the moves, then below the board
			ben.presses(".openers [popovertarget=moves-panel]")
			ben.presses("#moves-panel [data-action=step]")
		} else {
			ben.presses(".stepping [data-action=step]")
		}
		ben.until(fmt.Sprintf("e2e.board().pits.slice(0, 6).join() === %q", want))
		if got := ask[string](ben, "e2e.board().anim"); got != "running" {
			t.Errorf("after step %d the board is %s, and not as the server has it", i+1, got)
		}
	}
	ben.hears("#status", "One seed falls into")
	ben.presses(".stepping [data-action=step]")
	g.shows()
	// A finger reaches the button that it is put on, although other buttons come to its place.
	ben.presses(".openers [popovertarget=moves-panel]")
	ben.presses("#moves-panel [data-action=step]")
	ben.clicks(".stepping [data-action=last]")
	ben.hears("#status", "Your pits glow")
	if ask[bool](ben, `document.querySelector("#moves-panel").matches(":popover-open")`) {
		t.Error("the list of moves has opened in the place of the button")
	}
	// In the past, a step forward goes through the next move.
	ada.presses(action("first"))
	ada.until("e2e.board().ply === 0")
	ada.presses(action("step"))
	ada.until(`e2e.board().pits.slice(0, 6).join() === "0,4,4,4,4,4"`)
	ada.presses(action("last"))
	g.shows()
}

// meddles changes the messages between a page and its server. received and sent
// are bodies of JavaScript functions. They get the text of a frame and return
// the texts to pass on.
func (p *person) meddles(received, sent string) {
	p.t.Helper()
	script := strings.NewReplacer("RECEIVED", received, "SENT", sent).Replace(`(() => {
		const received = (text, state) => { RECEIVED };
		const sent = (text, state) => { SENT };
		const Real = WebSocket;
		const state = (window.meddler = { n: 0 });
		window.WebSocket = class extends Real {
			set onmessage(hear) { super.onmessage = (e) => received(e.data, state).forEach((data) => hear({ data })); }
			send(text) { sent(text, state).forEach((text) => super.send(text)); }
		};
	})()`)
	p.onEveryPage(script)
}

// onEveryPage runs a script before the scripts of each page that is opened from now on.
func (p *person) onEveryPage(script string) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return chromedp.Void{}, err
	})
}

// A server can send moves twice, leave some out and send wrong checksums. The
// page never keeps a wrong board.
func TestPageNeverKeepsAWrongBoard(t *testing.T) {
	t.Parallel()
	s := serve(t)
	wanda := s.person("Wanda", phone)
	wanda.moves(true)
	wanda.meddles(`
		if (JSON.parse(text).ev?.k !== "move") return [text];
		switch (state.n++ % 4) {
			case 0: return [text, text];
			case 1: return [];
			case 2: return [text.replace(/"sum":"."/, '"sum":"x').replace(/"sum":"./, '"sum":"x')];
			default: return [text];
		}`, "return [text];")
	g := deal(t, s, settings{rules: "oware", start: "creator"}, 2)
	wanda.opens("/" + g.id)
	wanda.online()
	wanda.pref("speed", "fast")
	ask[bool](wanda, watchMoves)
	v := g.shows()
	for range 12 {
		v = g.ply(v)
	}
	// A page notices a missing move only with the next one.
	for caughtUp := false; !caughtUp; v = g.ply(v) {
		caughtUp = ask[bool](wanda, fmt.Sprintf("e2e.when(() => e2e.board().ply === %d && %s, 3000)", v.Snap.Ply, idle))
	}
	var replay struct{ Plies []struct{ Pits []int } }
	if err := json.Unmarshal([]byte(s.get("/api/v1/games/"+g.id+"/replay")), &replay); err != nil {
		t.Fatal(err)
	}
	rests := wanda.saw().Rests
	for _, rest := range rests {
		ply, pits, _ := strings.Cut(rest, ": ")
		n, err := strconv.Atoi(ply)
		if err != nil || n > 0 && pits != join(replay.Plies[n-1].Pits) {
			t.Errorf("at rest the board shows ply %s with %s", ply, pits)
		}
	}
	if n := ask[int](wanda, "meddler.n"); n < 8 || len(rests) < 4 {
		t.Errorf("only %d moves were meddled with, and seen was %v", n, rests)
	}
}

// A refused move is taken back on the board, and the status gives the reason.
func TestRefusedMoveIsTakenBackOnTheBoard(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", desktop)
	ada.moves(true)
	ada.meddles("return [text];", `
		const frame = JSON.parse(text);
		if (frame.kind !== "move" || state.n++ > 0) return [text];
		return [JSON.stringify({ ...frame, ply: 7 })];`)
	g := &table{t: t, server: s, random: fixed(), players: []*person{ada, s.person("Ben", phone)}}
	g.id = ada.makes(settings{rules: "kalah", start: "creator"})
	g.players[1].joins(g.id)
	ada.until(`e2e.board().state === "live"`)
	g.shows()
	ada.clicks(pit(0))
	ada.hears("#status", "The board had already changed.")
	if v := g.shows(); v.Snap.Ply != 0 {
		t.Errorf("the server is at ply %d", v.Snap.Ply)
	}
	ada.clicks(pit(0)) // this move is accepted
	ada.until("e2e.board().ply === 1")
	g.shows()
}

// The outline of a store that wins an extra turn breathes in its place, wherever on the board it is.
func TestOutlineOfAnExtraTurnBreathesInItsPlace(t *testing.T) {
	t.Parallel()
	g, ada, _ := inMotion(t, "kalah")
	for _, p := range g.players {
		ask[bool](p, `(() => {
			const middle = (el) => {
				const { x, y, width, height } = el.getBoundingClientRect();
				return [x + width / 2, y + height / 2];
			};
			const animate = Element.prototype.animate;
			window.strayed = [];
			Element.prototype.animate = function (frames, ms) {
				const animation = animate.call(this, frames, ms);
				if (!this.matches(".ring.glow")) return animation;
				animation.currentTime = ms / 2; // the outline is at its widest
				const [x, y] = middle(this);
				animation.currentTime = 0;
				const [a, b] = middle(document.querySelector("[data-store='0'] .bowl"));
				strayed.push(Math.round(Math.hypot(x - a, y - b)));
				return animation;
			};
			return true;
		})()`)
	}
	ada.clicks(pit(2)) // the last seed falls into the store
	g.shows()
	for _, p := range g.players {
		p.until("strayed.length > 0")
		if got := ask[[]int](p, "strayed"); got[0] > 2 {
			t.Errorf("%s sees the outline %d px beside the store", p.name, got[0])
		}
	}
}

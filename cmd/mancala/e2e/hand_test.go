package e2e

import (
	"slices"
	"strings"
	"testing"
)

// The number at the wrist of a hand and its lap do not lie on each other, from whichever side of the board the hand
// comes.
func TestHandShowsItsNumberAndItsLapApart(t *testing.T) {
	t.Parallel()
	p := serve(t).person("Ada", desktop)
	p.opens("/learn/kalah/lesson")
	p.until(`document.querySelector("mancala-board").layer !== undefined`)
	covered := ask[[]int](p, `[0, 90, 180, -90].filter((turn) => {
		const hand = document.createElement("div");
		hand.className = "hand";
		hand.style.cssText = "--size: 60px; --turn-hand: " + turn + "deg; transform: translate(200px, 100px)";
		hand.innerHTML = "<b>12</b><span class=lap>Lap 2</span>";
		document.querySelector("mancala-board").layer.append(hand);
		const [n, lap] = [...hand.children].map((part) => part.getBoundingClientRect());
		hand.remove();
		return n.width < 10 || n.bottom > lap.top && lap.bottom > n.top && n.right > lap.left && lap.right > n.left;
	})`)
	if len(covered) > 0 {
		t.Errorf("the lap covers the number of a hand that is turned by %v degrees", covered)
	}
}

// A hand in the colour of its player carries the seeds: as many lie in it as it
// still holds, it opens after the last one, and the seeds of a pit settle when
// another one falls among them. A capture is one movement from all its pits to
// the store, whose number runs up; the hand shows how many it carries.
func TestHandCarriesSeedsAndSettlesThem(t *testing.T) {
	t.Parallel()
	g, ada, ben := inMotion(t, "kalah")
	for _, p := range g.players {
		ask[bool](p, `(() => {
			const board = document.querySelector("[data-board]");
			window.hand = { palm: [], opened: 0, settled: [], store: [], numbers: [] };
			const falls = (cell) => { if (cell.querySelector(".seeds").getAnimations().length > 0) hand.settled.push(Number(cell.dataset.pit)); };
			new MutationObserver((changes) => {
				for (const { target } of changes) {
					if (target.matches(".hand.open")) hand.opened++;
					if (target.matches("[data-pit] .count")) falls(target.closest("[data-pit]"));
					const n = target.closest(".hand")?.querySelectorAll(".seed").length ?? 0;
					if (n > 0 && hand.palm.at(-1) !== n) hand.palm.push(n);
					if (target.matches("[data-store='0'] .count")) hand.store.push(target.dataset.n);
					if (target.matches(".hand b")) hand.numbers.push(target.textContent);
				}
			}).observe(board, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "data-n"] });
			return true;
		})()`)
	}
	for i, to := range []int{4, 6, 0} { // the last move captures one seed and six
		p := []*person{ada, ben, ada}[i]
		p.until(mayAct)
		p.clicks(pit(to))
		g.shows()
		if i > 0 {
			continue
		}
		for _, p := range g.players {
			// A slow page shows several seeds in one frame.
			got := ask[[]int](p, "hand.palm")
			if len(got) == 0 || got[0] != 4 || !slices.IsSortedFunc(got, func(a, b int) int { return b - a }) {
				t.Errorf("%s sees %v seeds in the hand, want 4, 3, 2, 1", p.name, got)
			}
			if got := ask[[]int](p, "hand.settled"); !slices.Contains(got, 5) || !slices.Contains(got, 7) || ask[int](p, "hand.opened") == 0 {
				t.Errorf("%s sees the seeds of %v settle, and the hand open %d times", p.name, got, ask[int](p, "hand.opened"))
			}
		}
	}
	for _, p := range g.players {
		p.until(`hand.store.at(-1) === "8"`)
		if got := ask[[]string](p, "hand.store"); len(got) < 4 {
			t.Errorf("%s sees the number of the store change to %v, want it to run up", p.name, got)
		}
		if got := ask[[]string](p, "hand.numbers"); !slices.Contains(got, "7") {
			t.Errorf("%s reads the numbers %v at the hand, want the 7 that it captures too", p.name, got)
		}
	}
}

// A seed that is sown stays in the palm until the hand has come to its pit, and then falls from there: it is never
// seen in two places, in none, or at a pit that the hand has not reached.
func TestSeedFallsWhenTheHandHasCome(t *testing.T) {
	t.Parallel()
	g, ada, _ := inMotion(t, "kalah")
	for _, p := range g.players {
		ask[bool](p, `(() => {
			const animate = Element.prototype.animate;
			window.falls = [];
			Element.prototype.animate = function (frames, how) {
				const animation = animate.call(this, frames, how);
				if (!this.matches(".falling") || !document.querySelector(".hand")) return animation;
				const { duration } = animation.effect.getComputedTiming();
				const visible = [0.2, 0.45, 0.8].map((part) => {
					animation.currentTime = part * duration;
					return getComputedStyle(this).opacity;
				});
				animation.currentTime = 0;
				const late = duration < 90; // a page that is late has no time to show the palm
				falls.push([visible.join(" "), late ? 9 : document.querySelectorAll(".hand .seed").length]);
				return animation;
			};
			return true;
		})()`)
	}
	ada.clicks(pit(0))
	g.shows()
	for _, p := range g.players {
		got := ask[string](p, `falls.map(([seen, palm], i) => palm >= 4 - i ? seen : seen + ", palm " + palm).join()`)
		if want := "0 0 1,0 0 1,0 0 1,0 0 1"; got != want {
			t.Errorf("%s sees seeds fall as %s, want %s and each in the palm before", p.name, got, want)
		}
	}
}

// The seeds of a capture stay visible until the hand takes them, up to twelve of each pit, also when the hand
// carries fewer of them visibly.
func TestCapturedSeedsLieInTheirPitsUntilTheHandTakesThem(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", options: "seeds=1,0,9,9,9,9", start: "creator"}, 2)
	ada := g.players[0]
	for _, p := range g.players {
		p.moves(true)
		p.keepsTime()
		ask[bool](p, `(() => {
			const board = document.querySelector("[data-board]");
			window.most = 0;
			new MutationObserver(() => {
				for (const heap of board.querySelectorAll(".layer > span")) most = Math.max(most, heap.querySelectorAll(".seed").length);
			}).observe(board, { subtree: true, childList: true });
			return true;
		})()`)
	}
	ada.until(mayAct)
	ada.clicks(pit(0)) // ends in pit 2, which is empty, and captures one seed and nine, of which six fly
	g.shows()
	for _, p := range g.players {
		if got := ask[int](p, "most"); got != 3 {
			t.Errorf("%s sees %d seeds lie, want 3", p.name, got)
		}
	}
}

// At the end each side's seeds are taken by the hand of that side, whoever made the last move.
func TestSeedsLeftAreTakenByTheHandOfTheirSide(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", options: "seeds=0,0,0,0,0,1", start: "creator"}, 2)
	ada := g.players[0]
	for _, p := range g.players {
		p.moves(true)
		p.keepsTime()
		ask[bool](p, `(() => {
			window.hands = [];
			new MutationObserver((changes) => {
				for (const { addedNodes } of changes)
					for (const node of addedNodes)
						if (node.matches?.(".hand")) hands.push(node.style.getPropertyValue("--owner"));
			}).observe(document.querySelector("[data-board]"), { subtree: true, childList: true });
			return true;
		})()`)
	}
	ada.until(mayAct)
	ada.clicks(pit(5)) // the last seed of the south; the seed of the north goes to its own store
	g.shows()
	for _, p := range g.players {
		if got := ask[string](p, `hands.join(" ")`); got != "var(--p0) var(--p1)" {
			t.Errorf("%s sees hands in %s, want one of each side", p.name, got)
		}
	}
}

// A hand that takes the seeds of two pits holds those of both, and its number changes when a seed leaves it: while it
// travels, it has as many seeds as it says. A page that is late shows fewer of its states.
func TestHandHoldsAsManySeedsAsItSays(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "hus", start: "creator"}, 2)
	ada, ben := g.players[0], g.players[1]
	ada.until(mayAct)
	ada.clicks(pit(2))
	g.shows()
	for _, p := range g.players {
		p.moves(true)
		p.keepsTime()
		ask[bool](p, `(() => {
			window.held = [];
			new MutationObserver(() => {
				const hand = document.querySelector(".layer .hand");
				const said = hand?.querySelector("b").textContent + " " + hand?.querySelectorAll(".seed").length;
				if (hand && held.at(-1) !== said) held.push(said);
			}).observe(document.querySelector("[data-board]"), { subtree: true, childList: true });
			return true;
		})()`)
	}
	ben.until(mayAct)
	ben.clicks(pit(22)) // Ben captures the seeds of two pits and sows them
	g.shows()
	for _, p := range g.players {
		got := ask[[]string](p, "held")
		if len(got) == 0 || slices.ContainsFunc(got, func(said string) bool {
			n, seeds, _ := strings.Cut(said, " ")
			return n != seeds && n+seeds != "0"
		}) {
			t.Errorf("%s sees hands with the numbers and seeds %q", p.name, got)
		}
	}
}

// Where many laps pass as one, the hand goes to where they end, and the word beats with them.
func TestHandFollowsLapsThatPassAsOne(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "congkak", start: "creator"}, 2)
	ada, ben := g.players[0], g.players[1]
	ada.until(mayAct)
	ada.clicks(pit(4))
	ben.until(mayAct)
	ben.clicks(pit(7))
	g.shows()
	for _, p := range g.players {
		p.moves(true)
		p.keepsTime()
		ask[bool](p, `(() => {
			window.rush = { places: [], beats: 0 };
			const animate = Element.prototype.animate;
			let aim;
			Element.prototype.animate = function (frames, how) {
				if (this.matches(".hand") && Array.isArray(frames)) aim = frames.at(-1).transform;
				if (this.matches(".lap") && this.textContent.startsWith("×")) {
					rush.beats++;
					rush.places.push(aim); // where the hand is going: a page that is late has not moved it yet
				}
				return animate.call(this, frames, how);
			};
			return true;
		})()`)
	}
	ada.until(mayAct)
	ada.clicks(pit(3)) // 21 laps
	g.shows()
	for _, p := range g.players {
		places := ask[[]string](p, "rush.places")
		slices.Sort(places)
		if beats := ask[int](p, "rush.beats"); beats < 4 || len(slices.Compact(slices.Clone(places))) < 3 {
			t.Errorf("%s sees %d beats, and the hand at %q", p.name, beats, places)
		}
	}
}

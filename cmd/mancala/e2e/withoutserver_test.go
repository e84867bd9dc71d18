package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// shortKalah are house rules with which a game takes some 15 plies.
const shortKalah = "pits=4 seeds=2"

// beginsAlone fills in the form at /local, and waits for the game. Level 0 is another person.
func (p *person) beginsAlone(level int, options string) {
	p.t.Helper()
	p.opens("/local")
	p.until(`!document.querySelector("#choose").closest("[data-choosing]") || document.querySelector("[data-people], [name=start]")`)
	p.presses(fmt.Sprintf(`#choose .level:has([value="%d"])`, level))
	if level > 0 {
		p.sets("[name=start]", "creator")
	}
	ask[bool](p, fmt.Sprintf(`(document.querySelector("#choose [name=options]").value = %q) !== null`, options))
	p.presses(action("begin"))
	p.until(`e2e.board()?.anim === "idle" && e2e.legal().length > 0`)
}

// TestGameAgainstTheComputerIsPlayedWithoutAServer begins a game against level 4 and stops the
// server. The game is played to its end, and after it another one. When the server is back, the
// other pages are there again.
func TestGameAgainstTheComputerIsPlayedWithoutAServer(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada := s.person("Ada", phone)
	ada.prefers("speed", "instant")
	ada.forgive("Failed to load resource", "FetchEvent")
	ada.beginsAlone(4, shortKalah)
	keepPicture(t, "local-360", ada.shot)
	ada.until("caches.match('/local').then(Boolean)")
	s.stop()
	ada.hears(".seats[data-place=top] .name", "Clove")
	tap := func(at int) { ada.presses(pit(at)) }
	ada.plies(4, tap)
	ada.presses(action("undo"))
	ada.until(`e2e.board().ply < 4 && e2e.legal().length > 0`)
	ada.presses(action("hint"))
	ada.sees("[data-hint]")
	ada.plies(300, tap)
	ada.sees("#headline")
	keepPicture(t, "local-over-360", ada.shot)
	ada.presses(action("first"))
	ada.until("e2e.board().ply === 0")
	ada.presses(action("rematch"))
	ada.until(`e2e.board().state === "live"`)
	ada.plies(2, tap)
	ada.resigns()
	ada.sees("#headline")
	ada.presses(action("new"))
	ada.sees("#choose form")
	s.start()
	ada.opens("/")
	ada.sees(action("local"))
}

// TestReloadWhileTheComputerThinksLosesNothing stops the server, and reloads the page as soon as the
// browser has kept the player's move. The computer answers it on the next page, and the game goes on.
func TestReloadWhileTheComputerThinksLosesNothing(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada := s.person("Ada", phone)
	ada.prefers("speed", "instant")
	ada.forgive("Failed to load resource", "FetchEvent")
	ada.opens("/local")
	ada.until("navigator.serviceWorker.controller !== null")
	ada.beginsAlone(6, "")
	ada.until("caches.match('/local', { ignoreVary: true }).then(Boolean)")
	s.stop()
	for range 2 {
		const steps = `JSON.parse(localStorage.getItem("mancala.local")).steps.length`
		ada.until(`e2e.board()?.anim === "idle" && e2e.legal().length > 0`)
		ply, before := ask[int](ada, "e2e.board().ply"), ask[int](ada, steps)
		ask[bool](ada, fmt.Sprintf(`(() => {
			const { setItem } = Storage.prototype;
			Storage.prototype.setItem = function (name, value) {
				setItem.call(this, name, value);
				if (name !== "mancala.local" || JSON.parse(value).steps.length <= %d) return;
				Storage.prototype.setItem = setItem;
				sessionStorage.setItem("turn", JSON.stringify(JSON.parse(value).steps.length));
				location.reload();
			};
			return true;
		})()`, before))
		// a move that does not end in the store: the computer is on turn
		ada.presses(pit(ask[int](ada, "e2e.legal().find((pit) => (e2e.board().pits[pit] + pit) % 13 !== 6)")))
		ada.until(fmt.Sprintf(`sessionStorage.getItem("turn") === "%d"`, before+1))
		ada.until(fmt.Sprintf(`e2e.board()?.ply >= %d && e2e.legal().length > 0`, ply+2))
	}
	ada.plies(8, func(at int) { ada.presses(pit(at)) })
}

// TestGameOfTwoGoesOnAfterTheTabWasClosed plays at one screen, reloads in the middle, and goes on in
// another tab; the first one stops playing then.
func TestGameOfTwoGoesOnAfterTheTabWasClosed(t *testing.T) {
	t.Parallel()
	ada := serve(t).inWholeBrowser().person("Ada", desktop)
	ada.prefers("speed", "instant")
	ada.beginsAlone(0, shortKalah)
	keepPicture(t, "local-1440", ada.shot)
	tap := func(at int) { ada.presses(pit(at)) }
	ada.plies(3, tap)
	pits := ask[string](ada, "e2e.board().pits.join()")
	if err := ada.reloads(); err != nil {
		t.Fatal(err)
	}
	ada.until(fmt.Sprintf(`e2e.board()?.pits.join() === %q && e2e.legal().length > 0`, pits))
	tab := ada.tab("Ada's other tab", phone)
	tab.opens("/local")
	tab.until(fmt.Sprintf(`e2e.board()?.pits.join() === %q && e2e.legal().length > 0`, pits))
	tab.plies(4, func(at int) { tab.presses(pit(at)) })
	ada.sees(action("takeover"))
	ada.presses(action("takeover"))
	ada.until(`e2e.board().ply === 4 && e2e.legal().length > 0`)
	tab.sees(action("takeover"))
	ada.tabsTo("[data-pit]")
	ada.plies(300, func(at int) { ada.types(fmt.Sprint(at%4 + 1)) })
	ada.hears("#headline", "won")
	ada.types(kb.Home)
}

// TestUnreadableGameStaysUntilTheNextOneBegins opens the page with what this release cannot play: a
// tab of a newer one may have kept it.
func TestUnreadableGameStaysUntilTheNextOneBegins(t *testing.T) {
	t.Parallel()
	ada := serve(t).inWholeBrowser().person("Ada", phone)
	ada.opens("/local")
	ask[bool](ada, `(localStorage.setItem("mancala.local", '{"game":{"id":"x","rules":"chess"},"steps":[{"k":"move"}]}'), true)`)
	if err := ada.reloads(); err != nil {
		t.Fatal(err)
	}
	ada.hears("#choose-said", "cannot be read")
	ada.sees(action("begin"))
	if ask[bool](ada, fmt.Sprintf("e2e.visible(%q)", action("resume"))) {
		t.Error("the form offers to go on with it")
	}
	kept := func() bool { return ask[bool](ada, `localStorage.getItem("mancala.local").includes("chess")`) }
	if !kept() {
		t.Error("the game was deleted")
	}
	ada.presses(action("begin"))
	ada.until(`e2e.board()?.anim === "idle" && e2e.legal().length > 0`)
	if kept() {
		t.Error("the next game has not replaced it")
	}
}

// The labels of the form at /local have the weight of those at /bot, which has the same fields.
func TestLabelsWithoutANetworkHaveTheWeightOfTheOthers(t *testing.T) {
	t.Parallel()
	ada := serve(t).person("Ada", phone)
	weights := func(path string) []string {
		t.Helper()
		ada.opens(path)
		ada.sees(".choices [name=start]")
		return ask[[]string](ada, `[...new Set(Array.from(document.querySelectorAll(".choices > label"), (label) => getComputedStyle(label).fontWeight))]`)
	}
	if here, there := weights("/local"), weights("/bot"); !slices.Equal(here, there) {
		t.Errorf("the labels have the weights %v, and %v on /bot", here, there)
	}
}

package e2e

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// quick is how long bots wait in these tests.
const quick = "40ms"

// playsBot plays against a bot until the game is over. play makes a ply.
func (p *person) playsBot(play func(legal []int)) {
	p.t.Helper()
	for n := 0; ; n++ {
		p.until(`e2e.board().state === "over" || e2e.board().anim === "idle" && e2e.legal().length > 0`)
		if ask[bool](p, `e2e.board().state === "over"`) {
			return
		}
		if n > 200 {
			p.t.Fatalf("it is not over after %d plies\n%s", n, p.describe())
		}
		ply := ask[int](p, "e2e.board().ply")
		play(ask[[]int](p, "e2e.legal()"))
		p.until(fmt.Sprintf(`e2e.board().ply > %d || e2e.board().state === "over"`, ply))
	}
}

// A player plays a whole game against the first level by keyboard alone, from
// the home page on. They use a hint and undo a move. Then they start another
// game.
func TestGameAgainstABotByKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := serve(t, "--bot-pause", quick)
	ada := s.person("Ada", desktop)
	ada.prefers("speed", "instant")
	ada.opens("/")
	ada.tabsTo(action("bot"))
	ada.types(kb.Enter)
	ada.until(`location.pathname === "/bot" && document.readyState === "complete"`)
	ada.sets("[name=start]", "creator")
	ada.tabsTo("[name=bot]")
	for range 8 { // the levels are one tab stop, and arrow keys choose among them
		if ask[string](ada, `document.querySelector("[name=bot]:checked").value`) == "1" {
			break
		}
		ada.types(kb.ArrowUp)
	}
	ada.tabsTo(action("new"))
	ada.types(kb.Enter)
	ada.until("location.pathname.length === 11")
	ada.online()
	ada.hears("main", "Pip")
	ada.sees(".seat .face svg")
	if ask[bool](ada, `document.querySelector("#chat-panel").checkVisibility()`) {
		t.Error("there is a chat in a game against the computer")
	}
	ada.tabsTo("[data-pit]")
	ada.types("h")
	ada.hears("#status", "Try pit 3. Pit 3 ends in your store. You play again.")
	ada.hears("#say", "Try pit 3.")
	if at := ask[string](ada, `document.querySelector("[data-hint]")?.dataset.pit ?? ""`); at != "2" {
		t.Errorf("the ring is on pit %q", at)
	}
	ada.types("1")
	ada.until(`e2e.board().ply >= 2 && e2e.legal().length > 0`)
	ada.until(`document.querySelector("[data-hint]") === null`)
	ada.types("u")
	ada.until(`e2e.board().ply === 0`)
	ada.hears("#say", "A move was taken back. Your turn.")
	ada.placed("undoing")
	ada.playsBot(func(legal []int) {
		ada.types(strconv.Itoa(legal[len(legal)-1]%6 + 1))
		ada.placed("a ply")
	})
	ada.sees("#headline")
	before := ask[string](ada, "location.pathname")
	ada.tabsTo(action("rematch"))
	ada.types(kb.Enter)
	ada.until(fmt.Sprintf(`location.pathname !== %q && ["live"].includes(e2e.board()?.state)`, before))
	ada.online()
	ada.until(`e2e.legal().length > 0`) // Pip starts this game
}

// A player plays a whole game against the fifth level by touch on a small
// phone, without scrolling.
func TestGameAgainstABotOnAPhoneWithoutScrolling(t *testing.T) {
	t.Parallel()
	s := serve(t, "--bot-pause", quick)
	ada := s.person("Ada", screen{w: 360, h: 640, touch: true})
	ada.prefers("speed", "instant")
	ada.opens("/learn/kalah")
	ada.clicks(action("bot"))
	ada.until(`location.pathname === "/bot" && document.readyState === "complete"`)
	ada.fits("/bot", false)
	ada.resize(screen{w: 360, h: 640, touch: true})
	ask[bool](ada, `(document.querySelector("[name=bot][value='5']").click(), true)`)
	ada.clicks(action("new"))
	ada.until("location.pathname.length === 11")
	ada.online()
	ada.playsBot(func(legal []int) { ada.clicks(pit(legal[0])) })
	ada.sees("#headline")
	if next := ask[string](ada, `document.querySelector("#result [data-action=new]").getAttribute("href")`); next != "/bot?rules=kalah" {
		t.Errorf("a new opponent is at %s", next)
	}
}

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// After a game, who played asks for its analysis, walks through it by keyboard, finds
// something better than his first move, and tries a move that nobody made.
func TestAnalysis(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", start: "creator"}, 2)
	ada := g.players[0]
	v := g.shows()
	ada.presses(pit(0)) // a poor beginning
	ada.until("e2e.board().ply === 1")
	v = g.plays(g.shows(), 3)
	ada.resigns()
	ada.until("e2e.board().state === 'over'")

	ada.presses(action("analyse"))
	ada.until(`location.pathname.endsWith("/analysis")`)
	ada.online()
	ada.tabsTo(action("ask"))
	ada.types(kb.Enter)
	ada.sees(".analysed table")
	ada.until(`document.activeElement.matches("mancala-board *")`) // the button is gone

	// Through the game, one key a move, in sentences.
	last := v.Snap.Ply
	for n := last - 1; n >= 0; n-- {
		ada.types("[")
		ada.until(fmt.Sprintf("e2e.board().ply === %d", n))
	}
	ada.types("]")
	ada.until("e2e.board().ply === 1 && location.hash === '#1'")
	ada.until(`/^Move 1, .* 1\. Cost (about )?\d+ seeds?\. Better: [2-6]\./.test(document.querySelector("#say").textContent)`)
	ada.until(`document.querySelector(".analysed [aria-current=true]").textContent === "1"`)

	// The mistake is a puzzle: the same move again is no answer.
	ada.tabsTo(action("retry"))
	ada.types(kb.Enter)
	ada.hears("#puzzle", "Find a better move")
	ada.until(`e2e.board().ply === 0 && document.activeElement.matches("mancala-board *")`)
	ada.until("e2e.legal().length === 6")
	ada.types("1")
	ada.hears("#puzzle", "1 costs")
	for n := 2; n <= 6 && !ask[bool](ada, `e2e.board().ply === 1`); n++ {
		ada.types(fmt.Sprint(n))
		ada.until(fmt.Sprintf(`/^(%[1]d costs|Well found: %[1]d)/.test(document.querySelector("#puzzle").textContent)`, n))
		ada.comes(`e2e.board().ply === 1 || document.querySelector("#puzzle").textContent.includes("costs")`, patience)
	}
	ada.hears("#puzzle", "Well found")
	ada.until("e2e.board().ply === 1 && e2e.board().anim === 'idle'")

	// Now on from there, on the same board; the game is one key away.
	ada.sees("#tree button")
	ada.until("e2e.legal().length > 0")
	ada.presses(pit(ask[int](ada, "e2e.legal()[0]")))
	ada.until("e2e.board().ply === 2")
	ada.hears("#at", "Trying")
	ada.presses(action("look"))
	ada.until(`/Best: \d/.test(document.querySelector("#status").textContent)`)
	ada.types("[")
	ada.until("e2e.board().ply === 1")
	ada.types("{")
	ada.hears("#at", fmt.Sprintf("1 of %d", last))
	if got := ada.text(".analysed tbody tr"); !strings.Contains(got, "istake") {
		t.Errorf("the first row is %q", got)
	}

	// The puzzles stay those of the game, whatever position was set up; and while
	// somebody looks elsewhere in the game, a move there answers nothing.
	ada.presses(action("stop"))
	ada.presses("#edit summary")
	ada.presses(action("set"))
	ada.until(`document.querySelector("#at").textContent !== "" && !document.querySelector("#at").textContent.includes(" of ")`)
	ada.presses(action("retry"))
	ada.hears("#puzzle", "Find a better move")
	ada.hears("#at", fmt.Sprintf("0 of %d", last))
	ada.types("]")
	ada.until("e2e.board().ply === 1 && e2e.legal().length > 0 && e2e.board().anim === 'idle'")
	ada.presses(pit(ask[int](ada, "e2e.legal()[0]")))
	ada.until("e2e.board().ply === 2")
	ada.hears("#puzzle", "Find a better move")

	// Who stayed in the panel of the game has the line drawn there, and nothing is loaded anew.
	ben := g.players[1]
	ben.presses("#result " + action("ask"))
	ben.sees(".chart .worth")
	ben.sees(action("turned"))
	ben.until(`document.querySelector("#worths") === null && !document.querySelector("#asking").checkVisibility()`)

	// Who watched sees where it turned in the panel of the game, and comes to that move.
	wanda := g.watchers[0]
	wanda.opens("/" + g.id)
	wanda.sees(".chart .worth")
	wanda.presses(action("turned"))
	wanda.until(`location.pathname.endsWith("/analysis") && location.hash === "#1"`)
	wanda.until("e2e.board().ply === 1")

	// The name of the game lies beside the pages, on any screen.
	const covered = `(() => {
		const words = document.createRange();
		words.selectNodeContents(document.querySelector("#title"));
		const title = words.getBoundingClientRect();
		return [...document.querySelectorAll(".top :is(a, button)")].filter((el) => {
			const r = el.getBoundingClientRect();
			return el.checkVisibility() && r.left < title.right && title.left < r.right && r.top < title.bottom && title.top < r.bottom;
		}).map((el) => el.textContent).join();
	})()`
	for _, size := range sizes {
		wanda.resize(size)
		wanda.until(fmt.Sprintf("innerWidth === %d", size.w))
		wanda.until(fmt.Sprintf(`%s === ""`, covered))
	}
}

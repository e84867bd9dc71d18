package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A player who asks for the analysis while the page still loads the game gets it.
func TestAnalysisIsShownToAPlayerWhoAsksEarly(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", start: "creator"}, 2)
	ada := g.players[0]
	g.plays(g.shows(), 3)
	ada.resigns()
	ada.until("e2e.board().state === 'over'")
	const hold = `(() => {
		const real = window.fetch, held = new Promise((go) => (window.release = go));
		window.fetch = (url, options) => String(url).endsWith("/replay") ? held.then(() => real(url, options)) : real(url, options);
	})()`
	ada.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hold})
		return chromedp.Void{}, err
	})
	ada.opens("/" + g.id + "/analysis")
	ada.presses(action("ask"))
	ada.until(`document.activeElement.id === "progress"`) // the server has answered
	ask[bool](ada, "(release(), true)")
	ada.sees(".analysed table")
}

// After a game, a player asks for its analysis and steps through it by
// keyboard. They find a better first move, and try a move that was not played.
func TestPlayerStepsThroughAnAnalysisByKeyboard(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", start: "creator"}, 2)
	ada := g.players[0]
	v := g.shows()
	ada.presses(pit(0)) // a weak first move
	ada.until("e2e.board().ply === 1")
	v = g.plays(g.shows(), 3)
	ada.resigns()
	ada.until("e2e.board().state === 'over'")

	ada.opens("/" + g.id + "/analysis")
	ada.online()
	ada.tabsTo(action("ask"))
	ada.types(kb.Enter)
	ada.sees(".analysed table")
	ada.until(`document.activeElement.matches("mancala-board *")`) // the focused button is gone

	// Each key press steps one move back, and the page describes the move in a
	// sentence.
	last := v.Snap.Ply
	for n := last - 1; n >= 0; n-- {
		ada.types("[")
		ada.until(fmt.Sprintf("e2e.board().ply === %d", n))
	}
	ada.until(`(() => {
		const best = document.querySelector("#status").textContent.match(/Best: (\d+),/)?.[1];
		const pit = document.querySelector("mancala-board [data-hint]")?.dataset;
		return best && pit?.pit === String(best - 1) && /^[+\u2212]?\d+$/.test(pit.worth);
	})()`) // the best move is shown on the board
	keepPicture(t, "analysis-1440", ada.shot)
	ada.types("]")
	ada.until("e2e.board().ply === 1 && location.hash === '#1'")
	ada.until(`/^Move 1, .* 1\. Cost (about )?\d+ seeds?\. Better: [2-6]\./.test(document.querySelector("#say").textContent)`)
	ada.until(`document.querySelector(".analysed [aria-current=true]").textContent === "1"`)
	ada.types("l") // the last move, as on the page of a game
	ada.hears("#say", "You played 1, sowed 4.")
	ada.until("e2e.board().ply === 1")

	// The mistake is a puzzle. Playing the same move again does not solve it.
	ada.tabsTo(action("retry"))
	ada.types(kb.Enter)
	ada.hears("#puzzle", "Find a better move")
	ada.until(`e2e.board().ply === 0 && document.activeElement.matches("mancala-board *")`)
	ada.until(`!document.querySelector("[data-hint], [data-worth]")`) // the puzzle is not given away
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

	// The player goes on from there on the same board. One key leads back to
	// the game.
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
	ada.hears("#at", "1 of "+ask[string](ada, `[...document.querySelectorAll(".analysed th a")].at(-1).textContent`))
	if got := ada.text(".analysed tbody tr"); !strings.Contains(got, "istake") {
		t.Errorf("the first row is %q", got)
	}

	// The puzzles stay those of the game, whatever position the player has set
	// up. While the player looks at another move of the game, a move on the
	// board is no answer to the puzzle.
	ada.presses(action("stop"))
	ada.presses("#edit summary")
	ada.presses(action("set"))
	ada.until(`document.querySelector("#at").textContent !== "" && !document.querySelector("#at").textContent.includes(" of ")`)
	ada.presses(action("retry"))
	ada.hears("#puzzle", "Find a better move")
	ada.hears("#at", "0 of "+ask[string](ada, `[...document.querySelectorAll(".analysed th a")].at(-1).textContent`))
	ada.types("]")
	ada.until("e2e.board().ply === 1 && e2e.legal().length > 0 && e2e.board().anim === 'idle'")
	ada.presses(pit(ask[int](ada, "e2e.legal()[0]")))
	ada.until("e2e.board().ply === 2")
	ada.hears("#puzzle", "Find a better move")

	// A player who stayed on the game's page sees the chart there, without a
	// reload.
	ben := g.players[1]
	ben.presses("#result " + action("ask"))
	ben.sees(".chart .worth")
	ben.sees(action("turned"))
	ben.until(`document.querySelector("#worths") === null && !document.querySelector("#asking").checkVisibility()`)

	// A watcher sees the turning point on the game's page, and can open that
	// move.
	wanda := g.watchers[0]
	wanda.opens("/" + g.id)
	wanda.sees(".chart .worth")
	wanda.presses(action("turned"))
	wanda.until(`location.pathname.endsWith("/analysis") && location.hash === "#1"`)
	wanda.until("e2e.board().ply === 1")

	// The links at the top do not cover the title of the game, on any screen.
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

// Whatever leads to a move in an analysis, the board is in the window when the page shows it: the sentence about
// the turn of the game, a row of the table, a mark of the story, a puzzle. That holds for the second time too.
func TestAnalysisShowsTheBoardWithTheMoveThatIsTried(t *testing.T) {
	t.Parallel()
	g := dealAt(t, serve(t), settings{rules: "kalah", start: "creator"}, []screen{small, desktop}, tablet)
	g.hurries()
	ada := g.players[0]
	g.shows()
	ada.presses(pit(0)) // a weak first move
	ada.until("e2e.board().ply === 1")
	g.plays(g.shows(), 5)
	ada.resigns()
	ada.sees("#game[data-drawn] #result")
	ada.opens("/" + g.id + "/analysis")
	ada.online()
	ada.presses(action("ask"))
	ada.sees(".analysed table")
	const away = `((r) => r.top >= 0 && r.bottom <= innerHeight ? "" : Math.round(r.top) + " to " + Math.round(r.bottom) + " of " + innerHeight)(document.querySelector(".table").getBoundingClientRect())`
	for _, size := range []screen{small, {w: 1024, h: 700}} {
		ada.resize(size)
		ada.until(fmt.Sprintf("innerWidth === %d", size.w))
		for _, way := range []string{".analysed > p a", ".analysed tbody tr:last-child a", "#after .peaks button", action("retry")} {
			for range 2 {
				ada.until(`document.querySelector("[data-board]").dataset.anim === "idle"`)
				ask[bool](ada, fmt.Sprintf(`(document.querySelector(%q).scrollIntoView({ block: "start" }), true)`, way))
				ada.presses(way)
				if held, err := ada.comes(away+` === ""`, patience); err != nil || !held {
					t.Errorf("after %s at %d px the board is from %s (%v)", way, size.w, ask[string](ada, away), err)
				}
				if way == action("retry") {
					ada.presses(action("stop"))
				}
			}
		}
	}
}

package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// reads checks the texts of an error page: what happened, what to do, and one
// button (UX.md §13).
func (p *person) reads(title, help, button string) {
	p.t.Helper()
	p.hears("h1", title)
	p.hears("main .lead", help)
	if got := p.text(action("back")); got != button {
		p.t.Errorf("the button says %q, not %q", got, button)
	}
	p.fits(title, false)
}

func TestFailurePagesSayWhatToDo(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", phone)
	ben.forgive("Failed to load resource")
	id := ada.makes(settings{rules: "kalah"})
	ada.confirms(action("abort"))
	ada.until("e2e.board()?.state === 'over' || location.pathname === '/'")
	ben.opens("/" + id)
	ben.reads("This invitation is over.", "Ask for a new link, or start your own.", "New game")
	ben.opens("/zzzzzzzzz9")
	ben.reads("No game here.", "The link may be cut off, or the game was never started.", "New game")

	ben.opens("/j")
	ben.until("document.activeElement.id === 'code'") // the page gets the focus slightly after it has loaded
	ben.types("KX7P2M")
	ben.clicks(action("join"))
	ben.hears("#code-problem", "No game or tournament with this code.")
	ben.hears("#code-help", "Codes have 6 characters.")
	ben.until("document.activeElement.id === 'code' && document.activeElement.value === 'KX7P2M'")
}

// A visitor over the rate limit sees the seconds count down, and then goes on
// from the same page.
func TestVisitorOverTheLimitGoesOnFromTheSamePage(t *testing.T) {
	t.Parallel()
	ada := serve(t, "--limit-requests", "6/60s").person("Ada", phone)
	ada.forgive("Failed to load resource")
	// The countdown must also work in a browser that forbids storage.
	ada.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		const forbidden = `Object.defineProperty(window, "sessionStorage", {get() { throw new DOMException("forbidden", "SecurityError"); }})`
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: forbidden})
		return chromedp.Void{}, err
	})
	// A busy machine may take so long for a page that the limit allows another one meanwhile.
	for ada.opens("/j"); !ask[bool](ada, `document.querySelector("h1").textContent === "A little slower, please."`); ada.opens("/j") {
		ask[bool](ada, `Promise.all(Array.from({ length: 6 }, () => fetch("/j"))).then(() => true)`)
	}
	left := ask[int](ada, `Number(document.querySelector("[data-seconds]").dataset.seconds)`)
	if left < 1 || left > 10 {
		t.Errorf("Ada is to wait for %d seconds, the limit is one request in ten", left)
	}
	ada.until(fmt.Sprintf(`/^Try again in \d seconds?\.$|now/.test(document.querySelector("main .lead").textContent) && !document.querySelector("main .lead").textContent.includes(" %d ")`, left))
	ada.hears("main .lead", "You can try again now.")
	ada.clicks(action("back"))
	ada.hears("h1", "Join with a code")
}

// A page that the server does not understand is told that its version is too
// old.
func TestOldPageIsToldThatItsVersionIsTooOld(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah"}, 2)
	v := g.plays(g.shows(), 2)
	ada := g.seat(v.Snap.Turn)
	ask[bool](ada, `(() => {
		const { send } = WebSocket.prototype;
		WebSocket.prototype.send = function () { send.call(this, new Uint8Array(1)); };
		return true;
	})()`)
	ada.clicks(action("draw"))
	ada.hears("#status", "There is a new version. Reload to go on; your game is safe.")
	ada.sees(action("reload"))
	if ada.text(action("reload")) != "Reload" {
		t.Error("the button does not say Reload")
	}
	ada.fits("version too old", false)
	ada.clicks(action("reload"))
	ada.online()
	g.plays(g.shows(), 2)
}

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

	"mancala/web/learn"
	"mancala/web/static"
)

// A returning visitor can open the site without a network. A page explains the
// state and lists what they can read. The page recovers as soon as the server
// is back (UX.md §11, Q17).
func TestVisitorOpensTheSiteWithoutANetwork(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	g := deal(t, s, settings{rules: "kalah"}, 2)
	ada, ben := g.players[0], g.players[1]
	g.plays(g.shows(), 3)
	for _, p := range g.all() {
		p.until("navigator.serviceWorker.controller !== null")
		p.forgive(outage...)
		p.forgive("Failed to load resource", "FetchEvent")
	}
	ada.resigns()
	v := g.server.game(g.id)
	for _, p := range g.players {
		p.until("e2e.board().state === 'over'")
		p.until("Promise.all(['/" + g.id + "', '/api/v1/games/" + g.id + "/replay'].map((url) => caches.match(url))).then((all) => all.every(Boolean))")
	}
	s.stop()

	ada.opens("/")
	ada.hears("h1", "You are offline.")
	ada.sees("#kept a[href$='" + g.id + "']")
	ada.clicks("#kept a[href$='" + g.id + "']") // the rules may be stored before it
	ada.until("e2e.board()?.state === 'over'")
	ada.until("e2e.board().pits.join() === '" + join(v.Snap.Pits) + "'")
	ada.sees("#moves [data-at='3']")
	ada.clicks(action("first"))
	ada.until("e2e.board().ply === 0")

	ben.opens("/" + "zzzzzzzzz9") // another page of the site
	ben.hears("h1", "You are offline.")
	s.start()
	ben.hears("h1", "No game here.")
}

// The worker also takes over pages that were opened while it started. Its claim
// can miss those pages, as it misses pages that were reloaded without the
// worker.
func TestWorkerTakesEveryPage(t *testing.T) {
	t.Parallel()
	ada := serve(t).inWholeBrowser().person("Ada", phone)
	ada.opens("/")
	ada.until("navigator.serviceWorker.controller !== null")
	past := true
	ada.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, page.Reload, page.ReloadParams{IgnoreCache: &past})
		return chromedp.Void{}, err
	})
	ada.until("navigator.serviceWorker.controller !== null")
}

// After a new release, every page of the old release shows a notice, whichever
// page loaded the new one. Pages of the new release show none. No page reloads
// by itself.
func TestEveryOldPageIsToldOfANewRelease(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	g := deal(t, s, settings{rules: "kalah"}, 2)
	g.lasts()
	ada := g.players[0]
	reading := ada.tab("Ada's other tab", phone)
	reading.forgive(outage...)
	reading.opens("/settings")
	reading.until("navigator.serviceWorker.controller !== null")
	s.stop()
	s.next = true
	s.start()
	v := g.returns(g.shows())

	news := ada.tab("Ada's new tab", phone)
	news.forgive(outage...)
	news.opens("/learn")
	news.until("document.documentElement.dataset.release === 'next'")
	for _, p := range []*person{ada, reading} {
		p.sees("#updated")
		p.hears("#updated", "Updated. Reload when you like.")
		p.until("document.documentElement.dataset.release === undefined")
	}
	news.until("caches.keys().then((names) => names.filter((name) => name.startsWith('shell-')).length === 1)") // the cache of the old release is gone
	news.loses("#updated")
	g.plays(v, 2)

	reading.clicks("#updated")
	reading.until("document.documentElement.dataset.release === 'next'")
	reading.loses("#updated")
}

// A lesson that was opened before is found on the page that explains the outage, and is done to its end by
// keys. When the network is back, the account gets the steps.
func TestLessonIsOpenedAndDoneWithoutANetwork(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada := s.person("Ada", phone)
	ada.makesAccount("Ada")
	ada.forgive(outage...)
	ada.forgive("Failed to load resource", "FetchEvent")
	ada.opens("/learn/oware/lesson")
	ada.until("navigator.serviceWorker.controller !== null")
	ada.opens("/learn/oware/lesson") // through the worker, which keeps it
	ada.until("caches.match('/learn/oware/lesson', { ignoreVary: true }).then(Boolean)")
	ada.until("caches.match(document.documentElement.dataset.messages).then(Boolean)")
	s.stop()

	ada.opens("/")
	ada.hears("h1", "You are offline.")
	ada.clicks("#lessons a[href$='/learn/oware/lesson']")
	ada.tabsTo("[data-pit]")
	lesson := learn.Lesson("oware")
	for n, step := range lesson {
		right, _, _ := answersOf(step)
		ada.answers(right)
		ada.hears("#status[data-right=true]", "Yes, that is it.")
		if n+1 < len(lesson) {
			ada.types(kb.Enter)
		}
	}
	ada.sees("#all")
	s.start()
	ada.opens("/learn/kalah/lesson") // another lesson
	ada.opens("/learn/oware/lesson")
	ada.until(fmt.Sprintf(`fetch("/api/v1/me/lessons").then((r) => r.json()).then((all) => all.oware?.length === %d)`, len(lesson)))
}

// The worker that plays without a server compiles its program under the policy of its own script. The page
// itself may not compile anything.
func TestWorkerAnswersUnderItsOwnPolicy(t *testing.T) {
	t.Parallel()
	assets, err := static.LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	worker, err := assets.Url("localworker.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	ada := s.person("Ada", phone)
	ada.forgive("WebAssembly", "Content Security Policy")
	ada.opens("/learn")
	answer := ask[string](ada, fmt.Sprintf(`new Promise((done) => {
	const worker = new Worker(%q);
	worker.onerror = (e) => done("error: " + e.message);
	worker.onmessage = ({ data }) => data.ready ? worker.postMessage("{") : done(JSON.stringify(data));
})`, worker))
	if !strings.Contains(answer, "answer") {
		t.Errorf("the worker answers %s", answer)
	}
	if what := ask[string](ada, `WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => "compiled", () => "refused")`); what != "refused" {
		t.Errorf("the page has %s a program", what)
	}
}

package e2e

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
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

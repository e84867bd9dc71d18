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
	ada.opens("/" + g.id + "?ply=2") // a link to a moment
	ada.until("e2e.board()?.ply === 2")

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
	reading.opens("/settings")
	reading.until("navigator.serviceWorker.controller !== null")
	s.stop()
	s.next = true
	s.start()
	v := g.returns(g.shows())

	news := ada.tab("Ada's new tab", phone)
	news.opens("/learn")
	news.until("document.documentElement.dataset.release === 'next'")
	for _, p := range []*person{ada, reading} {
		p.sees("#updated")
		p.hears("#updated", "Updated. Reload when you like.")
		p.until("document.documentElement.dataset.release === undefined")
	}
	news.opens("/learn") // the next page renews the stored ones, if the worker was not ready before
	news.until("document.documentElement.dataset.release === 'next'")
	news.until("caches.keys().then((names) => names.filter((name) => name.startsWith('shell-')).length === 1)") // the cache of the old release is gone
	news.loses("#updated")
	g.plays(v, 2)

	reading.clicks("#updated")
	reading.until("document.documentElement.dataset.release === 'next'")
	reading.loses("#updated")
}

// keepsOffline waits until a worker serves the pages of this browser and has stored one of them.
func (p *person) keepsOffline(path string) {
	p.t.Helper()
	p.until("navigator.serviceWorker.controller !== null")
	p.until(fmt.Sprintf("caches.match(%q, { ignoreVary: true }).then(Boolean)", path))
}

// A lesson that was opened before is found on the page that explains the outage, and is done to its end by
// keys. When the network is back, the account gets the steps.
func TestLessonIsOpenedAndDoneWithoutANetwork(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada := s.person("Ada", phone)
	ada.makesAccount("Ada")
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

// The first page of a new visitor loads before there is a worker. The worker stores a lesson all the same, so
// the lesson opens again without a network.
func TestLessonOpenedBeforeTheWorkerIsStored(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada := s.person("Ada", phone)
	ada.forgive("Failed to load resource", "FetchEvent")
	ada.opens("/learn/bao/lesson")
	ada.keepsOffline("/learn/bao/lesson")
	ada.until("caches.match(document.documentElement.dataset.messages).then(Boolean)")
	s.stop()
	ada.opens("/learn/bao/lesson")
	ada.sees("[data-pit]")
}

// After a change of language, pages may still be stored in the old one. The page that explains the outage lists
// them last, with their language.
func TestPageOfAnOutageMarksPagesInAnotherLanguage(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada := s.person("Ada", phone)
	ada.forgive("Failed to load resource", "FetchEvent")
	ada.opens("/learn/oware")
	ada.keepsOffline("/learn/oware")
	s.stop()
	ask[bool](ada, `caches.open("pages").then(async (cache) => {
		const own = await cache.match("/learn/oware", { ignoreVary: true });
		for (const stored of await cache.keys()) await cache.delete(stored, { ignoreVary: true });
		await cache.put("/learn/kalah", new Response("<title>Jouer au Kalah · Mancala</title>", { headers: { "content-language": "fr" } }));
		await cache.put("/learn/oware", own);
		return true;
	})`)
	ada.opens("/")
	ada.hears("h1", "You are offline.")
	ada.hears("#kept li:last-child", "Jouer au Kalah (French)")
	ada.sees("#kept li:last-child a[lang=fr]")
	ada.hears("#kept li:first-child", "Oware")
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

// Opening the page of games without a server once stores all that it needs, and the lessons. After that the
// site opens without a network, and a game that was begun goes on to its end there. The page that explains
// the outage leaves by itself when the server is back.
func TestGameWithoutAServerOpensWithoutANetwork(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada, ben := s.person("Ada", phone), s.person("Ben", phone)
	for _, p := range []*person{ada, ben} {
		p.forgive("Failed to load resource", "FetchEvent")
		p.opens("/learn")
		p.until("navigator.serviceWorker.controller !== null")
	}
	ada.prefers("speed", "instant")
	ada.opens("/local")
	ada.until("caches.match('/local', { ignoreVary: true }).then(Boolean)")
	ada.beginsAlone(4, shortKalah)
	sign := ask[string](ada, "e2e.sign()")
	ada.until("caches.match('/learn/bao/lesson', { ignoreVary: true }).then(Boolean)")
	if stored := ask[bool](ben, "caches.keys().then((names) => names.some((name) => name.startsWith('local-')))"); stored {
		t.Error("a browser stores what plays without a server, and nobody asked for it")
	}
	s.stop()

	ben.opens("/")
	ben.hears("h1", "You are offline.")
	if ask[bool](ben, `e2e.visible("#local")`) {
		t.Error("the page that explains the outage links to a page that is not stored")
	}
	ada.opens("/")
	ada.hears("h1", "You are offline.")
	ada.sees("#lessons a[href$='/learn/bao/lesson']")
	ada.clicks("#local a")
	ada.until("e2e.legal().length > 0")
	if now := ask[string](ada, "e2e.sign()"); now != sign {
		t.Errorf("the game was\n%s\nand is\n%s", sign, now)
	}
	ada.plies(300, func(at int) { ada.presses(pit(at)) })
	ada.sees("#headline")
	s.start()
	ben.sees(action("bot")) // the page has left by itself
	ada.opens("/")
	ada.sees(action("local"))
}

package e2e

import "testing"

// Who has been here can open the program without a network: a page that says so,
// and what he may read; and he is back as soon as the server is (ux.md, Q17).
func TestWithoutNetwork(t *testing.T) {
	s := serve(t)
	g := deal(t, s, settings{rules: "kalah"}, 2)
	ada, ben := g.players[0], g.players[1]
	g.plays(g.shows(), 3)
	for _, p := range g.all() {
		if there, err := p.comes("navigator.serviceWorker.controller !== null", patience); err != nil || !there {
			// Not always does the worker take a page that was open before it.
			t.Skipf("%s's page has no service worker (%v): what is kept cannot be looked at", p.name, err)
		}
		p.forgive(outage...)
		p.forgive("Failed to load resource", "FetchEvent")
	}
	ada.clicks(action("resign"))
	ada.clicks(action("resign"))
	v := g.server.game(g.id)
	for _, p := range g.players {
		p.until("e2e.board().state === 'over'")
		p.until("Promise.all(['/" + g.id + "', '/api/v1/games/" + g.id + "/replay'].map((url) => caches.match(url))).then((all) => all.every(Boolean))")
	}
	s.stop()

	ada.opens("/")
	ada.hears("h1", "You are offline.")
	ada.sees("#kept a[href$='" + g.id + "']")
	ada.clicks("#kept a")
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

package e2e

import (
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// firstView records the requests of a page that is opened by a new visitor.
type firstView struct {
	mu       sync.Mutex
	requests map[network.RequestID]*request
}

type request struct {
	url   string
	kind  network.ResourceType
	bytes float64 // as transferred, with headers
}

func (v *firstView) notice(event any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		v.requests[e.RequestID] = &request{url: e.Request.URL, kind: e.Type}
	case *network.EventLoadingFinished:
		if r := v.requests[e.RequestID]; r != nil {
			r.bytes = e.EncodedDataLength
		}
	}
}

// The test checks the budgets of UX.md §11, Q3. The socket does not count for
// the first view, because it starts after everything is loaded.
func TestFirstViewStaysWithinItsBudget(t *testing.T) {
	t.Parallel()
	s := serve(t).withBrotli()
	g := deal(t, s, settings{rules: "kalah"}, 2)
	live := g.id
	over := deal(t, s, settings{rules: "oware"}, 2)
	over.plays(over.shows(), 2)
	over.players[0].resigns()
	over.players[0].until("e2e.board().state === 'over'")
	waiting := s.person("Cleo", desktop).makes(settings{rules: "basic-four"})

	event := s.person("Host", desktop).makesCup(s, map[string]string{"format": "swiss", "clock": "none"})
	paired := event.enters("Dana", phone)
	event.enters("Eve", phone)
	event.orders("start", `{round: 1}`)

	for path, script := range map[string]float64{
		"/t": 15_000, "/t/new": 15_000, "/t/" + event.id: 15_000,
		"/": 15_000, "/bot": 15_000, "/here": 15_000, "/local": 15_000, "/watch": 15_000, "/offline": 15_000, "/j": 15_000, "/settings": 15_000, "/people": 15_000, "/account": 15_000, "/account/sign-in": 15_000, "/top": 15_000, "/top/kalah": 15_000, "/learn": 15_000, "/rules/new": 15_000, "/rules/compare?rules=kalah&with=pressman": 15_000, "/learn/kalah": 15_000, "/sheet?rules=bao": 15_000, "/print/" + over.id: 15_000, "/learn/kalah/lesson": 50_000, "/learn/bao/lesson": 50_000, "/" + live: 50_000, "/" + paired.isPlaying(): 50_000, "/" + over.id: 50_000, "/" + over.id + "/analysis": 50_000, "/" + waiting: 50_000, "/embed/" + live: 50_000, "/embed/" + over.id + "?ply=1": 50_000,
		"/learn?lang=ar": 15_000, "/?lang=ar": 15_000, "/" + over.id + "?lang=fr": 50_000,
	} {
		stranger := s.person("Stranger", phone)
		view := &firstView{requests: map[network.RequestID]*request{}}
		if err := chromedp.Listen(stranger.ctx, view.notice); err != nil {
			t.Fatal(err)
		}
		stranger.opens(path)
		if script > 15_000 {
			stranger.online()
		}
		stranger.until("document.readyState === 'complete'")

		view.mu.Lock()
		sum, all := map[network.ResourceType]float64{}, 0.0
		count := 0
		for _, r := range view.requests {
			if strings.HasPrefix(r.url, "data:") { // part of the style sheet, never requested
				continue
			}
			u, err := url.Parse(r.url)
			if err != nil || u.Host != s.addr {
				t.Errorf("%s asks another site: %s", path, r.url)
			}
			if u.Path == "/sw.js" { // requested after the first view
				continue
			}
			count++
			sum[r.kind] += r.bytes
			all += r.bytes
			t.Logf("%s: %s %s %.0f bytes", path, r.kind, u.Path, r.bytes)
		}
		view.mu.Unlock()
		if count > 8 || all > 90_000 || all < 5_000 {
			t.Errorf("%s: %d requests, %.0f bytes", path, count, all)
		}
		for kind, limit := range map[network.ResourceType]float64{network.ResourceTypeDocument: 14_000, network.ResourceTypeStylesheet: 14_000, network.ResourceTypeScript: script, network.ResourceTypeFont: 14_000} {
			if sum[kind] > limit {
				t.Errorf("%s: %.0f bytes of %s, %.0f allowed", path, sum[kind], kind, limit)
			}
		}
	}
}

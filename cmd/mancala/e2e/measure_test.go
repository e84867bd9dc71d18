package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"mancala/web/learn"
)

// TestFiguresOfTheQualityBarsArePrinted prints times and scores (UX.md §11: Q1, Q4, Q5, Q23, and lessons) and fails for
// none of them. deploy/measure.sh runs it.
func TestFiguresOfTheQualityBarsArePrinted(t *testing.T) {
	if os.Getenv("MANCALA_MEASURE") == "" {
		t.Skip("figures are for deploy/measure.sh")
	}
	t.Run("echo", measureEcho)
	t.Run("lesson", measureLesson)
	t.Run("frames", measureFrames)
	t.Run("shift", measureShift)
	t.Run("loads", measureLoads)
	t.Run("lighthouse", measureLighthouse)
}

// measureEcho measures the time from a player's own tap until its effect is on
// the screen, and the event duration of that tap. The round trip to the server
// takes 300 ms, and the processor is up to four times slower. Both figures come
// from the browser's Event Timing, in steps of 8 ms. The time counts from the
// press. The finger leaves at once, sooner than a real finger, so Chromium
// delays the tap until the frame after the press.
func measureEcho(t *testing.T) {
	for _, slower := range []float64{1, 4} {
		s := serve(t).inWholeBrowser()
		g := &table{t: t, server: s, random: fixed(), players: []*person{s.person("Ada", phone), s.person("Ben", phone)}}
		ada, ben := g.players[0], g.players[1]
		ada.moves(true)
		ada.behind(t, s).Lag(150 * time.Millisecond)
		g.id = ada.makes(settings{start: "creator"})
		ben.joins(g.id)
		for _, p := range g.players {
			p.until(`e2e.board().state === "live"`)
			p.online()
		}
		ada.timesTaps(slower)
		v := g.shows()
		for len(v.Snap.Moves) < 24 && v.Snap.State == "live" {
			p := g.seat(v.Snap.Turn)
			p.until(`e2e.legal().length > 0 && e2e.board().anim === "idle"`)
			if p == ada {
				ada.clicks(pit(ask[[]int](ada, "e2e.legal()")[0]))
			} else {
				g.sows(p)
			}
			ply := v.Snap.Ply
			p.until(fmt.Sprintf("e2e.board().ply > %d", ply))
			v = g.shows()
		}
		ada.printTaps(fmt.Sprintf("an own tap, 300 ms round trip, processor %g times slower", slower))
	}
}

// timesTaps makes the processor slower, and lets the page collect the times of taps on pits until their effect is
// on the screen: from the press, and from the release, which is when the page gets the tap. A test holds a pit
// for 15 to 30 ms, as long as the browser takes to answer it, and a finger for 60 to 100.
func (p *person) timesTaps(slower float64) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
		return chromedp.Void{}, err
	})
	ask[bool](p, `(() => {
		window.taps = [];
		let down = 0;
		addEventListener("pointerdown", (e) => { down = e.timeStamp; }, true);
		new PerformanceObserver((list) => {
			for (const e of list.getEntries()) if (e.name === "click" && e.target?.closest("[data-pit]")) taps.push([e.startTime + e.duration - down, e.duration]);
		}).observe({ type: "event", durationThreshold: 16 });
		return true;
	})()`)
}

// printTaps prints both times of timesTaps, in ms.
func (p *person) printTaps(what string) {
	p.t.Helper()
	for i, from := range []string{"press", "release"} {
		ms := ask[[]float64](p, fmt.Sprintf("taps.map((tap) => tap[%d])", i))
		slices.Sort(ms)
		if n := len(ms); n > 0 {
			fmt.Printf("%s, from the %s to a visible change: median %.0f ms, most %.0f ms, of %d taps (aim 50 ms)\n", what, from, ms[n/2], ms[n-1], n)
		}
	}
}

// measureLesson measures the time from a tap on the board of a lesson until its effect is on the screen,
// while the server is stopped. Each step is done with a wrong and a right move, as far as it has them.
func measureLesson(t *testing.T) {
	for _, slower := range []float64{1, 4} {
		s := serve(t).inWholeBrowser()
		ada := s.person("Ada", phone)
		ada.moves(true)
		ada.forgive("Failed to load resource", "FetchEvent")
		ada.opens("/learn/kalah/lesson")
		ada.until("navigator.serviceWorker.controller !== null")
		ada.opens("/learn/kalah/lesson") // through the worker, which keeps it
		ada.until("caches.match('/learn/kalah/lesson', { ignoreVary: true }).then(Boolean)")
		s.stop()
		ada.opens("/learn/kalah/lesson")
		ada.timesTaps(slower)
		for n, step := range learn.Lesson("kalah") {
			right, wrong, misses := answersOf(step)
			if n > 0 {
				ada.presses(action("next"))
			}
			if misses {
				ada.clicks(pit(int(wrong.Pit)))
				ada.until(verdict)
				ada.presses(action("again"))
			}
			ada.until("!(" + verdict + ")")
			ada.clicks(pit(int(right.Pit)))
			ada.until(verdict)
		}
		ada.printTaps(fmt.Sprintf("a tap in a lesson, no network, processor %g times slower", slower))
	}
}

// measureShift measures the layout shift over whole games with clocks, chat and
// offers.
func measureShift(t *testing.T) {
	s := serve(t).inWholeBrowser()
	for _, size := range sizesOfPages {
		for _, line := range shifts(dealAt(t, s, settings{clock: "10+5"}, []screen{size, size}, size), 1000) {
			fmt.Printf("layout shift over a whole game at %d px, %s's page: %.4f (aim 0.01) %s\n", size.w, line.name, line.sum, line.what)
		}
	}
}

// pageOf is a page of Q1: its name in the figures and its path.
type pageOf struct{ name, path string }

// mainPages makes the games and the tournament of the pages of Q1 and returns the pages. The people who
// made them have left, since their own pages would take processor time from those that are measured.
// MANCALA_PAGES limits them to those that it names, separated by commas.
func mainPages(t *testing.T, s *server) []pageOf {
	t.Helper()
	live := deal(t, s, settings{}, 2)
	live.ply(live.shows())
	done := deal(t, s, settings{}, 2)
	done.playOut()
	c := s.person("Host", desktop).makesCup(s, map[string]string{"format": "swiss", "clock": "none"})
	ada, ben := c.enters("Ada", phone), c.enters("Ben", phone)
	c.orders("start", `{round: 1}`)
	for _, p := range slices.Concat(live.all(), done.all(), []*person{c.host, ada, ben}) {
		p.do(chromedp.Navigate("about:blank"))
	}
	pages := []pageOf{
		{"/", "/"}, {"/{live}", "/" + live.id}, {"/{done}", "/" + done.id}, {"/learn/kalah", "/learn/kalah"}, {"/bot", "/bot"},
		{"/t", "/t"}, {"/t/new", "/t/new"}, {"/class", "/class"}, {"/t/{id}", "/t/" + c.id}, {"/t/{id}/screen", "/t/" + c.id + "/screen"},
	}
	if only := os.Getenv("MANCALA_PAGES"); only != "" {
		pages = slices.DeleteFunc(pages, func(p pageOf) bool { return !slices.Contains(strings.Split(only, ","), p.name) })
	}
	return pages
}

// measureLoads measures the layout shift of 20 loads of each main page, each with an empty cache. MANCALA_LOADS is
// another number.
func measureLoads(t *testing.T) {
	loads := 20
	if n, err := strconv.Atoi(os.Getenv("MANCALA_LOADS")); err == nil {
		loads = n
	}
	s := serve(t).painted()
	pages := mainPages(t, s)
	for _, size := range []screen{phone, desktop} {
		for _, page := range pages {
			good, most, what := 0, 0.0, ""
			p := s.person("Stranger", size)
			for range loads {
				p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
					_, err := cdp.Call(ctx, t, network.ClearBrowserCache, cdp.Empty{})
					return chromedp.Void{}, err
				})
				p.opens(page.path)
				p.until("document.readyState === 'complete'")
				time.Sleep(time.Second) // what scripts and sockets bring
				one := p.shifted()
				if one.sum <= 0.01 {
					good++
				}
				if one.sum > most {
					most, what = one.sum, one.what
				}
			}
			fmt.Printf("layout shift while %s loads at %d px: at most 0.01 in %d of %d loads, most %.4f %s\n", page.name, size.w, good, loads, most, what)
		}
	}
}

// measureLighthouse prints the four scores of the main pages, the median of
// MANCALA_LIGHTHOUSE_RUNS runs.
func measureLighthouse(t *testing.T) {
	tool := os.Getenv("MANCALA_LIGHTHOUSE")
	if tool == "" {
		t.Skip("MANCALA_LIGHTHOUSE does not name the file of lighthouse")
	}
	path, err := chromiumPath()
	if err != nil {
		t.Skip(err)
	}
	runs, _ := strconv.Atoi(os.Getenv("MANCALA_LIGHTHOUSE_RUNS"))
	s := serve(t).inWholeBrowser()
	for _, page := range mainPages(t, s) {
		for _, preset := range []string{"mobile", "desktop"} {
			var all [][]float64
			for range max(1, runs) {
				scores, err := lighthouse(t, tool, path, "http://"+s.addr+page.path, preset)
				for again := 0; err != nil && again < 3; again++ { // lighthouse sometimes gets no trace
					scores, err = lighthouse(t, tool, path, "http://"+s.addr+page.path, preset)
				}
				if err != nil {
					fmt.Printf("lighthouse %s %s: %v\n", page.name, preset, err)
				} else {
					all = append(all, scores)
				}
			}
			if len(all) == 0 {
				continue
			}
			median := make([]float64, len(all[0]))
			for i := range median {
				column := make([]float64, len(all))
				for j := range all {
					column[j] = all[j][i]
				}
				slices.Sort(column)
				median[i] = column[len(column)/2]
			}
			fmt.Printf("lighthouse %-14s %-7s performance %3.0f, accessibility %3.0f, best practices %3.0f, search %3.0f (aim 95 each); LCP %4.0f ms (1800), TBT %3.0f ms (100), CLS %.3f (0.01)\n",
				page.name, preset, median[0], median[1], median[2], median[3], median[4], median[5], median[6])
		}
	}
}

// lighthouse runs Lighthouse once. It returns four scores of at most 100, then
// LCP and TBT in ms, then CLS.
func lighthouse(t *testing.T, tool, chromium, url, preset string) ([]float64, error) {
	out := filepath.Join(t.TempDir(), "report.json")
	args := []string{url, "--quiet", "--output=json", "--output-path=" + out, "--chrome-flags=--headless=new --no-sandbox --disable-gpu"}
	if preset == "desktop" {
		args = append(args, "--preset=desktop")
	}
	cmd := exec.Command(tool, args...)
	cmd.Env = append(os.Environ(), "CHROME_PATH="+chromium)
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %.300s", err, said)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var report struct {
		Categories map[string]struct{ Score float64 }
		Audits     map[string]struct{ NumericValue float64 }
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, err
	}
	var scores []float64
	for _, category := range []string{"performance", "accessibility", "best-practices", "seo"} {
		scores = append(scores, 100*report.Categories[category].Score)
	}
	for _, audit := range []string{"largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"} {
		scores = append(scores, report.Audits[audit].NumericValue)
	}
	return scores, nil
}

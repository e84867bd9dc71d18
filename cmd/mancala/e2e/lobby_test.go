package e2e

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// comesIn opens the home page as a person with an identity.
func (p *person) comesIn() {
	p.t.Helper()
	p.opens("/")
	ask[bool](p, `fetch("/api/v1/me/settings", {method: "PATCH", body: "{}"}).then((r) => r.ok)`)
	p.opens("/")
	p.inLobby()
}

func (p *person) inLobby() {
	p.t.Helper()
	p.until(`document.querySelector("#seeks-area")?.dataset.conn === "on"`)
}

// seeks makes a seek and returns its ID.
func (p *person) seeks(rules, clock string) string {
	p.t.Helper()
	ask[bool](p, `(document.querySelector("#make").open = true)`)
	p.sets("#make [name=rules]", rules)
	p.sets("#make [name=clock]", clock)
	p.clicks(action("seek"))
	p.sees("#waits")
	p.sees("[data-seek] .own")
	return ask[string](p, `document.querySelector("[data-seek]:has(.own:not([hidden]))").dataset.seek`)
}

func row(seek string) string { return fmt.Sprintf("[data-seek=%q]", seek) }

// minds records from now on whether a seek's row fades. The row fades only for
// a moment.
func (p *person) minds(seek string) {
	p.t.Helper()
	ask[bool](p, fmt.Sprintf(`(window.faded = false, new MutationObserver(() => { window.faded ||= document.querySelector(%q) !== null; }).observe(document.body, {attributes: true, subtree: true}), true)`, row(seek)+"[data-gone]"))
}

const faded = "window.faded"

// race lets several people join a seek at the same moment. A person whose page a busy machine holds up presses while
// the row fades: later there is nothing to press.
func race(people []*person, seek string) {
	for _, p := range people {
		ask[bool](p, fmt.Sprintf(`((row) => {
			let pressed = false;
			window.press = () => {
				if (!pressed) row.querySelector("button").click();
				return (pressed = true);
			};
			new MutationObserver(() => row.hasAttribute("data-gone") && press()).observe(row, { attributes: true });
			return true;
		})(document.querySelector(%q))`, row(seek)))
	}
	var all sync.WaitGroup
	for _, p := range people {
		all.Go(func() {
			if _, err := tryAsk[bool](p, "window.press?.() ?? true"); err != nil {
				p.t.Error(err)
			}
		})
	}
	all.Wait()
}

// isPlaying waits until a person plays in a live game, and returns the game's
// ID.
func (p *person) isPlaying() string {
	p.t.Helper()
	p.until(`document.readyState === "complete" && e2e.board()?.state === "live" && ` + seated)
	if role := p.role(); role != "0" && role != "1" {
		p.t.Errorf("%s is %s", p.name, role)
	}
	return strings.TrimPrefix(ask[string](p, "location.pathname"), "/")
}

// Two strangers are paired with one click each.
func TestTwoStrangersArePairedWithOneClickEach(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", phone)
	for _, p := range []*person{ada, ben} {
		p.opens("/")
		p.inLobby()
	}
	ada.clicks(action("find"))
	ada.sees("#waits")
	ada.hears("#waits-said", "Looking for someone to play Kalah.")
	ada.until(`/^0:\d\d$/.test(document.querySelector("#waits-time").textContent)`)
	ada.clicks(action("cancel"))
	ada.sees("#find")
	ada.tabsTo(action("find")) // by keyboard, and now without a reload
	ada.types("\r")
	ada.sees("#waits")
	ben.clicks(action("find"))
	if one, other := ada.isPlaying(), ben.isPlaying(); one != other {
		t.Errorf("they play %s and %s", one, other)
	}
}

// A player who has waited ten seconds is offered the computer player, and plays it by the rules of the seek.
func TestComputerIsOfferedAfterTenSecondsOfWaiting(t *testing.T) {
	t.Parallel()
	ada := serve(t).person("Ada", phone)
	ada.comesIn()
	ada.seeks("bestemshe", "none")
	ada.sees("#waits-bot:not(.away)")
	if waited := ada.text("#waits-time"); waited < "0:10" {
		t.Errorf("the computer is offered after %s", waited)
	}
	ada.clicks(action("bot-instead"))
	ada.until(`location.pathname === "/bot" && new FormData(document.querySelector("form:has([name=rules])")).get("rules") === "bestemshe"`)
}

// Of several players who join the same seek one plays. The others are told and
// stay in the lobby.
func TestOneOfSeveralJoiningPlayersPlays(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", desktop)
	ada.comesIn()
	seek := ada.seeks("oware", "3/move") // the first move has plenty of time
	var people []*person
	for i := range 4 {
		p := s.person(fmt.Sprint("Guest ", i), tablet)
		p.comesIn()
		p.sees(row(seek))
		p.minds(seek)
		people = append(people, p)
	}
	race(people, seek)
	won := 0
	for _, p := range people {
		p.until(`e2e.board()?.state === "live" || document.querySelector("#lobby-said")?.textContent === "Somebody was faster."`)
		if ask[bool](p, "e2e.board() !== null") {
			won++
			if id := p.isPlaying(); id != seek {
				t.Errorf("%s plays %s", p.name, id)
			}
		} else {
			p.until(faded)
		}
	}
	if id := ada.isPlaying(); won != 1 || id != seek {
		t.Errorf("%d have won %s, Ada plays %s", won, seek, id)
	}
	if v := s.game(seek); v.Snap.Rules != "oware" || v.Snap.ClockText != "3/move" {
		t.Errorf("they play %+v", v.Snap)
	}
}

// A stranger joins a seek by form, without script. A player who is too late is
// told on a page.
func TestSeekIsJoinedByFormWithoutScript(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben, cleo := s.person("Ada", desktop), s.person("Ben", phone), s.person("Cleo", tablet)
	ada.comesIn()
	seek := ada.seeks("kalah", "none")
	for _, p := range []*person{ben, cleo} {
		p.opens("/")
		p.sees(row(seek))
	}
	cleo.forgive("status of 409")
	ben.clicks(row(seek) + " button")
	ben.isPlaying()
	ada.isPlaying()
	ask[bool](cleo, fmt.Sprintf(`(() => {
		const form = Object.assign(document.createElement("form"), {method: "post", action: "/%s/accept"});
		document.body.append(form);
		form.submit(); // as a page would that no script keeps up to date
		return true;
	})()`, seek))
	cleo.hears("h1", "Somebody was faster.")
	cleo.clicks(action("back"))
	cleo.sees(action("find"))
}

// The seek of a player who closes the page ends. Its row fades in place and
// then goes.
func TestSeekEndsWithItsPage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", desktop)
	ada.comesIn()
	ben.comesIn()
	seek := ada.seeks("maruba", "10+5")
	ben.sees(row(seek))
	ben.minds(seek)
	ada.opens("/learn")
	ben.until(faded)
	ben.until(fmt.Sprintf("document.querySelector(%q) === null", row(seek)))
	ben.sees("#nobody")
}

// Rows stay in place under the pointer and under the focus, whatever seeks come
// and go (UX.md §11, Q20).
func TestRowsStayUnderThePointerAndTheFocus(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", desktop)
	ada.comesIn()
	ben.comesIn()
	seek := ada.seeks("giuthi", "none")
	ben.sees(row(seek))
	where := fmt.Sprintf("document.querySelector(%q).getBoundingClientRect().y", row(seek))
	for _, hold := range []string{"pointer", "focus"} {
		t.Run(hold, func(t *testing.T) {
			if hold == "pointer" {
				ben.lies(row(seek))
			} else {
				ask[bool](ben, fmt.Sprintf("(document.querySelector(%q).focus({preventScroll: true}), true)", row(seek)+" button"))
			}
			before := ask[float64](ben, where)
			ask[bool](ben, fmt.Sprintf(`(window.moved = 0, window.watch = new MutationObserver(() => { if (%s !== %v) window.moved++; }), window.watch.observe(document.body, {childList: true, subtree: true, attributes: true}), true)`, where, before))
			var others []*http.Client
			for range 25 { // each seek is also withdrawn: 50 changes
				others = append(others, s.posts(nil, "/seek", url.Values{"rules": {"oware"}}))
			}
			ben.until(`/^\d+ new games?: show$/.test(document.querySelector("[data-action=show-seeks]").textContent) && e2e.visible("[data-action=show-seeks]")`)
			for _, c := range others {
				s.posts(c, "/leave", nil)
			}
			ben.until(`document.querySelector("[data-action=show-seeks]").classList.contains("away")`)
			if after, moved := ask[float64](ben, where), ask[int](ben, "window.moved"); after != before || moved > 0 {
				t.Errorf("the row was at %v, is at %v, and has moved %d times", before, after, moved)
			}
			ask[bool](ben, "(window.watch.disconnect(), document.activeElement.blur(), true)")
			ben.lies("h1")
		})
	}
}

// posts sends a form as a person without a browser. A nil client stands for a
// new person.
func (s *server) posts(c *http.Client, path string, form url.Values) *http.Client {
	s.t.Helper()
	if c == nil {
		jar, err := cookiejar.New(nil)
		if err != nil {
			s.t.Fatal(err)
		}
		c = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	resp, err := c.PostForm("http://"+s.addr+path, form)
	if err != nil {
		s.t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("POST %s: %s", path, resp.Status)
	}
	return c
}

// A waiting player's seek survives a restart of the server, and another player
// can join it.
func TestSeekSurvivesARestartOfTheServer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", desktop), s.person("Ben", phone)
	ada.comesIn()
	ben.comesIn()
	ada.clicks(action("find"))
	ada.sees("#waits")
	s.kill()
	for _, p := range []*person{ada, ben} {
		p.until(`document.querySelector("#seeks-area").dataset.conn === "retrying"`)
	}
	s.start()
	ada.inLobby()
	ada.sees("#waits")
	ben.inLobby()
	ben.clicks(action("find"))
	if one, other := ada.isPlaying(), ben.isPlaying(); one != other {
		t.Errorf("they play %s and %s", one, other)
	}
}

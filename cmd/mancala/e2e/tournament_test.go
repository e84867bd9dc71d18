package e2e

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// cup is a tournament as a test sees it.
type cup struct {
	*server
	host *person
	id   string
	code string
}

// makesCup makes a tournament with the form at /t/new, whose fields the test sets.
func (p *person) makesCup(s *server, fields map[string]string) cup {
	p.t.Helper()
	p.opens("/t/new")
	p.sets("#name", "Club evening")
	p.sets("[name=format]", fields["format"])
	delete(fields, "format")
	for name, value := range fields {
		p.sets("[name="+name+"]", value)
	}
	p.clicks(action("make-tournament"))
	p.sees("#made")
	id := ask[string](p, `document.querySelector("#made a[href^='/t/']:not([data-action])").pathname.split("/").pop()`)
	return cup{s, p, id, p.text("#join-code")}
}

// orders gives a host's command to the tournament, as a program would.
func (c cup) orders(kind, fields string) {
	c.t.Helper()
	answer := ask[string](c.host, fmt.Sprintf(`fetch("/api/v1/games/%s/commands", {
		method: "POST", headers: {"Content-Type": "application/json"},
		body: JSON.stringify({id: "order-" + Math.random(), kind: %q, ...%s}),
	}).then((r) => r.ok ? "" : r.text())`, c.id, kind, fields))
	if answer != "" {
		c.t.Fatalf("%s %s: %s", kind, fields, answer)
	}
}

// enters joins by code, with nothing but a name, and checks in.
func (c cup) enters(name string, size screen) *person {
	c.t.Helper()
	p := c.person(name, size)
	p.opens("/j")
	p.sets("#code", strings.ToLower(c.code))
	p.clicks(action("join"))
	p.sees("#enter")
	p.sets("#name", name)
	p.presses(action("join")) // the page may still be laid out
	p.hears("#me-said", "You are in.")
	p.presses(action("here"))
	p.hears("#me-said", "checked in")
	return p
}

// A host makes a tournament without an account. Players join by code, check in, and are taken to
// their games by themselves, from the page of the tournament and from their last game. The page
// of a person who follows the tournament shows all of it without being loaded again.
func TestPlayersOfATournamentAreTakenToTheirGames(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.person("Host", desktop).makesCup(s, map[string]string{"format": "swiss", "rounds": "2", "clock": "none"})
	watcher := s.person("Watcher", desktop)
	watcher.opens("/t/" + c.id)
	ask[bool](watcher, "window.same = true")
	players := []*person{c.enters("Ada", phone), c.enters("Ben", desktop), c.enters("Cleo", phone)}
	watcher.hears("#stage", "Open to join: 3 players")
	watcher.until(`document.querySelectorAll("#entered .tick").length === 3 && document.querySelector("#entered").textContent.includes("Cleo")`)
	c.orders("announce", `{text: "Round 1 in a minute"}`)
	players[0].hears("#announced", "Round 1 in a minute")

	c.orders("start", `{round: 1}`)
	games := map[string][]*person{}
	var rests *person
	for _, p := range players {
		p.until(`e2e.board()?.state === "live" || document.querySelector("#me-said")?.textContent === "You have the bye in round 1."`)
		if ask[bool](p, "e2e.board() === null") {
			rests = p
		} else {
			games[p.isPlaying()] = append(games[p.isPlaying()], p)
		}
	}
	if len(games) != 1 || rests == nil {
		t.Fatalf("the games are %v, and %v rests", games, rests)
	}
	watcher.hears("#pairings", "playing")
	for _, two := range games {
		if len(two) != 2 {
			t.Fatalf("%d players are in one game", len(two))
		}
		loser := two[0]
		loser.resigns()
		for _, p := range two {
			p.sees(action("to-event"))
			p.loses(action("rematch"))
		}
		watcher.until(`document.querySelector("#standings [data-player] .points")?.textContent === "1"`)
		watcher.until(`document.querySelectorAll("#pairings .won").length === 1`)

		c.orders("start", `{round: 2}`)
	}
	rests.isPlaying() // from the page of the tournament
	again := 0
	there := fmt.Sprintf("location.pathname === %q", ask[string](rests, "location.pathname"))
	two := slices.DeleteFunc(slices.Clone(players), func(p *person) bool { return p == rests })
	isThere := func(p *person) bool { return ask[bool](p, there) }
	for deadline := time.Now().Add(patience); !slices.ContainsFunc(two, isThere) && time.Now().Before(deadline); {
	}
	for _, p := range two {
		moved, err := p.comes(there, patience/8) // the other one stays
		if err != nil {
			t.Fatal(err)
		}
		if moved {
			again++
		}
	}
	if again != 1 {
		t.Errorf("%d of the two players of the first game play the player who had the bye", again)
	}
	watcher.hears("#round-heading", "Round 2")
	watcher.hears("[data-part=earlier]", "Round 1")
	if !ask[bool](watcher, "window.same === true") {
		t.Error("the page was loaded again")
	}
	watcher.clicks("#standings a")
	watcher.sees("#card[open] #card-part")
	watcher.hears("#card", "Buchholz")
	watcher.clicks("#card button")
	watcher.clicks("[data-part=earlier] a")
	watcher.until(`document.querySelector("#card[open] #card-heading")?.textContent === "Round 1"`)
	watcher.until(`document.querySelectorAll("#card-part .won").length === 1`)
}

// sent holds the addresses and headers of the requests of a page.
type sent struct {
	mu    sync.Mutex
	heads []string
}

func (s *sent) notice(event any) {
	if e, ok := event.(*network.EventRequestWillBeSent); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.heads = append(s.heads, fmt.Sprint(e.Request.URL, e.Request.Headers))
	}
}

// The host's key is in a link that the page shows once, behind the "#". A helper opens the link.
func TestHostsKeyIsInNoAddress(t *testing.T) {
	t.Parallel()
	s := serve(t, "-log=debug")
	c := s.person("Host", phone).makesCup(s, map[string]string{"format": "knockout", "clock": "none"})
	link := ask[string](c.host, `document.querySelector("#host-link").value`)
	where, key, _ := strings.Cut(link, "#")
	if !strings.HasSuffix(where, "/t/"+c.id+"/host") || len(key) < 20 {
		t.Fatalf("the host link is %s", link)
	}
	helper, all := s.person("Helper", desktop), &sent{}
	if err := chromedp.Listen(helper.ctx, all.notice); err != nil {
		t.Fatal(err)
	}
	helper.opens(strings.TrimPrefix(link, helper.base))
	helper.atDesk()
	all.mu.Lock() // not while a page is asked: its answer comes after the requests that notice waits for
	heads := slices.Clone(all.heads)
	all.mu.Unlock()
	for _, head := range heads {
		if strings.Contains(head, key) {
			t.Errorf("the key was sent in an address or a header: %s", head)
		}
	}
	if len(heads) < 3 {
		t.Errorf("only %d requests were seen", len(heads))
	}
	for _, p := range []*person{c.host, helper} {
		if ask[bool](p, fmt.Sprintf("[location.href, document.title, document.referrer, ...performance.getEntries().map((e) => e.name)].some((s) => s.includes(%q))", key)) {
			t.Errorf("the key is in an address or the title of the page of the %s", p.name)
		}
	}
	if strings.Contains(s.log.String(), key) {
		t.Error("the key is in the log")
	}
}

// Styles hide the fields of other formats.
func TestFormShowsTheFieldsOfTheChosenFormat(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := s.person("Host", phone)
	p.opens("/t/new")
	ask[bool](p, `document.querySelector("#new details.more").open = true`)
	for format, shown := range map[string]string{
		"swiss": "rounds games pause late tiebreak", "roundrobin": "games pause tiebreak", "knockout": "games pause third extra seed",
		"arena": "minutes", "class": "",
	} {
		p.sets("[name=format]", format)
		for _, field := range []string{"rounds", "minutes", "games", "pause", "late", "tiebreak", "third", "extra", "seed"} {
			want := strings.Contains(" "+shown+" ", " "+field+" ")
			if got := ask[bool](p, fmt.Sprintf(`document.querySelector("#new [name=%s]").checkVisibility()`, field)); got != want {
				t.Errorf("%s: the field %s is shown: %v", format, field, got)
			}
		}
	}
}

// Thirty minutes with 10+5 are about two games. A clock that the host has chosen stays.
func TestFormHasAShortClockForAnArena(t *testing.T) {
	t.Parallel()
	p := serve(t).person("Host", phone)
	p.opens("/t/new")
	clock := func(format, want string) {
		t.Helper()
		p.sets("[name=format]", format)
		if got := ask[string](p, `document.querySelector("#clock").value`); got != want {
			t.Errorf("%s: the clock is %s, want %s", format, got, want)
		}
	}
	clock("arena", "3+2")
	clock("knockout", "10+5")
	p.sets("#clock", "5+3")
	clock("arena", "5+3")
	clock("swiss", "5+3")
}

func TestTournamentPagesHaveNoAccessibilityBarriers(t *testing.T) {
	onPhoneAndDesktop(t, func(t *testing.T, s *server, source string, size screen) {
		host := s.person("Host", size)
		for _, path := range []string{"/t", "/t/new", "/class"} {
			host.opens(path)
			host.reaches(source, path)
		}
		ask[bool](host, `document.querySelector("details.more").open = true`)
		host.reaches(source, "all fields of the form")
		for _, format := range []string{"swiss", "roundrobin", "knockout", "arena"} {
			c := host.makesCup(s, map[string]string{"format": format, "clock": "none"})
			host.reaches(source, "a tournament that was made")
			guest := s.person("Guest", size)
			guest.opens("/t/" + c.id)
			guest.reaches(source, format+", open to join")
			ada := c.enters("Ada", size)
			ada.reaches(source, format+" for a player")
			c.enters("Ben", size)
			c.enters("Cleo", size)
			c.orders("start", `{round: 1}`)
			guest.hears("#pairings", "playing")
			guest.sees(map[string]string{"knockout": ".bracket"}[format] + map[bool]string{true: "#standings"}[format != "knockout"])
			guest.reaches(source, format+", running")
			for _, path := range []string{"/t", "/t/" + c.id + "/p/1", "/t/" + c.id + "/embed"} {
				guest.opens(path)
				guest.reaches(source, format+" "+path)
			}
			ada.until(`e2e.board()?.state === "live" || document.querySelector("#me-said") !== null`)
			ada.reaches(source, format+", while one plays")
		}
	})
}

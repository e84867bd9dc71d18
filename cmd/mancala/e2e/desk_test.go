package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The projector's size.
var projector = screen{w: 1920, h: 1080}

// hosts makes a tournament with the form, and returns its ID and its code. The person is at the desk
// afterwards.
func (p *person) hosts(name string) (id, code, link string) {
	p.t.Helper()
	p.opens("/t/new")
	p.sets("#name", name)
	p.sets("#rounds", "3")
	p.presses("#new button:not([type=button])")
	p.sees("#made")
	link = ask[string](p, `document.querySelector("#host-link").value`)
	code = p.text("#join-code")
	path, _, _ := strings.Cut(link, "/host#")
	id = path[strings.LastIndex(path, "/")+1:]
	p.opens("/t/" + id + "/host")
	p.atDesk()
	return id, code, link
}

func (p *person) atDesk() {
	p.t.Helper()
	p.sees("#desk[data-ready]")
}

// enters joins a tournament with its code and a name.
func (p *person) enters(code, name string) {
	p.t.Helper()
	p.opens("/j?code=" + code)
	p.sees("#enter")
	p.sets("#enter [name=name]", name)
	p.presses("#enter button")
	p.sees("#me")
}

// adds adds players without devices, one for each line.
func (p *person) adds(names string) {
	p.t.Helper()
	ask[bool](p, fmt.Sprintf(`(document.querySelector("#names").value = %q, true)`, names))
	p.presses("#add button")
}

// stays marks the page, so that a test can tell whether it was loaded again.
func (p *person) stays() { ask[bool](p, "window.stays = true") }

// stayed checks that the page was not loaded again since.
func (p *person) stayed() {
	p.t.Helper()
	if !ask[bool](p, "window.stays === true") {
		p.t.Errorf("%s's page was loaded again", p.name)
	}
}

// row returns the selector of the desk's row of a player.
func (p *person) row(name string) string {
	p.t.Helper()
	p.until(fmt.Sprintf(`[...document.querySelectorAll("#player-rows li")].some((li) => li.querySelector("bdi").textContent === %q)`, name))
	n := ask[string](p, fmt.Sprintf(`[...document.querySelectorAll("#player-rows li")].find((li) => li.querySelector("bdi").textContent === %q).dataset.player`, name))
	return fmt.Sprintf("#player-rows [data-player='%s']", n)
}

// boards returns the boards that the desk shows, as "Ada – Ben".
func (p *person) boards(list string) []string {
	p.t.Helper()
	return ask[[]string](p, fmt.Sprintf(`Array.from(document.querySelectorAll("%s > li"), (li) => Array.from(li.querySelectorAll("bdi, .sides button"), (b) => b.textContent).join(" – "))`, list))
}

// A host runs a round from a phone, with a second host at a desktop, a projector, players with
// devices and players without.
func TestHostRunsARoundFromAPhone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hanna, otto, wall := s.person("Hanna", phone), s.person("Otto", desktop), s.person("The wall", projector)
	ben, cleo := s.person("Ben", phone), s.person("Cleo", phone)
	id, code, link := hanna.hosts("School Cup")
	hanna.presses("[data-step=add]") // nobody can be paired yet
	hanna.until(`document.activeElement.id === "names"`)

	// The host link makes a second host, and its key does not stay in the address.
	otto.opens(strings.TrimPrefix(link, otto.base))
	otto.atDesk()
	if at := ask[string](otto, "location.href"); at != otto.base+"/t/"+id+"/host" {
		t.Errorf("the address of the second host is %s", at)
	}
	wall.opens("/t/" + id + "/screen")
	wall.hears("#join", code)
	for _, p := range []*person{hanna, otto, wall} {
		p.stays()
	}

	ben.enters(code, "Ben")
	cleo.enters(code, "Cleo")
	hanna.adds("Dag\nEve\n\nFay\n")
	hanna.hears("#add output", "3 players added.")
	hanna.sees("#add-next")
	wall.hears("#entered-names", "Fay")
	otto.row("Fay")

	// Ben checks in. Cleo does not, and the host marks all such players absent with one tap.
	ben.presses("#here button")
	hanna.until(fmt.Sprintf(`document.querySelector("%s").hasAttribute("data-here")`, hanna.row("Ben")))
	hanna.presses("#absent")
	otto.until(fmt.Sprintf(`document.querySelector("%s").hasAttribute("data-out")`, otto.row("Cleo")))

	// The preview, and a swap that breaks no rule.
	hanna.presses("[data-step=plan]")
	hanna.sees("#plan-rows [data-plan=swap]")
	before := hanna.boards("#plan-rows")
	hanna.presses("#plan-rows li:nth-child(1) [data-plan=swap]")
	hanna.sees("#swap[open]")
	hanna.presses("#swap-rows li:nth-child(2) button")
	hanna.loses("#swap[open]")
	swapped := hanna.boards("#plan-rows")
	if len(before) != 2 || slices.Equal(before, swapped) {
		t.Errorf("the pairings were %q, and are %q after the swap", before, swapped)
	}
	hanna.presses("[data-plan=start]")
	otto.until(`document.querySelectorAll("#board-rows li").length === 2`)
	hanna.until(`document.querySelectorAll("#board-rows li").length === 2`)
	if started := otto.boards("#board-rows"); !slices.Equal(started, swapped) {
		t.Errorf("the round has %q, want %q", started, swapped)
	}
	wall.sees("#pairings")
	wall.until(`document.querySelectorAll("#lines li").length === 2`)

	// A round in which nobody has moved is taken back, and started again.
	hanna.until(`document.querySelector("#undo-what").textContent === "Round 1 has started."`)
	otto.hears("#undo", "Round 1 has started. (") // and who started it
	hanna.presses("#undo button")
	wall.sees("#join")
	otto.loses("#boards")
	hanna.presses("[data-step=plan]")
	hanna.presses("[data-plan=start]")
	for _, p := range []*person{hanna, otto} {
		p.until(`document.querySelectorAll("#board-rows li").length === 2`)
	}

	// A result is set, corrected and taken back.
	scores := func(want string) {
		t.Helper()
		for _, p := range []*person{hanna, otto} {
			p.hears("#board-rows [data-pairing='1'] .score", want)
		}
		wall.hears("#lines [data-pairing='1'] .score", want)
	}
	sets := func(p *person, result, reason string) {
		t.Helper()
		p.presses("#board-rows [data-pairing='1'] [data-do=open]")
		p.until(`document.activeElement.name === "result"`) // and no keyboard on a phone
		p.presses("#result [value=" + result + "]")
		p.sets("#reason", reason)
		p.presses("#result button")
		p.loses("#board[open]")
	}
	sets(hanna, "first", "")
	scores("1 – 0")
	sets(otto, "draw", "I read the sheet wrong")
	scores("½ – ½")
	hanna.hears("#undo", "Board 1: Draw")
	if top, bottom := hanna.box("#undo"); bottom-top > 60 {
		t.Errorf("the bar that takes back covers %.0f px of a phone", bottom-top)
	}
	hanna.presses("#undo button")
	scores("1 – 0")
	otto.presses("#board-rows [data-pairing='1'] [data-do=open]")
	otto.presses("#board-acts [data-act=clear]")
	otto.loses("#board[open]")
	scores("–")
	hanna.hears("#undo", "Board 1: the result was cleared.")
	sets(hanna, "first-unplayed", "")
	hanna.hears("#board-rows [data-pairing='1'] .how", "did not come")

	otto.sets("#text", "Tea is ready.")
	otto.presses("#announce button")
	for p, where := range map[*person]string{ben: "#announced", wall: "#announced", hanna: "#announced"} {
		p.hears(where, "Tea is ready.")
	}

	hanna.presses("#log summary")
	hanna.hears("#log-rows", "I read the sheet wrong")
	hanna.hears("#log-rows", "took back the last step")
	for _, p := range []*person{hanna, otto, wall} {
		p.stayed()
	}
}

// What a host orders without a connection is carried out once when it is back.
func TestHostsOrderWaitsForTheConnectionAndIsDoneOnce(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := s.person("Hanna", phone)
	wire := p.behind(t, s)
	id, _, _ := p.hosts("School Cup")
	p.adds("Ada\nBen")
	p.row("Ben")
	wire.Cut()
	p.adds("Cleo\nDag")
	p.sets("#text", "Round 1 begins.")
	p.presses("#announce button")
	p.hears("#announce output", "Waits for the connection.")
	wire.Heal()
	p.hears("#announce output", "Sent.")
	p.row("Dag")
	p.hears("#announced", "Round 1 begins.")
	var names struct{ Names map[string]string }
	if err := json.Unmarshal([]byte(s.get("/api/v1/tournaments/"+id+"/names")), &names); err != nil {
		t.Fatal(err)
	}
	if n := ask[int](p, `document.querySelectorAll("#player-rows li").length`); n != 4 {
		t.Errorf("%d players are on the desk, with the names %v", n, names.Names)
	}
	if n := ask[int](p, `document.querySelectorAll("#announced li").length`); n != 1 {
		t.Errorf("the announcement was made %d times", n)
	}
}

// A host orders the tie-breaks at the desk before the start. From then on they stay.
func TestHostOrdersTheTieBreaksAtTheDesk(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hanna := s.person("Hanna", phone)
	id, _, _ := hanna.hosts("School Cup")
	hanna.adds("Ada\nBen")
	hanna.row("Ben")
	const fields = `[...document.querySelectorAll("#settings [name=tiebreak]")]`
	if usual := ask[string](hanna, fields+`.map((field) => field.value).join()`); usual != "DE,BH/C1,BH,SB,WON,SEEDS" {
		t.Errorf("the usual tie-breaks are %s", usual)
	}
	for n, code := range []string{"WIN", "DE", "", "", "", "BH"} {
		hanna.sets(fmt.Sprintf("#settings #tb-%d", n), code)
	}
	hanna.presses("#settings form button")
	hanna.hears("#settings output", "Done.")
	var made struct {
		State struct{ Settings struct{ TieBreaks string } }
	}
	if err := json.Unmarshal([]byte(s.get("/api/v1/tournaments/"+id)), &made); err != nil {
		t.Fatal(err)
	}
	if got := made.State.Settings.TieBreaks; got != "WIN,DE,BH" {
		t.Errorf("the tie-breaks are %s", got)
	}
	hanna.until(fields + `.map((field) => field.value).join() === "WIN,DE,BH,,,"`)
	hanna.fits("the settings of a tournament", false)
	hanna.presses("[data-step=plan]")
	hanna.presses("[data-plan=start]")
	hanna.until(fields + `.every((field) => field.disabled)`)
}

// A host changes at the desk what they chose in the form for a new tournament. House rules end with the choice of
// another game.
func TestHostChangesAtTheDeskWhatTheFormOffered(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hanna := s.person("Hanna", phone)
	id, _, _ := hanna.hosts("School Cup")
	hanna.adds("Ada\nBen")
	hanna.row("Ben")
	ticks := func(names ...string) {
		for _, name := range names {
			hanna.presses("#settings [name=" + name + "]")
		}
	}
	saves := func(format, want string) {
		t.Helper()
		hanna.presses("#settings form button")
		hanna.hears("#facts", format) // the page has the change: from now on it leaves the form alone
		hanna.hears("#settings output", "Done.")
		const fields = `["format", "options", "games", "chat", "starts", "bySeeds", "extra", "thirdPlace", "seedDecides"]`
		got := ask[string](hanna, `fetch("/api/v1/tournaments/`+id+`").then((answer) => answer.json()).then(({ state }) =>
			`+fields+`.filter((name) => state.settings[name]).map((name) => state.settings[name]).join())`)
		if got != want {
			t.Errorf("the settings are %s, want %s", got, want)
		}
	}
	hanna.sets("#settings [name=options]", "seeds=5")
	hanna.sets("#settings [name=format]", "knockout")
	hanna.sets("#settings [name=games]", "seeds")
	hanna.sets("#settings [name=chat]", "presets")
	hanna.sets("#settings [name=starts]", "2030-05-04T20:00")
	hanna.sets("#settings [name=extra]", "2")
	ticks("thirdPlace", "seedDecides")
	starts := ask[int64](hanna, `new Date("2030-05-04T20:00").getTime()`)
	saves("Knockout", fmt.Sprintf("knockout,seeds=5,2,presets,%d,true,2,true,true", starts))
	hanna.sets("#settings [name=rules]", "oware")
	hanna.sets("#settings [name=format]", "roundrobin")
	saves("Oware · 10 minutes + 5 s for each turn · Round robin", fmt.Sprintf("roundrobin,2,presets,%d,true", starts))
	hanna.sets("#settings [name=format]", "knockout")
	ticks("thirdPlace")
	hanna.sets("#settings [name=format]", "arena") // which has neither a third place nor a number of games
	hanna.loses("#settings [name=games]")
	saves("Arena", fmt.Sprintf("arena,1,presets,%d", starts))
	hanna.until(`["rated", "initials"].every((name) => document.querySelector("#settings [name=" + name + "]").disabled)`)
	hanna.fits("the settings of a tournament", false)
	hanna.presses("[data-step=begin]")
	hanna.until(`document.querySelector("#settings [name=starts]").disabled`)
}

// The desk, the projector and the sheets have no barriers, in any state (UX.md §11, Q2).
func TestDeskAndProjectorHaveNoAccessibilityBarriers(t *testing.T) {
	onPhoneAndDesktop(t, func(t *testing.T, s *server, source string, size screen) {
		p, wall := s.person("Hanna", size), s.person("The wall", projector)
		// The bar to take something back lies over the foot of the window, except at the end of the page.
		looks := func(what string) {
			t.Helper()
			ask[bool](p, `(scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }), true)`)
			p.reaches(source, what)
			p.fits(what, false)
			p.resize(size)
		}
		id, _, _ := p.hosts("School Cup")
		looks("an empty desk")
		wall.opens("/t/" + id + "/host")
		wall.reaches(source, "the field for the code")
		wall.opens("/t/" + id + "/screen")
		wall.sees("main[data-ready]")
		wall.reaches(source, "the projector before the start")
		p.adds("Ada\nBen\nCleo with a very long name indeed\nDag\nEve")
		p.row("Eve")
		for _, box := range []string{"apart", "settings", "log", "delete"} {
			p.presses("#" + box + " summary")
		}
		p.sees("#log-rows li")
		looks("the desk before the start")
		p.presses("#player-rows [data-player='1'] [data-do=open]")
		p.reaches(source, "a player")
		p.presses("#player form[method=dialog] button")
		p.presses("[data-step=plan]")
		p.sees("#plan-rows [data-plan=swap]")
		looks("the preview")
		p.presses("#plan-rows li:nth-child(1) [data-plan=swap]")
		p.reaches(source, "a swap")
		p.presses("#swap form[method=dialog] button")
		p.presses("[data-plan=start]")
		p.sees("#board-rows li")
		for _, board := range []string{"1", "2"} {
			p.presses("#board-rows [data-pairing='" + board + "'] [data-do=open]")
			p.reaches(source, "a board")
			p.presses("#result [value=first]")
			p.presses("#result button")
			p.loses("#board[open]")
		}
		p.sees("#undo")
		looks("the desk after a round")
		wall.sees("#pairings")
		wall.reaches(source, "the pairings on the projector")
		p.confirms("[data-step=finish]")
		p.hears("#now-heading", "The tournament is over")
		p.sees("#podium li")
		looks("the desk at the end")
		wall.sees("#podium li")
		wall.reaches(source, "the winners on the projector")
		wall.sees("#ranks li")
		wall.reaches(source, "the standings on the projector")
		for _, path := range []string{"poster", "certificates", "pairings"} {
			p.opens("/t/" + id + "/" + path)
			looks(path)
		}
	})
}

// Text on the projector has at least 32 px at 1920 px.
func TestProjectorIsReadFromAfar(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p, wall := s.person("Hanna", phone), s.person("The wall", projector)
	id, _, _ := p.hosts("School Cup")
	p.adds("Ada\nBen\nCleo\nDag")
	wall.opens("/t/" + id + "/screen")
	reads := func(what string) {
		t.Helper()
		for _, small := range ask[[]string](wall, `[...document.querySelectorAll("main *")].filter((el) => el.checkVisibility() && !el.closest(".unseen, noscript") && [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(el).fontSize) < 32).map((el) => el.outerHTML.slice(0, 80))`) {
			t.Errorf("%s: smaller than 32 px: %s", what, small)
		}
		if ask[bool](wall, "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth") {
			t.Errorf("%s scrolls", what)
		}
	}
	wall.hears("#entered-names", "Dag")
	reads("the code")
	p.row("Dag")
	p.presses("[data-step=plan]")
	p.presses("[data-plan=start]")
	wall.sees("#lines li")
	reads("the pairings")
}

// A round in which a player has moved is not taken back, and the desk says why. A host ends the
// game of a player who did not go on, and sets the result, in one dialog. The pairings of the next
// round say who did not come.
func TestDeskSaysWhyARoundGoesOnAndNamesAbsentPlayers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hanna := s.person("Hanna", desktop)
	cup := hanna.makesCup(s, map[string]string{"format": "swiss", "rounds": "3", "clock": "none"})
	ada, ben := cup.enters("Ada", phone), cup.enters("Ben", phone)
	hanna.clicks(action("desk"))
	hanna.atDesk()
	hanna.presses("[data-step=plan]")
	hanna.presses("[data-plan=start]")
	g := &table{t: t, server: s, id: ada.isPlaying(), players: []*person{ada, ben}, random: fixed(), draft: map[*person][]int{}}
	ben.isPlaying()
	g.plays(g.shows(), 1)
	hanna.presses("#undo button")
	hanna.hears("#now-told", "A player has moved in round 1, so the round goes on.")

	hanna.presses("#board-rows [data-pairing='1'] [data-do=open]")
	hanna.confirms("#board-acts [data-act=end]")
	hanna.until(`document.activeElement.name === "result"`)
	hanna.presses("#result [value=second-unplayed]")
	hanna.presses("#result button")
	hanna.loses("#board[open]")
	hanna.presses("[data-step=plan]")
	hanna.hears("#plan-rows .problem", "did not come to round 1.")
}

// A Swiss that began elsewhere goes on here from its report file.
func TestTournamentGoesOnFromAReportFile(t *testing.T) {
	t.Parallel()
	const played = "012 Spring Cup\r142 3\r" +
		"001    1      Lovelace, Ada                     1900                             1.0    1     2 w 1\r" +
		"001    2      Ben                               1700                             0.0    2     1 b 0\r"
	hanna := serve(t).person("Hanna", phone)
	hanna.hosts("School Cup")
	hanna.presses("#import summary")
	choose := func(text string) {
		ask[bool](hanna, fmt.Sprintf(`((field) => {
			const chosen = new DataTransfer();
			chosen.items.add(new File([%q], "spring.trf"));
			field.files = chosen.files;
			return true;
		})(document.querySelector("#import [name=file]"))`, text))
	}
	hanna.forgive("status of 422") // of the file with a mistake
	choose(strings.Replace(played, "1 b 0", "1 b ?", 1))
	hanna.presses("#import button")
	hanna.hears("#import output", "Line 4: Round 1: “?” is not a result.")
	choose(played)
	hanna.presses("#import [name=results]")
	hanna.presses("#import button")
	hanna.hears("#stage", "Round 1 of 3")
	hanna.row("Ada Lovelace")
	hanna.hears("#board-rows [data-pairing='1'] .score", "1 – 0")
	hanna.presses("#log summary")
	hanna.hears("#log-rows", "entered 2 players and the results up to round 1 from a file")
	hanna.fits("the desk after an import", false)
}

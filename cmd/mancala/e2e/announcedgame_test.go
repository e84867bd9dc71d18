package e2e

import "testing"

// An announcement comes while a player thinks about a move: on a phone it covers nothing of the game,
// and nothing moves.
func TestAnnouncementCoversNothingOfAGameOnAPhone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.person("Host", desktop).makesCup(s, map[string]string{"format": "swiss", "rounds": "1", "clock": "none"})
	ada, ben := c.enters("Ada", phone), c.enters("Ben", small)
	c.orders("start", `{round: 1}`)
	const place = `JSON.stringify(document.querySelector(".game > .table").getBoundingClientRect())`
	for _, p := range []*person{ada, ben} {
		p.isPlaying()
		p.stays()
	}
	before := map[*person]string{ada: ask[string](ada, place), ben: ask[string](ben, place)}
	c.orders("announce", `{text: "Tea is ready in the hall next door. Please finish your games before you go there."}`)
	for p, was := range before {
		p.hears("#announced", "Tea is ready")
		if now := ask[string](p, place); now != was {
			t.Errorf("%s: the table was at %s, and is at %s", p.name, was, now)
		}
		if !ask[bool](p, `(() => {
			const told = document.querySelector("#announced").getBoundingClientRect();
			return told.height > 20 && told.bottom <= document.querySelector(".game > .table").getBoundingClientRect().top;
		})()`) {
			t.Errorf("%s: the announcement covers the table", p.name)
		}
	}
	ada.presses("#announced button")
	ada.loses("#announced.told")
	if now := ask[string](ada, place); now != before[ada] {
		t.Errorf("without the announcement the table is at %s, want %s", now, before[ada])
	}
}

// On its side, a phone has no line for an announcement: it stands beside the board, until its reader taps it.
func TestAnnouncementCoversNothingOfAGameOnAPhoneOnItsSide(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.person("Host", desktop).makesCup(s, map[string]string{"format": "swiss", "rounds": "1", "clock": "5+3", "rules": "oware"})
	ada := c.enters("Ada Wilhelmina", screen{w: 740, h: 360, touch: true})
	ben := c.enters("Ben Alexander the Third", screen{w: 568, h: 320, touch: true})
	c.orders("start", `{round: 1}`)
	ada.isPlaying()
	ben.isPlaying()
	c.orders("announce", `{text: "Tea is ready in the hall next door. Please finish your games before you go there."}`)
	const covered = `(() => {
		const told = document.querySelector("#announced").getBoundingClientRect();
		const under = [...document.querySelectorAll("mancala-board, .seat, .store, .bar button, #status")].filter((el) => {
			const r = el.getBoundingClientRect();
			return r.width > 0 && r.left < told.right && r.right > told.left && r.top < told.bottom && r.bottom > told.top;
		});
		return told.height > 20 ? under.map((el) => el.className || el.id || el.localName).join() : "it is not shown";
	})()`
	for _, p := range []*person{ada, ben} {
		p.hears("#announced", "Tea is ready")
		if what := ask[string](p, covered); what != "" {
			t.Errorf("%s: under the announcement: %s", p.name, what)
		}
		p.presses("#announced button")
		p.loses("#announced.told")
	}
}

// The bar of a tournament takes its height from the board and the names: the actions stay in the window.
func TestGameOfATournamentFitsTheWindow(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, rules := range []string{"kalah", "bao"} {
		c := s.person("Host", desktop).makesCup(s, map[string]string{"format": "swiss", "rounds": "1", "clock": "none", "rules": rules})
		players := []*person{c.enters("Ada", phone), c.enters("Ben", desktop)}
		c.orders("start", `{round: 1}`)
		for _, p := range players {
			p.isPlaying()
			p.until("(scrollTo(0, 0), scrollY === 0)")
			if _, bottom := p.box(".game > .bar"); bottom > ask[float64](p, "innerHeight") {
				t.Errorf("%s, %s: the actions end at %.0f px", rules, p.name, bottom)
			}
		}
	}
}

// Where the name of a tournament is too long for the bar of a game, its end is left out, in every language.
func TestLongNameOfATournamentIsReadFromItsStart(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const name = "Championship of the clubs and schools of the whole county"
	c := s.person("Host", desktop).makesCup(s, map[string]string{"format": "swiss", "rounds": "1", "clock": "none", "name": name})
	ada := c.enters("Ada", phone)
	c.enters("Ben", desktop)
	c.orders("start", `{round: 1}`)
	id := ada.isPlaying()
	for _, lang := range []string{"en", "ar"} {
		ada.opens("/" + id + "?lang=" + lang)
		ada.online()
		if cut := ask[string](ada, `(() => {
			const bar = document.querySelector(".event-bar .name");
			const name = bar.querySelector("bdi");
			if (name.getBoundingClientRect().left < bar.getBoundingClientRect().left - 1) return "at its start";
			return name.clientWidth < name.scrollWidth && getComputedStyle(name).textOverflow || "without a sign";
		})()`); cut != "ellipsis" {
			t.Errorf("%s: the name is cut %s", lang, cut)
		}
	}
}

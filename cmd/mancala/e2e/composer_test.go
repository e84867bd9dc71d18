package e2e

import (
	"strings"
	"testing"

	"mancala/engine"
	"mancala/engine/compose"
)

// composed returns the rules that the composer shows, and checks that the page names them everywhere alike.
func (p *person) composed() engine.Rules {
	p.t.Helper()
	p.until(`!document.querySelector("#composer").hasAttribute("aria-busy")`)
	shown := ask[[]string](p, `(() => {
		const form = document.querySelector("#compose"), place = document.querySelector("#composer");
		return [form.elements.namedItem("rules").value, form.elements.namedItem("options").value, place.dataset.hash,
			location.search === new URL(place.dataset.link, location).search ? "" : location.search];
	})()`)
	r, err := engine.ParseRules(strings.TrimSpace(shown[0] + " " + shown[1]))
	if err != nil || r.Hash() != shown[2] || shown[3] != "" {
		p.t.Fatalf("the composer shows %q: %v", shown, err)
	}
	return r
}

// Two people play a composed rule set to its end. Its maker clicks controls, of which each shows at once.
func TestComposedRulesArePlayedToTheirEnd(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben, wanda := s.person("Ada", desktop), s.person("Ben", phone), s.person("Wanda", tablet)
	ada.opens("/bot?rules=oware")
	ada.clicks("details.more summary")
	ada.clicks("[data-composer]") // with the game that the form has
	ada.until(`document.readyState === "complete" && document.querySelector("#compose [name=rules]")?.value === "oware"`)
	ada.sets("#f-pits", "4")
	ada.until(`document.querySelector("#compose [name=options]").value === "pits=4"`)
	ada.clicks("#g-sow")
	ada.until(`document.querySelector("#f-relay-same")`)
	ada.clicks("#f-relay-same")
	ada.until(`document.querySelector("#compose [name=options]").value === "pits=4 relay=same"`)
	if at := ask[string](ada, "document.activeElement.id"); at != "f-relay-same" {
		t.Errorf("after a change the focus is at %q", at)
	}
	ada.hears(".told", "take all of them up and sow on from there")

	// What cannot be chosen says why, and comes with all that it needs.
	if !ask[bool](ada, `document.querySelector("#f-relay-next").disabled`) {
		t.Error("sowing on from the next pit can be chosen beside a capture by number")
	}
	ada.hears("#w-relay-next", "Here the next pit decides")
	ada.clicks("#w-relay-next a")
	ada.until(`document.querySelector("#f-relay-next").checked`)
	ada.hears("#said", "This has changed with it")
	r := ada.composed()
	if r.Relay != engine.RelayNext || r.Capture == engine.CaptureCount || r.Pits != 4 {
		t.Errorf("the rules are %s", r)
	}

	ada.clicks(".told form[method=post] button.primary")
	ada.online()
	id := strings.TrimPrefix(ask[string](ada, "location.pathname"), "/")
	ben.joins(id)
	wanda.opens("/" + id)
	wanda.online()
	g := &table{t: t, server: s, id: id, players: []*person{ada, ben}, watchers: []*person{wanda}, random: fixed(), draft: map[*person][]int{}}
	for _, p := range g.all() {
		p.until(`e2e.board().state === "live"`)
	}
	v := g.playOut()
	base, _ := engine.System("oware")
	if want := strings.Join(r.Changes(base), " "); v.Snap.Rules != "oware" || v.Snap.Options != want {
		t.Errorf("they played %s with %q, want %q", v.Snap.Rules, v.Snap.Options, want)
	}
}

// A server that has no time for a change says so above the form, which stays. The browser asks again, and shows
// the change as soon as it can.
func TestRefusedChangeOfTheComposerIsShownLater(t *testing.T) {
	t.Parallel()
	ada := serve(t, "--limit-lessons", "2/1h").person("Ada", phone)
	ada.forgive("Failed to load resource") // the refusal
	ada.opens("/rules/new?rules=kalah")
	ada.sets("#f-pits", "5")
	ada.until(`document.querySelector("#compose [name=options]").value === "pits=5"`)
	// The server refuses for half an hour, and the browser is told a second. When there is time again, the answer
	// is a page that the server has.
	ask[bool](ada, `((real) => (window.fetch = async (address, how) => {
		const answer = await real(window.free ? "/rules/new?rules=kalah" : address, how);
		return answer.ok ? answer : new Response(answer.body, { status: answer.status, headers: { "Retry-After": "1" } });
	}) !== null)(window.fetch)`)
	ada.sets("#f-pits", "4")
	ada.hears("#said", "A little slower, please. Try again in")
	ada.sees("#f-pits")
	ask[bool](ada, `(window.free = true)`)
	ada.until(`document.querySelector("#compose [name=options]").value === ""`)
	ada.loses("#said .problem")
	ada.composed()
}

// A person begins with named house rules, and plays them. The page names them until they are changed.
func TestNamedHouseRulesAreChosenAndPlayed(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", phone)
	ada.opens("/rules/new?rules=oware")
	ada.sets(".begin select", "songo-duala")
	ada.clicks(".begin button")
	ada.until(`document.querySelector("#compose [name=options]").value === "seeds=8 count_spare=none"`)
	ada.hears("#known", "These rules are known as Songo of the Duala.")
	want, _ := compose.KnownNamed("songo-duala")
	if r := ada.composed(); r.Hash() != want.Rules().Hash() {
		t.Errorf("the rules are %s", r)
	}
	if at := ask[string](ada, `document.querySelector(".begin select").value`); at != "songo-duala" {
		t.Errorf("the form begins with %q", at)
	}
	ada.sets("#f-pits", "6")
	ada.until(`document.querySelector("#compose [name=options]").value === "pits=6 seeds=8 count_spare=none"`)
	ada.loses("#known")
	ada.sets("#f-pits", "7")
	ada.sees("#known")
	ada.clicks(".told form[method=post] button.primary")
	ada.online()
	if v := s.game(strings.TrimPrefix(ask[string](ada, "location.pathname"), "/")); v.Snap.Rules != "songo" || v.Snap.Options != want.Options {
		t.Errorf("the game is %s with %q", v.Snap.Rules, v.Snap.Options)
	}
}

// Each part of the composer fits its screen, with every kind of control that it has.
func TestPartsOfTheComposerFitTheirScreen(t *testing.T) {
	t.Parallel()
	ada := serve(t).person("Ada", phone)
	for _, part := range []string{"board", "start", "lift", "sow", "capture", "special", "turn", "end", "match"} {
		ada.opens("/rules/new?rules=kalah&options=pits%3D4&open=" + part)
		ada.fits("the part "+part, false)
	}
	ada.sees("#casual") // games by house rules change no ratings
}

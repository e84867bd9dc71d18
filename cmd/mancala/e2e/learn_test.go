package e2e

import (
	"fmt"
	"testing"
)

func TestLearnPagesLeadToTheirParagraphs(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", phone)
	for _, path := range []string{"/learn", "/learn/kalah", "/learn/maruba", "/learn/basic-four", "/learn/wise", "/learn/kalah/lesson", "/learn/toguz-kumalak/lesson", "/learn/bao/lesson", "/learn/basic-four/lesson", "/learn/kalah?options=pits%3D13%20seeds%3D9#capture"} {
		ada.opens(path)
		ada.fits(path, false)
	}
	ada.resize(phone)

	// An anchor leads to its paragraph, from outside and from the contents at
	// the top.
	shown := func(id string) string {
		return fmt.Sprintf(`((box) => box.top >= -1 && box.top < innerHeight)(document.querySelector("#%s:target").getBoundingClientRect())`, id)
	}
	ada.opens("/learn/oware#feed")
	ada.until(shown("feed"))
	ada.clicks(".contents a[href='#capture']")
	ada.until(shown("capture"))

	// A button on the rules page starts a game with these rules.
	ada.opens("/learn/oware?options=pits%3D5")
	ada.clicks(".learn form button")
	ada.online()
	if v := s.game(ask[string](ada, "location.pathname.slice(1)")); v.Snap.Rules != "oware" || v.Snap.Options != "pits=5" {
		t.Errorf("the game is %s with %q", v.Snap.Rules, v.Snap.Options)
	}
}

// "Why?" beside a refusal shows the paragraph of this game's rules, with its
// house rules.
func TestWhyLeadsToTheRules(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", options: "capture=none", start: "creator"}, 2)
	ada := g.seat(0)
	g.shows()
	ada.presses(pit(2)) // the last seed falls into the store, so Ada plays again
	ada.until(`document.querySelector("[data-pit='2']").dataset.count === "0" && document.querySelector("[data-board]").dataset.anim === "idle"`)
	ada.presses(pit(2))
	ada.clicks("#why")
	ada.hears("dialog[open]", "Choose a pit on your side that has seeds")
	ada.until(`document.querySelector("dialog[open] a").getAttribute("href").includes("/learn/kalah?options=capture%3Dnone#lift")`)
}

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// themes are the themes that a player can choose.
var themes = []string{"light", "dark", "contrast", "wood"}

// axe returns the source of axe-core, an npm package that deploy/test.sh
// installs beside the repository.
func axe(t *testing.T) string {
	t.Helper()
	path := os.Getenv("MANCALA_AXE")
	if path == "" {
		if os.Getenv("MANCALA_TEST_ALL") != "" {
			t.Fatal("MANCALA_AXE does not name the file of axe-core")
		}
		t.Skip("MANCALA_AXE does not name the file of axe-core")
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// barriers is a script that returns what axe finds on a page: all of it in the first theme, and in each
// other one what a style sheet can change. The elements, their names and roles are the same in all themes.
// The script names the rules of WCAG 2.2 explicitly, because otherwise axe does not check the size of targets.
const barriers = `(async (themes, all) => {
	const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
	const ofStyle = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];
	const root = document.documentElement, before = root.dataset.theme, found = [];
	for (const [i, theme] of themes.entries()) {
		root.dataset.theme = theme;
		await Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {})));
		const runOnly = i === 0 || all ? { type: "tag", values: tags } : { type: "rule", values: ofStyle };
		const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
		for (const v of violations) for (const n of v.nodes) found.push(theme + ": " + v.id + " " + n.target.join(" ") + ": " + n.failureSummary.replaceAll("\n", " "));
	}
	root.dataset.theme = before;
	return found.slice(0, 40);
})(%s, %t)`

// reaches checks that axe finds no barrier on the page in its present state. The long tests let it check
// every rule in every theme.
func (p *person) reaches(axe, what string) {
	p.t.Helper()
	p.needsPaint()
	if !ask[bool](p, "typeof axe === 'object'") {
		ask[bool](p, axe+"; true")
	}
	names, _ := json.Marshal(themes)
	all := os.Getenv("MANCALA_TEST_LONG") != ""
	for _, barrier := range ask[[]string](p, fmt.Sprintf(barriers, names, all)) {
		p.t.Errorf("%s at %d px, %s", what, ask[int](p, "innerWidth"), barrier)
	}
}

// onPhoneAndDesktop runs a test at both sizes at once, each with a server of its own. source is the
// script of axe.
func onPhoneAndDesktop(t *testing.T, test func(t *testing.T, s *server, source string, size screen)) {
	t.Parallel()
	source := axe(t)
	for _, size := range []screen{{w: 360, h: 740, touch: true}, desktop} {
		t.Run(fmt.Sprint(size.w), func(t *testing.T) {
			t.Parallel()
			test(t, serve(t).painted(), source, size)
		})
	}
}

// The test checks every page in every theme, on a phone and on a desktop
// (UX.md §11, Q2).
func TestPagesHaveNoAccessibilityBarriers(t *testing.T) {
	onPhoneAndDesktop(t, func(t *testing.T, s *server, source string, size screen) {
		guest := s.person("Guest", size)
		guest.forgive("404")
		for _, path := range []string{"/", "/bot", "/here", "/local", "/j", "/learn", "/learn/kalah", "/learn/wise", "/rules/new", "/rules/compare?rules=kalah&with=pressman", "/learn/kalah/lesson", "/learn/bao/lesson?step=4", "/learn/basic-four/lesson", "/sheet?rules=basic-four", "/settings", "/people", "/account", "/account/sign-in", "/top", "/top/kalah", "/@/Nobody", "/offline", "/nothing0here"} {
			guest.opens(path)
			guest.reaches(source, path)
		}
		member := s.person("Member", size)
		member.opens("/account")
		member.sets("#name", "Member")
		member.sets("#password", secret)
		member.clicks(action("create"))
		member.sees("#codes")
		member.reaches(source, "recovery codes")
		for _, path := range []string{"/account", "/account/sign-in", "/settings", "/me"} {
			member.opens(path)
			member.reaches(source, path+" of an account")
		}
		member.opens("/account")
		member.clicks(action("offer-move"))
		member.sees("#link")
		member.reaches(source, "a move to another device")
		guest.opens(ask[string](member, `new URL(document.querySelector("#link").value).pathname`))
		guest.reaches(source, "the other end of a move")
		ada, ben := s.person("Ada", size), s.person("Ben", size)
		g := &table{t: t, server: s, players: []*person{ada, ben}, watchers: []*person{guest}, random: fixed(), draft: map[*person][]int{}}
		g.id = ada.makes(settings{clock: "5+3", listed: true})
		ada.reaches(source, "the waiting room")
		guest.opens("/" + g.id)
		guest.online()
		guest.reaches(source, "the offer of a seat")
		ben.joins(g.id)
		for _, p := range g.all() {
			p.until(`e2e.board().state === "live"`)
		}
		v := g.shows()
		for range 3 {
			v = g.ply(v)
		}
		guest.reaches(source, "a game for who watches")
		for _, path := range []string{"/watch", "/"} {
			guest.opens(path)
			guest.sees(card(g.id))
			guest.reaches(source, path+" with a game")
		}
		ada.draws("chat")
		ada.presses("#others a")
		ada.sees("#person[open]")
		ada.reaches(source, "the dialog about a player")
		other := ask[string](ada, `document.querySelector("#person [name=player]").value`)
		for _, path := range []string{"/challenge?player=" + other, "/people/" + other} {
			guest.opens(path)
			guest.reaches(source, path)
		}
		ask[bool](ada, `(document.querySelector("#person").close(), true)`)
		ada.shuts()
		p := g.seat(v.Snap.Turn)
		p.presses(action("draw"))
		g.other(p).reaches(source, "an offer")
		g.other(p).presses(action("accept"))
		ada.sees("#result")
		ada.reaches(source, "the result")
		for _, path := range []string{"/embed/" + g.id, "/print/" + g.id} {
			guest.opens(path)
			guest.reaches(source, path)
		}
		ada.opens("/" + g.id + "/analysis")
		ada.online()
		ada.reaches(source, "a game without an analysis")
		ada.presses(action("ask"))
		ada.sees(".analysed table")
		ada.presses("#edit summary")
		ada.reaches(source, "an analysis")
	})
}

// The operators' page has no barriers either. The test checks it with an open
// report and with a handled report.
func TestModerationPageHasNoAccessibilityBarriers(t *testing.T) {
	t.Parallel()
	source := axe(t)
	s := serve(t).painted()
	g := deal(t, s, settings{rules: "kalah"}, 2)
	g.players[1].says("an ugly word")
	g.players[0].hears("#chat", "an ugly word")
	g.players[0].draws("chat")
	g.players[0].presses("#chat [data-by] button")
	g.players[0].sees("#person[open] [name=reason]")
	g.players[0].presses("#person .report button")
	g.players[0].hears("#person .notice", "Thank you.")
	olga, otto := s.person("Olga", phone), s.person("Otto", desktop)
	for _, p := range []*person{olga, otto} {
		p.base = "http://" + s.admin
		p.opens("/moderation")
		p.sees("[data-report]")
		p.reaches(source, "a report")
	}
	olga.sets("[name=who]", "Olga")
	olga.presses("[value=mute]")
	olga.hears(".state", "May not chat until")
	otto.opens("/moderation")
	for _, p := range []*person{olga, otto} {
		p.hears(".state", "May not chat until")
		p.reaches(source, "a report on which something was done")
	}
}

// The board shows owners, turn and moves by marks and words, not by colour
// alone. This holds in forced colours and for players with colour blindness
// (UX.md §11, Q16).
func TestBoardIsReadableWithoutColour(t *testing.T) {
	t.Parallel()
	s := serve(t).painted()
	g := deal(t, s, settings{}, 2)
	v := g.shows()
	v = g.ply(v)
	p := g.seat(v.Snap.Turn)
	if marks := ask[[]string](p, `Array.from(document.querySelectorAll(".seat .mark"), (m) => m.textContent.trim())`); len(marks) != 2 || marks[0] == marks[1] || marks[0] == "" {
		t.Errorf("the players' marks are %q", marks)
	}
	if turn := ask[string](p, "document.title"); turn[0] < 0x80 {
		t.Errorf("the title %q has no mark of one's turn", turn)
	}
	// A legal pit and the first and last pit of the last move differ from other
	// pits in more than colour: in the style or width of a line, or in a drawn
	// mark.
	const lines = `(() => {
		const shape = (el, part) => { const s = getComputedStyle(el, part); // all of it but the colours
			return [s.content, s.borderStyle, s.borderWidth, s.outlineStyle, s.outlineWidth, s.textDecorationLine, s.boxShadow.replace(/(rgba?|color|oklab)\([^)]*\)/g, "")].join(); };
		const looks = (pit) => [pit, pit.querySelector(".bowl"), pit.querySelector(".count")].flatMap((el) => [shape(el), shape(el, "::before").replace(/^"\d+"/, ""), shape(el, "::after")]).join(";");
		const one = (q) => document.querySelector(q);
		const plain = one('[data-pit][data-legal="0"]:not([data-mark])'), legal = one('[data-pit][data-legal="1"]:not([data-mark])');
		const from = one('[data-pit][data-mark~=from]'), to = one('[data-pit][data-mark~=to]');
		return [plain, legal, from, to].filter(Boolean).map(looks);
	})()`
	seen := map[string]bool{}
	shown := ask[[]string](p, lines)
	for _, look := range shown {
		seen[look] = true
	}
	if len(seen) != len(shown) || len(shown) < 3 {
		t.Errorf("of %d kinds of pits only %d look different without colour: %q", len(shown), len(seen), shown)
	}
}

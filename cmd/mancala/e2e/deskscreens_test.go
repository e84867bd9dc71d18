package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mancala/lobby"
)

// A host gives a player another name. Pages that show it ask for the names again.
func TestRenamedPlayerIsRenamedOnEveryScreen(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hanna, otto, wall, watcher := s.person("Hanna", phone), s.person("Otto", desktop), s.person("The wall", projector), s.person("Watcher", phone)
	id, _, link := hanna.hosts("School Cup")
	otto.opens(strings.TrimPrefix(link, otto.base))
	otto.atDesk()
	wall.opens("/t/" + id + "/screen")
	watcher.opens("/t/" + id)
	hanna.adds("Ada\nBen")
	renames := func(name string) {
		t.Helper()
		hanna.presses("#player-rows [data-player='2'] [data-do=open]")
		hanna.sets("#rename [name=name]", name)
		hanna.presses("#rename button")
		hanna.hears("#player output", "Done.")
		hanna.presses("#player form[method=dialog] button")
	}
	otto.row("Ben")
	wall.hears("#entered-names", "Ben")
	watcher.hears("#entered", "Ben")
	renames("Bella")
	otto.row("Bella")
	wall.hears("#entered-names", "Bella")
	watcher.hears("#entered", "Bella")

	hanna.presses("[data-step=plan]")
	hanna.presses("[data-plan=start]")
	watcher.hears("#pairings", "Bella")
	watcher.hears("#standings", "Bella")
	renames("Bea")
	otto.row("Bea")
	wall.hears("#lines", "Bea")
	watcher.hears("#pairings", "Bea")
	watcher.hears("#standings", "Bea") // the server draws it
}

// On a phone a long name breaks between its words. A word that is too long is cut, and can be read in
// full elsewhere.
func TestLongNamesBreakBetweenTheirWords(t *testing.T) {
	t.Parallel()
	hanna := serve(t).person("Hanna", phone)
	id, _, _ := hanna.hosts("School Cup")
	const long = "Konstantinopolitanische"
	hanna.adds("Bartholomew Featherstone\nMaximiliana Weidenhofer\n" + long + "\nAda")
	hanna.row("Ada")
	whole := func(names string) {
		t.Helper()
		hanna.until(fmt.Sprintf("[...document.querySelectorAll(%q)].filter((el) => el.textContent).length === 4", names))
		broken := ask[[]string](hanna, fmt.Sprintf(`[...document.querySelectorAll(%q)].flatMap((el) => {
			const text = document.createTreeWalker(el, NodeFilter.SHOW_TEXT).nextNode();
			return [...text.data.matchAll(/\S+/g)].filter((word) => {
				const range = new Range();
				range.setStart(text, word.index);
				range.setEnd(text, word.index + word[0].length);
				return new Set([...range.getClientRects()].map((r) => r.top)).size > 1;
			}).map((word) => word[0]);
		})`, names))
		if len(broken) > 0 {
			t.Errorf("%s: %q are broken", names, broken)
		}
		cut := ask[[]string](hanna, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((el) => el.scrollWidth > el.clientWidth)
			.map((el) => el.textContent)`, names))
		if !slices.Equal(cut, []string{long}) {
			t.Errorf("%s: %q are cut, want %q alone", names, cut, long)
		}
		if wide := ask[int64](hanna, "document.documentElement.scrollWidth"); wide > phone.w {
			t.Errorf("%s: the page is %d px wide", names, wide)
		}
	}
	hanna.presses("[data-step=plan]")
	whole("#plan-rows .sides button")
	hanna.presses("[data-plan=start]")
	whole("#board-rows .side")
	hanna.opens("/t/" + id)
	whole("#pairings bdi")
	hanna.hears("#standings", long)
}

// playingCup starts a tournament of two players on phones. It returns its host, at the desk, and its ID.
func playingCup(t *testing.T) (host *person, id string) {
	t.Helper()
	s := serve(t)
	host, ben, cleo := s.person("Hanna", phone), s.person("Ben", phone), s.person("Cleo", phone)
	id, code, _ := host.hosts("School Cup")
	ben.enters(code, "Ben")
	cleo.enters(code, "Cleo")
	host.row("Cleo")
	host.presses("[data-step=plan]")
	host.presses("[data-plan=start]")
	host.until(`document.querySelector("#board-rows [data-pairing='1']")?.dataset.state === "running"`)
	return host, id
}

// What a board does is one word in the narrow column between two names.
func TestStateOfABoardIsNotBrokenOnAPhone(t *testing.T) {
	t.Parallel()
	hanna, id := playingCup(t)
	for _, language := range []string{"en", "sw"} { // it has a short and a long word
		hanna.opens("/t/" + id + "?lang=" + language)
		lines := ask[int](hanna, `((said) => {
			const range = new Range();
			range.selectNodeContents(said);
			return new Set([...range.getClientRects()].map((r) => r.top)).size;
		})(document.querySelector("#pairings .outcome .quiet"))`)
		if lines != 1 {
			t.Errorf("%s: the word has %d lines", language, lines)
		}
	}
}

// The field for the reason is there while a game is played, when no result can be set.
func TestHostPausesAGameAndGivesAReason(t *testing.T) {
	t.Parallel()
	hanna, _ := playingCup(t)
	hanna.presses("#board-rows [data-pairing='1'] [data-do=open]")
	hanna.sees("#reason")
	hanna.loses("#result")
	hanna.sets("#reason", "Fire drill")
	hanna.presses("#board-acts [data-act=pause]")
	hanna.loses("#board[open]")
	hanna.hears("#board-rows [data-pairing='1'] .how", "Paused")
	hanna.presses("#board-rows [data-pairing='1'] [data-do=open]")
	hanna.sees("#board-acts [data-act=resume]")
	hanna.loses("#board-acts [data-act=pause]")
	hanna.presses("#board form[method=dialog] button")
	hanna.presses("#log summary")
	hanna.hears("#log-rows", "paused: board 1 (Fire drill)")
}

// The buttons of a board take the width of their words within its row, and its text has what remains beside them.
func TestTextOfABoardIsBesideItsButtonsInEveryLanguage(t *testing.T) {
	t.Parallel()
	hanna, id := playingCup(t)
	for _, lang := range lobby.LanguageTags() {
		hanna.opens("/t/" + id + "/host?lang=" + lang)
		hanna.atDesk()
		hanna.sees("#board-rows a.button")
		for _, size := range []screen{phone, desktop} {
			hanna.resize(size)
			if over := ask[string](hanna, `((row) => {
				const text = row.querySelector(".how").getBoundingClientRect();
				const covers = (el) => {
					const r = el.getBoundingClientRect();
					return Math.min(r.right, text.right) - Math.max(r.left, text.left) > 1 && Math.min(r.bottom, text.bottom) - Math.max(r.top, text.top) > 1;
				};
				const border = row.getBoundingClientRect();
				const leaves = (el) => el.getBoundingClientRect().right > border.right || el.getBoundingClientRect().left < border.left;
				return [...row.querySelectorAll(".does > *")].filter((el) => covers(el) || leaves(el)).map((el) => el.textContent).join(", ");
			})(document.querySelector("#board-rows > li"))`); over != "" {
				t.Errorf("in %s at %d px these buttons cover the text of their board or leave its row: %s", lang, size.w, over)
			}
		}
	}
}

// A class has no standings, so the desk does not send its host to them.
func TestHostOfAFinishedClassIsNotSentToStandings(t *testing.T) {
	t.Parallel()
	hanna := serve(t).person("Hanna", phone)
	hanna.opens("/class")
	hanna.hears("label[for=name]", "Name of the class")
	hanna.presses("#new button:not([type=button])")
	hanna.presses("a.primary") // opens the desk
	hanna.atDesk()
	hanna.adds("Ada\nBen")
	hanna.row("Ben")
	hanna.hears("#now-heading", "Pupils are coming in")
	hanna.hears("#players-heading", "2 pupils")
	hanna.hears(".tallies", "Pupils")
	hanna.presses("[data-step=begin]")
	hanna.presses("[data-step=stop]")
	hanna.sees("[data-step=finish]")
	const place = `((b) => [b.offsetLeft, b.offsetTop, b.offsetWidth, b.offsetHeight].join())(document.querySelector("[data-step=finish]"))`
	before := ask[string](hanna, place)
	if asking := ask[string](hanna, `(document.querySelector("[data-step=finish]").click(), `+place+`)`); asking != before {
		t.Errorf("the button that asks is at %s, and was at %s", asking, before)
	}
	hanna.loses("[data-step=finish].armed")
	hanna.confirms("[data-step=finish]")
	hanna.hears("#now-heading", "over")
	if got := hanna.text("#now-help"); got != "Names can still be corrected." {
		t.Errorf("the desk of a finished class says %q", got)
	}
}

// Twenty-four players have more boards than a screen: the button that starts the round stays in sight.
func TestStartOfALongPreviewIsInSight(t *testing.T) {
	t.Parallel()
	hanna := serve(t).person("Hanna", desktop)
	hanna.hosts("School Cup")
	hanna.adds(strings.Join(strings.Split("abcdefghijklmnopqrstuvwx", ""), "\n"))
	hanna.row("x")
	hanna.presses("[data-step=plan]")
	hanna.until(`document.querySelectorAll("#plan-rows li").length === 12`)
	hanna.loses("[data-step=plan]") // the preview has the next step
	hanna.until(`document.querySelector("[data-plan=start]").getBoundingClientRect().bottom <= innerHeight`)
}

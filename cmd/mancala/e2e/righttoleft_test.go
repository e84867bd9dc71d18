package e2e

import (
	"fmt"
	"strings"
	"testing"

	"mancala/lobby"
)

// In Arabic the page is mirrored, and the board is not: its pits are where they are in English. No page
// needs a sideways scroll on a phone.
func TestArabicMirrorsThePageAndNotTheBoard(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben := s.person("Ada", phone), s.person("Ben", desktop)
	ada.opens("/")
	ada.clicks("footer button[value=ar]")
	ada.until(`document.documentElement.lang === "ar" && document.documentElement.dir === "rtl"`)

	fits := func(what string) {
		t.Helper()
		if wide := ada.overflow(); wide > 0 {
			t.Errorf("%s is %d px too wide", what, wide)
		}
		keepPicture(t, what+"-"+ada.name, ada.shot)
	}
	for _, path := range []string{
		"/", "/learn", "/learn/bao", "/learn/kalah/lesson", "/rules/new", "/bot", "/here", "/local", "/t", "/t/new", "/people", "/account/sign-in", "/settings",
	} {
		ada.opens(path)
		ada.until(`document.documentElement.dir === "rtl"`)
		fits(strings.ReplaceAll(path, "/", "-"))
	}
	cleo := s.person("Cleo", desktop)
	cleo.opens("/")
	cleo.clicks("footer button[value=ar]")
	cleo.until(`document.documentElement.dir === "rtl"`)
	for _, path := range []string{"/", "/learn/wise", "/rules/new", "/settings", "/t"} {
		cleo.opens(path)
		keepPicture(t, "wide"+strings.ReplaceAll(path, "/", "-"), cleo.shot)
	}
	id := ada.makes(settings{rules: "kalah", start: "creator"})
	fits("waiting")
	ben.joins(id)
	const pits = `[...document.querySelectorAll("[data-pit]")].sort((a, b) => {
		const [one, other] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
		return Math.round(one.top - other.top) || one.left - other.left;
	}).map((pit) => pit.dataset.pit).join(" ")`
	ada.until(`document.querySelector("mancala-board").dataset.state === "live"`)
	if ask[string](ada, `getComputedStyle(document.querySelector("mancala-board")).direction`) != "ltr" {
		t.Error("the board is mirrored")
	}
	if ask[bool](ada, `(() => {
		const [brand, title] = [".brand", "#title"].map((what) => document.querySelector(what).getBoundingClientRect());
		return title.right > brand.left && title.left < brand.right;
	})()`) {
		t.Error("the title lies on the brand")
	}
	arabic := ask[string](ada, pits)
	fits("game")
	ask[bool](ada, `(document.documentElement.dir = "ltr", true)`)
	if english := ask[string](ada, pits); english != arabic {
		t.Errorf("the pits from left to right are %s, in English %s", arabic, english)
	}
	ask[bool](ada, `(document.documentElement.dir = "rtl", true)`)
	ada.clicks("[data-pit='0']")
	ben.until("e2e.legal().length > 0")
	ben.clicks("[data-pit='6']")
	ada.until("e2e.legal().length > 0")
	ben.resigns()
	ada.until("e2e.board().state === 'over'")
	fits("over")
	ada.opens("/" + id + "/analysis")
	fits("analysis")
}

// The label of the field for a code is short enough in every language: the six characters can be read.
func TestFieldForACodeHasRoomInEveryLanguage(t *testing.T) {
	t.Parallel()
	ada := serve(t).person("Ada", phone)
	for _, size := range []screen{phone, desktop} {
		ada.resize(size)
		for _, lang := range lobby.LanguageTags() {
			ada.opens("/?lang=" + lang)
			ada.until("e2e.arrived()")
			if width := ask[int](ada, `document.querySelector("#main [name=code]").clientWidth`); width < 88 {
				t.Errorf("%s at %d px: the field has %d px", lang, size.w, width)
			}
		}
	}
}

// The cards of games hold the words of their names on a phone, in every language. In a usual window the button
// that starts a game of two at one screen covers no stepper, also below the list of all games.
func TestFormOfTwoAtOneScreenHasRoomInEveryLanguage(t *testing.T) {
	t.Parallel()
	ada := serve(t).person("Ada", phone)
	for _, tt := range []struct {
		size   screen
		faults string
	}{
		{phone, `[...document.querySelectorAll(".picks span")].flatMap((name) => {
			name.closest("details")?.setAttribute("open", "");
			return [...name.firstChild.data.matchAll(/[^\s-]+-?/g)].filter((word) => {
				const range = document.createRange();
				range.setStart(name.firstChild, word.index), range.setEnd(name.firstChild, word.index + word[0].length);
				return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
			}).map(String);
		})`},
		{desktop, `(() => {
			document.querySelector(".pick details").open = true;
			const top = document.querySelector(".go button").getBoundingClientRect().top;
			return [...document.querySelectorAll(".step")].filter((step) => step.getBoundingClientRect().bottom > top + 1)
				.map((step) => step.textContent.trim());
		})()`},
	} {
		ada.resize(tt.size)
		for _, lang := range lobby.LanguageTags() {
			ada.opens("/here?lang=" + lang)
			ada.until("e2e.arrived()")
			if faults := ask[[]string](ada, tt.faults); len(faults) > 0 {
				t.Errorf("%s at %d px: %q", lang, tt.size.w, faults)
			}
		}
	}
}

// The name of a player begins at the right in Arabic, whatever its letters, and on the projector it stands
// beside the result. A clock of days is read from right to left beside a board that is not mirrored, and touches
// nothing in the language with the longest words for it.
func TestArabicPagesPlaceNamesAndClocksFromTheRight(t *testing.T) {
	t.Parallel()
	s := serve(t)
	hanna, ada, ben := s.person("Hanna", desktop), s.person("Ada", phone), s.person("Ben", phone)
	// gap returns the distance between an element and its text at a side, in pixels.
	gap := func(selector, side string) int {
		t.Helper()
		return ask[int](hanna, fmt.Sprintf(`(() => {
			const el = document.querySelector(%q), range = document.createRange();
			range.selectNodeContents(el);
			return Math.round(Math.abs(el.getBoundingClientRect().%[2]s - range.getBoundingClientRect().%[2]s));
		})()`, selector, side))
	}
	id, _, _ := hanna.hosts("School Cup")
	hanna.adds("Dag\nEve")
	hanna.row("Eve")
	hanna.opens("/t/" + id + "/host?lang=ar")
	hanna.atDesk()
	hanna.row("Eve")
	if at := gap("#player-rows .who bdi", "right"); at > 2 {
		t.Errorf("the name on the desk begins %d px from the right", at)
	}
	hanna.presses("[data-step=plan]")
	hanna.presses("[data-plan=start]")
	hanna.sees("#board-rows li")
	hanna.opens("/t/" + id + "/screen?lang=ar")
	hanna.sees("#lines .one")
	if at := gap("#lines .one", "left"); at > 2 {
		t.Errorf("the name on the projector is %d px from the result", at)
	}

	game := ada.makes(settings{clock: "3/move"})
	ben.joins(game)
	ada.until(`document.querySelector("[data-board]").dataset.state === "live"`)
	ada.opens("/" + game + "?lang=ar")
	ada.sees(".clock.long")
	if !ask[bool](ada, `(() => {
		const text = document.querySelector(".clock.long").firstChild, all = text.data;
		const left = (at) => {
			const range = document.createRange();
			range.setStart(text, at), range.setEnd(text, at + 1);
			return range.getBoundingClientRect().left;
		};
		return left(all.search(/\d/)) > left(all.length - 1);
	})()`) {
		t.Error("the clock begins at the left")
	}

	// Days in words have their place beside the longest name, also in Swahili ("siku 3 saa 0").
	ada.resize(small)
	ada.opens("/" + game + "?lang=sw")
	ada.sees(".clock.long")
	if over := ask[[]string](ada, `[...document.querySelectorAll(".seat")].flatMap((seat) => {
		seat.querySelector(".name bdi").textContent = "W".repeat(24);
		const words = document.createRange();
		words.selectNodeContents(seat.querySelector(".clock"));
		const { left, right } = words.getBoundingClientRect();
		const from = seat.querySelector(".score").getBoundingClientRect().right;
		const to = seat.querySelector(".clock").getBoundingClientRect().right;
		return left < from || right > to ? [words + " is at " + left + " to " + right + ", its place from " + from + " to " + to] : [];
	})`); len(over) > 0 {
		t.Errorf("on %d px: %q", small.w, over)
	}
}

// The buttons of a game, and those of its replay, are in one row on a phone of 360 px in every language.
func TestButtonsOfAGameAreInOneRowInEveryLanguage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	narrow := screen{w: 360, h: 740, touch: true}
	ada, ben := s.person("Ada", narrow), s.person("Ben", narrow)
	id := ada.makes(settings{rules: "kalah", start: "creator"})
	ben.joins(id)
	ada.until(`document.querySelector("[data-board]").dataset.state === "live"`)
	ada.clicks("[data-pit='0']")
	ben.until("e2e.legal().length > 0")
	ben.clicks("[data-pit='6']")
	ada.until("e2e.legal().length > 0")
	rows := func(lang, state, buttons string) {
		t.Helper()
		ada.opens("/" + id + "?lang=" + lang)
		ada.online()
		ada.until(fmt.Sprintf("e2e.arrived() && document.querySelector('[data-board]').dataset.state === %q && [...document.querySelectorAll(%q)].some((b) => b.checkVisibility())", state, buttons))
		if n := ask[int](ada, fmt.Sprintf(`new Set([...document.querySelectorAll(%q)].filter((b) => b.checkVisibility())
			.map((b) => Math.round(b.getBoundingClientRect().top))).size`, buttons)); n != 1 {
			t.Errorf("%s, %s: %d rows", lang, state, n)
		}
	}
	for _, lang := range lobby.LanguageTags() {
		rows(lang, "live", ".actions button, .openers button")
	}
	ben.resigns()
	ada.until("e2e.board().state === 'over'")
	for _, lang := range lobby.LanguageTags() {
		rows(lang, "over", ".game > .stepping button")
	}
}

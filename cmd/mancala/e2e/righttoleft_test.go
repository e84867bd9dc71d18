package e2e

import (
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
		if wide := ask[int](ada, "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"); wide > 0 {
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
			if width := ask[int](ada, `document.querySelector("#main [name=code]").clientWidth`); width < 88 {
				t.Errorf("%s at %d px: the field has %d px", lang, size.w, width)
			}
		}
	}
}

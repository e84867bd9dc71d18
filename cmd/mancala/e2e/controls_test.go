package e2e

import (
	"fmt"
	"testing"
)

// unusable is a script that lists the controls of a part of the page that cannot
// be used: they are invisible, smaller than 24 px, or covered by something else.
// The page scrolls to each of them. A hidden control belongs to another state of
// the page and does not count. A checkbox is as large as its label.
const unusable = `((part) => {
	const found = [];
	for (const el of part.querySelectorAll("button, select, textarea, summary, a[href], input:not([type=hidden])")) {
		if (el.closest("[hidden], .unseen, dialog:not([open]), [popover]:not(:popover-open)") || !el.checkVisibility()) continue;
		const target = el.type === "checkbox" || el.type === "radio" ? el.closest("label") ?? el : el;
		target.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
		const box = target.getBoundingClientRect();
		const name = el.tagName.toLowerCase() + " " + (el.name || el.dataset.action || el.id || el.textContent.trim());
		// A link inside a sentence is as high as the line.
		const inline = el.tagName === "A" && getComputedStyle(el).display === "inline";
		if (!inline && (box.width < 24 || box.height < 24)) found.push(name + " is " + Math.round(box.width) + "×" + Math.round(box.height));
		const [x, y] = [box.left + Math.min(box.width / 2, 200), box.top + box.height / 2];
		const hit = document.elementFromPoint(x, y);
		if (inline || hit && (target.contains(hit) || hit.contains(target) && el.disabled)) continue;
		found.push(name + " is covered by " + (hit ? hit.tagName + "." + hit.className + "#" + hit.id : "nothing at " + Math.round(x) + "," + Math.round(y)));
	}
	return found;
})`

// usesAll checks that each control in a part of the page can be used.
func (p *person) usesAll(what, selector string) {
	p.t.Helper()
	p.until(fmt.Sprintf("document.querySelector(%q) !== null", selector))
	ask[bool](p, `Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {}))).then(() => true)`)
	for _, problem := range ask[[]string](p, fmt.Sprintf("%s(document.querySelector(%q))", unusable, selector)) {
		p.t.Errorf("%s at %d px: %s", what, ask[int](p, "innerWidth"), problem)
	}
}

// opensAll opens each details element of the page and checks its controls.
func (p *person) opensAll(what string) {
	p.t.Helper()
	n := ask[int](p, `(window.folds = [...document.querySelectorAll("main details")].filter((d) => d.checkVisibility())).length`)
	for i := range n {
		ask[bool](p, fmt.Sprintf(`((d) => { d.open = true; d.id ||= "details-%d"; return true; })(window.folds[%d])`, i, i))
		p.usesAll(fmt.Sprintf("%s, details %d", what, i), fmt.Sprintf("#%s", ask[string](p, fmt.Sprintf("CSS.escape(window.folds[%d].id)", i))))
	}
}

// Each control in an open details element, dialog or sheet is visible, at least 24
// px large, and not covered, on every page.
func TestEachControlInAnOpenPartCanBeUsed(t *testing.T) {
	t.Parallel()
	for _, size := range []screen{{w: 360, h: 640, touch: true}, desktop} {
		t.Run(fmt.Sprint(size.w), func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			guest := s.person("Guest", size)
			for _, path := range []string{"/", "/bot", "/here", "/local", "/watch", "/j", "/learn", "/learn/kalah", "/rules/new?rules=bao", "/rules/compare?rules=kalah&with=pressman", "/learn/kalah/lesson", "/sheet?rules=bao", "/settings", "/people", "/account", "/account/sign-in", "/top", "/top/kalah"} {
				guest.opens(path)
				guest.opensAll(path)
			}
			ada, ben := s.person("Ada", size), s.person("Ben", size)
			g := &table{t: t, server: s, players: []*person{ada, ben}, watchers: []*person{guest}, random: fixed(), draft: map[*person][]int{}}
			g.id = ada.makes(settings{})
			ada.opensAll("the waiting room")
			guest.opens("/" + g.id)
			guest.online()
			guest.opensAll("the offer of a seat")
			ben.joins(g.id)
			for _, p := range g.all() {
				p.until(`e2e.board().state === "live"`)
			}
			v := g.shows()
			for v.Snap.Ply < 2 { // a player cannot resign before
				v = g.ply(v)
			}
			ada.opensAll("a game")
			for _, dialog := range []string{"help", "quick"} {
				ada.presses(action(dialog))
				ada.until(`document.querySelector("dialog[open]") !== null`)
				ada.usesAll("the dialog "+dialog, "dialog[open]")
				ask[bool](ada, `(document.querySelector("dialog[open]").close(), true)`)
			}
			if size.touch {
				for _, sheet := range []string{"moves", "chat"} {
					ada.draws(sheet)
					ada.usesAll("the sheet "+sheet, ":popover-open")
					ada.shuts()
				}
			}
			ada.draws("chat")
			ada.presses("#others a")
			ada.sees("#person[open]")
			ada.usesAll("the dialog about a player", "#person")
			ask[bool](ada, `(document.querySelector("#person").close(), true)`)
			ada.shuts()
			g.seat(v.Snap.Turn).resigns()
			ada.sees("#result")
			ada.opensAll("a finished game")
			ada.opens("/" + g.id + "/analysis")
			ada.online()
			ada.opensAll("an analysis")
		})
	}
}

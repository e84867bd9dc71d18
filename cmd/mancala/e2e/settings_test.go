package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// choice returns the selector of the control for a setting's value.
func choice(name, value string) string {
	return fmt.Sprintf("label:has([name=%s][value=%s])", name, value)
}

// has waits until a setting is in effect on a person's page.
func (p *person) has(name, value string) {
	p.t.Helper()
	p.until(fmt.Sprintf("document.documentElement.dataset[%q] === %q", name, value))
}

// kept waits until the server has stored a setting. It requests another page to
// see it.
func (p *person) kept(name, value string) {
	p.t.Helper()
	question := fmt.Sprintf(`fetch("/learn").then((r) => r.text()).then((page) => page.includes('data-%s="%s"'))`, name, value)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if ask[bool](p, question) {
			return
		}
	}
	p.t.Fatalf("the server does not keep %s=%s for %s", name, value, p.name)
}

// A stranger's first setting takes effect at once, also in another tab, and is
// still there after a restart.
func TestSettingsOfAStrangerSurviveARestart(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada := s.person("Ada", desktop)
	ada.opens("/settings")
	ada.fits("the settings", false)
	ada.resize(desktop)
	other := ada.tab("Ada's other tab", phone)
	other.opens("/learn")
	other.has("theme", "system")

	// The test sets each setting of the page to another value.
	changed := ask[map[string]string](ada, `Object.fromEntries(Array.from(document.querySelectorAll("fieldset[data-pref]"), (field) => {
		const another = field.querySelector("input:not(:checked)");
		another.click();
		return [another.name, another.value];
	}))`)
	if len(changed) < 15 {
		t.Errorf("the page has only the settings %v", changed)
	}
	delete(changed, "theme")
	for name, value := range changed {
		other.has(name, value)
	}

	ada.clicks(choice("theme", "contrast"))
	ada.has("theme", "contrast")
	other.has("theme", "contrast")
	ada.tabsTo("[name=volume]")
	ada.types(kb.ArrowRight)
	ada.has("volume", "65")
	other.has("volume", "65")
	ada.kept("theme", "contrast")
	ada.kept("volume", "65")

	other.opens("/settings")
	other.sets("#name", "Zoë")
	other.clicks("form:has(#name) button")
	other.hears("[role=status].notice", "Saved")
	other.until(`document.querySelector("#name").value === "Zoë"`)

	s.kill()
	s.start()
	for _, path := range []string{"/", "/learn/kalah", "/settings"} {
		ada.opens(path)
		ada.has("theme", "contrast")
		ada.has("volume", "65")
		for name, value := range changed {
			ada.has(name, value)
		}
	}
	ada.until(`document.querySelector("#name").value === "Zoë" && document.querySelector("[name=theme][value=contrast]").checked`)
}

// A player can change settings during a game. The opponent sees a new name at
// once. The page of all settings leads back to the game.
func TestSettingsChangeDuringAGame(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", start: "creator"}, 2)
	ada, ben := g.players[0], g.players[1]
	for _, p := range g.players {
		p.clicks(action("quick"))
		p.sees("#quick")
		p.clicks("#quick " + choice("speed", "fast"))
		p.has("speed", "fast")
		p.types(kb.Escape)
		p.loses("#quick")
	}
	if !ask[bool](ada, `fetch("/api/v1/me", { method: "PATCH", headers: { "Content-Type": "application/json" }, body: '{"name": "Zoë"}' }).then((r) => r.ok)`) {
		t.Fatal("Ada cannot change her name")
	}
	for _, p := range []*person{ada, ben} {
		p.until(`Array.from(document.querySelectorAll(".seat .name"), (name) => name.textContent).some((name) => name.includes("Zoë"))`)
	}
	ada.clicks(action("quick"))
	ada.clicks("#quick a[href='/settings']")
	ada.until(`location.pathname === "/settings" && document.readyState === "complete"`) // its script listens now
	ada.clicks(choice("theme", "contrast"))
	ada.clicks(action("game"))
	ada.online()
	ada.has("theme", "contrast")
	g.plays(g.shows(), 4)
}

// Deleting one's data also clears the device's storage: the cached pages, the
// service worker and the notes.
func TestDeletingDataClearsTheDevice(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t).inWholeBrowser(), settings{rules: "kalah"}, 2)
	ada := g.players[0]
	ada.until("navigator.serviceWorker.controller !== null")
	g.plays(g.shows(), 2)
	ada.resigns()
	kept := "caches.match('/" + g.id + "').then(Boolean)"
	ada.until(kept)
	ask[bool](ada, "localStorage.setItem('note', 'mine') ?? true")

	ada.opens("/settings")
	ada.clicks("#forget label")
	ada.clicks("#forget button")
	ada.hears("[role=status].notice", "Your data is deleted, here and on this device.")
	ada.hears("#forget", "We know nothing about you")
	ada.until("localStorage.length === 0")
	if ask[bool](ada, kept) {
		t.Error("Ada's game is still kept")
	}
	ada.until("navigator.serviceWorker.controller !== null") // the new worker knows no player
	if ask[bool](ada, kept) {
		t.Error("Ada's game is kept again")
	}
}

// In kids mode numbers are larger and no clock is offered. Each first tap
// previews the move and a second tap plays it, whatever other settings are
// chosen. The loser is praised too.
func TestKidsModePreviewsAndPraises(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", start: "creator"}, 2)
	ada, ben := g.players[0], g.players[1]
	const size = `Number.parseFloat(getComputedStyle(document.querySelector("[data-pit] .count")).fontSize)`
	small := ask[float64](ada, size)
	for name, value := range map[string]string{"confirm": "never", "preview": "off", "kids": "on"} {
		ada.pref(name, value)
	}
	if large := ask[float64](ada, size); large < 1.25*small {
		t.Errorf("numbers of %v px are %v px for children", small, large)
	}
	ada.clicks(pit(2))
	ada.sees(".peek")
	ada.hears("#status", "Tap again to play.")
	ada.clicks(pit(2))
	ada.ply(1)
	ada.clicks(action("quick"))
	ada.sees("#quick [data-pref=speed]")
	ada.loses("#quick [data-pref=confirm]")
	ada.types(kb.Escape)
	ada.clicks(pit(5))
	ada.clicks(pit(5))
	g.plays(g.shows(), 2)
	ada.resigns()
	ada.hears("#reason", "Well played!")
	ben.hears("#headline", "You won")
	ben.hears("#reason", "resigned.")
	if text := ben.text("#reason"); strings.Contains(text, "Well") {
		t.Errorf("an adult is told %q", text)
	}
	// The setting that is in effect is shown as chosen: on a page from the
	// server, and at once after a change.
	const chat = `document.querySelector("[name=chat]:checked").value`
	ada.prefers("kids", "on")
	ada.opens("/settings")
	ada.until(chat + ` === "presets"`)
	ada.hastens("[name=kids][value=off]")
	ada.until(chat + ` === "free"`)
	ada.hastens("[name=kids][value=on]")
	ada.until(chat + ` === "presets"`)
	ada.opens("/")
	ada.pref("kids", "on")
	ask[bool](ada, `(document.querySelector("details.settings").open = true)`)
	ada.sees("#rules")
	ada.loses("#clock")
}

// A language takes effect at once, on the page where it is chosen and on all
// others. Two opponents each read their own language. The longer words fit on a
// phone.
func TestLanguageTakesEffectOnAllPages(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada, ben := s.person("Ada", phone), s.person("Ben", desktop)
	ada.opens("/settings")
	ada.clicks(choice("language", "fr"))
	ada.hears("h1", "Réglages")
	ada.until(`document.documentElement.lang === "fr" && document.activeElement?.value === "fr"`)

	fit := func(what string) {
		t.Helper()
		if wide := ada.overflow(); wide > 0 {
			t.Errorf("%s is %d px too wide in French", what, wide)
		}
	}
	fit("/settings")
	for _, path := range []string{"/learn", "/learn/wise", "/learn/wise/lesson", "/bot", "/account", "/account/sign-in", "/watch", "/j", "/"} {
		ada.opens(path)
		ada.until(`document.documentElement.lang === "fr"`)
		fit(path)
	}
	id := ada.makes(settings{rules: "kalah", start: "creator"})
	fit("the waiting room")
	ben.joins(id)
	ada.until(`document.querySelector("[data-pit='2']").ariaLabel.startsWith("Ta case 3, 4 graines")`)
	ben.until(`document.querySelector("[data-pit='2']").ariaLabel.endsWith("pit 3, 4 seeds.")`)
	fit("the game")

	ada.opens("/settings")
	ada.clicks(choice("language", "en"))
	ada.hears("h1", "Settings")
}

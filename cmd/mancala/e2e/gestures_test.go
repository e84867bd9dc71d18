package e2e

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// clicks clicks an element with the mouse, or taps it on a touch screen. If
// another element covers it, the click does not reach it.
func (p *person) clicks(selector string) {
	p.t.Helper()
	at := p.spot(selector)
	if !p.touch {
		p.do(chromedp.MouseClickXY(at[0], at[1]))
		return
	}
	p.do(chromedp.TapXY(at[0], at[1]))
	for ask[bool](p, "e2e.heldTooLong()") {
		at = p.spot(selector)
		p.do(chromedp.TapXY(at[0], at[1]))
	}
}

// rests waits until a click on the pit that was just played is no longer the end of a double click.
func (p *person) rests() {
	p.t.Helper()
	p.until(fmt.Sprintf("performance.now() > %f", ask[float64](p, "performance.now()")+400))
}

// lies moves the pointer to an element and does not press.
func (p *person) lies(selector string) {
	p.t.Helper()
	at := p.spot(selector)
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
}

// holds presses an element until a condition comes true, then lets go. It uses
// the mouse, or a finger on a touch screen.
func (p *person) holds(selector, until string) {
	p.t.Helper()
	at := p.spot(selector)
	p.touches(at, true)
	p.until(until)
	p.touches(at, false)
}

// touches presses at a place, or lets go there.
func (p *person) touches(at []float64, down bool) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		if p.touch {
			touch := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}}
			if down {
				touch = input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at[0], Y: at[1]}}}
			}
			_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, touch)
			return chromedp.Void{}, err
		}
		mouse := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, X: at[0], Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1}
		if down {
			mouse.Type = input.DispatchMouseEventTypeMousePressed
		}
		_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, mouse)
		return chromedp.Void{}, err
	})
}

// strokes draws a finger sideways from an element.
func (p *person) strokes(selector string, by float64) {
	p.t.Helper()
	at := p.spot(selector)
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for _, touch := range []input.DispatchTouchEventParams{
			{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at[0], Y: at[1]}}},
			{Type: input.DispatchTouchEventTypeTouchMove, TouchPoints: []*input.TouchPoint{{X: at[0] + by/2, Y: at[1]}}},
			{Type: input.DispatchTouchEventTypeTouchMove, TouchPoints: []*input.TouchPoint{{X: at[0] + by, Y: at[1]}}},
			{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
		} {
			if _, err := cdp.Call(ctx, t, input.DispatchTouchEvent, touch); err != nil {
				return chromedp.Void{}, err
			}
		}
		return chromedp.Void{}, nil
	})
}

// spot returns the place to point at for an element.
func (p *person) spot(selector string) []float64 {
	p.t.Helper()
	for range 20 {
		p.until(fmt.Sprintf("e2e.spot(%q)", selector))
		if at := ask[[]float64](p, fmt.Sprintf("e2e.spot(%q) ?? []", selector)); len(at) == 2 {
			return at
		} // it has moved again
	}
	p.t.Fatalf("%s cannot reach %s\n%s", p.name, selector, p.describe())
	return nil
}

// presses clicks an element by script. That is much faster than a pointer, for
// long games.
func (p *person) presses(selector string) {
	p.t.Helper()
	p.until(fmt.Sprintf("e2e.visible(%[1]q) && !document.querySelector(%[1]q).disabled", selector))
	p.hastens(selector)
}

// hastens is presses for an element that may be gone.
func (p *person) hastens(selector string) {
	p.t.Helper()
	ask[bool](p, fmt.Sprintf("(document.querySelector(%q)?.click(), true)", selector))
}

// confirms presses a button that asks for a second press. That must follow within three seconds,
// which a busy machine may miss with a pointer. So a script makes it, or both if the first one has
// lost its effect.
func (p *person) confirms(selector string) {
	p.t.Helper()
	p.presses(selector)
	ask[bool](p, fmt.Sprintf(`((button) => {
		if (!button?.checkVisibility()) return true; // the first press was enough
		const armed = button.classList.contains("armed");
		button.click();
		if (!armed) button.click();
		return true;
	})(document.querySelector(%q))`, selector))
}

// keepsAsking lets the open page keep what it takes back after three seconds, such as the question of a button for a
// second press and the word that a link was copied. A busy machine may come to it later.
func (p *person) keepsAsking() {
	p.t.Helper()
	ask[bool](p, `((real) => (window.setTimeout = (call, ms, ...rest) => (ms === 3_000 ? 0 : real(call, ms, ...rest))) !== null)(setTimeout)`)
}

func (p *person) resigns() {
	p.t.Helper()
	p.confirms(action("resign"))
}

// action returns the selector of the button with this action.
func action(name string) string { return fmt.Sprintf("[data-action=%s]", name) }

// pit returns the selector of a pit's button.
func pit(n int) string { return fmt.Sprintf("[data-pit='%d']", n) }

// types presses keys, one after another.
func (p *person) types(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
}

// keepsDown presses a key and holds it, so that it repeats itself twice.
func (p *person) keepsDown(key string) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		strokes := kb.Encode([]rune(key)[0])
		down, up := strokes[:len(strokes)-1], strokes[len(strokes)-1]
		for repeat := range 3 {
			for _, stroke := range down {
				stroke.AutoRepeat = new(repeat > 0)
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *stroke); err != nil {
					return chromedp.Void{}, err
				}
			}
		}
		_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *up)
		return chromedp.Void{}, err
	})
}

// tabsTo presses Tab until an element that matches has the focus.
func (p *person) tabsTo(selector string) {
	p.t.Helper()
	for range 80 {
		p.types(kb.Tab)
		if ask[bool](p, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			return
		}
	}
	p.t.Fatalf("%s does not come to %s with Tab\n%s", p.name, selector, p.describe())
}

// prefers changes a setting of a person. It opens the home page, so call it
// before opening a game.
func (p *person) prefers(name, value string) {
	p.t.Helper()
	p.opens("/")
	if !ask[bool](p, fmt.Sprintf(`fetch("/api/v1/me/settings", { method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ %q: %q }) }).then((r) => r.ok)`, name, value)) {
		p.t.Fatalf("%s cannot set %s to %s", p.name, name, value)
	}
}

// sets fills in a form field and fires the events that the page's script
// listens for. The test fails if the field does not take the value, as a list without it.
func (p *person) sets(selector, value string) {
	p.t.Helper()
	if !ask[bool](p, fmt.Sprintf(`(() => {
		const field = document.querySelector(%[1]q);
		const was = field.closest("details");
		if (was) was.open = true;
		if (field.matches("fieldset, [type=radio]")) { // a choice among cards
			const choice = field.closest("form").querySelector("[name=" + (field.name || "rules") + "][value='%[2]s']");
			choice.click();
			return choice.checked;
		}
		field.value = %[2]q;
		field.dispatchEvent(new Event("change", { bubbles: true }));
		return field.value === %[2]q;
	})()`, selector, value)) {
		p.t.Fatalf("%s cannot set %s to %q", p.name, selector, value)
	}
}

// draws opens a sheet ("moves", "chat") if the screen is too small to show its
// content all the time.
func (p *person) draws(sheet string) {
	p.t.Helper()
	panel := "#" + sheet + "-panel"
	if ask[bool](p, fmt.Sprintf("e2e.visible(%q)", panel)) {
		return
	}
	opener := fmt.Sprintf(`Array.from(document.querySelectorAll("[popovertarget=%s-panel]")).findIndex((b) => b.checkVisibility())`, sheet)
	p.until(opener + " >= 0")
	ask[bool](p, fmt.Sprintf(`(document.querySelectorAll("[popovertarget=%s-panel]")[%s].click(), true)`, sheet, opener))
	p.sees(panel)
	if sheet == "moves" {
		p.until(movesAtCurrent) // the list scrolls once it is in view, away under a finger that is already there
	}
}

// movesAtCurrent reports whether the list of moves shows the current move in its middle, or as near to it as the list
// can be scrolled.
const movesAtCurrent = `(() => {
	const list = document.querySelector("#moves"), current = list.querySelector("[aria-current]");
	if (!current) return true;
	const from = list.getBoundingClientRect().top + list.clientHeight / 2;
	const want = list.scrollTop + current.getBoundingClientRect().top - from;
	const best = Math.min(list.scrollHeight - list.clientHeight, Math.max(0, want));
	return Math.abs(list.scrollTop - best) < 2;
})()`

// shuts closes the open sheet, if there is one.
func (p *person) shuts() {
	p.t.Helper()
	ask[bool](p, `(document.querySelector(":popover-open")?.hidePopover(), true)`)
}

package e2e

import "testing"

// Clocks are large enough to be read at a glance (UX.md §6).
func TestClocksAreLarge(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := dealAt(t, s, settings{clock: "5+3"}, []screen{small, desktop}, tablet)
	for _, p := range g.all() {
		least, most := 28.0, 36.0
		if p.touch {
			least, most = 22, 22
		}
		size := ask[float64](p, `parseFloat(getComputedStyle(document.querySelector(".clock")).fontSize)`)
		if size < least || size > most {
			t.Errorf("%s's clocks have %v px, want %v to %v", p.name, size, least, most)
		}
		const sign = `(() => {
			const clock = document.querySelector(".clock");
			clock.classList.add("low");
			return getComputedStyle(clock, "::before").content.includes("◷");
		})()`
		if !ask[bool](p, sign) {
			t.Errorf("on %s's screen colour alone tells that little time is left", p.name)
		}
	}
}

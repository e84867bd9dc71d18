package e2e

import (
	"fmt"
	"testing"
)

// Clocks are large enough to be read at a glance. Little time is shown by a sign,
// by weight and by a box, not by a colour alone (UX.md §6).
func TestClocksAreLargeAndLittleTimeHasASign(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := dealAt(t, s, settings{clock: "0.2+0"}, []screen{small, desktop}, tablet)
	g.hurries()
	for _, p := range g.all() {
		least, most := 28.0, 36.0
		if p.touch {
			least, most = 22, 22
		}
		size := ask[float64](p, `parseFloat(getComputedStyle(document.querySelector(".clock")).fontSize)`)
		if size < least || size > most {
			t.Errorf("%s's clocks have %v px, want %v to %v", p.name, size, least, most)
		}
	}
	v := g.shows()
	for !ask[bool](g.seat(v.Snap.Turn), `document.querySelector(".clock.runs") !== null`) { // clocks run once all players have moved
		v = g.ply(v)
	}
	clock := fmt.Sprintf(`document.querySelector("[data-clock='%d']")`, v.Snap.Turn)
	for _, p := range g.all() {
		p.until(clock + `.classList.contains("low")`)
		if !ask[bool](p, fmt.Sprintf(`getComputedStyle(%[1]s, "::before").content.includes("◷") && getComputedStyle(%[1]s).fontWeight >= 700 && getComputedStyle(%[1]s).backgroundColor !== "rgba(0, 0, 0, 0)"`, clock)) {
			t.Errorf("%s's page shows little time by nothing but a colour", p.name)
		}
	}
}

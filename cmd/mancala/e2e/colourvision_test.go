package e2e

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"math"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// signs are the marks on and beside the board that show whose turn it is, which
// pits are legal and what was played. Each has its selector, the property that
// shows it, and the property's value without the sign.
var signs = []struct{ what, selector, property, without string }{
	{"whose turn it is", `.seat.on-turn`, "className", "seat"},
	{"what may be played", `[data-pit][data-legal="1"]:not([data-mark])`, "dataset.legal", "0"},
	{"where the last move began", `[data-pit][data-mark~=from]`, "dataset.mark", "none"},
	{"where the last move ended", `[data-pit][data-mark~=to]`, "dataset.mark", "none"},
	{"who is who", `.seat[data-turn="1"] .mark`, "textContent", "◆"},
}

// Each sign is visible by brightness alone: for every kind of colour vision, in
// every theme, and with forced colours (UX.md §11, Q16).
func TestSignsAreVisibleByBrightnessAlone(t *testing.T) {
	t.Parallel()
	s := serve(t).painted()
	ada, ben := s.person("Ada", phone), s.person("Ben", phone)
	id := ada.makes(settings{rules: "oware", start: "creator"})
	ben.joins(id)
	ada.until(`e2e.board().state === "live"`)
	for _, turn := range []struct {
		p *person
		n int
	}{{ada, 2}, {ben, 7}} {
		turn.p.until(fmt.Sprintf("e2e.legal().includes(%d)", turn.n))
		turn.p.presses(pit(turn.n))
	}
	ada.until(`e2e.board().ply === 2 && e2e.board().anim === "idle" && e2e.legal().length > 0`)
	for _, eyes := range []emulation.SetEmulatedVisionDeficiencyType{
		emulation.SetEmulatedVisionDeficiencyTypeProtanopia,
		emulation.SetEmulatedVisionDeficiencyTypeDeuteranopia,
		emulation.SetEmulatedVisionDeficiencyTypeTritanopia,
		emulation.SetEmulatedVisionDeficiencyTypeAchromatopsia,
	} {
		ada.looksWith(eyes)
		for _, theme := range themes {
			ada.seesSigns(eyes.String(), theme)
		}
	}
	ada.looksWith(emulation.SetEmulatedVisionDeficiencyTypeNone)
	ada.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}},
		})
		return chromedp.Void{}, err
	})
	ada.until(`matchMedia("(forced-colors: active)").matches`)
	ada.seesSigns("forced colours", "")
}

// looksWith simulates a vision deficiency.
func (p *person) looksWith(eyes emulation.SetEmulatedVisionDeficiencyType) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedVisionDeficiency, emulation.SetEmulatedVisionDeficiencyParams{Type: eyes})
		return chromedp.Void{}, err
	})
}

// seesSigns compares pictures of the page with and without each sign.
func (p *person) seesSigns(eyes, theme string) {
	p.t.Helper()
	ask[string](p, fmt.Sprintf("document.documentElement.dataset.theme = %q", theme))
	with := p.picture()
	for _, sign := range signs {
		box, without := p.takesAway(sign.selector, sign.property, sign.without)
		area := image.Rect(int(box[0])-6, int(box[1])-6, int(box[2])+6, int(box[3])+6)
		if n := changed(with, without, area); n < 20 {
			p.t.Errorf("%s, %s: %s is told by %d points in another brightness", eyes, theme, sign.what, n)
		}
	}
}

// takesAway hides a sign and returns a picture of the page without it. If the
// page redraws the sign meanwhile, takesAway tries again.
func (p *person) takesAway(selector, property, without string) (box []float64, picture image.Image) {
	p.t.Helper()
	for range 5 {
		box = ask[[]float64](p, fmt.Sprintf(`(() => {
			const el = document.querySelector(%q), { left, top, right, bottom } = el.getBoundingClientRect();
			[window.el, window.was] = [el, el.%[2]s];
			el.%[2]s = %[3]q;
			return [left, top, right, bottom];
		})()`, selector, property, without))
		picture = p.picture()
		if ask[bool](p, fmt.Sprintf(`(() => { const gone = el.%[1]s === %[2]q; el.%[1]s = was; return gone; })()`, property, without)) {
			return box, picture
		}
	}
	p.t.Fatalf("%s cannot be hidden", selector)
	return nil, nil
}

// shot returns a picture of the window as PNG, after the next painting.
func (p *person) shot() ([]byte, error) {
	p.t.Helper()
	p.needsPaint()
	ask[bool](p, "new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => shown(true))))")
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}

// picture returns a picture of the window, after the next painting.
func (p *person) picture() image.Image {
	p.t.Helper()
	shot, err := p.shot()
	if err != nil {
		p.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		p.t.Fatal(err)
	}
	return picture
}

// changed counts the points whose brightness differs by a factor of at least
// three, the contrast that WCAG requires of signs.
func changed(a, b image.Image, area image.Rectangle) int {
	area = area.Intersect(a.Bounds())
	n := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			one, other := brightness(a, x, y), brightness(b, x, y)
			if (math.Max(one, other)+0.05)/(math.Min(one, other)+0.05) >= 3 {
				n++
			}
		}
	}
	return n
}

// brightness returns the relative luminance of WCAG.
func brightness(picture image.Image, x, y int) float64 {
	r, g, b, _ := picture.At(x, y).RGBA()
	linear := func(v uint32) float64 {
		c := float64(v) / 0xffff
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

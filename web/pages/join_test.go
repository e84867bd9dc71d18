package pages

import (
	"regexp"
	"strings"
	"testing"

	"rsc.io/qr"
)

// The picture in the page has exactly the black modules of the code.
func TestPictureHasTheModulesOfTheCode(t *testing.T) {
	const link = "https://play.example/k3v9qa2mx1"
	svg, err := qrCode(link, `a "name"`)
	if err != nil {
		t.Fatal(err)
	}
	want, err := qr.Encode(link, qr.M)
	if err != nil {
		t.Fatal(err)
	}
	black := 0
	for y := range want.Size {
		for x := range want.Size {
			if want.Black(x, y) {
				black++
			}
		}
	}
	for _, run := range regexp.MustCompile(`h(\d+)v1h`).FindAllStringSubmatch(string(svg), -1) {
		n := 0
		for _, d := range run[1] {
			n = 10*n + int(d-'0')
		}
		black -= n
	}
	if black != 0 {
		t.Errorf("%d modules are missing", black)
	}
	if !strings.Contains(string(svg), `role="img" aria-label="a &#34;name&#34;"`) || strings.Contains(string(svg), "style=") {
		t.Errorf("%.200s", svg)
	}
	if size := qrPixels(want.Size + 8); size < 200 || size%(want.Size+8) != 0 {
		t.Errorf("%d pixels for %d modules", size, want.Size+8)
	}
	if _, err := qrCode(strings.Repeat("x", 5000), ""); err == nil {
		t.Error("a text that is too long has a code")
	}
}

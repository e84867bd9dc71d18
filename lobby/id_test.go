package lobby

import (
	"strings"
	"testing"
)

func TestRoomIDsAreDifferent(t *testing.T) {
	seen := map[string]bool{}
	used := map[rune]int{}
	for range 5000 {
		id := NewRoomID()
		if !ValidRoomID(id) || seen[id] {
			t.Fatalf("made %q, invalid or for the second time", id)
		}
		seen[id] = true
		for _, c := range id {
			used[c]++
		}
	}
	for _, c := range roomAlphabet {
		if used[c] < 1000 || used[c] > 3000 { // 1613 on average; digits slightly more often
			t.Errorf("%q was used %d times in 50000", c, used[c])
		}
	}
}

func TestRoomIDsAreChecked(t *testing.T) {
	for id, want := range map[string]bool{
		"k3v9qa2mxy":   true,
		"22222222aa":   true,
		"aaaaaaaaa2":   true,
		"":             false,
		"k3v9qa2mx":    false, // 9
		"k3v9qa2mxyz":  false, // 11
		"abcdefghjk":   false, // no digit
		"k3v9qa2mx1":   false, // 1
		"k3v9qa2mx0":   false,
		"k3v9qa2mxo":   false,
		"k3v9qa2mxl":   false,
		"k3v9qa2mxi":   false,
		"K3V9QA2MXY":   false,
		"k3v9qa2m/y":   false,
		"k3v9qa2mx\n":  false,
		"k3v9qa2mé":    false,
		"../../../2aa": false,
	} {
		if got := ValidRoomID(id); got != want {
			t.Errorf("ValidRoomID(%q) is %t", id, got)
		}
	}
}

func TestPlayerIDsAreMadeAndRecognised(t *testing.T) {
	for range 1000 {
		if id := newPlayerID(); !ValidPlayerID(id) || ValidRoomID(id) {
			t.Fatalf("made %q", id)
		}
	}
	for _, id := range []string{"", "p", "pabcdefghijk", "pabcdefghijklm", "qabcdefghijkl", "pabcdefghijk1", "pABCDEFGHIJKL", "pabcdefghij.l"} {
		if ValidPlayerID(id) {
			t.Errorf("%q is taken for a player", id)
		}
	}
}

func FuzzRoomID(f *testing.F) {
	f.Add("k3v9qa2mxy")
	f.Add("newgame123")
	f.Fuzz(func(t *testing.T, id string) {
		if ValidRoomID(id) && (len(id) != 10 || strings.ContainsAny(id, "01ilo/.?#% ") || !strings.ContainsAny(id, "23456789")) {
			t.Errorf("%q is taken for a room", id)
		}
	})
}

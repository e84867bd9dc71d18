package lobby

import (
	"fmt"
	"testing"
)

func TestDerivedRoomIDsAreStable(t *testing.T) {
	seen := map[string]bool{}
	for i := range 2000 {
		id := DerivedRoomID("rematch", fmt.Sprint(i))
		if !ValidRoomID(id) || seen[id] || id != DerivedRoomID("rematch", fmt.Sprint(i)) {
			t.Fatalf("%d gives %q: invalid, another's, or not the same again", i, id)
		}
		seen[id] = true
	}
	// A release that derived other IDs would make a second rematch of one game.
	if got := DerivedRoomID("rematch", "k3v9qa2mxy"); got != "xcdf7e2pfc" {
		t.Errorf("the rematch of k3v9qa2mxy is %q", got)
	}
}

package lobby

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestInvitationCodesLeadToRooms(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		v := l.Invitations
		invite := func(room string) string {
			t.Helper()
			code, err := v.Invite(t.Context(), room, c.now().Add(time.Hour))
			if err != nil || len(code) != codeLen || !only(code, codeAlphabet) {
				t.Fatalf("the code of %s is %q, %v", room, code, err)
			}
			return code
		}
		leads := func(code, want string) {
			t.Helper()
			if room, err := v.Find(t.Context(), code); err != nil || room != want {
				t.Errorf("%.20q leads to %q, %v; want %q", code, room, err, want)
			}
		}
		a, b := invite("ra"), invite("rb")
		if a == b || invite("ra") != a {
			t.Errorf("codes %s and %s, then %s", a, b, invite("ra"))
		}
		leads(a, "ra")
		leads(b, "rb")
		leads(" "+strings.ToLower(a[:3])+" - "+a[3:]+" ", "ra")
		for _, wrong := range []string{"", "ABC", a + "A", a[:5] + "0", a[:5] + "%", strings.Repeat("A", 1<<20), "' OR 1=1", "ÄÖÜ"} {
			leads(wrong, "")
		}
		again := openLobby(t, db, c, Options{})
		if code, err := again.Invitations.Code(t.Context(), "rb"); err != nil || code != b {
			t.Errorf("a second lobby knows %q, %v", code, err)
		}

		c.advance(time.Hour)
		leads(a, "")
		if code, err := v.Code(t.Context(), "ra"); code != "" || err != nil {
			t.Errorf("what is over has the code %q, %v", code, err)
		}
		if next := invite("ra"); next == a {
			t.Error("an old code came again at once")
		}
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left int
		if err := db.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM invitations").Scan(&left); err != nil || left != 1 {
			t.Errorf("%d codes are left, %v; want the one that is still good", left, err)
		}
	})
}

// Invite draws codes until one is free.
func TestInvitationCodesAreDrawnUntilOneIsFree(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		seen := map[string]bool{}
		for i := range 200 {
			code, err := l.Invitations.Invite(t.Context(), fmt.Sprint(i), l.Invitations.now().Add(time.Hour))
			if err != nil || seen[code] {
				t.Fatalf("%s after %d codes, %v", code, i, err)
			}
			seen[code] = true
		}
	})
}

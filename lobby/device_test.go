package lobby

import (
	"strings"
	"testing"
	"time"
)

func TestDeviceTokenIsGoodUntilItsKeyExpiresAndCannotBeForged(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		other := openLobby(t, db, c, Options{}).Tokens
		ada, ben := l.mustGuest(t).ID, l.mustGuest(t).ID
		want := Device{Player: ada, ID: "abcdefghijklmnopqrstuvwxyz", Since: 1700000000000}
		token, err := l.Tokens.SignDevice(want)
		if err != nil {
			t.Fatal(err)
		}
		if len(token) > maxToken {
			t.Errorf("the token has %d bytes, which is more than %d", len(token), maxToken)
		}
		if got, ok := other.VerifyDevice(token); !ok || got != want {
			t.Errorf("another instance reads %+v, %t", got, ok)
		}
		if _, _, ok := l.Tokens.Verify(token); ok {
			t.Error("the token of a device is the token of a player")
		}
		session, err := l.Tokens.SignSession(ada, "sabc")
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(token, ".")
		made := func(i int, with string) string {
			p := append([]string{}, parts...)
			p[i] = with
			return strings.Join(p, ".")
		}
		for _, forged := range []string{
			"", ".....", session, l.Tokens.mustSign(t, ada), made(0, "2"), made(1, "2"), made(1, "01"), made(1, "x"), made(2, ben), made(2, ""), made(3, "b"), made(3, ""),
			made(3, "A"), made(4, "0"), made(4, "01700000000000"), made(4, "+1700000000000"), made(4, "-1"), made(5, ""), made(5, parts[5]+"A"),
			token + ".", token + " ", " " + token, strings.ToUpper(token), token[:len(token)-1], strings.Repeat(token, 100),
		} {
			if d, ok := l.Tokens.VerifyDevice(forged); ok {
				t.Errorf("%.200q is taken for %+v", forged, d)
			}
		}
		for _, d := range []Device{{"", "a", 0}, {ada, "", 0}, {ada, "a.b", 0}, {ada, "A", 0}, {ada, "a", -1}} {
			if token, err := l.Tokens.SignDevice(d); err == nil {
				t.Errorf("%+v was signed: %s", d, token)
			}
		}
		for _, days := range []int{89, 1, 399} { // a key signs for 90 days, and its tokens are valid for 400 more
			c.advance(time.Duration(days) * 24 * time.Hour)
			if err := l.Tokens.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if _, ok := l.Tokens.VerifyDevice(token); !ok {
			t.Error("the token was not good for as long as its key")
		}
		c.advance(48 * time.Hour)
		if _, ok := l.Tokens.VerifyDevice(token); ok {
			t.Error("the token outlived its key")
		}
	})
}

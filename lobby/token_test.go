package lobby

import (
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	anyPlayer = "pabcdefghijkl"
	session   = "sabcdefghijklmnopqrstuvwxyz"
)

func (t *Tokens) mustSign(tb testing.TB, player string) string {
	tb.Helper()
	token, err := t.Sign(player)
	if err != nil {
		tb.Fatal(err)
	}
	return token
}

func TestTokenIsVerifiedByEveryInstance(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		tokens := openLobby(t, db, c, Options{}).Tokens
		token := tokens.mustSign(t, anyPlayer)
		if got, _, ok := tokens.Verify(token); got != anyPlayer || !ok || tokens.Stale(token) {
			t.Fatalf("Verify(%q) = %q, %t", token, got, ok)
		}
		if len(token) > maxToken || strings.ContainsAny(token, " \",;\\") {
			t.Errorf("%q does not go into a cookie", token)
		}
		other := openLobby(t, db, c, Options{}).Tokens
		if got, _, ok := other.Verify(token); got != anyPlayer || !ok {
			t.Errorf("another instance: %q, %t", got, ok)
		}
		foreign := openLobby(t, openMemory(t), c, Options{}).Tokens
		if got, _, ok := foreign.Verify(token); ok {
			t.Errorf("another service takes it for %q", got)
		}
		if token, err := tokens.Sign("p1.x"); err == nil {
			t.Errorf("signed what is no player: %q", token)
		}
	})
}

// A session's token is valid for that session and that player only.
func TestTokenOfASessionIsForThatSessionOnly(t *testing.T) {
	tokens := openLobby(t, openMemory(t), newClock(), Options{}).Tokens
	token, err := tokens.SignSession(anyPlayer, session)
	if err != nil {
		t.Fatal(err)
	}
	if player, got, ok := tokens.Verify(token); player != anyPlayer || got != session || !ok {
		t.Errorf("Verify(%q) = %q, %q, %t", token, player, got, ok)
	}
	if len(token) > maxToken || strings.ContainsAny(token, " \",;\\") {
		t.Errorf("%q does not go into a cookie", token)
	}
	if player, got, ok := tokens.Verify(tokens.mustSign(t, anyPlayer)); player != anyPlayer || got != "" || !ok {
		t.Errorf("a guest is %q, %q, %t", player, got, ok)
	}
	if token, err := tokens.SignSession(anyPlayer, "s.x"); err == nil {
		t.Errorf("signed what is no session: %q", token)
	}
}

// TestForgedTokensAreRefused changes valid tokens in every way that is one step away.
func TestForgedTokensAreRefused(t *testing.T) {
	tokens := openLobby(t, openMemory(t), newClock(), Options{}).Tokens
	guest := tokens.mustSign(t, anyPlayer)
	signedIn, err := tokens.SignSession(anyPlayer, session)
	if err != nil {
		t.Fatal(err)
	}
	signature := guest[strings.LastIndexByte(guest, '.'):]
	forged := []string{
		"", ".", "...", "1", "1.1", "1.1." + anyPlayer, "1.1." + anyPlayer + ".",
		strings.Replace(signedIn, "."+session, "", 1), strings.Replace(signedIn, session, "", 1), strings.Replace(signedIn, "2.", "1.", 1),
		"2.1." + anyPlayer + "." + session + signature, "2.1." + anyPlayer + "." + signature, "2.1." + anyPlayer + signature,
	}
	for _, good := range []string{guest, signedIn} {
		v := good[:2]
		forged = append(forged,
			strings.Replace(good, v, "3.", 1), strings.Replace(good, v+"1.", v+"2.", 1), strings.Replace(good, v+"1.", v+"01.", 1),
			strings.Replace(good, v+"1.", v+"+1.", 1), strings.Replace(good, v+"1.", v+"99999999999999999999.", 1),
			strings.Replace(good, v+"1.", v+"-1.", 1), strings.Replace(good, "l.", "m.", 1), strings.Replace(good, "l.", ".", 1),
			good+"=", good+".", good+"A", " "+good, good+"\n", strings.ToUpper(good),
			strings.Repeat(v, 1<<20), good+strings.Repeat("A", 1<<20),
		)
		for i := range len(good) {
			for bit := range 8 {
				b := []byte(good)
				b[i] ^= 1 << bit
				forged = append(forged, string(b))
			}
			forged = append(forged, good[:i], good[i+1:], good[:i]+good[i+1:])
		}
	}
	for _, f := range forged {
		if got, _, ok := tokens.Verify(f); ok || got != "" || tokens.Stale(f) {
			t.Errorf("Verify(%.80q) = %q, %t", f, got, ok)
		}
	}
}

func TestTokenKeysAreRenewed(t *testing.T) {
	const day = 24 * time.Hour
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		opt := Options{KeyEvery: 90 * day, TokenLife: 400 * day}
		tokens := openLobby(t, db, c, opt).Tokens
		other := openLobby(t, db, c, opt).Tokens
		at := func(d time.Duration) {
			c.advance(time.UnixMilli(newClock().ms.Load()).Add(d).Sub(c.now()))
			if err := tokens.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		check := func(name, token string, good, stale bool) {
			t.Helper()
			if player, _, ok := tokens.Verify(token); ok != good || ok != (player == anyPlayer) {
				t.Errorf("%s: good %t, want %t", name, ok, good)
			}
			if got := tokens.Stale(token); got != stale {
				t.Errorf("%s: stale %t, want %t", name, got, stale)
			}
		}
		first := tokens.mustSign(t, anyPlayer)
		at(88 * day)
		if tokens.mustSign(t, anyPlayer) != first {
			t.Error("the key has changed after 88 days")
		}
		at(89 * day) // the second key exists but does not sign yet
		if tokens.mustSign(t, anyPlayer) != first {
			t.Error("the key was used before others could know it")
		}
		at(90*day - time.Minute)
		if err := other.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		at(90 * day)
		second := tokens.mustSign(t, anyPlayer)
		if second == first || !strings.HasPrefix(second, "1.2.") {
			t.Errorf("after 90 days a token is %q", second)
		}
		check("first", first, true, true)
		check("second", second, true, false)
		if _, _, ok := other.Verify(second); !ok {
			t.Error("an instance that refreshed before the change does not know the new key")
		}
		at(489 * day) // no refresh for a long time: the second key is replaced late
		check("first, last day", first, true, true)
		check("second, with nothing newer", second, true, false)
		at(490 * day)
		check("first, over", first, false, false)
		check("second, when the third has started", second, true, true)
		at(890*day - time.Minute)
		check("second, last minute", second, true, true)
		at(890 * day)
		check("second, over", second, false, false)
		if n := len(*tokens.keys.Load()); n != 2 { // the third key, and the fourth, which does not sign yet
			t.Errorf("%d keys are kept, want 2", n)
		}
	})
}

// TestInstancesAgreeOnOneTokenKey proves that instances that start at the same time agree on one
// key.
func TestInstancesAgreeOnOneTokenKey(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		if err := db.Migrate(t.Context(), "lobby", schema); err != nil {
			t.Fatal(err)
		}
		c := newClock()
		all := make([]*Tokens, 8)
		var wg sync.WaitGroup
		for i := range all {
			wg.Go(func() {
				l, err := Open(t.Context(), db, Options{now: c.now})
				if err != nil {
					t.Error(err)
					return
				}
				all[i] = l.Tokens
			})
		}
		wg.Wait()
		if t.Failed() {
			return
		}
		for i, a := range all {
			token := a.mustSign(t, anyPlayer)
			for k, b := range all {
				if _, _, ok := b.Verify(token); !ok {
					t.Errorf("instance %d does not know the key of instance %d", k, i)
				}
			}
		}
	})
}

func TestBrokenTokenKeyIsAnError(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		err := db.Write(t.Context(), func(tx Tx) error {
			_, err := tx.Exec("UPDATE token_keys SET secret = 'no'")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		token := l.Tokens.mustSign(t, anyPlayer)
		if err := l.Tokens.Refresh(t.Context()); err == nil {
			t.Error("a broken key was accepted")
		}
		if _, _, ok := l.Tokens.Verify(token); !ok {
			t.Error("after a refresh that failed the keys are gone")
		}
	})
}

// TestTokensAreVerifiedWhileKeysChange signs and verifies tokens while keys change.
func TestTokensAreVerifiedWhileKeysChange(t *testing.T) {
	c := newClock()
	tokens := openLobby(t, openMemory(t), c, Options{}).Tokens
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				token, err := tokens.Sign(anyPlayer)
				if _, _, ok := tokens.Verify(token); !ok || err != nil {
					t.Errorf("Verify(%q): %t, %v", token, ok, err)
					return
				}
			}
		})
	}
	for range 20 {
		c.advance(10 * 24 * time.Hour)
		if err := tokens.Refresh(t.Context()); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
}

// FuzzToken: a token that is accepted is the one that its key signs for its player and
// session.
func FuzzToken(f *testing.F) {
	tokens := openLobby(f, openMemory(f), newClock(), Options{}).Tokens
	good := tokens.mustSign(f, anyPlayer)
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add("2.1." + anyPlayer + "." + session + good[len("1.1."+anyPlayer):])
	f.Add("1.1." + anyPlayer + ".")
	f.Add("1.2." + anyPlayer + strings.TrimPrefix(good, "1.1."+anyPlayer))
	f.Fuzz(func(t *testing.T, token string) {
		player, session, ok := tokens.Verify(token)
		if !ok {
			if player != "" || session != "" {
				t.Errorf("%q is refused and yet of %q, %q", token, player, session)
			}
			return
		}
		if signed, err := tokens.SignSession(player, session); signed != token || err != nil {
			t.Errorf("%q is taken for a token of %q, %q", token, player, session)
		}
	})
}

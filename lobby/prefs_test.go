package lobby

import (
	"maps"
	"strings"
	"sync"
	"testing"
)

func TestPreferencesAreReadBack(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		p, other := l.mustGuest(t), l.mustGuest(t)
		set := func(change, want Prefs) {
			t.Helper()
			got, err := l.People.SetPrefs(t.Context(), p.ID, change)
			if err != nil || !maps.Equal(got, want) {
				t.Errorf("%v: got %v, %v; want %v", change, got, err, want)
			}
		}
		set(Prefs{"theme": "dark", "volume": "0"}, Prefs{"theme": "dark", "volume": "0"})
		set(Prefs{"speed": "slow"}, Prefs{"theme": "dark", "volume": "0", "speed": "slow"})
		set(Prefs{"theme": "system"}, Prefs{"theme": "system", "volume": "0", "speed": "slow"})
		if got, err := l.People.Prefs(t.Context(), p.ID); err != nil || !maps.Equal(got, Prefs{"volume": "0", "speed": "slow"}) {
			t.Errorf("read back %v, %v", got, err)
		}
		for _, stranger := range []string{other.ID, "nobody", ""} {
			if got, err := l.People.Prefs(t.Context(), stranger); err != nil || len(got) != 0 {
				t.Errorf("the settings of %q are %v, %v", stranger, got, err)
			}
		}
		if _, err := l.People.SetPrefs(t.Context(), "nobody", Prefs{"theme": "dark"}); codeOf(err) != CodeNoPlayer {
			t.Errorf("a stranger's settings: %v, want %s", err, CodeNoPlayer)
		}
	})
}

func TestInvalidPreferencesAreRefused(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		p := l.mustGuest(t)
		for _, bad := range []Prefs{
			{"colour": "dark"}, {"": ""}, {"theme": ""}, {"theme": "Dark"}, {"theme": "dark speed=slow"}, {"theme": "\"><script>"},
			{"volume": "101"}, {"volume": "-1"}, {"volume": "+5"}, {"volume": "05"}, {"volume": "1e1"}, {"volume": ""},
			{"volume": "99999999999999999999"}, {"theme": "dark", "speed": "warp"}, {strings.Repeat("a", 1<<16): "on"},
		} {
			if _, err := l.People.SetPrefs(t.Context(), p.ID, bad); codeOf(err) != CodePref {
				t.Errorf("%.80v: %v, want %s", bad, err, CodePref)
			}
		}
		if got, err := l.People.Prefs(t.Context(), p.ID); err != nil || len(got) != 0 {
			t.Errorf("afterwards: %v, %v", got, err)
		}
	})
}

// Stored settings may have names and values that this release does not know.
func TestUnknownStoredPreferencesAreIgnored(t *testing.T) {
	for text, want := range map[string]Prefs{
		"":                               {},
		"theme=dark":                     {"theme": "dark"},
		"theme=sepia speed=slow font=xl": {"speed": "slow"},
		"theme speed= =x volume=abc":     {},
	} {
		if got := readPrefs(text); !maps.Equal(got, want) {
			t.Errorf("%q is read as %v, want %v", text, got, want)
		}
	}
	for _, pref := range AllPrefs {
		if !pref.allows(pref.Usual) {
			t.Errorf("the usual value of %s is none of its values", pref.Name)
		}
	}
}

// Two tabs change two settings at once, and neither reverts the other's change.
func TestConcurrentChangesOfPreferencesAreBothKept(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		p := l.mustGuest(t)
		want := Prefs{"theme": "wood", "speed": "fast", "keys": "off", "volume": "7", "kids": "on"}
		var tabs sync.WaitGroup
		for name, value := range want {
			tabs.Go(func() {
				if _, err := l.People.SetPrefs(t.Context(), p.ID, Prefs{name: value}); err != nil {
					t.Error(err)
				}
			})
		}
		tabs.Wait()
		if got, err := l.People.Prefs(t.Context(), p.ID); err != nil || !maps.Equal(got, want) {
			t.Errorf("got %v, %v; want %v", got, err, want)
		}
	})
}

package lobby

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestWordsOfFriendlyNamesDiffer(t *testing.T) {
	word := regexp.MustCompile(`^[A-Z][a-z]{1,10}$`)
	for name, words := range map[string][]string{"adjectives": adjectives, "nouns": nouns} {
		if len(words) < 60 {
			t.Errorf("%d %s, want 60", len(words), name)
		}
		if got := len(slices.Compact(slices.Sorted(slices.Values(words)))); got != len(words) {
			t.Errorf("%s: only %d of %d are different", name, got, len(words))
		}
		for _, w := range words {
			if !word.MatchString(w) {
				t.Errorf("%s: %q is not a word like Quiet", name, w)
			}
		}
	}
}

// TestFriendlyNamesCannotBeMisread checks every possible name as a reader may misread it or
// a chat may show it: in lower case, with and without the space.
func TestFriendlyNamesCannotBeMisread(t *testing.T) {
	rude := strings.Fields(`
		ass arse anal anus bum butt tit boob nud naked sex cum jizz semen dick dik cock cok
		penis willy cunt kunt twat puss vag clit fanny fuck fuk fick shit crap poo pee piss turd
		fart nig neg coon spic wog jap paki chink gook kike gyp fag gay homo dyke lesb tran slut
		whor hoe hore pimp rape rapist porn perv pedo incest hell damn satan devil nazi hitler
		ss$ kill die dead death blood gun bomb hate drug weed meth coke heroin beer wine drunk
		fat ugly stupid dumb idiot moron lame mad$ crazy retard spast pig cow dog rat$ ape$
		monkey slave whip`)
	for _, a := range adjectives {
		for _, n := range nouns {
			name := a + " " + n
			for _, s := range []string{strings.ToLower(name), strings.ToLower(a + n)} {
				for _, bad := range rude { // $ marks the end
					if strings.Contains(s+"$", bad) {
						t.Errorf("%q has %q in it", name, bad)
					}
				}
			}
			if got, err := CleanName(name); err != nil || got != name {
				t.Errorf("%q is no name that a player could have: %q, %v", name, got, err)
			}
		}
	}
}

func TestFriendlyNamesAreDifferent(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		seen[FriendlyName()] = true
	}
	if len(seen) < 150 {
		t.Errorf("200 guests share %d names", len(seen))
	}
}

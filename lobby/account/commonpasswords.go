package account

import (
	"slices"
	"strings"
	"unicode"
)

// commonWords are words that many passwords are made of. Rules decide which passwords
// are common, rather than a list of millions: one or two of these words (or the player's
// name) with some digits, keys that are neighbours, or one part repeated.
var commonWords = sorted(`password passwort passphrase secret geheim login admin administrator root user guest test welcome willkommen
	hello hallo letmein access master superman batman spiderman pokemon starwars minecraft fortnite football fussball soccer baseball
	basketball hockey liverpool chelsea arsenal barcelona monkey dragon tiger sunshine princess prince flower butterfly
	iloveyou lovely love summer winter spring autumn sommer january december monday friday computer internet google facebook
	samsung iphone android windows freedom whatever trustno jordan michael jennifer jessica daniel thomas charlie george
	changeme default qwerty qwertz azerty asdf zxcv abc mancala kalah oware awari bantumi mypass pass word the my is it and`)

func sorted(words string) []string {
	list := strings.Fields(words)
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) }) // the longest first
	return list
}

// common reports whether a password is one of the first that an attacker would try for
// the player of this name.
func common(password, name string) bool {
	s := strings.ToLower(password)
	return few(s) || walks(s) || repeats(s) || words(s, name) || words(unmasked(s), name)
}

// few reports whether s has fewer than five different characters.
func few(s string) bool {
	seen := map[rune]bool{}
	for _, r := range s {
		seen[r] = true
	}
	return len(seen) < 5
}

// rows are keys that are next to one another.
var rows = []string{"1234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "1qaz2wsx3edc4rfv5tgb6yhn7ujm"}

// walks reports whether most characters of s follow the one before in the alphabet or on
// a keyboard.
func walks(s string) bool {
	rs := []rune(s)
	steps := 0
	for i, r := range rs[1:] {
		near := r-rs[i] >= -1 && r-rs[i] <= 1
		for _, row := range rows {
			pair := string(rs[i : i+2])
			near = near || strings.Contains(row, pair) || strings.Contains(row, string([]rune{r, rs[i]}))
		}
		if near {
			steps++
		}
	}
	return 4*steps >= 3*(len(rs)-1)
}

// repeats reports whether s is one part, repeated.
func repeats(s string) bool {
	for n := 1; n <= len(s)/2; n++ {
		if strings.HasPrefix(strings.Repeat(s[:n], len(s)/n+1), s) {
			return true
		}
	}
	return false
}

// words reports whether s is made of at most two common words and few other letters.
func words(s, name string) bool {
	list := commonWords
	if own := letters(strings.ToLower(name)); len(own) >= 3 {
		list = append([]string{own}, list...)
	}
	s = letters(s)
	found := 0
	for _, w := range list {
		n := strings.Count(s, w)
		found += n
		s = strings.ReplaceAll(s, w, "")
	}
	return found <= 2 && len([]rune(s)) < 4
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, s)
}

// unmasked reads "p4$$w0rd" as "password". It removes digits at the ends.
func unmasked(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("@$", r) })
	return strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i").Replace(s)
}

package learn

import (
	"regexp"
	"slices"
	"strings"
)

// A Vocabulary is the words that the players of a system use, in their own language.
type Vocabulary struct {
	Lang  string // a BCP 47 tag
	Words []PlayersWord
}

// A PlayersWord is a word and what we call the same thing: the text "learn.term." and Term.
type PlayersWord struct {
	Word, Term string
}

// replaced are the terms for which the rules can be told in the words of the players. The longer
// ones come first: a claimed pit is a pit.
var replaced = []string{"claimed", "house", "pit", "store", "seed"}

// vocabularies are the words by system. Sources: engine/RULES.md §8.11 and, for both kinds of
// Bao, engine/RULES.md §8.23; for Omweso the dictionary of the Mancala World wiki; for Sungka the descriptions of its
// board by Philippine writers.
var vocabularies = map[string]Vocabulary{
	"toguz-kumalak": {"kk-Latn", []PlayersWord{{"otau", "pit"}, {"kazan", "store"}, {"kumalak", "seed"}, {"tuzdyk", "claimed"}}},
	"bestemshe":     {"kk-Latn", []PlayersWord{{"otau", "pit"}, {"kazan", "store"}, {"kumalak", "seed"}}},
	"bao": {"sw", []PlayersWord{
		{"kete", "seed"}, {"nyumba", "house"}, {"kichwa", "head"}, {"kimbi", "flank"}, {"namua", "entry"}, {"mtaji", "later"},
		{"takata", "blank"}, {"safari", "house-sown"}, {"takasia", "block"},
	}},
	"bao-kujifunza": {"sw", []PlayersWord{{"kete", "seed"}, {"kichwa", "head"}, {"kimbi", "flank"}, {"takata", "blank"}}},
	"omweso":        {"lg", []PlayersWord{{"essa", "pit"}, {"empiki", "seed"}, {"okutebuka", "reverse"}}},
	"sungka":        {"fil", []PlayersWord{{"bahay", "pit"}, {"ulo", "store"}, {"sigay", "seed"}}},
}

// Players returns the words of a system's players. It is empty if we know none.
func Players(system string) Vocabulary { return vocabularies[system] }

// Retells reports whether [Vocabulary.Retell] knows the articles of a language. In others a foreign word
// in the place of ours would break the grammar.
func Retells(lang string) bool { return lang == "en" || lang == "fr" }

// Retell returns sections with the words of the players in the place of ours. The players' words have
// no plural here, since ours would be a wrong one.
func (v Vocabulary) Retell(sections []Section, text Text) []Section {
	var ours []string
	theirs := map[string]string{}
	for _, term := range replaced {
		i := slices.IndexFunc(v.Words, func(w PlayersWord) bool { return w.Term == term })
		if i < 0 {
			continue
		}
		for _, n := range []int{2, 1} {
			form := text("learn.term."+term, "n", n)
			ours = append(ours, regexp.QuoteMeta(form))
			theirs[form] = v.Words[i].Word
		}
	}
	terms := regexp.MustCompile(`(?i)\b(an? |la |de )?(` + strings.Join(ours, "|") + `)\b`)
	replace := func(sentence string) string {
		return terms.ReplaceAllStringFunc(sentence, func(found string) string {
			before, form := "", found
			if first, rest, ok := strings.Cut(found, " "); ok && theirs[strings.ToLower(found)] == "" {
				before, form = first, rest
			}
			word := theirs[strings.ToLower(form)]
			if before != "" {
				return fitting(before, word) + word
			}
			if form[:1] != strings.ToLower(form[:1]) { // at the beginning of a sentence
				word = strings.ToUpper(word[:1]) + word[1:]
			}
			return word
		})
	}
	told := slices.Clone(sections)
	for i := range told {
		told[i].Text = slices.Clone(told[i].Text)
		for k := range told[i].Text {
			told[i].Text[k] = replace(told[i].Text[k])
		}
	}
	return told
}

// fitting returns an English article, or "la" or "de" in French, in its form before a word.
func fitting(before, word string) string {
	vowel := strings.ContainsAny(word[:1], "aeiou")
	switch strings.ToLower(before) {
	case "a", "an":
		if vowel {
			return before[:1] + "n "
		}
		return before[:1] + " "
	default:
		if vowel {
			return before[:1] + "’"
		}
		return before + " "
	}
}

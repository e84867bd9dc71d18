package learn

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// vocabularies are the words by system. Their sources:
//
//   - Toguz kumalak, Bestemshe: engine/RULES.md §8.11. Both kinds of Bao: engine/RULES.md §8.23, the rules of the
//     K.I.B.A. club in Swahili (shimo; kete za mikononi for the seeds in hand) and the Bao dictionary of the
//     Mancala World wiki (hamna).
//   - Omweso, Songo, Hus: the dictionaries of that wiki. Those of Songo follow S. Mbarga Owona (2005), those of
//     Hus follow Schultze (1907) and Schmidt (1974). The word omugoba was named to us as a term of Omweso. None of
//     our sources has it as one. In Luganda it is the ordinary word for a driver, and the glossary says no more.
//   - Kalah: W. J. Champion named the game after its store. The Egyptian games: seed 003, after Lane. Sungka: the
//     descriptions of its board by Philippine writers.
//   - Mangala: Turkish descriptions of the game of today. Congkak: Malaysian ones. Pallanguzhi: the India Board
//     Games Archive. Ayoayo: Yoruba writers. Maruba: the Open University’s course for teachers in Africa.
var vocabularies = map[string]Vocabulary{
	"kalah":         {"en", []PlayersWord{{"kalah", "store"}}},
	"maruba":        {"nso", []PlayersWord{{"mokoti", "pit"}, {"mathlapa", "seed"}}},
	"ignorant":      {"arz-Latn", []PlayersWord{{"beyt", "pit"}, {"hasweh", "seed"}}},
	"wise":          {"arz-Latn", []PlayersWord{{"beyt", "pit"}, {"hasweh", "seed"}}},
	"toguz-kumalak": {"kk-Latn", []PlayersWord{{"otau", "pit"}, {"kazan", "store"}, {"kumalak", "seed"}, {"tuzdyk", "claimed"}}},
	"bestemshe":     {"kk-Latn", []PlayersWord{{"otau", "pit"}, {"kazan", "store"}, {"kumalak", "seed"}}},
	"mangala":       {"tr", []PlayersWord{{"kuyu", "pit"}, {"hazine", "store"}, {"taş", "seed"}}},
	"congkak":       {"ms", []PlayersWord{{"kampung", "pit"}, {"rumah", "store"}, {"buah", "seed"}}},
	"sungka":        {"fil", []PlayersWord{{"bahay", "pit"}, {"ulo", "store"}, {"sigay", "seed"}}},
	"pallanguzhi":   {"ta-Latn", []PlayersWord{{"kuzhi", "pit"}, {"pasu", "four"}}},
	"songo": {"fan", []PlayersWord{
		{"nda", "pit"}, {"mbaň", "seed"}, {"abo", "first"}, {"nlô", "last"}, {"abôm", "long"}, {"nti", "master"},
	}},
	"ayoayo": {"yo", []PlayersWord{{"ayò", "seed"}, {"ọ̀ta", "master"}}},
	"hus":    {"naq", []PlayersWord{{"ǁhūs", "pit"}, {"gomate", "seed"}}},
	"omweso": {"lg", []PlayersWord{{"essa", "pit"}, {"empiki", "seed"}, {"okutebuka", "reverse"}, {"omugoba", "driver"}}},
	"bao": {"sw", []PlayersWord{
		{"shimo", "pit"}, {"kete", "seed"}, {"mkononi", "hand"}, {"nyumba", "house"}, {"kichwa", "head"}, {"kimbi", "flank"},
		{"namua", "entry"}, {"mtaji", "later"}, {"takata", "blank"}, {"safari", "house-sown"}, {"takasia", "block"}, {"hamna", "row-empty"},
	}},
	"bao-kujifunza": {"sw", []PlayersWord{
		{"shimo", "pit"}, {"kete", "seed"}, {"kichwa", "head"}, {"kimbi", "flank"}, {"takata", "blank"}, {"hamna", "row-empty"},
	}},
}

// Players returns the words of a system's players. It is empty if we know none.
func Players(system string) Vocabulary { return vocabularies[system] }

// Language returns the language of the words without their script, as the texts "learn.language." have it.
func (v Vocabulary) Language() string {
	language, _, _ := strings.Cut(v.Lang, "-")
	return language
}

// Foreign returns the vocabulary without the words that the catalog uses itself, as in Swahili for Bao.
func (v Vocabulary) Foreign(text Text) Vocabulary {
	v.Words = slices.DeleteFunc(slices.Clone(v.Words), func(w PlayersWord) bool {
		return w.Word == text("learn.term."+w.Term, "n", 1)
	})
	return v
}

// Retells reports whether [Vocabulary.Retell] knows the articles of a language. In others a foreign word
// in the place of ours would break the grammar.
func Retells(lang string) bool { return lang == "en" || lang == "fr" }

// Retell returns sections with the words of the players in the place of ours. The players' words have
// no plural here, since ours would be a wrong one. Without a word for any of our terms the sections stay as they are.
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
	if len(ours) == 0 {
		return sections
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
				word = capital(word)
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

// capital returns a word with its first letter as a capital. The letter of a click is none: the one after it is.
func capital(word string) string {
	i := strings.IndexFunc(word, unicode.IsLower)
	if i < 0 {
		return word
	}
	r, size := utf8.DecodeRuneInString(word[i:])
	return word[:i] + string(unicode.ToUpper(r)) + word[i+size:]
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

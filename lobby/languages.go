package lobby

import "slices"

// A Language is a language with a catalog of messages.
type Language struct {
	Tag  string // BCP 47
	Name string // its own name for itself
	Read bool   // a native speaker has read the whole catalog; the pages of other languages say that none has
}

// Languages are the languages of the pages. The first is the original, and is for a reader that no
// other suits.
var Languages = []Language{
	{"en", "English", true},
	{"fr", "Français", false},
	{"de", "Deutsch", false},
	{"sw", "Kiswahili", false},
	{"ar", "العربية", false},
	{"es", "Español", false},
	{"pt", "Português", false},
}

// LanguageTags returns the tags of the languages, in their order.
func LanguageTags() []string {
	tags := make([]string, len(Languages))
	for i, l := range Languages {
		tags[i] = l.Tag
	}
	return tags
}

// LanguageTagged returns the language with a tag, and whether there is one.
func LanguageTagged(tag string) (Language, bool) {
	i := slices.IndexFunc(Languages, func(l Language) bool { return l.Tag == tag })
	if i < 0 {
		return Language{}, false
	}
	return Languages[i], true
}

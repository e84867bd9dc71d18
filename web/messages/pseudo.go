package messages

import (
	"strings"

	"golang.org/x/text/language"
)

// Pseudo returns a language that nobody speaks, for tests: every English text in
// brackets and longer by 40 %, so that what is not in the catalog shows.
func Pseudo() (*Languages, error) {
	english, err := Load("en")
	if err != nil {
		return nil, err
	}
	c := &Catalog{Lang: "en-XA", tag: language.English, text: map[string]plurals{}}
	for key, forms := range english.text {
		c.text[key] = plurals{}
		for form, text := range forms {
			if key != "direction" {
				text = "⟦" + text + strings.Repeat("~", len(text)*4/10) + "⟧"
			}
			c.text[key][form] = text
		}
	}
	return &Languages{[]*Catalog{c}, language.NewMatcher([]language.Tag{c.tag})}, nil
}

package messages

import (
	"strings"

	"golang.org/x/text/language"
)

// Pseudo returns an artificial language for tests. Every English text is in brackets
// and 40 % longer, so that text outside the catalog is easy to see.
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

package messages

import (
	"strings"

	"golang.org/x/text/language"
)

// Pseudo returns an artificial language for tests, written in a direction: "ltr" or "rtl". Every
// English text is in brackets and 40 % longer, so that text outside the catalog is easy to see. It also
// has an element of HTML, which a page must show as text.
func Pseudo(direction string) (*Languages, error) {
	english, err := Load("en")
	if err != nil {
		return nil, err
	}
	c := &Catalog{Lang: "en-XA", Name: "Pseudo", tag: language.English}
	all := map[string]plurals{}
	c.text = func() map[string]plurals { return all }
	for key, forms := range english.text() {
		all[key] = plurals{}
		for form, text := range forms {
			all[key][form] = `⟦<xa id="xa">'` + text + strings.Repeat("~", len(text)*4/10) + "⟧"
		}
	}
	all["direction"] = plurals{"other": direction}
	if direction == "rtl" {
		isolate(all)
	}
	return &Languages{[]*Catalog{c}, language.NewMatcher([]language.Tag{c.tag})}, nil
}

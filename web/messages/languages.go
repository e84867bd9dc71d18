package messages

import (
	"sync"

	"golang.org/x/text/language"

	"mancala/lobby"
)

// Languages are the catalogs of all languages. The first is for everybody whom no
// other suits.
type Languages struct {
	Catalogs []*Catalog
	matcher  language.Matcher
}

// loadLanguages does its work once, however many servers a process has.
var LoadLanguages = sync.OnceValues(func() (*Languages, error) {
	l := &Languages{}
	var tags []language.Tag
	for _, lang := range lobby.Languages {
		c, err := Load(lang)
		if err != nil {
			return nil, err
		}
		l.Catalogs, tags = append(l.Catalogs, c), append(tags, c.tag)
	}
	l.matcher = language.NewMatcher(tags)
	return l, nil
})

// Usual is the language of what is said to nobody in particular.
func (l *Languages) Usual() *Catalog { return l.Catalogs[0] }

// Choose is the language that somebody has chosen, or else the one of ours that
// his browser likes best.
func (l *Languages) Choose(chosen, accepts string) *Catalog {
	for _, c := range l.Catalogs {
		if c.Lang == chosen {
			return c
		}
	}
	if len(accepts) > 1000 {
		return l.Usual() // no browser says so much
	}
	wanted, _, err := language.ParseAcceptLanguage(accepts)
	if err != nil || len(wanted) == 0 {
		return l.Usual()
	}
	_, i, _ := l.matcher.Match(wanted...)
	return l.Catalogs[i]
}

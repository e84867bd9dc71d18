package messages

import (
	"sync"

	"golang.org/x/text/language"

	"mancala/lobby"
)

// Languages are the catalogs of all languages. The first is the default.
type Languages struct {
	Catalogs []*Catalog
	matcher  language.Matcher
}

// LoadLanguages finds all catalogs, once for each process. Each is parsed when it is first used.
var LoadLanguages = sync.OnceValues(func() (*Languages, error) {
	l := &Languages{}
	var tags []language.Tag
	for _, lang := range lobby.LanguageTags() {
		c, err := find(lang)
		if err != nil {
			return nil, err
		}
		l.Catalogs, tags = append(l.Catalogs, c), append(tags, c.tag)
	}
	l.matcher = language.NewMatcher(tags)
	return l, nil
})

// Usual returns the default catalog. Texts that all players share use it.
func (l *Languages) Usual() *Catalog { return l.Catalogs[0] }

// Named returns the catalog of the language with this tag, or nil.
func (l *Languages) Named(tag string) *Catalog {
	for _, c := range l.Catalogs {
		if c.Lang == tag {
			return c
		}
	}
	return nil
}

// Choose returns the catalog of the chosen language. If none is chosen, it returns
// the one that fits the browser's Accept-Language best.
func (l *Languages) Choose(chosen, accepts string) *Catalog {
	if c := l.Named(chosen); c != nil {
		return c
	}
	if len(accepts) > 1000 {
		return l.Usual() // no browser sends such a long header
	}
	wanted, _, err := language.ParseAcceptLanguage(accepts)
	if err != nil || len(wanted) == 0 {
		return l.Usual()
	}
	_, i, _ := l.matcher.Match(wanted...)
	return l.Catalogs[i]
}

package web

import (
	"context"
	"net/http"
	"sync"

	"golang.org/x/text/language"

	"mancala/lobby"
)

// languages are the catalogs of all languages. The first is for everybody whom no
// other suits.
type languages struct {
	catalogs []*catalog
	matcher  language.Matcher
}

// loadLanguages does its work once, however many servers a process has.
var loadLanguages = sync.OnceValues(func() (*languages, error) {
	l := &languages{}
	var tags []language.Tag
	for _, lang := range lobby.Languages {
		c, err := loadCatalog(lang)
		if err != nil {
			return nil, err
		}
		l.catalogs, tags = append(l.catalogs, c), append(tags, c.tag)
	}
	l.matcher = language.NewMatcher(tags)
	return l, nil
})

// usual is the language of what is said to nobody in particular.
func (l *languages) usual() *catalog { return l.catalogs[0] }

// choose is the language that somebody has chosen, or else the one of ours that
// his browser likes best.
func (l *languages) choose(chosen, accepts string) *catalog {
	for _, c := range l.catalogs {
		if c.lang == chosen {
			return c
		}
	}
	if len(accepts) > 1000 {
		return l.usual() // no browser says so much
	}
	wanted, _, err := language.ParseAcceptLanguage(accepts)
	if err != nil || len(wanted) == 0 {
		return l.usual()
	}
	_, i, _ := l.matcher.Match(wanted...)
	return l.catalogs[i]
}

// kept is what a request keeps once it is known: the settings of who asks, which
// are read once for each, and the language that follows from them.
type kept struct {
	read   bool
	failed bool // they could not be read
	prefs  lobby.Prefs
	words  *catalog
}

type keptKey struct{}

// remembering lets a request keep that.
func remembering(ctx context.Context) context.Context {
	return context.WithValue(ctx, keptKey{}, new(kept))
}

// keptBy is what a request has kept. One that keeps nothing has its own.
func keptBy(r *http.Request) *kept {
	if a, ok := r.Context().Value(keptKey{}).(*kept); ok {
		return a
	}
	return new(kept)
}

// catalog is the texts in the language of who asks. A request is answered by one
// goroutine.
func (srv *Server) catalog(r *http.Request) *catalog {
	a := keptBy(r)
	if a.words == nil {
		a.words = srv.languages.choose(srv.prefs(r)["language"], r.Header.Get("Accept-Language"))
	}
	return a.words
}

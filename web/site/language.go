package site

import (
	"context"
	"net/http"

	"mancala/lobby"
	"mancala/web/messages"
)

// kept caches what a request has looked up: the player's settings, which are read
// once for each request, and the language that follows from them.
type kept struct {
	read   bool
	Failed bool // the settings could not be read
	prefs  lobby.Prefs
	words  *messages.Catalog
	paid   bool // the request was counted in [LimitReplays]

	unread error // why [Site.WhoIs] could not read the session
}

type keptKey struct{}

// Remembering returns a context in which a request caches its settings.
func Remembering(ctx context.Context) context.Context {
	return context.WithValue(ctx, keptKey{}, new(kept))
}

// KeptBy returns the cache of a request. Without one it returns an empty cache.
func KeptBy(r *http.Request) *kept {
	if a, ok := r.Context().Value(keptKey{}).(*kept); ok {
		return a
	}
	return new(kept)
}

// LanguageQuery is the part of an address that chooses the language of one page. Search engines
// list a page in each language by it.
const LanguageQuery = "lang"

// Catalog returns the texts in the language of the address, the player's setting or the browser, in
// this order. One goroutine answers a request, so the cache needs no lock.
func (srv *Site) Catalog(r *http.Request) *messages.Catalog {
	a := KeptBy(r)
	if a.words == nil && r.URL.RawQuery != "" {
		a.words = srv.Languages.Named(r.URL.Query().Get(LanguageQuery))
	}
	if a.words == nil {
		a.words = srv.Languages.Choose(srv.Prefs(r)["language"], r.Header.Get("Accept-Language"))
	}
	return a.words
}

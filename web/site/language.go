package site

import (
	"context"
	"net/http"

	"mancala/lobby"
	"mancala/web/messages"
)

// kept is what a request keeps once it is known: the settings of who asks, which
// are read once for each, and the language that follows from them.
type kept struct {
	read   bool
	Failed bool // they could not be read
	prefs  lobby.Prefs
	words  *messages.Catalog
}

type keptKey struct{}

// Remembering lets a request keep that.
func Remembering(ctx context.Context) context.Context {
	return context.WithValue(ctx, keptKey{}, new(kept))
}

// KeptBy is what a request has kept. One that keeps nothing has its own.
func KeptBy(r *http.Request) *kept {
	if a, ok := r.Context().Value(keptKey{}).(*kept); ok {
		return a
	}
	return new(kept)
}

// Catalog is the texts in the language of who asks. A request is answered by one
// goroutine.
func (srv *Site) Catalog(r *http.Request) *messages.Catalog {
	a := KeptBy(r)
	if a.words == nil {
		a.words = srv.Languages.Choose(srv.Prefs(r)["language"], r.Header.Get("Accept-Language"))
	}
	return a.words
}

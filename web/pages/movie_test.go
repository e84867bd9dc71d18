package pages

import (
	"context"
	"strings"
	"testing"

	"mancala/match/lru"
)

func TestPanicWhileAMovieIsDrawnIsAnErrorAndTheNextRequestDrawsIt(t *testing.T) {
	srv := &Pages{movies: lru.New[string, drawn](movieBytes)}
	_, err := srv.filmOnce(t.Context(), "k3v9qa2m7x", func(context.Context) (drawn, error) { panic("no seeds") })
	if err == nil || !strings.Contains(err.Error(), "no seeds") || !strings.Contains(err.Error(), "movie_test.go") {
		t.Errorf("the error is %v, want the panic and its stack", err)
	}
	want := newDrawn([]byte("GIF89a"))
	for range 2 { // the second one is kept
		d, err := srv.filmOnce(t.Context(), "k3v9qa2m7x", func(context.Context) (drawn, error) { return want, nil })
		if err != nil || d.tag != want.tag {
			t.Errorf("the next request got %q, %v", d.body, err)
		}
	}
}

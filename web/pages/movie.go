package pages

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/address"
	"mancala/lobby/searchpool"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/web/movie"
	"mancala/web/site"
)

// movieBytes is the size of the moving pictures that are kept. One takes up to about 2 MB.
const movieBytes = 32 << 20

// movieStep is the number of plies that are drawn at a time. They take about a quarter of a second.
const movieStep = 25

// CodeNotOver refuses what shows a whole game while the game goes on: its moving picture, the page to print.
const CodeNotOver refusal.Code = "game-not-over"

// movie serves a game that is over as a moving picture. Every client gets what watchers see, so
// a game with a delay is over once they have seen its end.
func (srv *Pages) movie(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	s, err := srv.watched(r, id)
	switch {
	case err != nil:
		return err
	case s.NeverBegan():
		return site.ErrInviteOver
	case !s.Over():
		return refusal.New(CodeNotOver)
	}
	d, ok := srv.movies.Get(id)
	if !ok {
		// The limit of movies is checked before the drawing is shared: no client gets another one's refusal of it.
		if err := lobby.SlowDown(srv.Limit(site.LimitMovies).WaitAddress(srv.Address(r))); err != nil {
			return err
		}
		d, err = srv.filmOnce(r.Context(), id, func(ctx context.Context) (drawn, error) {
			return srv.film(r.WithContext(ctx), s)
		})
		if err != nil {
			return err
		}
	}
	d.serve(w, r, "image/gif")
	return nil
}

// filmOnce has a game drawn and keeps the result. All who ask while it is drawn share it, so draw gets a
// context that goes on when the client who asked first has left.
func (srv *Pages) filmOnce(ctx context.Context, id string, draw func(context.Context) (drawn, error)) (drawn, error) {
	result := srv.filming.DoChan(id, func() (_ any, err error) {
		defer func() {
			// This goroutine belongs to no request, so a panic in it would end the process.
			if why := recover(); why != nil {
				err = fmt.Errorf("pages: movie of %s: panic: %v\n%s", id, why, debug.Stack())
			}
		}()
		if d, ok := srv.movies.Get(id); ok {
			return d, nil
		}
		d, err := draw(context.WithoutCancel(ctx))
		if err == nil {
			srv.movies.Put(id, d, len(d.body))
		}
		return d, err
	})
	select {
	case got := <-result:
		d, _ := got.Val.(drawn) // it is nil after a panic
		return d, got.Err
	case <-ctx.Done():
		return drawn{}, ctx.Err()
	}
}

// film draws a game that is over. It is drawn a few plies at a time by the workers that run
// searches. They have a low priority and a bounded queue, so it never holds up a move.
func (srv *Pages) film(r *http.Request, s *match.Public) (drawn, error) {
	story, err := srv.Story(r, "")
	if err != nil {
		return drawn{}, err
	}
	round, winners := lastRound(story), []int(nil)
	if s.Result != nil {
		round.Termination, winners = s.Result.Reason, s.Result.Winners
	}
	m, from := movie.New(round, winners), srv.Address(r)
	job := searchpool.Job{Kind: searchpool.Drawing, Who: address.Network(from).String(), Address: from}
	for complete := false; !complete && err == nil; {
		failed := srv.Searches.Do(r.Context(), job, func(context.Context) { complete, err = m.Draw(movieStep) })
		if failed != nil {
			return drawn{}, failed
		}
	}
	if err != nil {
		return drawn{}, err
	}
	return newDrawn(m.GIF()), nil
}

// lastRound returns the last round that has plies. The last round of a match ends with the
// position after its end, which differs from that after its last ply where a player resigned.
func lastRound(story *match.Story) *engine.Replay {
	g, end := story.Match.Game(), story.Match.Position()
	for i, c := range slices.Backward(story.Rounds) {
		if len(c.Steps) == 0 {
			continue
		}
		round := c.Replay(g)
		if i == len(story.Rounds)-1 {
			round.Positions[len(c.Steps)-1] = end
		}
		return round
	}
	return &engine.Replay{Game: g, Start: end}
}

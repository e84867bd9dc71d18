package web

import (
	"context"
	"encoding/json"
	"time"

	"mancala/lobby/rating"
	"mancala/match"
	"mancala/match/room"
)

// rate counts a game for the ratings of its players, once its watchers have seen
// the end: everybody can read a rating. It answers the same however often it is
// asked.
func (srv *Server) rate(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var g match.Rated
	if err := json.Unmarshal(t.Body, &g); err != nil {
		return nil, err
	}
	if err := srv.seen(ctx, t.Room); err != nil {
		return nil, err
	}
	changes, err := srv.Ratings.Count(ctx, rating.Game{Room: t.Room, System: g.System, Speed: g.Speed, Players: g.Seats, Score: g.Score})
	if err != nil || changes == nil {
		return nil, err
	}
	list := make([]match.RatingChange, len(changes))
	for seat, c := range changes {
		list[seat] = match.RatingChange{Before: c.Before.Rounded(), After: c.After.Rounded(), Provisional: c.After.Provisional()}
	}
	return json.Marshal(map[string]any{"ratings": list})
}

// seen waits until a game is over for those who watch it, too.
func (srv *Server) seen(ctx context.Context, roomID string) error {
	view, err := srv.rooms.View(ctx, roomID, "")
	if err != nil {
		return err
	}
	s, err := match.ReadPublic(roomID, view.Snapshot)
	if err != nil || s.State == "over" {
		return err
	}
	wait := time.NewTimer(view.Delay)
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

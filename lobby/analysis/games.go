package analysis

import (
	"context"

	"mancala/engine"
	"mancala/engine/search/review"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// Games is the source of games: a [room.Registry].
type Games interface {
	// Entries returns the entries of a room that player may see.
	Entries(ctx context.Context, id, player string) ([]*room.Published, error)
	View(ctx context.Context, id, player string) (room.View, error)
}

// Story returns a game as player may see it. For a room that is no game the error is the same as for a
// room that does not exist.
func Story(ctx context.Context, games Games, id, player string) (*match.Story, error) {
	published, err := games.Entries(ctx, id, player)
	if err != nil {
		return nil, err
	}
	entries := make([]machine.Entry, len(published))
	for i, p := range published {
		entries[i] = p.Entry
	}
	story, err := match.StoryOf(entries)
	if err != nil {
		if view, _ := games.View(ctx, id, player); view.Kind != match.Kind && view.Kind != "" {
			err = room.ErrNoRoom
		}
	}
	return story, err
}

// games returns the rounds of a game that is over, as watchers see them.
func (a *Analyses) games(ctx context.Context, id string) ([]*engine.Replay, error) {
	story, err := Story(ctx, a.opt.Games, id, "")
	if err != nil {
		return nil, err
	}
	if !story.Match.Over() {
		return nil, errNotOver
	}
	list := make([]*engine.Replay, len(story.Rounds))
	plies := 0
	for i, c := range story.Rounds {
		list[i] = c.Replay(story.Match.Game())
		plies += len(c.Steps)
	}
	switch {
	case plies == 0:
		return nil, errEmpty
	case plies > review.MaxPlies:
		return nil, errLong
	}
	return list, nil
}

// size returns how many steps the analysis of a game takes.
func (a *Analyses) size(ctx context.Context, id string) (int, error) {
	games, err := a.games(ctx, id)
	n := 0
	for _, game := range games {
		n += len(game.Moves) + 1
	}
	return n, err
}

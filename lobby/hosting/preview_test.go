package hosting_test

import (
	"context"
	"errors"
	"testing"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match/room"
)

// leaving are rooms whose reader is gone once they have answered.
type leaving struct {
	hosting.Rooms
	leave context.CancelFunc
}

func (l leaving) View(ctx context.Context, id, player string) (room.View, error) {
	v, err := l.Rooms.View(ctx, id, player)
	l.leave()
	return v, err
}

func TestNothingIsPairedAfterTheHostHasGone(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{Rounds: 3})
		c.join(made.ID, "Ada")
		c.join(made.ID, "Ben")
		for what, ask := range map[string]func(context.Context) (*hosting.Preview, error){
			"preview": func(ctx context.Context) (*hosting.Preview, error) { return c.Preview(ctx, made.ID, host) },
			"check": func(ctx context.Context) (*hosting.Preview, error) {
				return c.Check(ctx, made.ID, host, [][2]int{{1, 2}})
			},
		} {
			if p, err := ask(t.Context()); err != nil || len(p.Pairings) != 1 {
				t.Errorf("%s: %+v, %v", what, p, err)
			}
			ctx, leave := context.WithCancel(t.Context())
			c.Rooms = leaving{c.rooms, leave}
			if p, err := ask(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("%s of a host who has gone: %+v, %v", what, p, err)
			}
			c.Rooms = c.rooms
		}
	})
}

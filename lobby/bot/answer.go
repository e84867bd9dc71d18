package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"net/netip"
	"time"

	"mancala/engine"
	"mancala/engine/search"
	"mancala/lobby/searchpool"
	"mancala/match"
	"mancala/match/machine"
)

// Bots answers for all bots of an instance. Its methods are safe from any goroutine.
type Bots struct {
	pool  *searchpool.Pool
	pause time.Duration
	idle  idle
}

// New answers with the pool's workers. pause is the least that people wait for a move,
// so that they see it come; they wait for a quarter of it more with each seed of the
// ply before, which they are still watching, up to six pauses.
func New(pool *searchpool.Pool, pause time.Duration) *Bots { return &Bots{pool: pool, pause: pause} }

// Answer finds the command with which a bot answers the task of a room. It lasts as
// long as people should wait; while the workers are busy it asks again. The error is
// ctx's, or says what is wrong with the task.
func (b *Bots) Answer(ctx context.Context, room string, t machine.Task) (machine.Command, error) {
	began := time.Now()
	var a match.Asked
	if err := json.Unmarshal(t.Body, &a); err != nil {
		return machine.Command{}, fmt.Errorf("bot: %s: task %s: %w", room, t.ID, err)
	}
	level, _, ok := match.Bot(a.Player)
	if !ok {
		return machine.Command{}, fmt.Errorf("bot: %s: task %s: %.20q is no bot", room, t.ID, a.Player)
	}
	q, err := a.Read()
	if err != nil {
		return machine.Command{}, fmt.Errorf("bot: %s: task %s: %w", room, t.ID, err)
	}
	c := machine.Command{ID: t.ID, By: a.Player}
	move, value, err := b.decide(ctx, min(level, len(Characters)), room, &a, q)
	if err != nil {
		return c, err
	}
	body := map[string]any{"ply": a.Ply, "move": move.String()}
	if c.Kind = match.KindMove; a.What != match.KindMove {
		body = map[string]any{"what": a.What}
		if c.Kind = match.KindDecline; value <= 0 {
			c.Kind = match.KindAccept // it is not ahead
		}
	}
	if c.Body, err = json.Marshal(body); err != nil {
		return c, err
	}
	return c, wait(ctx, b.until(began, q.Sown))
}

// decide searches until there is a worker for it. The value is seen from the bot.
func (b *Bots) decide(ctx context.Context, level int, room string, a *match.Asked, q *match.Question) (m engine.Move, value float64, err error) {
	for try := 0; ; try++ {
		err = b.pool.Do(ctx, searchpool.Job{Kind: searchpool.Move, Who: a.For, Budget: guard}, func(ctx context.Context) {
			p := b.idle.take(level, q.Game)
			var found search.Answer
			m, found = p.Move(ctx, q.Position, &q.History, number(room))
			b.idle.keep(level, q.Game, p) // not one that has panicked half-way
			if value = found.Value; q.Game.Side(q.Position.Seat) != q.Game.Side(engine.Seat(a.Seat)) {
				value = -value
			}
		})
		if err == nil {
			err = ctx.Err() // what was found then may be half of it
		}
		if !errors.Is(err, searchpool.ErrBusy) {
			return m, value, err
		}
		if err := wait(ctx, time.Now().Add(busyWait*time.Duration(min(try+1, 10)))); err != nil {
			return m, value, err
		}
	}
}

const (
	busyWait  = 100 * time.Millisecond // at first
	maxPauses = 6

	// guard is how long a search may take before something must be wrong. It ends by its
	// nodes: with the most relays, in Giuthi, level 8 takes somewhat more than a second of
	// CPU. If time were to end it, a bot would play worse on a slow machine, or while many
	// others play.
	guard = 30 * time.Second
)

// until is when people have seen what was before.
func (b *Bots) until(began time.Time, sown int) time.Time {
	return began.Add(min(b.pause+b.pause/4*time.Duration(sown), maxPauses*b.pause))
}

func wait(ctx context.Context, until time.Time) error {
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// number makes a bot play otherwise in another room.
func number(room string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(room))
	return h.Sum64()
}

// adviser is whom people ask for a hint, in the place of a level: he overlooks nothing, and
// is quick enough to be asked often.
const adviser = 0

// settings are what a level, or the adviser, plays by.
func settings(level int) search.Level {
	if level == adviser {
		return search.Level{Nodes: 200_000}
	}
	return search.Levels[level-1]
}

// Hint finds the best move for who asks, from an address, and what it is worth to the
// side to move. Its error may be [searchpool.ErrBusy].
func (b *Bots) Hint(ctx context.Context, who string, from netip.Addr, q *match.Question) (a search.Answer, err error) {
	err = b.pool.Do(ctx, searchpool.Job{Kind: searchpool.Hint, Who: who, Address: from, Budget: guard}, func(ctx context.Context) {
		p := b.idle.take(adviser, q.Game)
		defer b.idle.keep(adviser, q.Game, p)
		_, a = p.Move(ctx, q.Position, &q.History, 0)
	})
	if err == nil {
		err = ctx.Err()
	}
	return a, err
}

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
	"mancala/match/deadline"
	"mancala/match/machine"
)

// Bots answers the tasks of all bots on an instance. Its methods are safe from any
// goroutine.
type Bots struct {
	pool  *searchpool.Pool
	pause time.Duration
	idle  idle
}

// New returns bots that search on the pool's workers. pause is the shortest time before
// a bot's move, so that people see it happen. Each seed of the ply before adds a quarter
// of pause, because people still watch that sowing. The longest time is six pauses.
func New(pool *searchpool.Pool, pause time.Duration) *Bots { return &Bots{pool: pool, pause: pause} }

// Answer returns the command with which a bot answers a task of room. It returns when
// the pause of [New] is over. While the pool is full it tries again. The error is ctx's,
// or describes an invalid task.
func (b *Bots) Answer(ctx context.Context, room string, t machine.Task) (machine.Command, error) {
	began := time.Now()
	a, err := read(room, t)
	if err != nil {
		return machine.Command{}, err
	}
	move, value, err := b.decide(ctx, a)
	if err != nil {
		return machine.Command{ID: t.ID, By: a.Player}, err
	}
	c, err := a.command(move, value)
	if err != nil {
		return c, err
	}
	return c, deadline.Wait(ctx, time.Until(began.Add(Pause(b.pause, a.question.Sown))))
}

// asked is a task as a bot reads it.
type asked struct {
	match.Asked
	id, room string
	level    int // one of [Characters]
	question *match.Question
}

func read(room string, t machine.Task) (*asked, error) {
	a := &asked{id: t.ID, room: room}
	if err := json.Unmarshal(t.Body, &a.Asked); err != nil {
		return nil, fmt.Errorf("bot: %s: task %s: %w", room, t.ID, err)
	}
	level, _, ok := match.Bot(a.Player)
	if !ok {
		return nil, fmt.Errorf("bot: %s: task %s: %.20q is not a bot", room, t.ID, a.Player)
	}
	q, err := a.Read()
	if err != nil {
		return nil, fmt.Errorf("bot: %s: task %s: %w", room, t.ID, err)
	}
	a.level, a.question = min(level, len(Characters)), q
	return a, nil
}

// search returns the move of a player of the bot's level, and its value from the bot's view.
func (a *asked) search(ctx context.Context, p *search.Player) (engine.Move, float64) {
	q := a.question
	m, found := p.Move(ctx, q.Position, &q.History, number(a.room))
	if q.Game.Side(q.Position.Seat) != q.Game.Side(engine.Seat(a.Seat)) {
		return m, -found.Value
	}
	return m, found.Value
}

// command returns the bot's answer after its search.
func (a *asked) command(move engine.Move, value float64) (c machine.Command, err error) {
	c = machine.Command{ID: a.id, By: a.Player, Kind: match.KindMove}
	body := map[string]any{"ply": a.Ply, "move": move.String()}
	if a.What != match.KindMove {
		body = map[string]any{"what": a.What}
		if c.Kind = match.KindDecline; value <= 0 {
			c.Kind = match.KindAccept // the bot is not ahead
		}
	}
	c.Body, err = json.Marshal(body)
	return c, err
}

// decide searches for a move, and tries again while the pool is full. The value is from
// the bot's view.
func (b *Bots) decide(ctx context.Context, a *asked) (m engine.Move, value float64, err error) {
	for try := 0; ; try++ {
		err = b.pool.Do(ctx, searchpool.Job{Kind: searchpool.Move, Who: a.For, Budget: guard}, func(ctx context.Context) {
			p := b.idle.take(a.level, a.question.Game)
			m, value = a.search(ctx, p)
			b.idle.keep(a.level, a.question.Game, p) // not deferred: after a panic the player must not be used again
		})
		if err == nil {
			err = ctx.Err() // the answer may be incomplete
		}
		if !errors.Is(err, searchpool.ErrBusy) {
			return m, value, err
		}
		if err := deadline.Wait(ctx, busyWait*time.Duration(min(try+1, 10))); err != nil {
			return m, value, err
		}
	}
}

const (
	busyWait  = 100 * time.Millisecond // grows with each try
	maxPauses = 6

	// guard is the time limit of a search that hangs. A search normally ends by its number
	// of nodes: with the most relays, in Giuthi, level 8 takes a little more than a second
	// of CPU. A time limit would make a bot play worse on a slow or busy machine.
	guard = 30 * time.Second
)

// Pause returns the time that a bot takes for a move after a ply of sown seeds, so that people have seen the ply
// before: see [New].
func Pause(pause time.Duration, sown int) time.Duration {
	return min(pause+pause/4*time.Duration(sown), maxPauses*pause)
}

// number returns the number that makes a bot play differently in each room.
func number(room string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(room))
	return h.Sum64()
}

// Hint returns the best move and its value for the side to move. who and from are the
// person and the address that the pool counts. The error may be [searchpool.ErrBusy].
func (b *Bots) Hint(ctx context.Context, who string, from netip.Addr, q *match.Question) (a search.Answer, err error) {
	err = b.pool.Do(ctx, searchpool.Job{Kind: searchpool.Hint, Who: who, Address: from, Budget: guard}, func(ctx context.Context) {
		p := b.idle.take(adviser, q.Game)
		_, a = p.Move(ctx, q.Position, &q.History, 0)
		b.idle.keep(adviser, q.Game, p) // not deferred, as in decide
	})
	if err == nil {
		err = ctx.Err()
	}
	return a, err
}

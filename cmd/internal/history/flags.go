package history

import (
	"cmp"
	"slices"
	"time"

	"mancala/match"
)

const (
	// tolerance is what a player may lose besides the outages and lags that are subtracted: the
	// 300 ms of a slow write that are not credited, the error of the service's time (ahead), and
	// half a second in which a busy machine shows a board to its reader.
	tolerance = 300*time.Millisecond + ahead + 500*time.Millisecond
	// noticed is the shortest fault that counts as an outage for a player who thinks. A room whose
	// instance cannot give a sign of life for four seconds pauses its clocks (lease in
	// match/room/liveness.go). During a shorter fault the player saw the board.
	noticed = 5 * time.Second
	// connects is how long a page takes at most to connect to another instance.
	connects = 2 * time.Second
)

// flags checks that no player has lost on time because of the service.
func (c *checker) flags(g *game) {
	for n := 1; n < len(g.entries); n++ {
		before := g.states[n-1]
		if g.entries[n].Kind != "flag" || before.Turn >= len(before.Seats) || len(before.Clock) == 0 {
			continue
		}
		if k, had := g.turnBegan(n); had > 0 {
			c.flag(g, n, k, had)
		}
	}
}

// turnBegan returns the entry since which the clock of the player who loses with entry n has
// run (index), and the time that they had then. Days per move are too long for these tests.
func (g *game) turnBegan(n int) (k int, had time.Duration) {
	for k = n - 1; k > 0; k-- {
		kind := g.entries[k].Kind
		if kind == match.KindMove || kind == match.KindAccept || kind == match.KindSit || kind == match.KindNext || kind == match.KindYoungest {
			break
		}
	}
	s := g.states[k]
	ms := s.Due - g.entries[k].At
	if s.Due == 0 {
		ms = s.Clock[s.Turn]
	}
	return k, time.Duration(ms) * time.Millisecond
}

// flag checks the loss on time with entry n in a turn that began with entry k.
func (c *checker) flag(g *game, n, k int, had time.Duration) {
	first := c.firstSeen(g)
	end, seen := first(uint64(n) + 1)
	began, _ := first(uint64(k) + 1)
	player := g.states[n-1].Seats[g.states[n-1].Turn]
	if !seen || c.absent(g.id, player, began, end) {
		return
	}
	c.report.Flags++
	shown := end // when the player first saw the turn
	for _, s := range g.seen {
		if s.Player == player && s.Seq > uint64(k) && s.At < end {
			shown = s.At
			break
		}
	}
	lost := tolerance + c.busy(began, end)
	thought := end - shown - c.outages(g, player, shown, end) + c.offline(g.id, player, began, shown)
	if thought < had-lost {
		c.wrong("flag", g.id, "%s lost on time with entry %d at %v after %v of thinking, and had %v; their turn began at %v and they saw it at %v",
			player, n+1, end.Round(time.Millisecond), thought.Round(time.Millisecond), had, began.Round(time.Millisecond), shown.Round(time.Millisecond))
	}
	for _, op := range g.ops {
		used := op.Invoked - shown + c.offline(g.id, player, began, shown)
		if op.Player != player || op.Kind != match.KindMove || op.Invoked < shown || op.Invoked >= end || op.Outcome == Refused && op.Answered < end {
			continue
		}
		if used < had-lost && c.offline(g.id, player, op.Invoked-time.Second, end) == 0 {
			c.wrong("flag", g.id, "%s moved at %v, %v after seeing the turn, and had %v; entry %d took the game all the same at %v",
				player, op.Invoked.Round(time.Millisecond), used.Round(time.Millisecond), had, n+1, end.Round(time.Millisecond))
		}
	}
}

// absent reports whether a player had left between two moments, or never came.
func (c *checker) absent(room, player string, from, to time.Duration) bool {
	came := false
	for _, p := range c.h.Places {
		if p.Room == room && p.Player == player {
			came = came || p.Instance >= 0
			if p.Instance < 0 && p.At < to {
				return true
			}
		}
	}
	return !came
}

// offline returns for how long between two moments the player's own network was cut. That is
// not an outage of the service.
func (c *checker) offline(room, player string, from, to time.Duration) (sum time.Duration) {
	for _, f := range c.h.Faults {
		if len(f.NoClients) > 0 && slices.Contains(f.NoClients, c.place(room, player, f.From)) {
			sum += overlap(from, to, f.From, f.To)
		}
	}
	return sum
}

// outages returns for how long between two moments the player could surely not use the
// service.
func (c *checker) outages(g *game, player string, from, to time.Duration) (sum time.Duration) {
	marks := []time.Duration{from, to}
	for _, f := range c.h.Faults {
		marks = append(marks, f.From, f.To)
	}
	for _, p := range c.h.Places {
		marks = append(marks, p.At)
	}
	for _, e := range g.entries {
		marks = append(marks, c.wall(e.At))
	}
	slices.SortFunc(marks, cmp.Compare)
	for i := 1; i < len(marks); i++ {
		a, b := max(from, marks[i-1]), min(to, marks[i])
		if a < b && c.cut(g, player, a+(b-a)/2, to) {
			sum += b - a
		}
	}
	return sum
}

// cut reports whether a fault kept a player from using the service at a moment. Before a flag
// falls, the owner asks the instance to which the player is connected. So it also learns of a
// fault of the last seconds, unless the player was on the way to that instance: then the owner
// knows of no instance that it could ask, and their flag falls until the silence is noticed.
func (c *checker) cut(g *game, player string, at, end time.Duration) bool {
	owner, here := c.owner(g, at), c.place(g.id, player, at)
	hits := func(list []int, instance int) bool { return instance >= 0 && slices.Contains(list, instance) }
	return slices.ContainsFunc(c.h.Faults, func(f Fault) bool {
		if at < f.From || at >= f.To || f.To-f.From < noticed {
			return false
		}
		if hits(f.Stopped, owner) || hits(f.NoPostgres, owner) {
			return true
		}
		known := end-f.From >= noticed || c.place(g.id, player, f.From-connects) == here
		return known && owner >= 0 && here >= 0 && owner != here &&
			(hits(f.Stopped, here) || hits(f.NoRedis, owner) || hits(f.NoRedis, here))
	})
}

// owner returns the instance that owned a room at a moment, or -1.
func (c *checker) owner(g *game, at time.Duration) int {
	epoch := uint64(0)
	for i, e := range g.entries {
		if c.wall(e.At) > at {
			break
		}
		epoch = g.rows[i].Epoch
	}
	for _, o := range c.h.Owners {
		if o.Room == g.id && o.Epoch == epoch {
			return o.Instance
		}
	}
	return -1
}

// place returns the instance to which a player was connected at a moment, or -1.
func (c *checker) place(room, player string, at time.Duration) int {
	here := -1
	for _, p := range c.h.Places {
		if p.Room == room && p.Player == player && p.At <= at {
			here = p.Instance
		}
	}
	return here
}

func overlap(a, b, c, d time.Duration) time.Duration { return max(0, min(b, d)-max(a, c)) }

package history

import (
	"cmp"
	"slices"
	"time"
)

const (
	// converge is how long clients may show rows that a failover has lost (OPERATIONS.md).
	converge = 10 * time.Second
	// ahead is how far the service's time may be ahead of the database's. Rooms learn the
	// database's time from a request that takes a second at most, and the error is half of
	// what the request took.
	ahead = 700 * time.Millisecond
	// behind is how old the time may be that comes with a state, on a busy machine.
	behind = 5 * time.Second
)

// agree checks that every state that a client saw is the journal's, and that no time of the
// service comes from a clock that is wrong.
func (c *checker) agree(g *game) {
	for _, s := range g.seen {
		at := s.At.Round(time.Millisecond)
		if s.Seq == 0 || s.Seq > uint64(len(g.states)) {
			if !c.mayShowLostRow(s) {
				c.wrong("agree", g.id, "%s saw entry %d at %v, and the journal ends at %d", s.Client, s.Seq, at, len(g.states))
			}
			continue
		}
		if want := g.states[s.Seq-1]; !g.has(s) && !c.mayShowLostRow(s) {
			c.wrong("agree", g.id, "%s saw at %v, entry %d, a board %s with clocks %v running from %d, over %v; the journal has %s, %v, %d, %v",
				s.Client, at, s.Seq, s.Sum, s.Clock, s.Run, s.Over, want.Sum, want.Clock, want.Run, want.State == "over")
		}
		c.report.Views++
		if early := c.wall(g.entries[s.Seq-1].At) - s.At; early > ahead && !c.mayShowLostRow(s) {
			c.wrong("time", g.id, "%s saw entry %d at %v, %v before the time that is written in it", s.Client, s.Seq, at, early)
		}
		if s.Now == 0 {
			continue
		}
		if early := c.wall(s.Now) - s.At; early > ahead {
			c.wrong("time", g.id, "%s was told at %v that it is %v later", s.Client, at, early)
		}
		if late := s.At - c.wall(s.Now); late > behind+c.slow(s.At-late, s.At)+c.busy(s.At-late, s.At) {
			c.wrong("time", g.id, "%s was told at %v that it is %v earlier", s.Client, at, late)
		}
	}
}

// has reports whether a state is the journal's.
func (g *game) has(s Seen) bool {
	if g == nil || s.Seq == 0 || s.Seq > uint64(len(g.states)) {
		return false
	}
	want := g.states[s.Seq-1]
	return s.Sum == want.Sum && s.Over == (want.State == "over") && s.Run == want.Run && slices.Equal(s.Clock, want.Clock)
}

// wall returns a time of the database as a time of the history.
func (c *checker) wall(ms int64) time.Duration {
	return time.Duration(ms-c.h.Began.UnixMilli()) * time.Millisecond
}

// slow returns how much later something may have arrived that was sent between two moments.
func (c *checker) slow(from, to time.Duration) (sum time.Duration) {
	for _, f := range c.h.Faults {
		if f.Slow {
			sum += overlap(from, to, f.From, f.To+behind)
		}
	}
	return sum
}

// sight is an entry that a client has seen, or whose number it was told.
type sight struct {
	at  time.Duration
	seq uint64
}

// monotonic checks that no client sees a state older than one it has seen. The answer to a
// command counts as seen. A page is compared with all that the client had seen when it asked.
// The stream of a socket is compared with itself only: what was sent before a page was asked
// for may arrive after the page.
func (c *checker) monotonic() {
	type reader [2]string // client and room
	acks := map[reader][]sight{}
	for _, op := range c.h.Ops {
		if op.Outcome == OK && op.Seq > 0 {
			key := reader{op.Client, op.Room}
			acks[key] = append(acks[key], sight{op.Answered, op.Seq})
		}
	}
	for _, list := range acks {
		slices.SortFunc(list, func(a, b sight) int { return cmp.Compare(a.at, b.at) })
	}
	socket, all := map[reader]*sights{}, map[reader]*sights{}
	for _, s := range c.h.Seen {
		key := reader{s.Client, s.Room}
		if all[key] == nil {
			socket[key], all[key] = new(sights), new(sights)
		}
		for len(acks[key]) > 0 && acks[key][0].at <= s.At {
			socket[key].add(acks[key][0])
			all[key].add(acks[key][0])
			acks[key] = acks[key][1:]
		}
		seen := socket[key]
		if s.Page {
			seen = all[key]
		}
		if before, ok := seen.before(s.Asked, func(old sight) bool { return c.forgotten(old, s) }); ok && s.Seq < before.seq {
			c.wrong("monotonic", s.Room, "%s saw entry %d at %v (page %v), after entry %d at %v", s.Client, s.Seq,
				s.At.Round(time.Millisecond), s.Page, before.seq, before.at.Round(time.Millisecond))
		}
		for _, list := range []*sights{socket[key], all[key]} {
			for n := len(*list); n > 0 && (*list)[n-1].seq > s.Seq && c.forgotten((*list)[n-1], s); n-- {
				*list = (*list)[:n-1]
			}
		}
		all[key].add(sight{s.At, s.Seq})
		if !s.Page {
			socket[key].add(sight{s.At, s.Seq})
		}
	}
}

// sights are what a client has seen so far, in the order of time and with rising numbers.
type sights []sight

// add adds what a client has seen, unless it is old.
func (l *sights) add(s sight) {
	if n := len(*l); n == 0 || s.seq > (*l)[n-1].seq {
		*l = append(*l, s)
	}
}

// before returns the last sight before a moment for which forgotten reports false.
func (l *sights) before(at time.Duration, forgotten func(sight) bool) (sight, bool) {
	n, _ := slices.BinarySearchFunc(*l, at, func(s sight, at time.Duration) int { return cmp.Compare(s.at, at) })
	for n--; n >= 0; n-- {
		if s := (*l)[n]; !forgotten(s) {
			return s, true
		}
	}
	return sight{}, false
}

// forgotten reports whether an entry that a client had seen may have been lost by a failover
// when the client saw s.
func (c *checker) forgotten(before sight, s Seen) bool {
	return slices.ContainsFunc(c.h.Losses, func(l Loss) bool {
		return before.seq > l.Kept[s.Room] && before.at >= l.From && before.at < c.later(l.At, converge) && s.At >= l.At
	})
}

// converged checks that every client that has seen rows which a failover has lost shows the
// remaining game soon, unless it has left.
func (c *checker) converged() {
	type reader [2]string // client and room
	for _, l := range c.h.Losses {
		last := map[reader]uint64{} // what each client has seen last before the failover
		back := map[reader]bool{}
		for _, s := range c.h.Seen {
			key := reader{s.Client, s.Room}
			if s.Page {
				continue // it shows what the server has
			}
			if s.At < l.At {
				last[key] = s.Seq
			} else if s.At < c.later(l.At, converge) && c.games[s.Room].has(s) {
				back[key] = true
			}
		}
		for key, seq := range last {
			if seq > l.Kept[key[1]] && !back[key] && c.games[key[1]] != nil && !c.left(key[0], l.At+converge) {
				c.wrong("converge", key[1], "%s saw entry %d, which a failover lost at %v, and did not see the remaining game within %v",
					key[0], seq, l.At.Round(time.Millisecond), converge)
			}
		}
	}
}

// left reports whether a client has left before a moment.
func (c *checker) left(client string, before time.Duration) bool {
	return slices.ContainsFunc(c.h.Places, func(p Place) bool { return p.Client == client && p.Instance < 0 && p.At < before })
}

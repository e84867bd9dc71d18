package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mancala/match"
	"mancala/match/journal"
	"mancala/match/machine"
)

// Violation is a promise that the service has not kept.
type Violation struct {
	Check string // which promise
	Room  string
	What  string
}

func (v Violation) String() string { return fmt.Sprintf("%s: %s: %s", v.Check, v.Room, v.What) }

// Report is the result of a check.
type Report struct {
	Violations []Violation
	Commands   int // that were acknowledged
	Views      int // states that clients saw and that were compared
	Flags      int // losses on time that were checked
	Lost       int // acknowledged commands that a failover was allowed to lose
}

// Check compares a history with the journal.
func Check(h *History, j Journal) Report {
	c := &checker{h: h, games: map[string]*game{}}
	for _, id := range slices.Sorted(maps.Keys(j)) {
		c.room(id, j[id])
	}
	for _, op := range h.Ops {
		if _, ok := j[op.Room]; !ok {
			c.wrong("linear", op.Room, "a client asked for %s, and the room is not in the journal", op.Kind)
		}
	}
	c.monotonic()
	c.converged()
	return c.report
}

type checker struct {
	h      *History
	games  map[string]*game // by room, those whose rows can be read
	report Report
}

func (c *checker) wrong(check, room, format string, args ...any) {
	c.report.Violations = append(c.report.Violations, Violation{check, room, fmt.Sprintf(format, args...)})
}

// game is a room of the journal with what clients know of it.
type game struct {
	id      string
	rows    []journal.Row
	entries []machine.Entry
	states  []state // after each entry
	ops     []Op
	seen    []Seen // in the order of time
}

// state is the part of a snapshot that is compared.
type state struct {
	State string
	Sum   string
	Clock []int64
	Run   int64
	Due   int64
	Turn  int
	Seats []string
}

func (c *checker) room(id string, rows []journal.Row) {
	g := &game{id: id, rows: rows}
	if !c.replay(g) {
		return
	}
	for _, op := range c.h.Ops {
		if op.Room == id {
			g.ops = append(g.ops, op)
		}
	}
	for _, s := range c.h.Seen {
		if s.Room == id {
			g.seen = append(g.seen, s)
		}
	}
	c.games[id] = g
	c.fence(g)
	c.linear(g)
	c.agree(g)
	c.flags(g)
}

// replay rebuilds the game from its rows. It returns false if the rows are not a game.
func (c *checker) replay(g *game) bool {
	m := match.New()
	for i, row := range g.rows {
		if row.Seq != uint64(i)+1 {
			c.wrong("journal", g.id, "row %d has the number %d", i+1, row.Seq)
			return false
		}
		var e machine.Entry
		var s state
		err := json.Unmarshal(row.Data, &e)
		if err == nil {
			err = m.Apply(e)
		}
		if err == nil {
			err = json.Unmarshal(m.Snapshot(machine.Watchers), &s)
		}
		if err != nil {
			c.wrong("journal", g.id, "row %d: %v", row.Seq, err)
			return false
		}
		g.entries, g.states = append(g.entries, e), append(g.states, s)
	}
	return true
}

// fence checks that epochs and times never fall.
func (c *checker) fence(g *game) {
	for i := 1; i < len(g.rows); i++ {
		if before, now := g.rows[i-1].Epoch, g.rows[i].Epoch; now < before {
			c.wrong("fence", g.id, "row %d was written in epoch %d, after one of epoch %d", i+1, now, before)
		}
		if before, now := g.entries[i-1].At, g.entries[i].At; now < before {
			c.wrong("journal", g.id, "entry %d is %d ms earlier than the one before it", i+1, before-now)
		}
	}
}

// answeredLate is how long an answer can be on its way to the client.
const answeredLate = time.Second

// mayBeLost reports whether a failover may have lost a command.
func (c *checker) mayBeLost(op Op) bool {
	return slices.ContainsFunc(c.h.Losses, func(l Loss) bool {
		return op.Seq > l.Kept[op.Room] && op.Invoked < l.At && op.Answered >= l.From && op.Answered < c.later(l.At, answeredLate)
	})
}

// mayShowLostRow reports whether a client may see this state although a failover lost its row.
// It may until all clients have converged.
func (c *checker) mayShowLostRow(s Seen) bool {
	return slices.ContainsFunc(c.h.Losses, func(l Loss) bool {
		return s.Seq > l.Kept[s.Room] && s.At >= l.From && s.At < c.later(l.At, converge)
	})
}

// later returns the moment that is this much after another one. Lags of the machine do not count.
func (c *checker) later(from, by time.Duration) time.Duration {
	end := from + by
	for _, l := range c.h.Lags { // in the order of time
		end += overlap(from, end, l.From, l.To)
	}
	return end
}

// busy returns how much of the time between two moments was lag.
func (c *checker) busy(from, to time.Duration) (sum time.Duration) {
	for _, l := range c.h.Lags {
		sum += overlap(from, to, l.From, l.To)
	}
	return sum
}

// asked are the kinds of entries that only a client's command makes.
var asked = []string{match.KindMove, match.KindResign, match.KindOffer, match.KindAccept, match.KindDecline}

// linear checks that the order of the journal is an order in which the commands can have
// happened one by one.
func (c *checker) linear(g *game) {
	places := map[string][]int{} // indices in entries, by player and command
	for i, e := range g.entries {
		if e.Command != "" {
			key := e.By + "\n" + e.Command
			places[key] = append(places[key], i)
		}
	}
	type event struct {
		at     time.Duration
		answer bool
		seq    uint64
		op     Op
	}
	var events []event
	known := map[string]bool{}
	firstSeen := c.firstSeen(g)
	for _, op := range g.ops {
		key := op.Player + "\n" + op.ID
		known[key] = true
		at := places[key]
		describe := fmt.Sprintf("%s %s of %s (%s), asked at %v", op.Kind, op.Move, op.Client, op.ID, op.Invoked.Round(time.Millisecond))
		if len(at) > 1 {
			c.wrong("linear", g.id, "%s: it is in the journal %d times, first with the number %d", describe, len(at), at[0]+1)
			continue
		}
		lost := op.Outcome == OK && c.mayBeLost(op)
		switch {
		case op.Outcome == OK:
			c.report.Commands++
			switch {
			case lost && len(at) == 0:
				c.report.Lost++
				continue
			case op.Seq == 0 && len(at) > 0:
				c.wrong("linear", g.id, "%s: the answer said that it changed nothing, and it is entry %d", describe, at[0]+1)
			case op.Seq > 0 && len(at) == 0:
				c.wrong("linear", g.id, "%s: it was acknowledged as entry %d, and is lost", describe, op.Seq)
			case op.Seq > 0 && op.Seq != uint64(at[0])+1:
				c.wrong("linear", g.id, "%s: it was acknowledged as entry %d, and is entry %d", describe, op.Seq, at[0]+1)
			}
		case op.Outcome == Refused && len(at) > 0:
			c.wrong("linear", g.id, "%s: it was refused (%s), and is entry %d", describe, op.Code, at[0]+1)
		}
		if len(at) == 0 {
			continue
		}
		c.unchanged(g, op, at[0], describe)
		seq := uint64(at[0]) + 1
		events = append(events, event{op.Invoked, false, seq, op})
		if op.Outcome == OK && !lost {
			events = append(events, event{op.Answered, true, seq, op})
		}
		if first, ok := firstSeen(seq); ok && first < op.Invoked {
			c.wrong("linear", g.id, "%s: a client saw entry %d at %v, before it was asked", describe, seq, first.Round(time.Millisecond))
		}
	}
	for i, e := range g.entries {
		if slices.Contains(asked, e.Kind) && !known[e.By+"\n"+e.Command] {
			c.wrong("linear", g.id, "entry %d, %s of %s, was never asked for", i+1, e.Kind, e.By)
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	var most uint64 // of all answers so far
	for _, e := range events {
		if e.answer {
			most = max(most, e.seq)
		} else if e.seq < most {
			c.wrong("linear", g.id, "%s of %s (%s) is entry %d, and was asked for at %v, after entry %d had been acknowledged",
				e.op.Kind, e.op.Client, e.op.ID, e.seq, e.at.Round(time.Millisecond), most)
		}
	}
}

// unchanged checks that an entry is what the command asked for.
func (c *checker) unchanged(g *game, op Op, at int, describe string) {
	e := g.entries[at]
	var body struct {
		Move string
		Ply  int
	}
	if e.Kind != op.Kind && !(op.Kind == match.KindOffer && e.Kind == match.KindAccept) {
		c.wrong("linear", g.id, "%s: entry %d is of the kind %s", describe, at+1, e.Kind)
	}
	if op.Kind != match.KindMove {
		return
	}
	if err := json.Unmarshal(e.Body, &body); err != nil || body.Move != op.Move || body.Ply != op.Ply+1 {
		c.wrong("linear", g.id, "%s, ply %d: entry %d is %s, ply %d (%v)", describe, op.Ply, at+1, body.Move, body.Ply-1, err)
	}
}

// firstSeen returns a function that returns when any client first saw an entry or a later
// one.
func (c *checker) firstSeen(g *game) func(seq uint64) (time.Duration, bool) {
	var seqs []uint64
	var times []time.Duration
	for _, s := range g.seen {
		if n := len(seqs); (n == 0 || s.Seq > seqs[n-1]) && !c.mayShowLostRow(s) {
			seqs, times = append(seqs, s.Seq), append(times, s.At)
		}
	}
	return func(seq uint64) (time.Duration, bool) {
		i, _ := slices.BinarySearch(seqs, seq)
		if i == len(seqs) {
			return 0, false
		}
		return times[i], true
	}
}

// Summary returns the first violations as text.
func (r Report) Summary(most int) string {
	var b strings.Builder
	for i, v := range r.Violations {
		if i == most {
			fmt.Fprintf(&b, "and %d more\n", len(r.Violations)-most)
			break
		}
		fmt.Fprintln(&b, v)
	}
	return b.String()
}

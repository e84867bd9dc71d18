package room

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

const (
	probeFirst = 250 * time.Millisecond
	probeMost  = 5 * time.Second
	asksWithin = 500 * time.Millisecond // of a doubt
)

// outage is the time in which a room cannot write, or cannot reach a player (see
// cutOff): it decides nothing, its clocks stand, and its people are told. It ends with
// a [machine.KindOutage] command, so that the machine credits what was lost. A room
// taken over from an owner who died begins in one.
type outage struct {
	from    int64    // ms, database's time: the last moment that surely was in order
	pending *written // may be in the journal; nothing else may take its place
	owned   bool     // we know that we own the room
	noted   bool     // the followers have been told
	cut     bool     // the journal may be there: a player cannot be reached
	try     int
	next    time.Time
}

// goAway stops the clocks. pending is an entry whose outcome is unknown.
func (r *Room) goAway(pending *written) {
	from := r.now()
	if seen := r.registry.lastSeen.Load(); seen < from {
		from = max(seen, r.last)
	}
	r.away = &outage{from: from, pending: pending, noted: true, next: time.Now().Add(backoff(0, probeFirst, probeMost))}
	r.notes.add(Note{Kind: NoteUnavailable}, 0)
	r.registry.stats.away.Add(1)
	r.registry.watch.outage(r.id)
}

// retry tries to come back, and says when to try next.
func (r *Room) retry(now time.Time) time.Time {
	a := r.away
	if a.cut {
		if !r.cutOff().IsZero() {
			return time.Time{} // whatever changes that comes through the inbox
		}
		a.cut, a.next = false, now
	}
	if now.Before(a.next) {
		return a.next
	}
	if r.registry.healthy(now) && (a.owned || a.pending != nil || r.stillOwned()) && r.resolve() && r.credit() {
		r.comeBack()
		return time.Time{}
	}
	if r.over != nil || r.sick != nil {
		return time.Time{}
	}
	a.try++
	a.next = time.Now().Add(backoff(a.try, probeFirst, probeMost))
	return a.next
}

// stillOwned asks the rooms table, which also tells whether the database is
// back.
func (r *Room) stillOwned() bool {
	r.away.owned = r.owns()
	return r.away.owned
}

// owns asks the rooms table whether the room is ours; false if nobody knows.
func (r *Room) owns() bool {
	ctx, cancel := context.WithTimeout(r.registry.ctx, appendTimeout)
	defer cancel()
	line, err := r.registry.journal.Room(ctx, r.id)
	if errors.Is(err, journal.ErrNoRoom) || (err == nil && (line.Epoch != r.epoch || line.Owner != r.registry.self)) {
		r.over = ErrFenced
		return false
	}
	return err == nil
}

// reassure asks whether the room is still ours, after signs of life so far apart
// that others may have thought us dead. With the next entry we would find out
// anyway; but in a room where everybody waits for somebody who is connected to its
// new owner there is none. It says when to ask.
func (r *Room) reassure(now time.Time) time.Time {
	doubts := r.registry.doubts.Load()
	switch {
	case r.sure == doubts:
		return time.Time{}
	case r.asks.IsZero():
		r.asks = now.Add(rand.N(asksWithin)) // all our rooms do
		return r.asks
	case now.Before(r.asks):
		return r.asks
	}
	r.asks = time.Time{}
	if r.owns() {
		r.sure = doubts
	} else if r.over == nil {
		r.asks = now.Add(backoff(0, probeFirst, probeMost))
	}
	return r.asks
}

// resolve learns what became of the pending entry: it is written now if it was
// not before. Whoever sent it is answered when he repeats it.
func (r *Room) resolve() bool {
	w := r.away.pending
	if w == nil {
		return true
	}
	switch r.write(w) {
	case inJournal:
		r.away.pending = nil
		return r.commit(w.entry)
	case fenced:
		r.over = ErrFenced
	}
	return false // away still; the row may arrive yet, so it stays pending
}

// credit tells the machine how long the room could do nothing.
func (r *Room) credit() bool {
	r.anchor = r.registry.anchor.Load() // the clocks may have drifted apart meanwhile
	// What was pending may have been an earlier credit: never twice.
	from := max(r.away.from, r.last)
	body := append(strconv.AppendInt([]byte(`{"from":`), from, 10), '}')
	w, err := r.prepare(machine.Command{ID: machine.KindOutage, Kind: machine.KindOutage, Body: body}, true, time.Now(), nil)
	if err != nil || w.row.Seq == 0 {
		return r.sick == nil // nothing to credit here
	}
	switch r.write(&w) {
	case inJournal:
		return r.commit(w.entry)
	case unknown:
		r.away.pending = w.kept()
	case fenced:
		r.over = ErrFenced
	}
	return false
}

// comeBack ends an outage. The machine waits for the people who were held up;
// those who have been here all the time come back with the room.
func (r *Room) comeBack() {
	for i := range r.people {
		r.people[i].told = toldUnknown
	}
	if r.away.noted {
		r.notes.add(Note{Kind: NoteUnavailable, Over: true}, 0)
		r.registry.stats.away.Add(-1)
	}
	r.away = nil
}

// drain makes the room leave. It is safe from any goroutine.
func (r *Room) drain() {
	r.draining.Store(true)
	r.nudge()
}

// leave lets the room go because this instance does. The clocks stop first, as in
// an outage that begins now: whoever has to connect again, and wait for the next
// owner, loses no time by it.
func (r *Room) leave() {
	if r.away != nil && r.away.cut {
		_ = r.credit()
	} else if r.replica == nil && r.away == nil && r.sick == nil {
		now := time.Now()
		body := append(strconv.AppendInt([]byte(`{"from":`), r.timeAt(now), 10), '}')
		_, _ = r.decide(machine.Command{ID: machine.KindOutage, Kind: machine.KindOutage, Body: body}, true, now)
	}
	if r.over != nil {
		return // fenced: it was not ours to give
	}
	_ = r.release() // if it fails, whoever is next waits until we count as dead
	r.over = ErrDrained
}

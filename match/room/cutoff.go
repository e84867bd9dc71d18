package room

import (
	"strconv"
	"time"

	"mancala/match/machine"
)

const (
	probeFirst = 250 * time.Millisecond
	probeMost  = 5 * time.Second
)

// outage is the time in which an owner is cut off: it cannot write, or a player cannot be
// reached (see [Room.unreachable]). The room decides nothing, its clocks are paused, and
// its followers are told. The outage ends with a [machine.KindOutage] command, so that the
// machine credits the time. A room whose last owner died begins in an outage.
type outage struct {
	from    int64    // ms, database's time: the last moment at which the room certainly worked
	pending *written // may be in the journal; no other row may take its place
	owned   bool     // we know that we own the room
	noted   bool     // the followers have been told
	cut     bool     // a player cannot be reached; the journal may be available
	asleep  bool     // the room slept while the whole service was away, which is over
	try     int
	next    time.Time
}

// goAway pauses the clocks. pending is an entry whose outcome is unknown.
func (r *Room) goAway(pending *written) {
	from := r.now()
	if f := r.registry.frozen.Load(); f != r.frozen {
		from = max(f.from, r.last)
	}
	if seen := r.registry.lastSeen.Load(); seen < from {
		from = max(seen, r.last)
	}
	r.outage = &outage{from: from, pending: pending, noted: true, next: time.Now().Add(backoff(0, probeFirst, probeMost))}
	r.notes.add(Note{Kind: NoteUnavailable}, 0)
	r.registry.stats.away.Add(1)
	r.registry.watch.outage(r.id)
}

// waitForPlayer pauses the clocks as of since, the moment from which a player could not be
// reached.
func (r *Room) waitForPlayer(now, since time.Time) {
	r.goAway(nil)
	r.outage.cut, r.outage.from = true, r.anchor.Load().now()-now.Sub(since).Milliseconds()
}

// runCutOff does what is due in a room that is cut off.
func (r *Room) runCutOff(now time.Time) time.Time {
	next := r.retry(now)
	if r.mode() != cutOff {
		return time.Time{}
	}
	next = earlier(next, r.lookAtFollowers(now))
	return earlier(next, r.presence(now))
}

// retry tries to end the outage, and returns when to try next.
func (r *Room) retry(now time.Time) time.Time {
	a := r.outage
	if a.cut {
		if !r.unreachable().IsZero() {
			return time.Time{} // a change comes through the inbox
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
	if r.mode() != cutOff {
		return time.Time{}
	}
	a.try++
	a.next = time.Now().Add(backoff(a.try, probeFirst, probeMost))
	return a.next
}

// stillOwned asks the rooms table, which also tells whether the database is back.
func (r *Room) stillOwned() bool {
	r.outage.owned = r.owns()
	return r.outage.owned
}

// resolve finds out whether the pending entry was written, and writes it now if it was not.
// Its sender is answered when it repeats the command.
func (r *Room) resolve() bool {
	w := r.outage.pending
	if w == nil {
		return true
	}
	switch r.write(w) {
	case inJournal:
		r.outage.pending = nil
		return r.commitOwn(w.entry)
	case fenced:
		r.end(ErrFenced)
	}
	return false // still cut off; the row may arrive yet, so it stays pending
}

// credit tells the machine how long the room could not decide.
func (r *Room) credit() bool {
	r.anchor.Store(r.registry.anchor.Load()) // the clocks may have drifted apart meanwhile
	// What was pending may have been an earlier credit: never twice.
	command := outageCommand(max(r.outage.from, r.last))
	if r.outage.asleep {
		command = downtimeCommand(r.slept())
	}
	w, err := r.prepare(command, true, time.Now(), nil)
	if err != nil || w.row.Seq == 0 {
		return !r.inQuarantine() // nothing to credit here
	}
	switch r.write(&w) {
	case inJournal:
		return r.commitOwn(w.entry)
	case unknown:
		r.outage.pending = w.kept()
	case fenced:
		r.end(ErrFenced)
	}
	return false
}

// slept returns how long the whole service was away since the last entry.
func (r *Room) slept() time.Duration {
	if r.registry.down == nil || r.last == 0 {
		return 0
	}
	return r.registry.down.Between(msTime(r.last), msTime(r.now()))
}

// downtimeCommand credits a time for which the service was away.
func downtimeCommand(lost time.Duration) machine.Command {
	body := append(strconv.AppendInt([]byte(`{"lost":`), lost.Milliseconds(), 10), '}')
	return machine.Command{ID: machine.KindOutage, Kind: machine.KindOutage, Body: body}
}

// outageCommand credits the time since from, in ms of the database's time.
func outageCommand(from int64) machine.Command {
	body := append(strconv.AppendInt([]byte(`{"from":`), from, 10), '}')
	return machine.Command{ID: machine.KindOutage, Kind: machine.KindOutage, Body: body}
}

// comeBack ends an outage. The machine waits for the players who are not back yet; the
// others come back with the room.
func (r *Room) comeBack() {
	for i := range r.people {
		r.people[i].told = toldUnknown
	}
	if !r.outage.asleep {
		r.strandAll()
	}
	r.frozen = r.registry.frozen.Load() // credited with this outage
	if r.outage.noted {
		r.notes.add(Note{Kind: NoteUnavailable, Over: true}, 0)
		r.registry.stats.away.Add(-1)
	}
	r.outage = nil
}

package room

import (
	"math/rand/v2"
	"strconv"
	"time"

	"mancala/match/machine"
)

const (
	probeFirst = 250 * time.Millisecond
	probeMost  = 5 * time.Second
	// creditEvery is the time between two credits while a player cannot be reached. It is
	// shorter than the longest hold of a machine after an outage.
	creditEvery = 20 * time.Second
)

// outage is the time in which an owner is cut off: it cannot write, or a player cannot be
// reached (see [owner.unreachable]). The room decides nothing, its clocks are paused, and
// its followers are told. The outage ends with a [machine.KindOutage] command, so that the
// machine credits the time. A room whose last owner died begins in an outage.
type outage struct {
	from    int64    // ms, database's time: the last moment at which the room certainly worked
	pending *written // may be in the journal; no other row may take its place
	owned   bool     // we know that we own the room
	noted   bool     // the followers have been told
	cut     bool     // a player cannot be reached; the journal may be available
	waited  bool     // it began because a player could not be reached
	asleep  bool     // the room slept while the whole service was away, which is over
	try     int
	next    time.Time
	returns int64 // the registry's, when next was last set by it
}

// isCutOff reports whether the room is in an outage.
func (o *owner) isCutOff() bool { return o.outage != nil }

// beginCutOff makes a room that is opened begin in an outage, if its players must be
// credited before anything else: its last owner was last seen at ownerSeen and died, or
// the service was away while the room slept.
func (o *owner) beginCutOff(ownerSeen time.Time) {
	if !ownerSeen.IsZero() {
		o.outage = &outage{from: ownerSeen.UnixMilli(), owned: true}
		o.room.unseen = true // perhaps that owner died before it reported it
	} else if o.slept() > 0 {
		o.outage = &outage{asleep: true, owned: true}
	}
}

// inOrder returns since when the room is cut off, or else the last moment at which it
// certainly worked, in ms of the database's time.
func (o *owner) inOrder() int64 {
	if o.outage != nil && !o.outage.asleep { // a room that slept has no beginning of its outage
		return o.outage.from
	}
	return o.lastWorked()
}

// goAway pauses the clocks. pending is an entry whose outcome is unknown.
func (o *owner) goAway(pending *written) {
	r := o.room
	from := o.lastWorked()
	o.outage = &outage{
		from: from, pending: pending, noted: true,
		next: time.Now().Add(backoff(0, probeFirst, probeMost)), returns: r.registry.returns.Load(),
	}
	r.notes.add(Note{Kind: NoteUnavailable}, 0)
	r.registry.stats.away.Add(1)
	r.registry.watch.outage(r.id)
}

// lastWorked returns the last moment at which the room certainly worked, in ms. Freezes that
// are over and not credited yet are taken off, so that an outage from there until now is as
// long as all of them together.
func (o *owner) lastWorked() int64 {
	r := o.room
	at := min(r.now(), r.registry.lastSeen.Load())
	for f := r.registry.frozen.Load(); f != nil && f != o.frozen; f = f.before.Load() {
		at -= max(0, f.until-max(f.from, r.last))
	}
	return max(at, r.last)
}

// waitForPlayer pauses the clocks as of since, the moment from which a player could not be
// reached.
func (o *owner) waitForPlayer(now, since time.Time) {
	o.goAway(nil)
	o.outage.cut, o.outage.waited = true, true
	o.outage.from = o.room.anchor.Load().now() - now.Sub(since).Milliseconds()
}

// runCutOff does what is due in a room that is cut off.
func (o *owner) runCutOff(now time.Time) time.Time {
	next := earlier(o.lookAtFollowers(now), o.retry(now))
	if o.room.mode() != cutOff {
		return time.Time{}
	}
	return earlier(next, o.presence(now))
}

// retry tries to end the outage, and returns when to try next.
func (o *owner) retry(now time.Time) time.Time {
	r := o.room
	a := o.outage
	if a.cut {
		if !o.unreachable(now).IsZero() {
			return o.keepWaiting(now)
		}
		a.cut, a.next = false, now
	}
	if n := r.registry.returns.Load(); n != a.returns && !a.next.IsZero() { // the database is back
		a.returns, a.try, a.next = n, 0, earlier(a.next, now.Add(rand.N(asksWithin)))
	}
	if now.Before(a.next) {
		return a.next
	}
	if r.registry.mayDecide(now) && (a.owned || a.pending != nil || o.stillOwned()) && o.resolve() && o.credit() {
		o.comeBack()
		return time.Time{}
	}
	if r.mode() != cutOff {
		return time.Time{}
	}
	a.try++
	a.next = time.Now().Add(backoff(a.try, probeFirst, probeMost))
	return a.next
}

// keepWaiting does what is due while a player cannot be reached, and returns when to look
// again. It asks whether the room is still ours, since the message of a takeover may not
// arrive. It also credits the time so far: the machine then stops the clock for longer than
// until the next credit, so that no time is lost if this instance dies meanwhile.
func (o *owner) keepWaiting(now time.Time) time.Time {
	r := o.room
	a := o.outage
	next := earlier(now.Add(time.Second), o.reassure(now)) // most changes come through the inbox
	if r.ends() || now.Before(a.next) || !r.registry.mayDecide(now) {
		return next
	}
	if o.resolve() && o.credit() {
		a.next = now.Add(creditEvery)
	}
	return next
}

// stillOwned reports whether this instance owns the room, by the rooms table. If the table can be read, the
// database is back.
func (o *owner) stillOwned() bool {
	o.outage.owned = o.owns()
	return o.outage.owned
}

// resolve finds out whether the pending entry was written, and writes it now if it was not.
// Its sender is answered when it repeats the command.
func (o *owner) resolve() bool {
	w := o.outage.pending
	if w == nil {
		return true
	}
	switch o.write(w) {
	case inJournal:
		o.outage.pending = nil
		return o.commitOwn(w.entry)
	case fenced:
		o.room.end(ErrFenced)
	}
	return false // still cut off; the row may arrive yet, so it stays pending
}

// credit tells the machine how long the room could not decide.
func (o *owner) credit() bool {
	r := o.room
	r.anchor.Store(r.registry.anchor.Load()) // the clocks may have drifted apart meanwhile
	// The entry that was pending may have been a credit itself. So this credit begins after the last
	// entry at the earliest, and no time is credited twice.
	command := outageCommand(max(o.outage.from, r.last), o.cause())
	if o.outage.asleep {
		command = downtimeCommand(o.slept(), machine.CauseOutage)
	}
	w, err := o.prepare(command, true, time.Now(), nil)
	if err != nil || w.row.Seq == 0 {
		return !r.inQuarantine() // nothing to credit here
	}
	switch o.write(&w) {
	case inJournal:
		return o.commitOwn(w.entry)
	case unknown:
		o.outage.pending = w.kept()
	case fenced:
		r.end(ErrFenced)
	}
	return false
}

// cause returns why the room could not decide.
func (o *owner) cause() string {
	if o.outage.waited {
		return machine.CauseWait
	}
	for f := o.room.registry.frozen.Load(); f != nil && f != o.frozen; f = f.before.Load() {
		if f.stopped {
			return machine.CauseFreeze
		}
	}
	return machine.CauseOutage
}

// slept returns how long the whole service was away since the last entry.
func (o *owner) slept() time.Duration {
	r := o.room
	if r.registry.down == nil || r.last == 0 {
		return 0
	}
	return r.registry.down.Between(msTime(r.last), msTime(r.now()))
}

// downtimeCommand credits a time that is over.
func downtimeCommand(lost time.Duration, cause string) machine.Command {
	return creditCommand("lost", lost.Milliseconds(), cause)
}

// outageCommand credits the time since from, in ms of the database's time.
func outageCommand(from int64, cause string) machine.Command {
	return creditCommand("from", from, cause)
}

func creditCommand(field string, ms int64, cause string) machine.Command {
	body := append(strconv.AppendInt([]byte(`{"`+field+`":`), ms, 10), `,"why":"`+cause+`"}`...)
	return machine.Command{ID: machine.KindOutage, Kind: machine.KindOutage, Body: body}
}

// comeBack ends an outage. The machine waits for the players who are not back yet; the
// others come back with the room.
func (o *owner) comeBack() {
	r := o.room
	for i := range r.people {
		r.people[i].told = toldUnknown
	}
	if !o.outage.asleep {
		o.strandAll()
	}
	o.frozen = r.registry.frozen.Load() // credited with this outage
	if o.outage.noted {
		r.notes.add(Note{Kind: NoteUnavailable, Over: true}, 0)
	}
	o.endOutage()
}

// endOutage forgets the outage, if there is one.
func (o *owner) endOutage() {
	if o.outage != nil && o.outage.noted {
		o.room.registry.stats.away.Add(-1)
	}
	o.outage = nil
}

package room

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// slowWrite is how long a write may take before the player on turn is credited.
const slowWrite = 300 * time.Millisecond

// A credit that takes longer than slowCredit to write is credited as well. Less is not worth
// one more slow write, during which the room takes no move.
const (
	slowCredit     = time.Second
	maxSlowCredits = 3 // in a row
)

// appendTimeout bounds one attempt to write, give or take a second. To the people in the
// room, a database that takes longer is away.
const appendTimeout = 5 * time.Second

// serve carries out a request. It returns the time after that.
func (o *owner) serve(q *request) (now time.Time) {
	r := o.room
	if q.call != nil {
		return r.makeCall(q)
	}
	before := r.seq
	answer, err := o.execute(q.command, q.internal)
	switch {
	case err == nil && answer.Seq > before && !answer.Repeat:
		now = o.published // to read the clock again would take a fiftieth of the whole command
		r.registry.watch.published(r.kind, q.sent, now)
	case err == nil:
		now = time.Now()
	default:
		now = time.Now()
		if code, ok := refusal.Of(err); ok {
			r.registry.watch.refused(code)
		}
	}
	q.answer(r.registry, reply{answer, err})
	return now
}

// execute is the order that every guarantee rests on: decide, append, apply,
// publish. Nothing leaves the room before it is in the journal.
func (o *owner) execute(c machine.Command, internal bool) (Answer, error) {
	r := o.room
	mode := r.mode()
	if mode == ending {
		return Answer{}, ErrMoved
	}
	if !internal {
		if seq, ok := r.repeats.find(c.By, c.ID); ok {
			return Answer{Seq: seq, Repeat: true}, nil
		}
	}
	if mode == quarantined {
		return Answer{}, ErrQuarantined
	}
	now := time.Now()
	if mode == deciding && o.stopped(now) {
		o.goAway(nil) // other instances may take us for dead: no decision until we know better
		mode = cutOff
	}
	if mode == cutOff {
		return Answer{}, ErrUnavailable
	}
	if c.Waited > 0 && !internal {
		if o.wouldStopClock(c, now) {
			o.creditWait(c, now)
			now = time.Now()
		}
		switch r.mode() {
		case deciding:
		case quarantined:
			return Answer{}, ErrQuarantined
		default:
			return Answer{}, ErrUnavailable
		}
	}
	return o.decide(c, internal, now)
}

func (o *owner) decide(c machine.Command, internal bool, now time.Time) (Answer, error) {
	r := o.room
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	w, err := o.prepare(c, internal, now, *buffer)
	if err != nil || w.row.Seq == 0 {
		return Answer{}, err
	}
	*buffer = w.row.Data
	switch o.write(&w) {
	case inJournal:
		if !o.commitOwn(w.entry) {
			return Answer{}, ErrQuarantined
		}
		a := Answer{Seq: r.seq}
		o.published = time.Now()
		o.creditWrite(c.Kind, now)
		o.holdForStranded(c.Kind)
		return a, nil
	case notInJournal:
		o.goAway(nil)
		o.outage.from = min(o.outage.from, w.entry.At)
		return Answer{}, ErrUnavailable
	case unknown:
		o.goAway(w.kept())
		o.outage.from = min(o.outage.from, w.entry.At)
		return Answer{}, ErrUnavailable
	default:
		r.end(ErrFenced)
		return Answer{}, ErrMoved
	}
}

// creditWrite credits the time beyond slowWrite that the write of an entry took, which was
// decided at now and published at once after the write. The entry's time is now, so the next
// player's clock ran before the player could see the entry.
func (o *owner) creditWrite(kind string, now time.Time) {
	if kind == machine.KindOutage {
		return
	}
	for least, n := slowWrite, 0; n < maxSlowCredits; least, n = slowCredit, n+1 {
		took := o.published.Sub(now)
		if took <= least || o.room.mode() != deciding {
			return
		}
		now = time.Now()
		_, _ = o.decide(downtimeCommand(took-slowWrite, machine.CauseWrite), true, now) // after an error the room is cut off, and credits that as well
	}
}

// wouldStopClock reports whether a command that has waited ends its author's thinking time,
// and would have been carried out if it had not waited. No other command is credited: the
// clock runs on after an offer, and a refused command changes nothing.
func (o *owner) wouldStopClock(c machine.Command, now time.Time) bool {
	r := o.room
	m, ok := r.machine.(machine.Clocked)
	if !ok || !m.StopsClock(c.Kind) {
		return false
	}
	sent := r.timeAt(now.Add(-min(c.Waited, giveUpAfter)))
	_, err := o.askMachine(c, sent)
	return err == nil
}

// creditWait credits the time for which a player's command was under way because messages
// between instances were lost, as the player's instance has measured it. The machine counts
// at most what the turn has taken.
func (o *owner) creditWait(c machine.Command, now time.Time) {
	lost := downtimeCommand(min(c.Waited, giveUpAfter), machine.CauseMessage)
	lost.By = c.By
	_, _ = o.decide(lost, true, now) // it is refused out of turn; after an error the room is cut off
}

// prepare makes the entry that a command becomes, as a row for the next sequence,
// written into b. It returns the error for the sender, or a row without a number if
// there is nothing to write.
func (o *owner) prepare(c machine.Command, internal bool, now time.Time, b []byte) (w written, err error) {
	r := o.room
	e, err := o.askMachine(c, r.timeAt(now))
	switch {
	case errors.Is(err, machine.ErrNothing):
		return w, nil
	case err != nil:
		return w, err
	case e.Version > 0:
		if err := r.registry.allReadEntries(r.registry.ctx, e.Version); err != nil {
			return w, err
		}
	}
	e.Command = c.ID
	if internal {
		e.Command = "" // not a client's command: never remembered as one
	}
	data := appendEntry(b[:0], e)
	return written{entry: e, row: journal.Row{Seq: r.seq + 1, Epoch: r.epoch, Key: rowKey(c), Data: data}}, nil
}

// askMachine lets the machine decide. Time and author are the room's, whatever the
// machine wrote.
func (o *owner) askMachine(c machine.Command, now int64) (e machine.Entry, err error) {
	r := o.room
	if broke := r.guard("decide", func() { e, err = r.machine.Decide(c, msTime(now)) }); broke != nil {
		return e, broke
	}
	if err != nil && !errors.Is(err, machine.ErrNothing) {
		if _, refused := refusal.Of(err); !refused {
			// Neither a refusal nor an answer: the machine is faulty.
			r.quarantine(fmt.Errorf("decide: %w", err))
			return e, ErrQuarantined
		}
	}
	e.At, e.By = now, c.By
	return e, err
}

// commit takes an entry that is in the journal into the state and shows it. It returns
// false if the machine cannot apply it.
func (r *Room) commit(e machine.Entry) bool {
	var newState bool
	var err error
	if broke := r.guard("apply", func() { newState, err = applyStaged(r.machine, e) }); broke != nil {
		return false
	}
	if err != nil && r.isReplica() {
		// Its entries may not be its owner's: the journal may have lost some. The next copy
		// reads the journal, and is in quarantine if that cannot be applied either.
		r.registry.log.Warn("room: this copy cannot apply an entry of its owner and restarts", "room", r.id, "entry", r.seq+1, "err", err)
		r.end(ErrMoved)
		return false
	}
	if err != nil {
		r.quarantine(fmt.Errorf("apply entry %d: %w", r.seq+1, err))
		return false
	}
	r.seq++
	r.last = e.At
	r.sum = addSum(r.sum, e)
	r.quiet.busy = true
	r.repeats.learn(e, r.seq)
	if r.deriveState() != nil {
		return false
	}
	p := &Published{Seq: r.seq, Entry: e, Roster: r.feed.roster, NewState: newState, encoder: r}
	r.hold(p)
	if r.startsDelay() {
		if err := r.startDelay(); err != nil { // watchers must not see the present; the next copy has the delay
			r.registry.log.Warn("room: the delay for watchers cannot begin", "room", r.id, "err", err)
			_ = r.role.release()
			r.end(ErrMoved)
		}
	}
	private := privates.Get().(*privateParts)
	p.private = private
	r.addPrivate(p.Roster, private)
	if told := r.feed.put(p); !told {
		r.unseen = true
	} else if newState && r.delayed.Load() == nil {
		r.unseen = false // the follower reads the whole state, with what happened before it came
	}
	privates.Put(private)
	return true
}

// deriveState brings up to date what is derived from the state: roster and wake time.
func (r *Room) deriveState() error {
	return r.guard("state", func() {
		roster := r.feed.roster.update(r.machine)
		r.role.learnWake()
		if roster != r.feed.roster {
			r.feed.mu.Lock()
			r.feed.roster = roster
			r.feed.mu.Unlock()
			r.roster.Store(roster)
			r.seatPeople(toldBack)
		}
	})
}

// buffers lends memory for rows.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// written is an entry and the row that holds it.
type written struct {
	entry machine.Entry
	row   journal.Row
	doubt bool // an attempt may be in the journal, or on its way there
}

// kept returns a copy that lasts: the row's bytes are borrowed.
func (w *written) kept() *written {
	k := *w
	k.row.Data = bytes.Clone(w.row.Data)
	return &k
}

type outcome int8

const (
	inJournal    outcome = iota // there, and ours
	notInJournal                // surely not there
	unknown                     // the same row must be tried again until we know
	fenced                      // another instance owns the room
)

// write appends an entry. After a conflict or an unknown outcome the row itself tells
// whose it is.
func (o *owner) write(w *written) outcome {
	r := o.room
	ctx := r.registry.writing.In(r.registry.ctx, appendTimeout)
	var wake time.Time
	if !o.known {
		// The room is due at once if we die: from the first entry on, another
		// instance opens it then and learns its wake time. The wake time after
		// this entry is not known before it is applied, and one that is too
		// early does no harm.
		wake = msTime(w.entry.At)
	}
	for range 3 {
		err := r.registry.journal.Append(ctx, r.id, w.row, wake)
		switch {
		case err == nil:
			o.known = true
			return inJournal
		case errors.Is(err, journal.ErrUnavailable):
			if w.doubt {
				return unknown // this attempt is not there, an earlier one may be
			}
			return notInJournal
		}
		w.doubt = true
		missing := false
		switch found := o.look(ctx, w, &missing); {
		case !missing:
			return found
		case errors.Is(err, journal.ErrConflict):
			return fenced // the row is free, so it is the epoch that is not ours
		}
		// Not there, or not yet. The same row is written again, so that a late
		// attempt conflicts with itself.
	}
	return unknown
}

// look reads the row in the place of w, and returns what it proves. It sets missing if there is no row.
func (o *owner) look(ctx context.Context, w *written, missing *bool) outcome {
	r := o.room
	rows, err := r.registry.journal.Read(ctx, r.id, w.row.Seq-1, 1)
	switch {
	case errors.Is(err, journal.ErrNoRoom):
		return fenced // another database
	case err != nil:
		return unknown
	case len(rows) == 0:
		*missing = true
		return unknown
	case !w.is(rows[0]) || w.learn(rows[0]) != nil:
		return fenced
	}
	o.known = true
	return inJournal
}

// is reports whether a row of the journal is w.
func (w *written) is(row journal.Row) bool {
	return row.Seq == w.row.Seq && row.Epoch == w.row.Epoch && row.Key == w.row.Key
}

// learn takes the entry from the row that is w: the journal is right, not our memory.
func (w *written) learn(row journal.Row) (err error) {
	if !bytes.Equal(row.Data, w.row.Data) {
		w.entry, err = decodeEntry(row.Data)
	}
	return err
}

package room

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"mancala/match/event"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// Room runs one machine. Callers reach it through a [Registry] or a [Following];
// its fields without a lock belong to the goroutine of loop, of which there is one
// at most.
type Room struct {
	id, kind string
	registry *Registry
	slot     *slot
	epoch    uint64 // of our ownership; the fence knows it
	anchor   *anchor

	inbox chan *request // bounded; a full inbox is an answer, not a wait; nil: look around
	poked atomic.Bool   // a nil is in the inbox
	life  atomic.Uint32 // dozing, ended
	done  event.Event   // fired when it has ended

	feed      feed
	notes     notes
	admission atomic.Pointer[admission]
	crowd     crowd
	roster    atomic.Pointer[Roster] // the feed's, for readers without its lock
	late      atomic.Pointer[late]   // what watchers see, if that is not the present
	encoder   machine.Machine        // see [Room.encode]
	broken    atomic.Pointer[string] // why encoding failed on another goroutine
	draining  atomic.Bool

	machine  machine.Machine
	seq      uint64
	last     int64 // At of the last entry
	repeats  repeats
	peers    map[string]*peer // other instances that follow
	replica   *replica          // of a room that another instance owns; never changes
	people   []person
	watching int
	followed int
	unseen   bool // something may have happened that no follower was told of
	tasks    map[string]context.CancelFunc

	wake      time.Time // the machine's, in the database's time
	wakeAfter time.Time // not before this: the machine asks for a wake-up and does nothing with it
	wakes     int       // in a row without the wake time moving on
	known     bool      // the rooms table knows that we should be missed
	sure      int64     // the last of the registry's doubts after which the room was still ours
	asks      time.Time // when to ask about a newer one

	away  *outage   // the journal is away
	sick  error     // quarantined, and why
	over  error     // ended, and why
	idle  time.Time // when the room may sleep
	busy  bool      // there is more to tidy than when it last looked
	quiet time.Time // when it may be tidied; zero if it has been
	timer *time.Timer
	armed time.Time // when timer fires
}

// What the life of a room may say.
const (
	dozing = 1 << iota // it has no goroutine: whoever takes this away starts one
	ended              // whoever is in the inbox will be turned away
)

// Answer is what a command came to.
type Answer struct {
	Seq    uint64 // of the entry that the command became; 0 if there was nothing to do
	Repeat bool   // the command had been carried out before; the entry is the old one
}

// request waits in the inbox: a command, or a call to make on the goroutine.
type request struct {
	command  machine.Command
	body     []byte // the command's, of one that was sent: a request keeps it for the next
	internal bool
	call     func(*Room) error
	sent     time.Time
	asker    Asker
	reply    chan reply // without an asker; holds one, so the room never waits for a caller
}

// Asker is told what became of a command that it has sent, see [Following.Send].
type Asker interface {
	// Answered is called once for each command, nearly always by the room's
	// goroutine and after the followers have been told: it must return at once.
	// The command comes without its body.
	Answered(c machine.Command, a Answer, err error)
}

// answer tells whoever sent the request, and nothing holds on to it afterwards.
func (q *request) answer(reg *Registry, p reply) {
	if q.asker == nil {
		q.reply <- p // who waits for it gives it back
		return
	}
	asker, c := q.asker, q.command
	c.Body = nil // lent
	reg.giveBack(q)
	asker.Answered(c, p.answer, p.err)
}

type reply struct {
	answer Answer
	err    error
}

func (reg *Registry) newRequest() *request {
	q, ok := reg.requests.Get().(*request)
	if !ok {
		q = &request{reply: make(chan reply, 1)}
	}
	if reg.watch.Published != nil {
		q.sent = time.Now()
	}
	return q
}

// ask sends a command from outside and waits for the answer.
func (r *Room) ask(ctx context.Context, c machine.Command) (Answer, error) {
	q := r.registry.newRequest()
	q.command = c
	return r.submit(ctx, q)
}

// call runs f on the room's goroutine.
func (r *Room) call(ctx context.Context, f func(*Room) error) error {
	q := r.registry.newRequest()
	q.call = f
	_, err := r.submit(ctx, q)
	return err
}

// callInTurn runs f on the room's goroutine. Unlike call it waits while the inbox is
// full.
func (r *Room) callInTurn(ctx context.Context, f func(*Room) error) error {
	q := r.registry.newRequest()
	q.call = f
	if err := r.postInTurn(ctx, q); err != nil {
		return err
	}
	_, err := r.wait(ctx, q)
	return err
}

// postInTurn puts a request into the inbox as soon as there is a place.
func (r *Room) postInTurn(ctx context.Context, q *request) error {
	select {
	case r.inbox <- q:
		r.posted()
		return nil
	case <-r.done.Done():
		return ErrMoved
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run has the room's goroutine run f, and does not wait for it. A full inbox loses
// it.
func (r *Room) run(f func(*Room)) {
	q := r.registry.newRequest()
	q.call = func(r *Room) error {
		f(r)
		return nil
	}
	_ = r.post(q)
}

// send sends a command from outside and has asker told the answer. An error says
// that it was not sent.
func (r *Room) send(c machine.Command, asker Asker) error {
	q := r.registry.newRequest()
	q.command, q.asker = c, asker
	q.body = append(q.body, c.Body...)
	q.command.Body = q.body
	return r.post(q)
}

// post puts a request into the inbox. It will be answered, also if the room ends.
func (r *Room) post(q *request) error {
	if r.life.Load()&ended != 0 {
		return ErrMoved
	}
	select {
	case r.inbox <- q:
	default:
		r.registry.watch.refused(CodeBusy)
		return ErrBusy
	}
	r.posted()
	return nil
}

// posted comes after something was put into the inbox, which a room that dozed off or
// ended at the same moment may not have seen.
func (r *Room) posted() {
	switch life := r.life.And(^uint32(dozing)); {
	case life&ended != 0:
		r.turnAway()
	case life&dozing != 0:
		go r.loop()
	}
}

func (r *Room) submit(ctx context.Context, q *request) (Answer, error) {
	if err := r.post(q); err != nil {
		return Answer{}, err
	}
	return r.wait(ctx, q)
}

// wait gives the reply to a request that is in the inbox. Only a request that
// the room will not touch again goes back to the pool.
func (r *Room) wait(ctx context.Context, q *request) (Answer, error) {
	select {
	case p := <-q.reply:
		r.registry.giveBack(q)
		return p.answer, p.err
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

func (reg *Registry) giveBack(q *request) {
	*q = request{reply: q.reply, body: q.body[:0]}
	reg.requests.Put(q)
}

// nudge makes the goroutine look around; many nudges are one look. The room has
// one channel for all that can happen to it, because to wait for several at once
// costs as much as a move: the time comes as a nudge, too, and so does the end.
func (r *Room) nudge() {
	if r.poked.Swap(true) {
		return
	}
	select {
	case r.inbox <- nil:
		r.posted()
	default: // it looks around after what is in there
		r.poked.Store(false)
	}
}

// loop is the room. It goes on until the registry's context ends, the room may
// sleep or is drained, or somebody else owns it; with a pause when all is quiet.
func (r *Room) loop() {
	now := time.Now()
	for {
		r.attend(now)
		if r.over != nil {
			if r.timer != nil {
				r.timer.Stop()
			}
			r.finish()
			return
		}
		if r.tidied() && r.doze() {
			return
		}
		now = r.next()
	}
}

// doze says that the loop may return: whoever next has something for the room starts
// it again. A goroutine that waits takes more memory than all else of a room.
func (r *Room) doze() bool {
	r.life.Or(dozing)
	// Who was quicker with the inbox than we with this has not seen it, and is
	// waited for by us. Of those who come later one has started a loop already if
	// it is gone again.
	return len(r.inbox) == 0 || r.life.And(^uint32(dozing))&dozing == 0
}

// next waits for something to happen and deals with it. It gives the time at the
// end of that.
func (r *Room) next() time.Time {
	if q := <-r.inbox; q != nil {
		return r.serve(q)
	}
	r.poked.Store(false)
	return time.Now()
}

func (r *Room) serve(q *request) (now time.Time) {
	r.idle = time.Time{}
	if r.replica != nil && r.pass(q) {
		return time.Now()
	}
	var p reply
	if q.call != nil {
		p.err = q.call(r)
		now = time.Now()
	} else {
		p.answer, p.err = r.execute(q.command, q.internal)
		now = time.Now()
		if p.err != nil {
			if code, ok := refusal.Of(p.err); ok {
				r.registry.watch.refused(code)
			}
		} else if p.answer.Seq == r.seq && !p.answer.Repeat {
			r.registry.watch.published(r.kind, q.sent, now)
		}
	}
	q.answer(r.registry, p)
	return now
}

// attend does what is due besides the inbox and sets the timer for what will
// be.
func (r *Room) attend(now time.Time) {
	var next time.Time
	if !now.Before(r.armed) {
		r.armed = time.Time{}
	}
	if r.over == nil && r.registry.ctx.Err() != nil {
		r.over = ErrDrained
	}
	if why := r.broken.Load(); why != nil && r.sick == nil {
		r.quarantine(errors.New(*why))
	}
	if r.replica == nil {
		next = r.govern(now)
	} else if r.over == nil {
		r.lookAround(now)
		next = r.reflect(now)
	}
	next = earlier(next, r.letSee())
	if !r.blind() {
		r.makeSnapshots()
	}
	next = earlier(next, r.sendNotes(now))
	if r.draining.Load() && r.over == nil {
		r.leave()
	}
	if r.over == nil {
		next = earlier(next, r.sleepy(now))
		next = earlier(next, r.tidy(now))
	}
	r.arm(next)
}

// govern does what is due in a room that is ours.
func (r *Room) govern(now time.Time) (next time.Time) {
	if r.away == nil && r.sick == nil && !r.registry.healthy(now) {
		r.goAway(nil)
	}
	if len(r.peers) > 0 && r.away == nil && r.sick == nil {
		if since := r.cutOff(); !since.IsZero() {
			r.goAway(nil)
			r.away.cut, r.away.from = true, r.anchor.now()-now.Sub(since).Milliseconds()
		}
	}
	if r.away != nil {
		next = r.retry(now)
	}
	if r.over == nil && r.away == nil && r.sick == nil {
		next = earlier(next, r.reassure(now))
	}
	if r.over == nil && r.away == nil && r.sick == nil {
		next = earlier(next, r.wakeUp(now))
	}
	if len(r.peers) > 0 {
		next = earlier(next, r.dropSilent(now))
	}
	r.lookAround(now)
	if r.sick == nil && r.over == nil {
		next = earlier(next, r.presence(now))
	}
	return next
}

// arm sets the timer. One that is set for an earlier moment is left alone: to
// look around once too often is cheaper than to set it with every command.
func (r *Room) arm(next time.Time) {
	if next.IsZero() || (!r.armed.IsZero() && !next.Before(r.armed)) {
		return
	}
	r.armed = next
	if r.timer == nil {
		r.timer = time.AfterFunc(time.Until(next), r.nudge)
		return
	}
	r.timer.Reset(time.Until(next))
}

// finish ends the room: its people are told, its place in the registry is free,
// and whoever still waits in the inbox tries the next copy.
func (r *Room) finish() {
	r.stopTasks()
	if r.replica != nil {
		r.leaveOwner()
	}
	if r.away != nil && r.away.noted {
		r.registry.stats.away.Add(-1)
	}
	if r.over == ErrFenced {
		r.registry.watch.fenced(r.id)
	}
	r.feed.end(r.over)
	if l := r.late.Load(); l != nil {
		l.feed.end(r.over)
	}
	r.registry.forget(r)
	r.life.Or(ended)
	r.done.Fire()
	r.turnAway()
	r.registry.group.Done()
}

// turnAway answers whoever still waits in the inbox of a room that has ended.
func (r *Room) turnAway() {
	for {
		select {
		case q := <-r.inbox:
			if q != nil {
				q.answer(r.registry, reply{err: ErrMoved})
			}
		default:
			return
		}
	}
}

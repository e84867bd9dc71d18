package room

import (
	"context"
	"time"

	"mancala/match/machine"
)

// Answer is the outcome of a command.
type Answer struct {
	Seq    uint64 // of the entry that the command became; 0 if there was nothing to do
	Repeat bool   // the command had been carried out before; the entry is the old one
}

// Asker receives the outcome of a command that it has sent, see [Following.Send].
type Asker interface {
	// Answered is called once for each command, nearly always by the room's
	// goroutine and after the followers have been told: it must return at once.
	// The command comes without its body.
	Answered(c machine.Command, a Answer, err error)
}

// request waits in the inbox: a command, or a call to make on the goroutine.
type request struct {
	command  machine.Command
	body     []byte // the command's, if it was sent: a request keeps it for the next
	internal bool
	call     func(*Room) error
	sent     time.Time
	asker    Asker
	reply    chan reply // without an asker; holds one, so that the room never waits for a caller
}

type reply struct {
	answer Answer
	err    error
}

// answer replies to the request. Nothing of the room holds on to it afterwards.
func (q *request) answer(reg *Registry, p reply) {
	if q.asker == nil {
		q.reply <- p // the caller that waits for it gives the request back
		return
	}
	asker, c := q.asker, q.command
	c.Body = nil // lent
	reg.giveBack(q)
	asker.Answered(c, p.answer, p.err)
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

func (reg *Registry) giveBack(q *request) {
	*q = request{reply: q.reply, body: q.body[:0]}
	reg.requests.Put(q)
}

// Do carries out a command in a room, which is opened if it sleeps. The error wraps a
// [*refusal.Error], or ctx's; a command whose answer was lost may be sent again with
// the same ID. Its body must not change afterwards, even if ctx has ended first. An
// answer without Seq means that there was nothing to do.
func (reg *Registry) Do(ctx context.Context, id string, c machine.Command) (Answer, error) {
	c.Server = false
	return reg.do(ctx, id, c)
}

// Order is [Registry.Do] for an order of the service itself, which no client can send. By is the
// person on whose behalf it is sent. If By is empty the room does not know repeats: the order
// may be decided again after its answer was lost, and the machine must be prepared for that.
func (reg *Registry) Order(ctx context.Context, id string, c machine.Command) (Answer, error) {
	c.Server = true
	return reg.do(ctx, id, c)
}

func (reg *Registry) do(ctx context.Context, id string, c machine.Command) (Answer, error) {
	if err := reg.check(c); err != nil {
		return Answer{}, err
	}
	var a Answer
	err := reg.with(ctx, id, func(r *Room) (err error) {
		a, err = r.ask(ctx, c)
		return err
	})
	return a, err
}

// Do sends a player's command to the room, see [Registry.Do], also for its body.
func (f *Following) Do(ctx context.Context, c machine.Command) (Answer, error) {
	c.Server = false
	if err := f.room.registry.check(c); err != nil {
		return Answer{}, err
	}
	return f.room.ask(ctx, c)
}

// Send is [Following.Do] for callers that do not wait: asker receives the answer. After an
// error it receives nothing. The command's body is copied.
func (f *Following) Send(c machine.Command, asker Asker) error {
	c.Server = false
	if err := f.room.registry.check(c); err != nil {
		return err
	}
	return f.room.send(c, asker)
}

// ask sends a command from outside and waits for the answer.
func (r *Room) ask(ctx context.Context, c machine.Command) (Answer, error) {
	q := r.registry.newRequest()
	q.command = c
	return r.submit(ctx, q)
}

// call runs f on the room's goroutine. If ctx ends first, f may run after call has
// returned, see [result].
func (r *Room) call(ctx context.Context, f func(*Room) error) error {
	q := r.registry.newRequest()
	q.call = f
	_, err := r.submit(ctx, q)
	return err
}

// result runs f on the room's goroutine and returns what f returns. The caller may give
// up before f runs, so f must not write to variables of the caller.
func result[T any](ctx context.Context, r *Room, f func(*Room) (T, error)) (T, error) {
	var value, none T
	if err := r.call(ctx, func(r *Room) (err error) {
		value, err = f(r)
		return err
	}); err != nil {
		return none, err // f may still run and write to value
	}
	return value, nil
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

// callLater runs f on the room's goroutine and does not wait for it. A full inbox
// drops it.
func (r *Room) callLater(f func(*Room)) {
	q := r.registry.newRequest()
	q.call = func(r *Room) error {
		f(r)
		return nil
	}
	_ = r.post(q)
}

// send sends a command from outside; asker receives the answer. After an error it was not
// sent.
func (r *Room) send(c machine.Command, asker Asker) error {
	q := r.registry.newRequest()
	q.command, q.asker = c, asker
	q.body = append(q.body, c.Body...)
	q.command.Body = q.body
	return r.post(q)
}

func (r *Room) submit(ctx context.Context, q *request) (Answer, error) {
	if err := r.post(q); err != nil {
		return Answer{}, err
	}
	return r.wait(ctx, q)
}

// post puts a request into the inbox. It will be answered, also if the room ends.
func (r *Room) post(q *request) error {
	if r.quiet.over() {
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

// posted comes after something was put into the inbox. The room may have dozed off or
// ended at the same moment, without having seen it.
func (r *Room) posted() {
	switch start, over := r.quiet.wake(); {
	case over:
		r.turnAway()
	case start:
		go r.loop()
	}
}

// wait returns the reply to a request that is in the inbox. Only a request that the
// room will not touch again goes back to the pool.
func (r *Room) wait(ctx context.Context, q *request) (Answer, error) {
	select {
	case p := <-q.reply:
		r.registry.giveBack(q)
		return p.answer, p.err
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// makeCall carries out a call on the goroutine, and returns the time after that.
func (r *Room) makeCall(q *request) time.Time {
	err := q.call(r)
	now := time.Now()
	q.answer(r.registry, reply{err: err})
	return now
}

// nudge makes the goroutine look at what is due; many nudges are one look. Everything
// that can happen to the room comes through its one channel, because waiting for several
// costs as much as a move: the timer nudges, too, and so does the end.
func (r *Room) nudge() {
	if r.poked.Swap(true) {
		return
	}
	select {
	case r.inbox <- nil:
		r.posted()
	default: // the room looks after what is in the inbox
		r.dropNudge()
	}
}

// dropNudge ends a nudge that found the inbox full. Other nudges were dropped because of this
// one. If the inbox has places by now, the room may have looked before them and not since.
func (r *Room) dropNudge() {
	r.poked.Store(false)
	if len(r.inbox) < cap(r.inbox) {
		r.nudge()
	}
}

// check refuses a command that no room would take.
func (reg *Registry) check(c machine.Command) error {
	switch {
	case machine.Internal(c.Kind):
		reg.watch.refused(CodeReserved)
		return ErrReserved
	case c.By == "" && !c.Server || len(c.By) > maxAuthor || c.ID == "" || len(c.ID) > maxCommandID,
		c.Kind == "" || len(c.Kind) > maxCommandID || len(c.Body) > maxBody:
		reg.watch.refused(CodeBadCommand)
		return ErrBadCommand
	}
	return nil
}

package room

import (
	"encoding/json"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
)

const (
	repeatAfter = time.Second      // a command without an answer is sent again
	giveUpAfter = 10 * time.Second // and whoever sent it is told that we do not know
	maxCalls    = 64               // that wait in one replica
)

// call is a command that waits for the owner's answer.
type call struct {
	n      uint64
	q      *request
	sent   time.Time // first
	repeat time.Time // when to send it again
}

// forward sends a command to the owner. Its entry is the answer, or a message.
func (r *Room) forward(q *request) {
	m := r.replica
	if seq, ok := r.repeats.find(q.command.By, q.command.ID); ok {
		q.answer(r.registry, reply{answer: Answer{Seq: seq, Repeat: true}})
		return
	}
	switch {
	case len(q.command.Body) == 0:
		q.command.Body = nil
	case !json.Valid(q.command.Body): // which a message could not carry
		q.answer(r.registry, reply{err: ErrBadCommand})
		return
	}
	if len(m.calls) >= maxCalls {
		q.answer(r.registry, reply{err: ErrBusy})
		return
	}
	now := time.Now()
	m.last++
	c := &call{n: m.last, q: q, sent: now}
	m.calls = append(m.calls, c)
	r.sendCall(c, now)
}

func (r *Room) sendCall(c *call, now time.Time) {
	c.repeat = now.Add(repeatAfter)
	r.registry.link.Tell(r.replica.owner, Message{Kind: tellDo, Room: r.id, Call: c.n, Command: &c.q.command})
}

// sendCalls sends what waits to a new owner.
func (r *Room) sendCalls(now time.Time) {
	for _, c := range r.replica.calls {
		r.sendCall(c, now)
	}
}

// repeatCalls sends what waits for too long once more, with the same ID; it says
// when to look again.
func (r *Room) repeatCalls(now time.Time) (next time.Time) {
	m := r.replica
	for _, c := range append([]*call(nil), m.calls...) {
		switch {
		case now.Sub(c.sent) >= giveUpAfter:
			r.settle(c, Answer{}, ErrUnavailable)
			continue
		case !now.Before(c.repeat):
			r.sendCall(c, now)
			if m.asked.IsZero() { // the owner may be no more
				r.followOwner(now)
			}
		}
		next = earlier(next, c.repeat)
	}
	return next
}

// answerCall answers the command that an entry came from.
func (r *Room) answerCall(e machine.Entry) {
	if e.Command == "" {
		return
	}
	for _, c := range r.replica.calls {
		if c.q.command.ID == e.Command && c.q.command.By == e.By {
			r.settle(c, Answer{Seq: r.seq}, nil)
			return
		}
	}
}

// answered takes in an owner's answer.
func (r *Room) answered(msg Message) {
	for _, c := range r.replica.calls {
		if c.n != msg.Call {
			continue
		}
		switch {
		case msg.Code == CodeMoved:
			r.replica.asked = time.Now().Add(-answerAfter) // the room has a new owner, whom we will ask
		case msg.Code != "":
			r.settle(c, Answer{}, ownersRefusal(msg))
		default:
			if msg.Seq > r.seq {
				r.reach(msg.Seq, nil) // which may answer it
			}
			if msg.Seq <= r.seq {
				r.settle(c, Answer{Seq: msg.Seq, Repeat: msg.Repeat}, nil)
			}
		}
		return
	}
}

// ownersRefusal returns the refusal in an owner's answer, as this package's own error
// where there is one.
func ownersRefusal(msg Message) error {
	for _, own := range []error{ErrBusy, ErrUnavailable, ErrQuarantined, ErrNoRoom, ErrReserved, ErrBadCommand} {
		if refusal.Is(own, msg.Code) {
			return own
		}
	}
	if msg.Detail == nil {
		return refusal.New(msg.Code)
	}
	return refusal.With(msg.Code, msg.Detail)
}

// settle answers a command, once.
func (r *Room) settle(c *call, a Answer, err error) {
	m := r.replica
	for i, other := range m.calls {
		if other == c {
			m.calls = append(m.calls[:i:i], m.calls[i+1:]...)
			c.q.answer(r.registry, reply{answer: a, err: err})
			return
		}
	}
}

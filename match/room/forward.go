package room

import (
	"encoding/json"
	"slices"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
)

const (
	repeatAfter = time.Second      // a command without an answer is sent again
	giveUpAfter = 10 * time.Second // after which the sender is told that the room is unavailable
	maxCalls    = 64               // commands that wait in one replica
)

// call is a command that waits for the owner's answer.
type call struct {
	n      uint64 // its number; no other call of this registry has it, so no late answer to another one fits
	q      *request
	sent   time.Time // first
	repeat time.Time // when to send it again
	sends  int       // how often it was sent
	busy   int       // how often the owner answered that its inbox is full
}

// forward sends a command to the owner. Its entry is the answer, or a message.
func (m *replica) forward(q *request) {
	r := m.room
	if seq, ok := r.repeats.find(q.command.By, q.command.ID); ok {
		q.answer(r.registry, reply{answer: Answer{Seq: seq, Repeat: true}})
		return
	}
	switch {
	case len(q.command.Body) == 0:
		q.command.Body = nil
	case !json.Valid(q.command.Body): // a message could not carry it
		q.answer(r.registry, reply{err: ErrBadCommand})
		return
	}
	if len(m.calls) >= maxCalls {
		q.answer(r.registry, reply{err: ErrBusy})
		return
	}
	now := time.Now()
	c := &call{n: r.registry.calls.Add(1), q: q, sent: now}
	m.calls = append(m.calls, c)
	m.sendCall(c, now)
}

func (m *replica) sendCall(c *call, now time.Time) {
	c.sends++
	c.repeat = now.Add(repeatAfter)
	c.q.command.Waited = min(now.Sub(c.sent), giveUpAfter)
	m.room.registry.link.Tell(m.owner, Message{Kind: tellDo, Room: m.room.id, Call: c.n, Command: &c.q.command})
}

// sendCalls sends every waiting command to a new owner.
func (m *replica) sendCalls(now time.Time) {
	for _, c := range m.calls {
		m.sendCall(c, now)
	}
}

// repeatCalls sends commands again that have waited for too long, with the same ID. It
// returns when to look again.
func (m *replica) repeatCalls(now time.Time) (next time.Time) {
	for _, c := range append([]*call(nil), m.calls...) {
		switch {
		case now.Sub(c.sent) >= giveUpAfter:
			m.settle(c, Answer{}, ErrUnavailable)
			continue
		case !now.Before(c.repeat):
			m.sendCall(c, now)
			if m.asked.IsZero() { // the owner may be dead
				m.urgent = true
				m.followOwner(now)
			}
		}
		next = earlier(next, c.repeat)
	}
	return next
}

// answerCall answers the command that an entry came from.
func (m *replica) answerCall(e machine.Entry) {
	if e.Command == "" {
		return
	}
	for _, c := range m.calls {
		if c.q.command.ID == e.Command && c.q.command.By == e.By {
			m.settle(c, Answer{Seq: m.room.seq}, nil)
			return
		}
	}
}

// takeAnswer handles an owner's answer to a command.
func (m *replica) takeAnswer(msg Message) {
	for _, c := range m.calls {
		if c.n != msg.Call {
			continue
		}
		switch {
		case msg.Code == CodeMoved:
			m.lookSoon() // the room has a new owner
		case msg.Code == CodeBusy && c.busy+1 < c.sends:
			c.busy++ // the owner may still carry out what was sent before
		case msg.Code != "":
			m.settle(c, Answer{}, ownersRefusal(msg))
		default:
			if msg.Seq > m.room.seq {
				m.reach(msg.Seq, nil) // which may answer it
			}
			if msg.Seq <= m.room.seq {
				m.settle(c, Answer{Seq: msg.Seq, Repeat: msg.Repeat}, nil)
			}
		}
		return
	}
}

// ownersRefusal returns the refusal in an owner's answer, as this package's own error
// where there is one.
func ownersRefusal(msg Message) error {
	for _, own := range []error{ErrBusy, ErrUnavailable, ErrQuarantined, ErrNoRoom, ErrReserved, ErrBadCommand, ErrTooNew} {
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
func (m *replica) settle(c *call, a Answer, err error) {
	if i := slices.Index(m.calls, c); i >= 0 {
		m.calls = append(m.calls[:i:i], m.calls[i+1:]...)
		c.q.answer(m.room.registry, reply{answer: a, err: err})
	}
}

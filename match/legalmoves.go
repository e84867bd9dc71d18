package match

import (
	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

// longTrace is the largest number of events of a legal move that are sent before it
// is played. A longer move is sent as a summary.
const longTrace = 200

// AppendPrivate appends the legal moves of the seat on turn and what each of them
// would do, so that previews and the local echo need no rules. A lay-out has no
// list. A keeper gets those of their seatmates as well.
func (m *Match) AppendPrivate(b []byte, a machine.Audience) []byte {
	if turn := m.onTurn(); int(a) != turn && (!a.IsSeat() || int(a) >= len(m.seats) || !m.keeps(int(a), turn)) {
		return b
	}
	return m.appendLegal(b)
}

// Tell implements [machine.Answerer]: every follower of a game with assists may ask
// for the legal moves.
func (m *Match) Tell(what string) ([]byte, error) {
	switch {
	case what != "legal":
		return nil, refusal.New(CodeBadCommand)
	case m.plain:
		return nil, refusal.New(CodeNoAssists)
	}
	if b := m.appendLegal(nil); len(b) > 0 {
		return b, nil
	}
	return []byte(`{"legal":[]}`), nil
}

// appendLegal appends the legal moves with their traces, or nothing if there is no
// choice to make.
func (m *Match) appendLegal(b []byte) []byte {
	s := &m.state
	if !s.playing() || s.out(s.onTurn()) || s.pos.Phase == engine.Setup {
		return b
	}
	b = appendChoices(append(b, `{"legal":`...), s.rules.game, &s.pos, &s.hist)
	return append(b, '}')
}

// AppendLegal appends the legal moves in p with their traces, as a JSON list. The
// list is empty for a lay-out and when the game is over.
func AppendLegal(b []byte, g *engine.Game, p engine.Position, h engine.History) []byte {
	return appendChoices(b, g, &p, &h)
}

// AppendTrace appends what a move did, as the steps of web/PROTOCOL.md.
func AppendTrace(b []byte, t *engine.Trace, s engine.Shape) []byte {
	return appendTrace(b, t.Events, s.Store(0))
}

// appendChoices appends the legal moves of a position with this history.
func appendChoices(b []byte, g *engine.Game, p *engine.Position, h *engine.History) []byte {
	w := plans.Get().(*plan)
	defer plans.Put(w)
	t, pits := &w.trace, p.Shape.Store(0)
	legal := g.Legal(p)
	b = append(b, '[')
	for i := range legal.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		move, pos, hist := legal.At(i), *p, *h
		t.Reset()
		if g.Play(&pos, &hist, move, t) != nil {
			continue // not reached: a legal move plays
		}
		b = appendMoveText(append(b, `{"m":"`...), move)
		if len(t.Events) > longTrace {
			b = appendSummary(append(b, `","sum":`...), t, pits, uint8(pits+g.Side(p.Seat)))
		} else {
			b = appendTrace(append(b, `","trace":`...), t.Events, pits)
		}
		if pos.Phase == engine.Over {
			b = append(b, `,"end":true`...)
		} else if pos.Phase == p.Phase && pos.Seat == p.Seat {
			b = append(b, `,"again":true`...)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendSummary appends what a long move does, in numbers. store is the mover's.
func appendSummary(b []byte, t *engine.Trace, pits int, store uint8) []byte {
	last, took := uint8(engine.NoSlot), 0
	for _, e := range t.Events {
		switch e.Kind {
		case engine.EventDrop:
			last = e.Slot
		case engine.EventSeize:
			took += int(e.Seeds)
		case engine.EventCapture:
			if e.To == store {
				took += int(e.Seeds)
			}
		}
	}
	b = wire.AppendInt(append(b, `{"laps":`...), int64(t.Laps()))
	b = wire.AppendInt(append(b, `,"sown":`...), int64(t.Sown()))
	b = appendSlot(append(b, `,"last":`...), last, pits)
	b = wire.AppendInt(append(b, `,"took":`...), int64(took))
	return append(b, '}')
}

package match

import (
	"bytes"
	"fmt"
	"sync"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

// plan is the scratch space for deciding a move, and the state that the move leads
// to. It is only a shortcut: an entry that comes back as it was decided is not read
// and played again. Every other entry is.
type plan struct {
	next  state
	trace engine.Trace
	body  []byte
	step  []byte // the trace, as part of the entry's body
	move  engine.Move
	entry machine.Entry // the entry that was decided
}

var plans = sync.Pool{New: func() any { return new(plan) }}

// drop puts a plan back into the pool and releases the memory that it refers to.
func (p *plan) drop() {
	p.next, p.step, p.entry = state{}, nil, machine.Entry{}
	plans.Put(p)
}

// is reports whether e is the same entry that was decided, in the same memory.
func (p *plan) is(e machine.Entry) bool {
	d := p.entry.Body
	return len(d) > 0 && len(e.Body) == len(d) && &e.Body[0] == &d[0] && e.Kind == p.entry.Kind && e.At == p.entry.At
}

// StopsClock implements [machine.Clocked].
func (m *Match) StopsClock(kind string) bool { return kind == KindMove }

// decideMove returns the entry for a ply.
func (s *state) decideMove(c machine.Command, at int64, w *plan) (machine.Entry, error) {
	o, err := readOrder(c, hasPly|hasMove)
	if err != nil || o.has != hasPly|hasMove {
		return machine.Entry{}, refusal.New(CodeBadCommand)
	}
	seat := s.seatOf(c.By)
	switch {
	case seat < 0:
		return machine.Entry{}, refusal.New(CodeNotPlaying)
	case !s.playing():
		return machine.Entry{}, refusal.New(CodeNotLive)
	case o.ply != int(s.pos.Ply):
		return machine.Entry{}, refusal.New(CodeStale)
	case seat != s.onTurn():
		return machine.Entry{}, refusal.New(CodeNotYourTurn)
	case s.paused():
		return machine.Entry{}, refusal.New(CodePaused)
	case s.late(at):
		return machine.Entry{}, refusal.New(CodeTooLate)
	}
	m, ok := engine.ParseMove(o.move)
	if !ok {
		return machine.Entry{}, refusal.New(CodeBadMove)
	}
	return s.moveEntry(c, m, at, w)
}

// passForLeaver returns the entry for the pass of a seat that has left.
func (s *state) passForLeaver(at int64) (machine.Entry, error) {
	w := plans.Get().(*plan)
	defer w.drop()
	return s.moveEntry(machine.Command{}, engine.Move{Kind: engine.MovePass}, at, w)
}

func (s *state) moveEntry(c machine.Command, m engine.Move, at int64, w *plan) (machine.Entry, error) {
	n, t := &w.next, &w.trace
	*n = *s
	t.Reset()
	seat, phase := s.onTurn(), s.pos.Phase
	if !n.charge(at, c.Lag.Milliseconds()) {
		return machine.Entry{}, refusal.New(CodeTooLate)
	}
	if err := s.rules.game.Play(&n.pos, &n.hist, m, t); err != nil {
		return machine.Entry{}, refuseMove(err)
	}
	n.made[seat]++
	if !s.bot(seat) {
		n.expires = 0 // a person has moved, so the game stays
	}
	n.withdraw(takeback, seat) // the turn to take back is not the last one any more
	if n.gone[seat] > 0 {
		n.gone[seat] = at + n.patience() // the player moves although they seem to be disconnected
	}
	if n.pos.Phase == engine.Over {
		n.endRound(at, string(n.pos.End), n.leaders())
	} else {
		n.settle()
		n.turnAfter(seat, phase, at, t.Sown())
	}
	from, to := w.write(s, seat, m)
	body := bytes.Clone(w.body)
	w.step = body[from:to:to]
	w.move = m
	w.entry = machine.Entry{Kind: KindMove, At: at, By: c.By, Command: c.ID, Body: body}
	return w.entry, nil
}

// write writes the board diff of web/PROTOCOL.md. It returns where in the diff the
// trace is.
func (w *plan) write(old *state, seat int, m engine.Move) (from, to int) {
	now := &w.next
	b := wire.AppendInt(append(w.body[:0], `{"seat":`...), int64(seat))
	b = appendMoveText(append(b, `,"move":"`...), m)
	b = append(wire.AppendInt(append(b, `","ply":`...), int64(now.pos.Ply)), `,"trace":`...)
	from = len(b)
	b = appendTrace(b, w.trace.Events, now.pos.Shape.Store(0))
	to = len(b)
	b = wire.AppendInt(append(b, `,"turn":`...), int64(now.pos.Seat))
	b = wire.AppendHex(append(b, `,"sum":`...), now.pos.Checksum())
	if n := now.clocks(); n > 0 {
		b = wire.AppendInts(append(b, `,"clock":`...), now.clock[:n])
		b = wire.AppendInt(append(b, `,"run":`...), now.run)
	}
	w.body = append(appendChanges(b, old, now, true), '}')
	return from, to
}

// carryOut takes over the state that the move leads to, and completes its list of
// moves and its last ply.
func (s *state) carryOut(w *plan) {
	n, m, seat := &w.next, w.move, s.pos.Seat
	if m.Kind == engine.MoveLayOut {
		n.lay = m.Lay
	}
	n.moves = append(n.moves, packMove(m))
	n.last = lastPly{seat, m.String(), w.step}
	*s = *n
}

// applyMove folds a ply into the state.
func (s *state) applyMove(e machine.Entry) error {
	shown, hidden, err := split(e.Body)
	if err != nil {
		return err
	}
	var (
		m            engine.Move
		set, trace   []byte
		sum          []byte
		move         string
		seat, ply    = -1, -1
		clock        = s.clock
		run, clocked = s.run, false
	)
	err = wire.BareMembers(shown, func(key, raw []byte) (err error) {
		switch string(key) {
		case "seat":
			seat, err = small(raw, maxSeats)
		case "move":
			move, err = wire.Text(raw)
		case "ply":
			ply, err = small(raw, maxPlies)
		case "trace":
			trace = raw
		case "turn": // the rules give the same turn
		case "sum":
			sum = raw
		case "clock":
			clocked = true
			_, err = wire.Ints(raw, clock[:])
		case "run":
			run, err = wire.Int(raw)
		case "set":
			set = raw
		default:
			err = fmt.Errorf("match: a move has no %.20q", key)
		}
		return err
	})
	if err != nil {
		return err
	}
	var ok bool
	if m, ok = engine.ParseMove(move); !ok {
		return fmt.Errorf("match: %.20q is not a move", move)
	}
	if !s.playing() || seat != s.onTurn() || ply != int(s.pos.Ply)+1 {
		return fmt.Errorf("match: a move of seat %d, ply %d, at the wrong time", seat, ply)
	}
	if err := s.rules.game.Play(&s.pos, &s.hist, m, nil); err != nil {
		return err
	}
	if got := wire.AppendHex(make([]byte, 0, 10), s.pos.Checksum()); !bytes.Equal(got, sum) {
		return fmt.Errorf("match: after ply %d the board has the sum %s and should have %.10s", ply, got, sum)
	}
	if m.Kind == engine.MoveLayOut {
		s.lay = m.Lay
	}
	s.moves = append(s.moves, packMove(m))
	s.last = lastPly{engine.Seat(seat), move, trace}
	s.made[seat]++
	if clocked {
		s.clock, s.run = clock, run
	}
	if set == nil && hidden == nil {
		return nil
	}
	return s.foldInto(set, hidden)
}

package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"mancala/engine"
	"mancala/match/wire"
)

// maxPlies bounds the counters that are read, so that a broken journal leads to an
// error and not to a panic.
const maxPlies = 1 << 30

// fold folds the changes of an entry into a copy of the state. Some changes can only
// be understood together: the board needs the rules, and the rules have four names.
// They wait here until all have been read.
type fold struct {
	state
	names        map[string]string // of the rule set, as far as the entry has them
	pits, stores []byte
	turn, ply    int // -1: not in the entry
	phase        int
	sum          string
	first        *string // the first position, if the entry has it
	moved        bool    // the entry has the list of moves or the first position
}

// folds are kept for the next entry: every move with a clock needs one.
var folds = sync.Pool{New: func() any { return new(fold) }}

// foldInto folds the parts "set" and "~" of an entry into the state.
func (s *state) foldInto(set, hidden []byte) error {
	f := folds.Get().(*fold)
	defer func() {
		*f = fold{} // the pool must keep no state alive
		folds.Put(f)
	}()
	*f = fold{state: *s, turn: -1, ply: -1, phase: -1}
	each := func(secret bool) func(key, raw []byte) error {
		return func(key, raw []byte) error {
			field := fieldNamed[string(key)]
			if field == nil || (field.kind == private) != secret {
				return fmt.Errorf("match: there is no field %.20q", key)
			}
			if err := field.read(f, raw); err != nil {
				return fmt.Errorf("match: field %s: %w", key, err)
			}
			return nil
		}
	}
	if err := wire.Members(set, each(false)); err != nil {
		return err
	}
	if err := wire.Members(hidden, each(true)); err != nil {
		return err
	}
	if err := f.finish(); err != nil {
		return err
	}
	*s = f.state
	return nil
}

// finish combines what has been read.
func (f *fold) finish() error {
	if f.names != nil {
		r := f.rules
		if r == nil {
			r = &ruleset{}
		}
		said := func(name, old string) string {
			if t, ok := f.names[name]; ok {
				return t
			}
			return old
		}
		var err error
		f.rules, err = rulesets.get(said("rules", r.system), said("options", r.options), said("title", r.title), said("canonical", r.canonical))
		if err != nil {
			return err
		}
	}
	if f.rules == nil {
		return fmt.Errorf("match: an entry before any rules")
	}
	if err := f.people(); err != nil {
		return err
	}
	if f.moved || f.names != nil {
		if err := f.replayed(); err != nil {
			return err
		}
	}
	f.pos.Out = 0
	for _, l := range f.left {
		f.pos.Out |= 1 << l.seat
	}
	return f.board()
}

// people checks that the number of players fits the rules, and that the fields about
// players are consistent.
func (f *fold) people() error {
	want := f.rules.game.Seats()
	ok := (f.youngest == "" || slices.Contains(f.sitters, f.youngest)) && len(f.sitters) <= want && (len(f.seats) == 0 || len(f.seats) == want) &&
		(f.began > 0) == (len(f.seats) > 0)
	for _, l := range f.left {
		ok = ok && int(l.seat) < want
	}
	for _, o := range f.offers {
		ok = ok && int(o.seat) < want
	}
	sides := f.rules.rules.Sides
	ok = ok && (f.result == nil || f.result.fits(sides)) && f.round >= 1 && len(f.past) == f.round-1
	for i := range f.rounds {
		ok = ok && f.rounds[i].fits(sides) && sides == 2
	}
	if e := f.event; e != nil {
		ok = ok && e.valid() && len(f.seats) == 2 && want == 2 && e.NoShow >= 0 && e.NoShow <= maxNoShow && e.Pause.fits(f.stage)
	}
	if f.stage == unborn || f.stage >= setup && f.stage <= between && f.began == 0 || int(f.standing.Layer) >= want {
		ok = false
	}
	if !ok {
		return fmt.Errorf("match: the people do not fit the game")
	}
	return nil
}

// fits reports whether a game with this number of sides can have such a result.
func (r *result) fits(sides int) bool {
	for _, w := range r.Winners {
		if w < 0 || w >= sides {
			return false
		}
	}
	return len(r.Scores) == sides && len(r.Winners) <= sides && len(r.Receipt) <= maxSeats
}

// replayed sets the position that the list of moves leads to.
func (f *fold) replayed() error {
	if f.first != nil {
		g, found := f.rules.game, false
		for seat := range engine.Seat(g.Seats()) {
			if found = g.StartWith(seat).String() == *f.first; found {
				f.firstSeat = seat
				break
			}
		}
		if !found {
			return fmt.Errorf("match: %.60q is not a first position", *f.first)
		}
	}
	var err error
	f.pos, f.hist, err = f.replay(len(f.moves), nil, nil)
	return err
}

// board takes over the fields of the board and checks the sum.
func (f *fold) board() error {
	p := &f.pos
	pits := p.Shape.Store(0)
	for _, part := range []struct {
		raw      []byte
		from, to int
	}{{f.pits, 0, pits}, {f.stores, pits, p.Shape.Store(int(p.Shape.Sides))}} {
		if part.raw == nil {
			continue
		}
		var n [len(p.Slots)]int64
		count, err := wire.Ints(part.raw, n[:])
		if err != nil || count != part.to-part.from {
			return fmt.Errorf("match: the board does not fit the rules")
		}
		for i := range count {
			if n[i] < 0 || n[i] > 250 {
				return fmt.Errorf("match: a pit cannot hold %d seeds", n[i])
			}
			p.Slots[part.from+i] = uint8(n[i])
		}
	}
	total := 0
	for _, n := range p.Slots {
		total += int(n)
	}
	if total > 250 || f.turn >= f.rules.game.Seats() {
		return fmt.Errorf("match: the board does not fit the rules")
	}
	if f.turn >= 0 {
		p.Seat = engine.Seat(f.turn)
	}
	if f.ply >= 0 {
		p.Ply = int32(f.ply)
	}
	if f.phase >= 0 {
		p.Phase = engine.Phase(f.phase)
	}
	if f.sum != "" && f.sum != sumText(p) {
		return fmt.Errorf("match: the board has the sum %s and should have %.8s", sumText(p), f.sum)
	}
	return nil
}

func sumText(p *engine.Position) string {
	b := wire.AppendHex(nil, p.Checksum())
	return string(b[1 : len(b)-1])
}

func (f *fold) readMoves(raw []byte) error {
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	f.moves, f.lay, f.moved = make([]byte, 0, len(list)), "", true
	for _, t := range list {
		m, ok := engine.ParseMove(t)
		if !ok {
			return fmt.Errorf("match: %.20q is not a move", t)
		}
		if m.Kind == engine.MoveLayOut {
			f.lay = m.Lay
		}
		f.moves = append(f.moves, packMove(m))
	}
	return nil
}

func (f *fold) readLast(raw []byte) error {
	f.last = lastPly{}
	if wire.IsNull(raw) {
		return nil
	}
	return wire.Members(raw, func(key, raw []byte) (err error) {
		switch string(key) {
		case "seat":
			var n int
			n, err = small(raw, maxSeats)
			f.last.seat = engine.Seat(n)
		case "move":
			f.last.move, err = wire.Text(raw)
		case "trace":
			f.last.trace = bytes.Clone(raw)
		default:
			err = wire.ErrSyntax
		}
		return err
	})
}

func (f *fold) readLeavers(raw []byte) error {
	var n [2 * maxSeats]int64
	count, err := wire.Ints(raw, n[:])
	if err != nil || count%2 != 0 {
		return wire.ErrSyntax
	}
	f.left = nil
	for i := 0; i < count; i += 2 {
		if n[i] < 0 || n[i] >= maxSeats || n[i+1] < 0 || n[i+1] > maxPlies {
			return wire.ErrSyntax
		}
		f.left = append(f.left, leaver{engine.Seat(n[i]), int32(n[i+1])})
	}
	return nil
}

package match

import (
	"bytes"
	"encoding/json"
	"slices"

	"mancala/engine"
	"mancala/match/wire"
)

// fields lists the state: first the public fields, then the private ones.
var fields = slices.Concat(publicFields, eventFields, privateFields)

// publicFields are the fields that clients see, in the order of web/PROTOCOL.md.
var publicFields = []field{
	{"state", public,
		func(a, b *state) bool { return a.stage == b.stage },
		func(b []byte, s *state) []byte { return wire.AppendText(b, stageNames[s.stage]) },
		func(f *fold, raw []byte) error {
			i, err := oneOf(raw, stageNames[:])
			f.stage = stage(i)
			return err
		}},
	textField("creator", public, func(s *state) *string { return &s.creator }),
	rulesField("rules", func(r *ruleset) string { return r.system }),
	rulesField("options", func(r *ruleset) string { return r.options }),
	rulesField("title", func(r *ruleset) string { return r.title }),
	rulesField("canonical", func(r *ruleset) string { return r.canonical }),
	{"shape", public,
		func(a, b *state) bool { return a.rules == b.rules || a.rules.game.Shape() == b.rules.game.Shape() },
		func(b []byte, s *state) []byte {
			shape := s.rules.game.Shape()
			return wire.AppendInts(b, []uint8{shape.Sides, shape.Partners, shape.Pits})
		},
		derived},
	slotsField("pits", func(s *state) (int, int) { return 0, s.pos.Shape.Store(0) }),
	slotsField("stores", func(s *state) (int, int) {
		return s.pos.Shape.Store(0), s.pos.Shape.Store(int(s.pos.Shape.Sides))
	}),
	{"marks", board,
		func(a, b *state) bool { return a.pos.Marks == b.pos.Marks },
		func(b []byte, s *state) []byte { return appendMarks(b, &s.pos) },
		derived},
	{"phase", public,
		func(a, b *state) bool { return a.pos.Phase == b.pos.Phase },
		func(b []byte, s *state) []byte { return wire.AppendText(b, s.pos.Phase.String()) },
		func(f *fold, raw []byte) error {
			i, err := oneOf(raw, phaseNames[:])
			f.phase = i
			return err
		}},
	{"turn", board,
		func(a, b *state) bool { return a.pos.Seat == b.pos.Seat },
		func(b []byte, s *state) []byte { return wire.AppendInt(b, int64(s.pos.Seat)) },
		func(f *fold, raw []byte) (err error) { f.turn, err = small(raw, maxSeats); return err }},
	{"ply", board,
		func(a, b *state) bool { return a.pos.Ply == b.pos.Ply },
		func(b []byte, s *state) []byte { return wire.AppendInt(b, int64(s.pos.Ply)) },
		func(f *fold, raw []byte) (err error) { f.ply, err = small(raw, maxPlies); return err }},
	{"sum", board,
		func(a, b *state) bool { return sameBoard(&a.pos, &b.pos) },
		func(b []byte, s *state) []byte { return wire.AppendHex(b, s.pos.Checksum()) },
		func(f *fold, raw []byte) (err error) { f.sum, err = wire.Text(raw); return err }},
	{"clockText", public,
		func(a, b *state) bool { return a.control.text == b.control.text },
		func(b []byte, s *state) []byte { return wire.AppendText(b, s.control.text) },
		func(f *fold, raw []byte) error {
			t, err := wire.Text(raw)
			var ok bool
			if f.control, ok = parseControl(t); !ok || err != nil {
				return wire.ErrSyntax
			}
			return nil
		}},
	{"clock", board,
		func(a, b *state) bool { return a.clock == b.clock && a.clocks() == b.clocks() },
		func(b []byte, s *state) []byte { return wire.AppendInts(b, s.clock[:s.clocks()]) },
		func(f *fold, raw []byte) error { f.clock = [maxSeats]int64{}; return read(raw, f.clock[:]) }},
	numberField("run", board, func(s *state) *int64 { return &s.run }),
	numberField("due", public, func(s *state) *int64 { return &s.due }),
	{"start", public,
		func(a, b *state) bool { return a.start == b.start },
		func(b []byte, s *state) []byte { return wire.AppendText(b, startNames[s.start]) },
		func(f *fold, raw []byte) error {
			i, err := oneOf(raw, startNames[:])
			f.state.start = start(i)
			return err
		}},
	{"forOthers", public,
		func(a, b *state) bool { return a.forOthers == b.forOthers },
		func(b []byte, s *state) []byte { return wire.AppendBool(b, s.forOthers) },
		func(f *fold, raw []byte) (err error) { f.forOthers, err = wire.Bool(raw); return err }},
	{"assists", public,
		func(a, b *state) bool { return a.plain == b.plain },
		func(b []byte, s *state) []byte { return wire.AppendBool(b, !s.plain) },
		func(f *fold, raw []byte) error {
			yes, err := wire.Bool(raw)
			f.plain = !yes
			return err
		}},
	{"chat", public,
		func(a, b *state) bool { return a.chat == b.chat },
		func(b []byte, s *state) []byte { return wire.AppendText(b, chatNames[s.chat]) },
		func(f *fold, raw []byte) error {
			i, err := oneOf(raw, chatNames[:])
			f.chat = ChatLevel(i)
			return err
		}},
	mark("rated", public, func(s *state) *bool { return &s.rated }),
	mark("listed", public, func(s *state) *bool { return &s.listed }),
	{"delay", public,
		func(a, b *state) bool { return a.behind == b.behind },
		func(b []byte, s *state) []byte {
			if s.behind == 0 {
				return append(b, null...)
			}
			return wire.AppendInt(b, s.behind)
		},
		func(f *fold, raw []byte) (err error) {
			if f.behind = 0; !wire.IsNull(raw) {
				f.behind, err = wire.Int(raw)
			}
			return err
		}},
	textsField("sitters", func(s *state) *[]string { return &s.sitters }),
	ifAnyField("youngest", func(s *state) *string { return &s.youngest }),
	textsField("seats", func(s *state) *[]string { return &s.seats }),
	{"left", public,
		func(a, b *state) bool { return len(a.left) == len(b.left) },
		func(b []byte, s *state) []byte {
			if len(s.left) == 0 {
				return append(b, null...)
			}
			seats := make([]engine.Seat, len(s.left))
			for i, l := range s.left {
				seats[i] = l.seat
			}
			return wire.AppendInts(b, seats)
		},
		derived},
	{"first", board,
		func(a, b *state) bool {
			return b.began == 0 || a.began > 0 && a.firstSeat == b.firstSeat
		},
		func(b []byte, s *state) []byte {
			if s.began == 0 {
				return append(b, null...)
			}
			return wire.AppendText(b, s.rules.game.StartWith(s.firstSeat).String())
		},
		func(f *fold, raw []byte) error {
			t, err := wire.Text(raw)
			f.first, f.moved = &t, true
			return err
		}},
	{"moves", board,
		func(a, b *state) bool { return a.lay == b.lay && bytes.Equal(a.moves, b.moves) },
		func(b []byte, s *state) []byte { return appendMoves(b, s.moves, s.lay) },
		(*fold).readMoves},
	{"last", board,
		func(a, b *state) bool {
			return a.last.seat == b.last.seat && a.last.move == b.last.move && bytes.Equal(a.last.trace, b.last.trace)
		},
		func(b []byte, s *state) []byte {
			if s.last.move == "" {
				return append(b, null...)
			}
			b = wire.AppendInt(append(b, `{"seat":`...), int64(s.last.seat))
			b = wire.AppendText(append(b, `,"move":`...), s.last.move)
			b = append(append(b, `,"trace":`...), s.last.trace...)
			return append(b, '}')
		},
		(*fold).readLast},
	{"offers", public,
		func(a, b *state) bool { return slices.Equal(a.offers, b.offers) },
		func(b []byte, s *state) []byte { return appendOffers(b, s.offers) },
		(*fold).readOffers},
	{"countdown", public,
		func(a, b *state) bool {
			seatA, untilA := a.countdown()
			seatB, untilB := b.countdown()
			return seatA == seatB && untilA == untilB
		},
		func(b []byte, s *state) []byte {
			seat, until := s.countdown()
			if seat < 0 {
				return append(b, null...)
			}
			b = wire.AppendInt(append(b, `{"seat":`...), int64(seat))
			return append(wire.AppendInt(append(b, `,"until":`...), until), '}')
		},
		derived},
	{"outage", public,
		func(a, b *state) bool { return a.hold.on() == b.hold.on() },
		func(b []byte, s *state) []byte {
			if !s.hold.on() {
				return append(b, null...)
			}
			return wire.AppendBool(b, true)
		},
		derived},
	{"round", public,
		func(a, b *state) bool { return a.round == b.round },
		func(b []byte, s *state) []byte { return wire.AppendInt(b, int64(s.round)) },
		func(f *fold, raw []byte) (err error) { f.round, err = small(raw, maxPlies); return err }},
	{"gains", public,
		func(a, b *state) bool { return a.standing.Gains == b.standing.Gains },
		func(b []byte, s *state) []byte { return wire.AppendInts(b, s.standing.Gains[:]) },
		func(f *fold, raw []byte) error {
			var n [2]int64
			err := read(raw, n[:])
			f.standing.Gains = [2]int{int(n[0]), int(n[1])}
			return err
		}},
	{"target", public,
		func(a, b *state) bool { return a.rules == b.rules || a.rules.rules.Target == b.rules.rules.Target },
		func(b []byte, s *state) []byte { return wire.AppendInt(b, int64(s.rules.rules.Target)) },
		derived},
	{"rounds", public,
		func(a, b *state) bool { return len(a.rounds) == len(b.rounds) },
		func(b []byte, s *state) []byte {
			if len(s.rounds) == 0 {
				return append(b, null...)
			}
			b = append(b, '[')
			for i := range s.rounds {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendResult(b, &s.rounds[i])
			}
			return append(b, ']')
		},
		func(f *fold, raw []byte) error {
			f.rounds = nil
			err := json.Unmarshal(raw, &f.rounds)
			f.standing.Rounds = len(f.rounds)
			return err
		}},
	{"result", public,
		func(a, b *state) bool { return a.result == b.result },
		func(b []byte, s *state) []byte {
			if s.result == nil {
				return append(b, null...)
			}
			return appendResult(b, s.result)
		},
		func(f *fold, raw []byte) error {
			f.result = nil
			return json.Unmarshal(raw, &f.result)
		}},
	{"ratings", public,
		func(a, b *state) bool { return slices.Equal(a.ratings, b.ratings) },
		func(b []byte, s *state) []byte { return appendRatings(b, s.ratings) },
		func(f *fold, raw []byte) (err error) { f.ratings, err = readRatings(raw); return err }},
	ifAnyField("rematch", func(s *state) *string { return &s.rematch }),
}

package match

import (
	"slices"

	"mancala/engine"
	"mancala/match/wire"
)

// privateFields are the fields that only the machine knows.
var privateFields = []field{
	textField("secret", private, func(s *state) *string { return &s.secret }),
	numberField("expires", private, func(s *state) *int64 { return &s.expires }),
	numberField("unmoved", private, func(s *state) *int64 { return &s.unmoved }),
	numberField("began", private, func(s *state) *int64 { return &s.began }),
	mark("counted", private, func(s *state) *bool { return &s.counted }),
	mark("rematches", private, func(s *state) *bool { return &s.rematches }),
	{"lag", private,
		func(a, b *state) bool { return a.lag == b.lag },
		func(b []byte, s *state) []byte {
			b = append(b, '[')
			for i, l := range s.lag[:len(s.seats)] {
				if i > 0 {
					b = append(b, ',')
				}
				b = wire.AppendInts(b, []int64{l.Measured, l.Given, l.Left})
			}
			return append(b, ']')
		},
		func(f *fold, raw []byte) error {
			var n [3 * maxSeats]int64
			err := read(raw, n[:])
			for i := range f.lag {
				f.lag[i] = bucket{Measured: n[3*i], Given: n[3*i+1], Left: n[3*i+2]}
			}
			return err
		}},
	seatsField("drawn", func(s *state) *[maxSeats]int32 { return &s.drawn }),
	seatsField("asked", func(s *state) *[maxSeats]int32 { return &s.asked }),
	{"gone", private,
		func(a, b *state) bool { return a.gone == b.gone },
		func(b []byte, s *state) []byte { return wire.AppendInts(b, s.gone[:]) },
		func(f *fold, raw []byte) error { f.gone = [maxSeats]int64{}; return read(raw, f.gone[:]) }},
	{"hold", private,
		func(a, b *state) bool { return a.hold == b.hold },
		func(b []byte, s *state) []byte {
			return wire.AppendInts(b, []int64{s.hold.since, s.hold.until, s.hold.grace})
		},
		func(f *fold, raw []byte) error {
			var n [3]int64
			err := read(raw, n[:])
			f.hold = hold{n[0], n[1], n[2]}
			return err
		}},
	{"leavers", private,
		func(a, b *state) bool { return slices.Equal(a.left, b.left) },
		func(b []byte, s *state) []byte {
			var n []int32
			for _, l := range s.left {
				n = append(n, int32(l.seat), l.ply)
			}
			return wire.AppendInts(b, n)
		},
		(*fold).readLeavers},
	{"layer", private,
		func(a, b *state) bool { return a.standing.Layer == b.standing.Layer },
		func(b []byte, s *state) []byte { return wire.AppendInt(b, int64(s.standing.Layer)) },
		func(f *fold, raw []byte) error {
			n, err := small(raw, maxSeats)
			f.standing.Layer = engine.Seat(n)
			return err
		}},
	tournamentField,
}

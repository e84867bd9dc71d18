package match

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/wire"
)

// BenchmarkMove measures what a ply costs the machine, with all that a room asks of
// it: decide, apply, the public form for each of three audiences, and the legal
// moves of the next seat.
func BenchmarkMove(b *testing.B) {
	for _, rules := range []string{"kalah", "oware-abapa", "giuthi", "maruba"} {
		for _, clock := range []string{"none", "5+3"} {
			b.Run(rules+"/"+clock, func(b *testing.B) { benchmarkMove(b, rules, clock) })
		}
	}
}

func benchmarkMove(b *testing.B, rules, clock string) {
	r := rand.New(rand.NewPCG(1, 2))
	tb := seated(b, rules, "", clock)
	start := *tb.m
	type ply struct {
		c  machine.Command
		at time.Time
	}
	var game []ply
	for tb.m.stage == live && len(game) < 100 {
		legal := tb.m.rules.game.Legal(&tb.m.pos)
		body := append(wire.AppendInt([]byte(`{"ply":`), int64(tb.m.pos.Ply)), `,"move":"`...)
		body = append(append(body, legal.At(r.IntN(legal.Len())).String()...), `"}`...)
		tb.at += 1500
		c := machine.Command{ID: "a4", Kind: KindMove, By: tb.m.seats[tb.m.pos.Seat], Lag: 80 * time.Millisecond, Body: body}
		if err := tb.do(c); err != nil {
			b.Fatal(err)
		}
		game = append(game, ply{c, time.UnixMilli(tb.at)})
	}
	bytes := 0
	b.ReportAllocs()
	for b.Loop() {
		m := start
		for _, p := range game {
			e, err := m.Decide(p.c, p.at)
			if err != nil {
				b.Fatal(err)
			}
			if err := m.Apply(e); err != nil {
				b.Fatal(err)
			}
			for _, a := range []machine.Audience{0, 1, machine.Watchers} {
				bytes += len(m.AppendPublic(nil, e, a))
			}
			m.AppendPrivate(nil, machine.Audience(m.pos.Seat))
		}
	}
	plies := float64(b.N * len(game))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/plies, "ns/ply")
	b.ReportMetric(float64(bytes)/3/plies, "B/ev")
}

// BenchmarkParts measures the same steps one by one, in the middle of a game of
// Kalah.
func BenchmarkParts(b *testing.B) {
	tb := seated(b, "kalah", "", "5+3")
	tb.play("c", "a", "c", "a")
	c := machine.Command{ID: "a4", Kind: KindMove, By: "p0", Lag: 80 * time.Millisecond, Body: []byte(`{"ply":4,"move":"b"}`)}
	if tb.m.pos.Seat != 0 {
		c.By = "p1"
	}
	now := time.UnixMilli(tb.at + 1500)
	e, err := tb.m.Decide(c, now)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Decide", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tb.m.Decide(c, now)
		}
	})
	b.Run("Apply", func(b *testing.B) {
		b.ReportAllocs()
		saved := *tb.m
		for b.Loop() {
			*tb.m = saved
			tb.m.Apply(e)
		}
		*tb.m = saved
	})
	b.Run("Encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tb.m.AppendPublic(nil, e, 0)
		}
	})
	b.Run("Private", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tb.m.AppendPrivate(nil, machine.Audience(tb.m.pos.Seat))
		}
	})
	b.Run("Snapshot", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tb.m.Snapshot(machine.Watchers)
		}
	})
}

// BenchmarkReadFacts measures what it costs to read a snapshot in the middle of a game:
// its facts, and everything that other packages read.
func BenchmarkReadFacts(b *testing.B) {
	snapshot := middle(b, "kalah", 40, 1).Snapshot(machine.Watchers)
	b.Run("facts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ReadFacts(snapshot); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("public", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ReadPublic("r1", snapshot); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkMemory measures the memory of a live match in the middle of its game.
func BenchmarkMemory(b *testing.B) {
	for _, rules := range []string{"kalah", "oware-abapa", "maruba"} {
		b.Run(rules, func(b *testing.B) {
			const matches, plies = 500, 40
			var before, after runtime.MemStats
			keep := make([]*Match, 0, matches)
			for b.Loop() {
				keep = keep[:0]
				seated(b, rules, "", "5+3") // compiles the rules
				runtime.GC()
				runtime.ReadMemStats(&before)
				for i := range matches {
					keep = append(keep, middle(b, rules, plies, uint64(i)))
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
			}
			runtime.KeepAlive(keep)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/matches, "B/match")
		})
	}
}

// middle returns a match in which this many random plies have been played.
func middle(t testing.TB, rules string, plies int, run uint64) *Match {
	return middleOf(t, rules, "", plies, run)
}

func middleOf(t testing.TB, rules, options string, plies int, run uint64) *Match {
	r := rand.New(rand.NewPCG(run, 3))
	tb := seated(t, rules, options, "5+3")
	for range plies {
		if tb.m.pos.Phase != engine.Play {
			break
		}
		legal := tb.m.rules.game.Legal(&tb.m.pos)
		tb.at += 1500
		tb.play(legal.At(r.IntN(legal.Len())).String())
	}
	return tb.m
}

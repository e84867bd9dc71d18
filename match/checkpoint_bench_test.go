package match

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/sqljournal"
	"mancala/match/machine"
	"mancala/match/room"
)

// longMatch returns the entries of a match by difference, of many rounds.
func longMatch(b testing.TB, entries int) []machine.Entry {
	r := rand.New(rand.NewPCG(1, 2))
	tb := newTable(b, Creation{Settings: Settings{Rules: "kalah", Options: "pits=8 seeds=6 match=difference target=1000000", Clock: "none"}, Seats: []string{"p0", "p1"}})
	for len(tb.entries) < entries {
		if tb.m.stage != live {
			tb.must("p0", KindNext, "")
			continue
		}
		legal := tb.m.rules.game.Legal(&tb.m.pos)
		tb.at += 1500
		tb.play(legal.At(r.IntN(legal.Len())).String())
	}
	return tb.entries
}

func rowsOf(b testing.TB, entries []machine.Entry) (rows []journal.Row) {
	for i, e := range entries {
		data, err := json.Marshal(e)
		if err != nil {
			b.Fatal(err)
		}
		rows = append(rows, journal.Row{Seq: uint64(i) + 1, Data: data})
	}
	return rows
}

// BenchmarkOpenLongRoom opens a room of 5,000 entries in SQLite, from its first entry and with
// a checkpoint that is 256 entries old.
func BenchmarkOpenLongRoom(b *testing.B) {
	const entries, tail = 5000, 256
	all := longMatch(b, entries)
	if all[entries-tail].Kind != KindMove {
		b.Fatal("the entry after the checkpoint is no move")
	}
	ctx := b.Context()
	j, err := sqljournal.Open(ctx, sqljournal.Options{Path: filepath.Join(b.TempDir(), "rooms.db")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = j.Close() })
	rows := rowsOf(b, all)
	for id, n := range map[string]int{"without": entries, "with": entries - tail} {
		if err := j.Create(ctx, journal.Room{ID: id, Kind: Kind, Wake: time.Now().Add(time.Hour)}, rows[:n]...); err != nil {
			b.Fatal(err)
		}
	}
	// The next move writes the checkpoint.
	watched := &announced{j, make(chan error, 1)}
	h, die := benchHouse(b, watched)
	move := all[entries-tail]
	var body struct {
		Move string
		Ply  int
	}
	if err := json.Unmarshal(move.Body, &body); err != nil {
		b.Fatal(err)
	}
	order, _ := json.Marshal(map[string]any{"ply": body.Ply - 1, "move": body.Move})
	if _, err := h.Do(ctx, "with", machine.Command{ID: "x", Kind: KindMove, By: move.By, Body: order}); err != nil {
		b.Fatal(err)
	}
	if err := <-watched.stored; err != nil {
		b.Fatal(err)
	}
	die()
	line, err := j.Claim(ctx, "with", "bench", 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, row := range rows[line.Seq:] {
		row.Epoch = line.Epoch
		if err := j.Append(ctx, "with", row, time.Time{}); err != nil {
			b.Fatal(err)
		}
	}
	if c, err := j.Checkpoint(ctx, "with"); err != nil || c.Seq == 0 {
		b.Fatalf("no checkpoint: %v", err)
	} else {
		b.Logf("the checkpoint at %d has %d bytes", c.Seq, len(c.Data))
	}
	for _, id := range []string{"without", "with"} {
		b.Run(id, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				b.StopTimer()
				h, die := benchHouse(b, j)
				b.StartTimer()
				f, err := h.Follow(ctx, id, deaf{})
				b.StopTimer()
				if err != nil {
					b.Fatal(err)
				}
				f.Close()
				die()
				b.StartTimer()
			}
		})
	}
}

// announced is a journal that tells when a checkpoint has been stored.
type announced struct {
	journal.Journal
	stored chan error
}

func (a *announced) PutCheckpoint(ctx context.Context, id string, epoch uint64, c journal.Checkpoint) error {
	err := a.Journal.PutCheckpoint(ctx, id, epoch, c)
	a.stored <- err
	return err
}

// benchHouse starts a registry on a journal.
func benchHouse(b *testing.B, j journal.Journal) (h *room.Registry, die func()) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h, err := room.Start(ctx, room.Config{
		Self: "bench", Journal: j, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Kinds: map[string]func(string) machine.Machine{Kind: func(string) machine.Machine { return New() }},
	})
	if err != nil {
		b.Fatal(err)
	}
	return h, func() { cancel(); h.Wait() }
}

// BenchmarkCheckpoint measures what the room's goroutine does to write down a match of 5,000
// entries, and what loading it takes.
func BenchmarkCheckpoint(b *testing.B) {
	m := New()
	for _, e := range longMatch(b, 5000) {
		if err := m.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
	data, err := m.Checkpoint()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		b.ReportMetric(float64(len(data)), "bytes")
		for b.Loop() {
			if _, err := m.Checkpoint(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if err := New().LoadCheckpoint(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

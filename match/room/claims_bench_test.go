package room

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"mancala/match/deadline"
	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// distantJournal is a journal whose reads take as long as those of a busy database.
type distantJournal struct {
	journal.Journal
	took time.Duration
}

func (d *distantJournal) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	time.Sleep(d.took)
	return d.Journal.Read(ctx, id, after, limit)
}

// BenchmarkCommandAmongFalseClaims measures how long a player's command takes, and
// how often the room refuses it, while 300 sockets claim entries that do not exist.
// Each socket claims ten times a second and waits for each answer.
func BenchmarkCommandAmongFalseClaims(b *testing.B) {
	for _, tt := range []struct {
		name      string
		sockets   int
		reconnect bool // a new socket makes each claim
	}{
		{"nobody", 0, false},
		{"300 sockets", 300, false},
		{"300 sockets that reconnect", 300, true},
	} {
		b.Run(tt.name, func(b *testing.B) { commandAmongFalseClaims(b, tt.sockets, tt.reconnect) })
	}
}

func commandAmongFalseClaims(b *testing.B, sockets int, reconnect bool) {
	h, stop := benchRegistryOn(b, &distantJournal{memjournal.New(), 10 * time.Millisecond})
	defer stop()
	f := benchRoom(b, h, "r1")
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for range sockets {
		group.Go(func() {
			s, claimer := &socket{}, &hub{Following: f}
			for ctx.Err() == nil {
				if reconnect {
					s, claimer = &socket{}, &hub{Following: f}
				}
				s.player, s.seq = "eve", math.MaxUint64
				_ = claimer.resume(ctx, s)
				_ = deadline.Wait(ctx, 100*time.Millisecond)
			}
		})
	}
	time.Sleep(200 * time.Millisecond)
	var took []time.Duration
	refused := 0
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		c := machine.Command{ID: "c" + began.String(), By: twoPlayers[i&1], Kind: "move"}
		if _, err := f.Do(ctx, c); errors.Is(err, ErrBusy) {
			refused++
		} else if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
		time.Sleep(time.Millisecond)
	}
	cancel()
	group.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(took[len(took)-1].Microseconds()), "max-µs")
	b.ReportMetric(100*float64(refused)/float64(len(took)), "%refused")
	b.ReportMetric(0, "ns/op")
}

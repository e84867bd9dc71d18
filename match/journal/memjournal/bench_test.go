//go:build unix

package memjournal_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
)

func BenchmarkAppend(b *testing.B) {
	j, ctx := memjournal.New(), context.Background()
	data := make([]byte, 250)
	var rooms atomic.Int64
	b.SetParallelism(50)
	b.ReportAllocs()
	start := cpu()
	b.RunParallel(func(pb *testing.PB) {
		id := fmt.Sprintf("room%d", rooms.Add(1))
		if err := j.Create(ctx, journal.Room{ID: id, Kind: "match"}); err != nil {
			b.Error(err)
			return
		}
		if _, err := j.Claim(ctx, id, "self", 0); err != nil {
			b.Error(err)
			return
		}
		wake := time.Now()
		for seq := uint64(1); pb.Next(); seq++ {
			if err := j.Append(ctx, id, journal.Row{Seq: seq, Epoch: 1, Key: "0/abcdef", Data: data}, wake); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(cpu()-start)/float64(b.N), "cpu-ns/op")
}

// cpu returns the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

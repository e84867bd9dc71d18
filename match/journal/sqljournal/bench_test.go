//go:build unix

package sqljournal

import (
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"mancala/match/journal"
)

// BenchmarkAppend has rooms that append at full speed, each waiting for its own row.
func BenchmarkAppend(b *testing.B) {
	for _, rooms := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("rooms=%d", rooms), func(b *testing.B) { benchmark(b, rooms, Options{}) })
	}
	b.Run("rooms=100/full", func(b *testing.B) { benchmark(b, 100, Options{Full: true}) })
}

func benchmark(b *testing.B, rooms int, opt Options) {
	var batches, rows int
	var longest time.Duration
	opt.Path = file(b)
	opt.Observe = func(o journal.Batch) {
		batches++
		rows += o.Rows
		longest = max(longest, o.Waited+o.Took)
	}
	db, err := Open(b.Context(), opt)
	if err != nil {
		b.Fatal(err)
	}
	ids := make([]string, rooms)
	for i := range ids {
		ids[i] = fmt.Sprintf("room%d", i)
		if err := db.Create(b.Context(), journal.Room{ID: ids[i], Kind: "match"}); err != nil {
			b.Fatal(err)
		}
		if _, err := db.Claim(b.Context(), ids[i], "self", 0); err != nil {
			b.Fatal(err)
		}
	}
	data := make([]byte, 250)
	wake := time.Now()
	b.ReportAllocs()
	b.ResetTimer()
	start := cpu()
	var wg sync.WaitGroup
	for i, id := range ids {
		n := b.N / rooms
		if i < b.N%rooms {
			n++
		}
		wg.Go(func() {
			for seq := range uint64(n) {
				if err := db.Append(b.Context(), id, journal.Row{Seq: seq + 1, Epoch: 1, Key: "0/abcdef", Data: data}, wake); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	used := cpu() - start
	b.StopTimer()
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(used)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(rows)/float64(max(batches, 1)), "rows/batch")
	b.ReportMetric(float64(longest)/1e6, "longest-ms")
}

// cpu returns the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

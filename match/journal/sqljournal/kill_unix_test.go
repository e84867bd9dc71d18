//go:build unix

package sqljournal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"mancala/match/journal"
)

const (
	victimEnv   = "MANCALA_TEST_JOURNAL"
	victimRooms = 12
)

func TestMain(m *testing.M) {
	if path := os.Getenv(victimEnv); path != "" {
		if err := victim(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// victim is a server that writes until it is killed. It prints what has been
// acknowledged. Rooms are released and claimed again, and the log is short, so that
// every kind of write is interrupted at some time.
func victim(path string) error {
	ctx := context.Background()
	db, err := Open(ctx, Options{Path: path, Tail: 20_000})
	if err != nil {
		return err
	}
	self := fmt.Sprintf("i%d", os.Getpid())
	if _, err := db.Alive(ctx, self); err != nil {
		return err
	}
	var mu sync.Mutex // one line, one write
	say := func(id string, seq uint64) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Printf("%s %d\n", id, seq)
	}
	failed := make(chan error)
	for i := range victimRooms {
		id := fmt.Sprintf("r%d", i)
		go func() {
			err := db.Create(ctx, journal.Room{ID: id, Kind: "match"})
			if err != nil && !errors.Is(err, journal.ErrConflict) {
				failed <- err
				return
			}
			for {
				line, err := db.Room(ctx, id)
				if err == nil {
					line, err = db.Claim(ctx, id, self, line.Epoch)
				}
				seq := line.Seq
				for n := 0; err == nil && n < 10+7*i; n++ {
					seq++
					row := entry(seq)
					row.Epoch = line.Epoch
					if err = db.Append(ctx, id, row, time.Time{}); err == nil {
						say(id, seq)
					}
				}
				if err == nil && i%2 == 0 {
					err = db.Release(ctx, id, self, line.Epoch, time.Time{})
				}
				if err != nil {
					failed <- fmt.Errorf("%s: %w", id, err)
					return
				}
			}
		}()
	}
	return <-failed
}

// TestKilledProcessLosesNoAcknowledgedEntry kills a process that writes, again and
// again on the same file. Every entry that was acknowledged must be there once, in
// order and with its data. No lock may be left behind.
func TestKilledProcessLosesNoAcknowledgedEntry(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	path := file(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	number := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(number, 0))
	acked := map[string]uint64{}
	for round := range rounds {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), victimEnv+"="+path)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		mortal := 1 + rng.IntN(1500) // a number of acknowledgements, not a time
		for n := 0; lines.Scan(); n++ {
			var id string
			var seq uint64
			if _, err := fmt.Sscan(lines.Text(), &id, &seq); err != nil {
				break // the process was killed in the middle of a line
			}
			if seq <= acked[id] {
				t.Errorf("number %d, round %d: %s %d acknowledged after %d", number, round, id, seq, acked[id])
			}
			acked[id] = seq
			if n == mortal {
				if _, err := Open(t.Context(), Options{Path: path}); code(err) != CodeInUse {
					t.Errorf("number %d, round %d: a second server beside a living one: %v", number, round, err)
				}
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = cmd.Wait() // the process was killed
		if stderr.Len() > 0 {
			t.Fatalf("number %d, round %d: %s", number, round, stderr.String())
		}
		if round%3 == 0 {
			continue // the next process recovers the database, and not this one
		}
		db, err := Open(t.Context(), Options{Path: path})
		if err != nil {
			t.Fatalf("number %d, round %d: %v", number, round, err)
		}
		for id, want := range acked {
			if got := len(readAll(t, db, id)); uint64(got) < want {
				t.Errorf("number %d, round %d: %s has %d entries, %d were acknowledged", number, round, id, got, want)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(acked) < victimRooms/2 {
		t.Errorf("only %d rooms wrote anything", len(acked))
	}
}

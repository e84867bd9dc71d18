package room

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// restart kills a registry, and starts another one on its journal when the rooms may be taken
// over.
func (w *world) restart(self string, every uint64) *world {
	w.Helper()
	w.stop()
	pass(10 * time.Second)
	return newWorldOn(w.T, nil, self, w.journal, nil, func(c *Config) { c.checkpointEvery = every })
}

// wantCheckpoint checks that the room has a checkpoint at this entry; 0 means none.
func (w *world) wantCheckpoint(id string, seq uint64) {
	w.Helper()
	if c, err := w.journal.Checkpoint(w.Context(), id); err != nil || c.Seq != seq {
		w.Errorf("the checkpoint of %s is at %d, %v, want %d", id, c.Seq, err, seq)
	}
}

// A room with a checkpoint is opened with the entries after it, and knows the commands that
// came before it.
func TestRoomIsOpenedWithItsCheckpointAndTheEntriesAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &journaltest.Counting{Journal: memjournal.New()}
		w := newWorldOn(t, nil, "one", j, nil, func(c *Config) { c.checkpointEvery = 20 })
		id := w.book("r1")
		first := cmd("ann", "add", 1)
		w.must(id, first)
		for range 24 {
			w.must(id, cmd("bob", "add", 1))
		}
		synctest.Wait()
		w.wantCheckpoint(id, 20)
		w = w.restart("two", 20)
		before := j.Rows.Load()
		a := w.must(id, first)
		if read := j.Rows.Load() - before; read > 10 {
			t.Errorf("%d rows were read to open the room", read)
		}
		if !a.Repeat || a.Seq != 4 {
			t.Errorf("the repeated command is answered %+v, want entry 4", a)
		}
		if l := w.ledger(id, "ann"); l.Sum != 25 {
			t.Errorf("the sum is %d, want 25", l.Sum)
		}
	})
}

// A room that has no checkpoint although it is long, as those of an older release, writes one
// with its next entry or before it sleeps. One that sleeps for good writes none.
func TestLongRoomWritesACheckpointBeforeItSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const never = 1 << 40
		w := newWorldOn(t, nil, "one", memjournal.New(), nil, func(c *Config) { c.checkpointEvery = never })
		for _, id := range []string{"moved", "looked", "ended"} {
			if err := w.Create(t.Context(), id, "ledger", cmd("", "open", 0), cmd("robot", "sit", 0)); err != nil {
				t.Fatal(err)
			}
			for range 10 {
				w.must(id, cmd("robot", "add", 1))
			}
			if id != "ended" {
				c := cmd("robot", "bell", 0)
				c.Body = json.RawMessage(`{"in":36000000}`)
				w.must(id, c)
			}
		}
		if err := w.Drain(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		w.wantCheckpoint("looked", 0)
		w = w.restart("two", 5)
		seqs, err := w.Seqs(t.Context(), []string{"looked"})
		if err != nil {
			t.Fatal(err)
		}
		a := w.must("moved", cmd("robot", "add", 1))
		synctest.Wait()
		w.wantCheckpoint("moved", a.Seq)
		for _, id := range []string{"looked", "ended"} {
			w.follow(id).Close()
		}
		pass(time.Minute)
		if live := w.Stats().Live; live != 0 {
			t.Fatalf("%d rooms are awake", live)
		}
		w.wantCheckpoint("looked", seqs["looked"])
		w.wantCheckpoint("ended", 0)
	})
}

// A checkpoint that cannot be used leads to a replay of all entries, and to the same state.
func TestUnusableCheckpointCostsOnlyTime(t *testing.T) {
	change := func(f func(c *checkpoint)) func([]byte) []byte {
		return func(data []byte) []byte {
			var c checkpoint
			if err := json.Unmarshal(data, &c); err != nil {
				panic(err)
			}
			f(&c)
			data, _ = json.Marshal(c)
			return data
		}
	}
	for name, spoil := range map[string]func([]byte) []byte{
		"cut short":           func(data []byte) []byte { return data[:len(data)/2] },
		"empty":               func([]byte) []byte { return nil },
		"of a newer release":  change(func(c *checkpoint) { c.Version = 99 }),
		"of another entry":    change(func(c *checkpoint) { c.Seq-- }),
		"without a state":     change(func(c *checkpoint) { c.State = nil }),
		"of another machine":  change(func(c *checkpoint) { c.State = json.RawMessage(`{"Seats":7}`) }),
		"that leads to panic": change(func(c *checkpoint) { c.State = json.RawMessage(`{"Seats":["eve","zoe"]}`) }),
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				id := w.book("r1")
				for range 4 {
					w.must(id, cmd("bob", "add", 1))
				}
				synctest.Wait()
				w.wantCheckpoint(id, 7)
				w.must(id, cmd("bob", "hide", 5)) // its author must have a seat
				want := w.ledger(id, "bob")
				w.stop()
				pass(10 * time.Second)
				line, err := w.journal.Claim(t.Context(), id, "vandal", 1)
				if err != nil {
					t.Fatal(err)
				}
				stored, _ := w.journal.Checkpoint(t.Context(), id)
				stored.Data = spoil(stored.Data)
				if err := w.journal.PutCheckpoint(t.Context(), id, line.Epoch, stored); err != nil {
					t.Fatal(err)
				}
				pass(10 * time.Second)
				w = newWorld(t, "two", w.journal, nil)
				if v := w.ledger(id, "bob"); v.Sum != want.Sum || v.Secret != want.Secret {
					t.Errorf("asleep it is %+v, was %+v", v, want)
				}
				w.must(id, cmd("bob", "add", 1))
				if l := w.ledger(id, "bob"); l.Sum != want.Sum+1 || l.Secret != want.Secret || w.Stats().Quarantined != 0 {
					t.Errorf("opened it is %+v, was %+v", l, want)
				}
			})
		})
	}
}

// keeps is what a room keeps beside its machine.
func keeps(r *Room) []any {
	return []any{r.seq, r.last, r.sum, r.repeats.stored(), r.feed.seq}
}

// TestCheckpointAtEveryEntryGivesTheRoomOfAWholeReplay writes a random journal, and loads the
// room with a checkpoint at each of its entries.
func TestCheckpointAtEveryEntryGivesTheRoomOfAWholeReplay(t *testing.T) {
	kinds := []string{"add", "add", "add", "hide", "task", "bell", machine.KindGone, machine.KindBack, machine.KindWake}
	for run := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(run, 3))
			w := newWorldOn(t, nil, "one", memjournal.New(), nil, func(c *Config) { c.checkpointEvery = 1 })
			id := w.book("r1")
			line, err := w.journal.Claim(t.Context(), id, "one", 0)
			if err != nil {
				t.Fatal(err)
			}
			load := func() (*Room, machine.Machine) {
				r := &Room{id: id, kind: "ledger", registry: w.Registry}
				r.role = &owner{room: r}
				rows, _ := w.journal.Read(t.Context(), id, 0, 0)
				if err := r.restore(t.Context(), uint64(len(rows)), nil, nil, nil); err != nil || r.inQuarantine() {
					t.Fatal(err, r.sick)
				}
				return r, r.machine
			}
			var stored []journal.Checkpoint
			for seq := uint64(3); ; seq++ {
				r, _ := load()
				c, ok := r.newCheckpoint()
				if !ok || r.seq != seq {
					t.Fatalf("no checkpoint at %d of %d", r.seq, seq)
				}
				stored = append(stored, c)
				if seq == 50 {
					break
				}
				e := machine.Entry{Kind: kinds[rng.IntN(len(kinds))], At: int64(seq) * 1000, By: []string{"ann", "bob"}[rng.IntN(2)], Command: fmt.Sprint("c", rng.IntN(1000))}
				e.Body = fmt.Appendf(nil, `{"n":%d,"task":"t%d","in":%d}`, rng.IntN(9), seq, rng.Int64N(1e12))
				if err := w.journal.Append(t.Context(), id, journal.Row{Seq: seq + 1, Epoch: line.Epoch, Data: appendEntry(nil, e)}, time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
			want, whole := load() // no checkpoint is in the journal yet
			for _, c := range stored {
				if err := w.journal.PutCheckpoint(t.Context(), id, line.Epoch, c); err != nil {
					t.Fatal(err)
				}
				got, m := load()
				if !reflect.DeepEqual(keeps(got), keeps(want)) {
					t.Errorf("run %d, from %d the room keeps\n%v, want\n%v", run, c.Seq, keeps(got), keeps(want))
				}
				for _, a := range []machine.Audience{0, 1, machine.Watchers, machine.Host} {
					if !bytes.Equal(m.Snapshot(a), whole.Snapshot(a)) {
						t.Errorf("run %d, from %d audience %d sees\n%s, want\n%s", run, c.Seq, a, m.Snapshot(a), whole.Snapshot(a))
					}
				}
				if !m.Wake().Equal(whole.Wake()) || !reflect.DeepEqual(m.Tasks(), whole.Tasks()) {
					t.Errorf("run %d, from %d it wakes at %v with the tasks %v, want %v and %v", run, c.Seq, m.Wake(), m.Tasks(), whole.Wake(), whole.Tasks())
				}
			}
		})
	}
}

// Watchers who lag behind see nothing earlier because there is a checkpoint.
func TestWatchersLagBehindACheckpoint(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		w.must(id, cmd("ann", "late", int(lag/time.Second)))
		pass(time.Minute)
		expect := func(want int) {
			t.Helper()
			if sum, _ := w.sees(nil, id, "eve"); sum != want {
				t.Errorf("eve sees %d, want %d", sum, want)
			}
		}
		for n := range 8 {
			w.must(id, cmd("ann", "add", 1))
			pass(2 * time.Second)
			expect(max(0, n-3))
		}
		w.stop()
		w = newWorld(t, "two", w.journal, nil)
		expect(4)
		pass(2 * time.Second)
		expect(5)
		pass(time.Minute)
		expect(8)
	})
}

package room

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
	"mancala/match/refusal"
)

func TestCommandBecomesEntry(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		if a := w.must(id, cmd("ann", "add", 5)); a != (Answer{Seq: 4}) {
			t.Errorf("got %+v, want sequence 4", a)
		}
		if got := h.kinds(); got != "add" {
			t.Errorf("the follower got %q, want the one entry since it came", got)
		}
		if l := w.ledger(id, "eve"); l.Sum != 5 {
			t.Errorf("sum %d, want 5", l.Sum)
		}
		if got := w.kinds(id); got != "open sit sit add" {
			t.Errorf("journal: %s", got)
		}
	})
}

// What is published is in the journal already, at that moment.
func TestEntryIsInTheJournalBeforeItIsPublished(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		f := &checking{w: w, id: id}
		if _, err := w.Follow(t.Context(), id, f); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			w.must(id, cmd("bob", "add", 1))
		}
		if f.checked != 10 {
			t.Errorf("checked %d entries, want 10", f.checked)
		}
	})
}

type checking struct {
	hub
	w       *world
	id      string
	checked int
}

func (c *checking) Entry(p *Published) {
	rows, err := c.w.journal.Read(c.w.Context(), c.id, p.Seq-1, 1)
	if err != nil || len(rows) != 1 || rows[0].Seq != p.Seq {
		c.w.Errorf("entry %d is published and not in the journal (%v)", p.Seq, err)
	}
	c.checked++
}

func TestRefusalsHaveACodeAndChangeNothing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		long := cmd("ann", "add", 1)
		long.ID = string(make([]byte, maxCommandID+1))
		anonymous := cmd("", "add", 1)
		nameless := cmd("ann", "add", 1)
		nameless.ID = ""
		for _, tt := range []struct {
			name string
			room string
			c    machine.Command
			code refusal.Code
		}{
			{"foreign", id, cmd("eve", "add", 1), "not-yours"},
			{"unknown kind", id, cmd("ann", "dance", 1), "unknown"},
			{"the room's own kind", id, cmd("ann", machine.KindWake, 0), CodeReserved},
			{"the room's own kind, outage", id, cmd("ann", machine.KindOutage, 0), CodeReserved},
			{"no author", id, anonymous, CodeBadCommand},
			{"no ID", id, nameless, CodeBadCommand},
			{"long ID", id, long, CodeBadCommand},
			{"no such room", "r2", cmd("ann", "add", 1), CodeNoRoom},
			{"impossible room", "not an ID", cmd("ann", "add", 1), CodeNoRoom},
		} {
			_, err := w.Do(t.Context(), tt.room, tt.c)
			if !refusal.Is(err, tt.code) {
				t.Errorf("%s: got %v, want code %s", tt.name, err, tt.code)
			}
		}
		if got := w.kinds(id); got != "open sit sit" {
			t.Errorf("refused commands left entries: %s", got)
		}
		if a := w.must(id, cmd("ann", "idle", 0)); a != (Answer{}) {
			t.Errorf("nothing to do: got %+v", a)
		}
	})
}

func TestRepeatIsAnsweredAsTheFirst(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		first := cmd("ann", "add", 7)
		a := w.must(id, first)
		for range repeatsKept - 1 {
			w.must(id, cmd("ann", "add", 1))
		}
		again := func(w *world, when string) {
			t.Helper()
			if b := w.must(id, first); b != (Answer{Seq: a.Seq, Repeat: true}) {
				t.Errorf("%s: got %+v, want sequence %d again", when, b, a.Seq)
			}
		}
		again(w, "at once")
		foreign := first
		foreign.By = "bob"
		if b := w.must(id, foreign); b.Repeat {
			t.Error("another author's command with the same ID counts as a repeat")
		}
		again(w, "after another author used the ID")
		w.stop()
		w = newWorld(t, "one", w.journal, nil)
		again(w, "after a reload")
		w.must(id, cmd("ann", "add", 1))
		if b := w.must(id, first); b.Repeat {
			t.Error("the ID is remembered for ever")
		}
	})
}

// A full inbox is an answer, not a wait.
func TestFullInboxIsAnsweredAtOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		f := &blocking{enter: make(chan bool), leave: make(chan bool)}
		if _, err := w.Follow(t.Context(), id, f); err != nil {
			t.Fatal(err)
		}
		answers := make(chan error, inboxSize+1)
		send := func() {
			go func() {
				_, err := w.Do(t.Context(), id, cmd("ann", "add", 1))
				answers <- err
			}()
		}
		send()
		<-f.enter
		for range inboxSize {
			send()
		}
		synctest.Wait()
		if _, err := w.Do(t.Context(), id, cmd("ann", "add", 1)); !errors.Is(err, ErrBusy) {
			t.Errorf("got %v, want ErrBusy", err)
		}
		close(f.leave)
		for range inboxSize {
			<-f.enter
		}
		for range inboxSize + 1 {
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
	})
}

// A reader that gives up shares nothing with the room, which serves it later. The race
// detector finds shared memory only if nothing else orders the two, so the test uses real
// time and a room that is not synchronised with the readers. On a slow machine a reader may
// get its answer.
func TestReadersMayGiveUpWhileTheRoomIsBusy(t *testing.T) {
	// A busy machine may stop the test for seconds: there is no fake time here.
	w := newWorldOn(t, nil, "one", memjournal.New(), nil, func(c *Config) { c.Grace = 5 * time.Minute })
	id := w.book("r1")
	g := w.follow(id)
	first, leave := make(chan bool), make(chan bool)
	answer := make(chan error, 1)
	r, err := w.open(t.Context(), id, true)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		answer <- r.call(t.Context(), func(*Room) error {
			close(first)
			<-leave
			return nil
		})
	}()
	<-first
	time.AfterFunc(100*time.Millisecond, func() { close(leave) })
	for what, read := range map[string]func(context.Context) error{
		"view": func(ctx context.Context) error {
			_, err := w.View(ctx, id, "ann")
			return err
		},
		"ask": func(ctx context.Context) error {
			_, _, err := g.Ask(ctx, "ann", "balance")
			return err
		},
		"follow": func(ctx context.Context) error {
			late := new(hub)
			_, err := w.Follow(ctx, id, late)
			if err != nil {
				t.Cleanup(func() {
					if told := late.kinds(); told != "" {
						t.Errorf("a follower that gave up was told of %s", told)
					}
				})
			}
			return err
		},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		if err := read(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", what, err)
		}
		cancel()
	}
	if err := <-answer; err != nil {
		t.Fatal(err)
	}
	w.must(id, cmd("ann", "add", 1)) // after the readers
}

// The sender of a command may use its body's bytes for the next as soon as it is sent,
// long before it is decided.
func TestSentBodyIsCopied(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		f := &blocking{enter: make(chan bool), leave: make(chan bool)}
		g, err := w.Follow(t.Context(), id, f)
		if err != nil {
			t.Fatal(err)
		}
		const n = 3
		answers := make(answers, n)
		buffer := make([]byte, 0, 64)
		for i := range n {
			c := cmd("ann", "add", i+1)
			c.Body = append(buffer, c.Body...)
			if err := g.Send(c, answers); err != nil {
				t.Fatal(err)
			}
		}
		close(f.leave)
		for range n {
			<-f.enter
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
		if sum := w.ledger(id, "ann").Sum; sum != 1+2+3 {
			t.Errorf("the sum is %d", sum)
		}
	})
}

// answers is an [Asker] that passes on whether commands were carried out.
type answers chan error

func (a answers) Answered(_ machine.Command, _ Answer, err error) { a <- err }

type blocking struct {
	hub
	enter, leave chan bool
}

func (b *blocking) Entry(*Published) {
	b.enter <- true
	<-b.leave
}

func TestWakeUpComesToTheMillisecond(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		c := cmd("ann", "bell", 0)
		c.Body = []byte(`{"in":61234}`)
		w.must(id, c)
		time.Sleep(61234*time.Millisecond - time.Nanosecond)
		synctest.Wait()
		if got := h.kinds(); got != "bell" {
			t.Errorf("a moment before: %s", got)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if got := h.kinds(); got != "bell wake" {
			t.Errorf("at the moment: %s", got)
		}
	})
}

// Time comes from the owner, cut to milliseconds, and never goes back, even if the
// room's last entry was written by a clock that is ahead.
func TestTimeNeverGoesBack(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		at := time.Now().Add(time.Hour).UnixMilli()
		data := appendEntry(nil, machine.Entry{Kind: "sit", At: at, By: "ann", Body: []byte("{}")})
		row := journal.Row{Seq: 1, Key: "x", Data: data}
		if err := w.journal.Create(t.Context(), journal.Room{ID: "r1", Kind: "ledger"}, row); err != nil {
			t.Fatal(err)
		}
		w.must("r1", cmd("ann", "add", 1))
		list, err := w.Entries(t.Context(), "r1", "")
		if err != nil || list[1].Entry.At != at {
			t.Errorf("got %+v (%v), want the last entry's time %d", list[1].Entry, err, at)
		}
	})
}

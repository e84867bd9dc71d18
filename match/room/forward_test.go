package room

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestRefusalReachesAnotherInstance(t *testing.T) {
	inWorlds(t, func(t *testing.T, _ *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		_, err := two.Do(t.Context(), id, cmd("mallory", "add", 1))
		wantCode(t, err, "not-yours")
		again := cmd("bob", "add", 1)
		first := two.must(id, again)
		if a := two.must(id, again); a.Seq != first.Seq || !a.Repeat {
			t.Errorf("repeated: %+v, want %d", a, first.Seq)
		}
		if a := two.must(id, cmd("bob", "idle", 0)); a.Seq != 0 {
			t.Errorf("a command without an effect: %+v", a)
		}
	})
}

func TestLateAnswerToAFormerReplicaAnswersNoOtherCommand(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		h := two.follow(id)
		answered := two.must(id, cmd("bob", "add", 1))
		late := Message{Kind: tellDone, Room: id, Call: 1, Seq: answered.Seq, Repeat: true}
		h.Close()
		pass(time.Minute)
		if two.running(id) != nil {
			t.Fatal("the replica has not ended")
		}
		two.follow(id)
		on.set(1, 0) // the new command does not arrive yet
		answers := make(chan Answer, 1)
		go func() { answers <- two.must(id, cmd("bob", "add", 2)) }()
		synctest.Wait()
		two.Hear("one", late)
		synctest.Wait()
		on.set(0, 0)
		if a := <-answers; a.Seq <= answered.Seq || a.Repeat {
			t.Errorf("the new command was answered with %+v, want an entry after %d", a, answered.Seq)
		}
	})
}

func TestCommandIsSentAgainAsItWas(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		h := two.follow(id)
		h.Join("bob")
		time.Sleep(time.Second)
		const n = 3
		answers := make(answers, n)
		buffer := make([]byte, 0, 64)
		for _, loss := range []float64{1, 0} {
			on.set(loss, 0)
			for i := range n {
				c := cmd("bob", "add", i+1)
				c.Body = append(buffer, c.Body...)
				if err := h.Send(c, answers); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(2 * repeatAfter)
		}
		for range 2 * n {
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
		if sum := one.ledger(id, "ann").Sum; sum != 2*(1+2+3) {
			t.Errorf("the sum is %d", sum)
		}
	})
}

func TestCommandWhoseMessageWasLostIsCredited(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		h := two.follow(id)
		h.Join("bob")
		time.Sleep(2 * time.Second)
		one.must(id, cmd("ann", "add", 1)) // it is bob's turn
		time.Sleep(20 * time.Second)
		on.set(1, 0)
		if err := h.Send(cmd("bob", "add", 1), noAsker{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		on.set(0, 0)
		time.Sleep(2 * repeatAfter)
		if got := one.kinds(id); got != "open sit sit add outage add" {
			t.Errorf("entries %q, want the credit before the command", got)
		}
		if credit := time.Duration(one.ledger(id, "ann").Credit) * time.Millisecond; credit != repeatAfter {
			t.Errorf("credit %v, want %v", credit, repeatAfter)
		}
		two.must(id, cmd("bob", "add", 1)) // not bob's turn, and nothing is lost
		if got := one.kinds(id); got != "open sit sit add outage add add" {
			t.Errorf("entries %q", got)
		}
	})
}

func TestBusyOwnerIsNoAnswerToACommandThatWaitsInItsInbox(t *testing.T) {
	inWorlds(t, func(t *testing.T, _ *wire, one, two, _ *world) {
		id := one.book("r")
		f := &blocking{enter: make(chan bool), leave: make(chan bool)}
		if _, err := one.Follow(t.Context(), id, f); err != nil {
			t.Fatal(err)
		}
		two.follow(id)
		time.Sleep(time.Second)
		send := func(on *world, answers chan<- error, by string) {
			go func() {
				_, err := on.Order(t.Context(), id, cmd(by, "set", 1))
				answers <- err
			}()
		}
		near, far := make(chan error, inboxSize), make(chan error, 1)
		send(one, near, "ann")
		<-f.enter
		for range inboxSize - 1 {
			send(one, near, "ann")
		}
		synctest.Wait()
		send(two, far, "bob") // fills the inbox
		time.Sleep(repeatAfter + repeatAfter/2)
		select {
		case err := <-far:
			t.Fatalf("answered while it waits: %v", err)
		default:
		}
		close(f.leave)
		go func() {
			for range f.enter {
			}
		}()
		if err := <-far; err != nil {
			t.Error(err)
		}
		for range inboxSize {
			if err := <-near; err != nil {
				t.Error(err)
			}
		}
		close(f.enter)
	})
}

func TestOnlyACommandThatStopsAClockIsCreditedForItsWait(t *testing.T) {
	for _, tt := range []struct{ name, kind, body, want string }{
		{"move", "add", `{"n":1}`, "open sit sit add outage add"},
		{"offer", "hide", `{"n":1}`, "open sit sit add hide"},
		{"refused", "add", `[]`, "open sit sit add"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				id := w.book("r")
				h := w.follow(id)
				h.Join("ann")
				h.Join("bob")
				time.Sleep(2 * time.Second)
				w.must(id, cmd("ann", "add", 1))
				time.Sleep(20 * time.Second)
				c := cmd("bob", tt.kind, 0)
				c.Body, c.Waited = []byte(tt.body), repeatAfter
				_, _ = w.Do(t.Context(), id, c)
				if got := w.kinds(id); got != tt.want {
					t.Errorf("entries %q, want %q", got, tt.want)
				}
			})
		})
	}
}

package room

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// asked receives the answer to a command that was sent.
type asked chan error

func (a asked) Answered(_ machine.Command, _ Answer, err error) { a <- err }

func TestNoClientCanGiveAnOrderOfTheService(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		order := func() machine.Command {
			c := cmd("ann", "set", 7)
			c.Server = true
			return c
		}
		_, err := w.Do(w.Context(), id, order())
		wantCode(t, err, "not-yours")
		_, err = h.Do(w.Context(), order())
		wantCode(t, err, "not-yours")
		answer := make(asked, 1)
		if err := h.Send(order(), answer); err != nil {
			t.Fatal(err)
		}
		wantCode(t, <-answer, "not-yours")
		nobody := order()
		nobody.By = ""
		if _, err := w.Do(w.Context(), id, nobody); !errors.Is(err, ErrBadCommand) {
			t.Errorf("a command without an author: %v", err)
		}
		if _, err := w.Order(w.Context(), id, machine.Command{ID: "x", Kind: machine.KindWake}); !errors.Is(err, ErrReserved) {
			t.Errorf("an order of a kind that only the room sends: %v", err)
		}
		if l := w.ledger(id, "eve"); l.Sum != 0 {
			t.Errorf("the sum is %d", l.Sum)
		}
	})
}

func TestOrderIsDecidedAgainIfItHasNoAuthor(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		byNobody, byAnn := cmd("", "set", 7), cmd("ann", "set", 8)
		for _, tt := range []struct {
			name    string
			command machine.Command
			want    Answer
		}{
			{"the first", byNobody, Answer{Seq: 4}},
			{"the same again changes nothing", byNobody, Answer{}},
			{"on behalf of a player", byAnn, Answer{Seq: 5}},
			{"the same again is known", byAnn, Answer{Seq: 5, Repeat: true}},
			{"the first once more", byNobody, Answer{Seq: 6}},
		} {
			if a, err := w.Order(w.Context(), id, tt.command); a != tt.want || err != nil {
				t.Errorf("%s: %+v, %v, want %+v", tt.name, a, err, tt.want)
			}
		}
	})
}

func TestOrderIsAnsweredThroughAnotherInstance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(3)
		one, two := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil)
		id := one.book("r1")
		owner, far := one.follow(id), two.follow(id)
		owner.Join("ann")
		far.Join("bob")
		pass(time.Second)
		first := cmd("", "set", 7)
		if a, err := two.Order(t.Context(), id, first); a.Seq == 0 || a.Repeat || err != nil {
			t.Errorf("an order without an author: %+v, %v", a, err)
		}
		if a, err := two.Order(t.Context(), id, first); a != (Answer{}) || err != nil {
			t.Errorf("the same again: %+v, %v", a, err)
		}
		if a, err := two.Order(t.Context(), id, cmd("eve", "set", 8)); a.Seq == 0 || err != nil {
			t.Errorf("an order on behalf of a watcher: %+v, %v", a, err)
		}
		on.set(0.3, 50*time.Millisecond)
		for n := range 20 {
			if _, err := two.Order(t.Context(), id, cmd("", "set", 100+n)); err != nil {
				t.Errorf("an order whose messages are lost: %v", err)
			}
		}
		on.set(0, 0)
		pass(30 * time.Second)
		if l := one.ledger(id, "eve"); l.Sum != 119 {
			t.Errorf("the sum is %d", l.Sum)
		}
		_, err := two.Do(t.Context(), id, cmd("bob", "set", 9))
		wantCode(t, err, "not-yours")
	})
}

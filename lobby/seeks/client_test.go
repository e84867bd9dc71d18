package seeks_test

import (
	"context"
	"testing"

	"mancala/lobby/seeks"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
	"mancala/match/room"
)

type listener struct{ gone []*seeks.Copy }

func (l *listener) Entry(*seeks.Copy, *room.Published) {}
func (l *listener) Note(room.Note)                     {}
func (l *listener) Gone(p *seeks.Copy, _ error)        { l.gone = append(l.gone, p) }

// newRegistry starts a registry that runs the lobby, and ends it with the test.
func newRegistry(t *testing.T) *room.Registry {
	t.Helper()
	journal, err := seeks.Journal(t.Context(), memjournal.New())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	rooms, err := room.Start(ctx, room.Config{
		Self: "test", Journal: journal,
		Kinds: map[string]func(string) machine.Machine{seeks.Kind: func(string) machine.Machine { return seeks.New() }},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rooms.Drain(context.Background(), nil); err != nil {
			t.Error(err)
		}
		cancel()
		rooms.Wait()
	})
	return rooms
}

func TestClientSharesOneCopyUntilTheLastHoldIsReleased(t *testing.T) {
	rooms := newRegistry(t)
	c := seeks.NewClient(rooms)
	a, err := c.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Hold(t.Context())
	if err != nil || a != b {
		t.Fatalf("a second hold got %p and %v, want the same copy %p", b, err, a)
	}
	a.Release()
	if b.Gone() {
		t.Fatal("the copy has ended although it is held")
	}
	b.Release()
	if !b.Gone() {
		t.Error("the copy has not ended although it is not held")
	}
	next, err := c.Hold(t.Context())
	if err != nil || next == a || next.Gone() {
		t.Errorf("a hold after the last release got %p, ended: %v, and %v; want a new copy", next, next.Gone(), err)
	}
	next.Release()
}

func TestClientFollowsAnewWhenACopyHasEnded(t *testing.T) {
	rooms := newRegistry(t)
	c := seeks.NewClient(rooms)
	l := &listener{}
	c.Listen(l)
	old, err := c.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := rooms.Drain(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if len(l.gone) != 1 || l.gone[0] != old || !old.Gone() {
		t.Fatalf("the listener got the end of %v, want %p", l.gone, old)
	}
	if _, err := c.Hold(t.Context()); err == nil {
		t.Error("a drained registry was followed")
	}
	old.Release()
}

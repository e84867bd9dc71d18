package interlink

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/bus"
	"mancala/match/bus/membus"
	"mancala/match/room"
)

// inbox returns the messages that another instance gets, as the rooms of each message.
func inbox(t *testing.T, b bus.Bus, name string) func() [][]string {
	t.Helper()
	in, err := b.Inbox(t.Context(), bus.Instance(name))
	if err != nil {
		t.Fatal(err)
	}
	return func() (got [][]string) {
		synctest.Wait()
		for {
			select {
			case msg := <-in:
				var rooms []string
				for _, m := range bodyOf(t, msg) {
					rooms = append(rooms, fmt.Sprint(m.Room, m.Seq))
				}
				got = append(got, rooms)
			default:
				return got
			}
		}
	}
}

func bodyOf(t *testing.T, msg []byte) []room.Message {
	t.Helper()
	for range 2 { // the sender and the number
		msg = msg[slices.Index(msg, '\n')+1:]
	}
	all, err := decodeAll(msg)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Renewals of several rooms are one message. What is said of one room keeps its order, and an
// instance of an older release gets each message alone.
func TestPatientMessagesGoTogether(t *testing.T) {
	renewal := func(name string, seq uint64) room.Message {
		return room.Message{Kind: "follow", Room: name, Seq: seq, Patient: true}
	}
	for _, tt := range []struct {
		what     string
		collects bool
		at, end  string // what has been sent at once, and in the end
	}{
		{"this release", true, "[[b2] [b3]]", "[[a1 c4]]"},
		{"an older release", false, "[[a1] [b2] [b3] [c4]]", "[]"},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := membus.New()
			l := New("one", b, slog.New(slog.DiscardHandler))
			gets := inbox(t, b, "two")
			l.peer("two").collects = tt.collects
			l.Tell("two", renewal("a", 1))
			l.Tell("two", renewal("b", 2))
			l.Tell("two", room.Message{Kind: "leave", Room: "b", Seq: 3})
			l.Tell("two", renewal("c", 4))
			if got := fmt.Sprint(gets()); got != tt.at {
				t.Errorf("%s: got %s at once, want %s", tt.what, got, tt.at)
			}
			time.Sleep(room.CollectFor)
			if got := fmt.Sprint(gets()); got != tt.end {
				t.Errorf("%s: got %s after that, want %s", tt.what, got, tt.end)
			}
		})
	}
}

// However many rooms two instances share, no message grows without bound.
func TestCollectedMessagesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := membus.New()
		l := New("one", b, slog.New(slog.DiscardHandler))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		in, err := b.Inbox(ctx, "two")
		if err != nil {
			t.Fatal(err)
		}
		l.peer("two").collects = true
		const rooms = 5_000
		go func() {
			for i := range rooms {
				m := room.Message{Kind: "follow", Room: fmt.Sprint("room", i), Patient: true}
				if i < rooms/2 { // a long message is full before it has many rooms
					m.Players = []string{strings.Repeat("ann", 200)}
				}
				l.Tell("two", m)
			}
		}()
		for n := 0; n < rooms; {
			msg := <-in
			all := bodyOf(t, msg)
			if n += len(all); len(msg) > mostBytes+1_000 || len(all) > mostCollected {
				t.Fatalf("a message has %d bytes, of %d rooms", len(msg), len(all))
			}
		}
	})
}

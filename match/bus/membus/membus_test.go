package membus_test

import (
	"context"
	"testing"
	"testing/synctest"

	"mancala/match/bus"
	"mancala/match/bus/bustest"
	"mancala/match/bus/membus"
)

func TestMembusKeepsTheContract(t *testing.T) {
	bustest.Run(t, func(*testing.T) bus.Bus { return membus.New() })
}

// In a bubble, synctest reports goroutines that are left behind.
func TestMembusWorksInABubbleWithoutAGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := membus.New()
		inbox, err := b.Inbox(ctx, "a")
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Send(ctx, "a", []byte("hello")); err != nil {
			t.Fatal(err)
		}
		if got := string(<-inbox); got != "hello" {
			t.Errorf("got %q", got)
		}
		cancel()
		synctest.Wait()
		select {
		case msg, open := <-inbox:
			if open {
				t.Errorf("got %q after the end", msg)
			}
		default:
			t.Error("still open")
		}
	})
}

func BenchmarkSend(b *testing.B) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	m := membus.New()
	inbox, err := m.Inbox(ctx, "a")
	if err != nil {
		b.Fatal(err)
	}
	msg := make([]byte, 300)
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Send(ctx, "a", msg); err != nil {
			b.Fatal(err)
		}
		<-inbox
	}
}

package redisbus_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"mancala/match/bus"
	"mancala/match/bus/bustest"
	"mancala/match/bus/redisbus"
	"mancala/match/bus/redistest"
)

var opened atomic.Int64

func open(t testing.TB, url string) *redisbus.Bus {
	t.Helper()
	b, err := redisbus.Open(redisbus.Options{URL: url, Prefix: fmt.Sprintf("test%d:", opened.Add(1))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestBus(t *testing.T) {
	bustest.Run(t, func(t *testing.T) bus.Bus { return open(t, redistest.Open(t)) })
}

// TestServerDies: the reader is told by the end of his inbox, senders wait for
// nothing, and when there is a server again all goes on.
func TestServerDies(t *testing.T) {
	redistest.Open(t) // skips
	server, err := redistest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Remove)
	b := open(t, server.URL())
	inbox, err := b.Inbox(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	server.Stop()
	if msg, ok := <-inbox; ok {
		t.Errorf("got %q", msg)
	}
	for range 10 {
		if err := b.Send(t.Context(), "a", []byte("lost")); err != nil {
			t.Error(err)
		}
	}
	if _, err := b.Inbox(t.Context(), "a"); err == nil {
		t.Error("an inbox without a server")
	}
	if n := b.Lost(); n != 10 {
		t.Errorf("%d messages are counted as lost, want 10", n)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	if inbox, err = b.Inbox(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if err := b.Send(t.Context(), "a", []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if msg := string(<-inbox); msg != "hello" {
		t.Errorf("got %q", msg)
	}
}

func BenchmarkSend(b *testing.B) {
	r := open(b, redistest.Open(b))
	inbox, err := r.Inbox(b.Context(), "a")
	if err != nil {
		b.Fatal(err)
	}
	msg := make([]byte, 300)
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Send(b.Context(), "a", msg); err != nil {
			b.Fatal(err)
		}
		<-inbox
	}
}

package redisbus_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"mancala/match/bus"
	"mancala/match/bus/bustest"
	"mancala/match/bus/redisbus"
	"mancala/match/bus/redistest"
)

var opened atomic.Int64

func open(t testing.TB, url string) *redisbus.Bus {
	t.Helper()
	return openAs(t, url, fmt.Sprintf("test%d:", opened.Add(1)))
}

// openAs opens a bus. All buses with one prefix reach each other.
func openAs(t testing.TB, url, prefix string) *redisbus.Bus {
	t.Helper()
	b, err := redisbus.Open(redisbus.Options{URL: url, Prefix: prefix})
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

func TestRedisbusKeepsTheContract(t *testing.T) {
	bustest.Run(t, func(t *testing.T) bus.Bus { return open(t, redistest.Open(t)) })
}

// TestLostServerClosesInboxesAndMessagesAreCounted also checks that senders do not
// wait, and that the bus works when the server is back.
func TestLostServerClosesInboxesAndMessagesAreCounted(t *testing.T) {
	redistest.Open(t) // skips the test without redis-server
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

// The channels are spread over three masters.
func TestRedisbusKeepsTheContractOnACluster(t *testing.T) {
	cluster := redistest.StartCluster(t)
	bustest.Run(t, func(t *testing.T) bus.Bus { return open(t, cluster.URL()) })
	testFailOver(t, cluster.URL(), cluster.KillMaster)
}

// Sentinels choose the master.
func TestRedisbusKeepsTheContractWithSentinels(t *testing.T) {
	if os.Getenv("MANCALA_TEST_LONG") == "" {
		t.Skip("a long run")
	}
	sentinel := redistest.StartSentinel(t)
	bustest.Run(t, func(t *testing.T) bus.Bus { return open(t, sentinel.URL()) })
	testFailOver(t, sentinel.URL(), sentinel.KillMaster)
}

// testFailOver kills masters. An inbox on a killed master must close. When it is open
// again, every bus must reach it.
func testFailOver(t *testing.T, url string, kill func(testing.TB) func()) {
	names := []bus.Instance{"a", "b", "c", "d", "e", "f"}
	buses := []*redisbus.Bus{openAs(t, url, "failover:"), openAs(t, url, "failover:")}
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		inboxes := map[bus.Instance]<-chan []byte{}
		for _, name := range names {
			inboxes[name] = inbox(t, ctx, buses[0], name)
		}
		restart := kill(t)
		for _, name := range names {
			for n := 0; ; n++ {
				for _, b := range buses {
					if err := b.Send(ctx, name, fmt.Appendf(nil, "%d", n)); err != nil {
						t.Fatal(err)
					}
				}
				got, open := receiveNumber(inboxes[name], n)
				if got == len(buses) {
					break
				}
				if !open {
					inboxes[name] = inbox(t, ctx, buses[0], name)
				}
			}
		}
		restart()
		cancel()
	}
}

// inbox opens an inbox as soon as a node has its channel.
func inbox(t *testing.T, ctx context.Context, b *redisbus.Bus, name bus.Instance) <-chan []byte {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); ; {
		ch, err := b.Inbox(ctx, name)
		if err == nil {
			return ch
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// receiveNumber counts the messages with a number that arrive soon.
func receiveNumber(inbox <-chan []byte, n int) (got int, open bool) {
	soon := time.After(500 * time.Millisecond)
	for got < 2 {
		select {
		case msg, open := <-inbox:
			if !open {
				return got, false
			}
			if string(msg) == strconv.Itoa(n) {
				got++
			}
		case <-soon:
			return got, true
		}
	}
	return got, true
}

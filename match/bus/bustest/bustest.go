// Package bustest tests every implementation of [bus.Bus] in the same way.
//
// A bus may lose messages. The test sends them under conditions in which a correct
// bus loses none: the inbox is open and its reader keeps up.
package bustest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"mancala/match/bus"
)

// patience is the time after which the test gives up. It measures nothing: only a
// broken bus reaches it.
const patience = 2 * time.Minute

// Run tests an implementation against the contract. open returns a bus that is
// separate from all others, and closes it with t.Cleanup.
func Run(t *testing.T, open func(*testing.T) bus.Bus) {
	for _, tt := range []struct {
		name string
		test func(*testing.T, bus.Bus)
	}{
		{"an inbox can be reached at once", testReachable},
		{"a message arrives only at its receiver", testAddress},
		{"a message without a receiver is lost", testNoReceiver},
		{"messages of one sender stay in order", testOrder},
		{"any bytes arrive unchanged", testBytes},
		{"an inbox closes with its context", testContext},
		{"an ended context is refused", testEnded},
		{"the inbox of a slow reader closes", testSlow},
		{"a slow reader does not affect others", testSlowOther},
		{"an inbox can be opened again", testAgain},
		{"closing may race with sending", testRace},
		{"an inbox leaves no goroutine", testGoroutines},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, open(t)) })
	}
}

func inbox(t *testing.T, ctx context.Context, b bus.Bus, self bus.Instance) <-chan []byte {
	t.Helper()
	ch, err := b.Inbox(ctx, self)
	if err != nil {
		t.Fatalf("inbox of %s: %v", self, err)
	}
	return ch
}

func send(t *testing.T, b bus.Bus, to bus.Instance, msg string) {
	t.Helper()
	if err := b.Send(t.Context(), to, []byte(msg)); err != nil {
		t.Errorf("send to %s: %v", to, err)
	}
}

// next returns the next message, or false when the inbox is closed.
func next(t *testing.T, ch <-chan []byte) ([]byte, bool) {
	t.Helper()
	select {
	case msg, ok := <-ch:
		return msg, ok
	case <-time.After(patience):
		t.Fatal("neither a message nor the end of the inbox")
		return nil, false
	}
}

func want(t *testing.T, ch <-chan []byte, msg string) {
	t.Helper()
	if got, ok := next(t, ch); !ok || string(got) != msg {
		t.Fatalf("got %.60q (open: %v), want %.60q", got, ok, msg)
	}
}

func wantEnd(t *testing.T, ch <-chan []byte) (before int) {
	t.Helper()
	for {
		if _, ok := next(t, ch); !ok {
			return before
		}
		before++
	}
}

func testReachable(t *testing.T, b bus.Bus) {
	for i := range 50 { // a message right after Inbox must not be lost
		self := bus.Instance(fmt.Sprintf("i%d", i))
		ch := inbox(t, t.Context(), b, self)
		send(t, b, self, "first")
		want(t, ch, "first")
	}
}

func testAddress(t *testing.T, b bus.Bus) {
	names := []bus.Instance{"a", "b", "ab", "A", "a.b", "a*", "*", "a:b", "[a]"}
	inboxes := make([]<-chan []byte, len(names))
	for i, name := range names {
		inboxes[i] = inbox(t, t.Context(), b, name)
	}
	for _, name := range names {
		send(t, b, name, "for "+string(name))
		send(t, b, name, "end")
	}
	for i, name := range names {
		want(t, inboxes[i], "for "+string(name))
		want(t, inboxes[i], "end")
	}
	for i, name := range names {
		select {
		case msg := <-inboxes[i]:
			t.Errorf("%s also got %q", name, msg)
		default:
		}
	}
}

func testNoReceiver(t *testing.T, b bus.Bus) {
	send(t, b, "absent", "hello")
	ch := inbox(t, t.Context(), b, "absent")
	send(t, b, "absent", "now")
	want(t, ch, "now") // a bus stores nothing
}

func testOrder(t *testing.T, b bus.Bus) {
	const senders, each = 8, bus.Backlog / 8 / 2
	ch := inbox(t, t.Context(), b, "reader")
	var wg sync.WaitGroup
	for s := range senders {
		wg.Go(func() {
			for n := range each {
				msg := binary.BigEndian.AppendUint32([]byte{byte(s)}, uint32(n))
				if err := b.Send(t.Context(), "reader", msg); err != nil {
					t.Errorf("send: %v", err)
				}
			}
		})
	}
	var seen [senders]uint32
	for range senders * each {
		msg, ok := next(t, ch)
		if !ok || len(msg) != 5 {
			t.Fatalf("got %v (open: %v)", msg, ok)
		}
		if n := binary.BigEndian.Uint32(msg[1:]); n != seen[msg[0]] {
			t.Fatalf("sender %d: message %d, want %d", msg[0], n, seen[msg[0]])
		}
		seen[msg[0]]++
	}
	wg.Wait()
}

func testBytes(t *testing.T, b bus.Bus) {
	ch := inbox(t, t.Context(), b, "a")
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, msg := range []string{"", "\x00", "\r\n", string(all), strings.Repeat("large", 100_000)} {
		send(t, b, "a", msg)
		got, ok := next(t, ch)
		if !ok || !bytes.Equal(got, []byte(msg)) {
			t.Errorf("%d bytes came as %d (open: %v)", len(msg), len(got), ok)
		}
	}
}

func testContext(t *testing.T, b bus.Bus) {
	ctx, cancel := context.WithCancel(t.Context())
	ch := inbox(t, ctx, b, "a")
	other := inbox(t, t.Context(), b, "other")
	send(t, b, "a", "hello")
	want(t, ch, "hello")
	cancel()
	wantEnd(t, ch)
	send(t, b, "a", "too late") // no error, no panic
	send(t, b, "other", "hello")
	want(t, other, "hello")
}

func testEnded(t *testing.T, b bus.Bus) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Send(ctx, "a", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("send: %v", err)
	}
	if ch, err := b.Inbox(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("inbox: %v, %v", ch, err)
	}
}

// flood sends until the reader of to must have fallen behind, and many messages more,
// because some buses hold messages on the way. It returns when they have arrived at a
// second inbox of that name, which is read all the time.
func flood(t *testing.T, b bus.Bus, to bus.Instance) {
	t.Helper()
	const messages = 4*bus.Backlog + 10
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	second := inbox(t, ctx, b, to)
	arrived := make(chan struct{})
	go func() {
		defer close(arrived)
		for msg := range second { // if this inbox closes, its reader fell behind too
			if string(msg) == fmt.Sprint(messages-1) {
				return
			}
		}
	}()
	for i := range messages {
		if err := b.Send(t.Context(), to, fmt.Appendf(nil, "%d", i)); err != nil {
			t.Fatalf("send %d to a slow reader: %v", i, err)
		}
	}
	select {
	case <-arrived:
	case <-time.After(patience):
		t.Fatal("the flood never arrives")
	}
}

func testSlow(t *testing.T, b bus.Bus) {
	ch := inbox(t, t.Context(), b, "slow")
	flood(t, b, "slow")
	// The rest must be in order and without gaps until the inbox closes, which it
	// must.
	n := 0
	for {
		msg, ok := next(t, ch)
		if !ok {
			break
		}
		if string(msg) != fmt.Sprint(n) {
			t.Fatalf("message %q, want %d", msg, n)
		}
		n++
	}
	if n > bus.Backlog+1 {
		t.Errorf("%d messages waited, the contract allows %d", n, bus.Backlog)
	}
}

func testSlowOther(t *testing.T, b bus.Bus) {
	slow := inbox(t, t.Context(), b, "slow")
	quick := inbox(t, t.Context(), b, "quick")
	flood(t, b, "slow")
	send(t, b, "quick", "hello")
	want(t, quick, "hello")
	wantEnd(t, slow)
}

func testAgain(t *testing.T, b bus.Bus) {
	for range 3 {
		ch := inbox(t, t.Context(), b, "a")
		send(t, b, "a", "hello")
		want(t, ch, "hello")
		flood(t, b, "a")
		wantEnd(t, ch)
	}
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		ch := inbox(t, ctx, b, "a")
		send(t, b, "a", "hello")
		want(t, ch, "hello")
		cancel()
		wantEnd(t, ch)
	}
}

func testRace(t *testing.T, b bus.Bus) {
	for range 30 {
		ctx, cancel := context.WithCancel(t.Context())
		ch := inbox(t, ctx, b, "a")
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 100 {
					if err := b.Send(t.Context(), "a", []byte("x")); err != nil {
						t.Errorf("send: %v", err)
					}
				}
			})
		}
		wg.Go(cancel)
		wantEnd(t, ch)
		wg.Wait()
	}
}

func testGoroutines(t *testing.T, b bus.Bus) {
	// One round comes first: goroutines that a bus keeps for all inboxes are no leak.
	round := func() {
		ctx, cancel := context.WithCancel(t.Context())
		ch := inbox(t, ctx, b, "a")
		send(t, b, "a", "hello")
		want(t, ch, "hello")
		cancel()
		wantEnd(t, ch)
	}
	round()
	before := runtime.NumGoroutine()
	const rounds = 50
	for range rounds {
		round()
	}
	deadline := time.Now().Add(patience)
	for runtime.NumGoroutine() > before+rounds/2 {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines before, %d after %d inboxes", before, runtime.NumGoroutine(), rounds)
		}
		runtime.Gosched()
	}
}

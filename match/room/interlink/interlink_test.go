package interlink_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match"
	"mancala/match/bus"
	"mancala/match/bus/membus"
	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/match/room/interlink"
)

// place is one instance of a test.
type place struct {
	*room.Registry
	link *interlink.Link
	stop func()
}

func start(t *testing.T, self string, b bus.Bus, j journal.Journal) *place {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	s := interlink.New(self, b, quiet)
	h, err := room.Start(ctx, room.Config{
		Self: self, Journal: j, Link: s, Log: quiet,
		Kinds: map[string]func(string) machine.Machine{"match": func(string) machine.Machine { return match.New() }},
	})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	group.Go(func() { s.Run(ctx, h) })
	p := &place{h, s, func() { cancel(); h.Wait(); group.Wait() }}
	t.Cleanup(p.stop)
	return p
}

// listener keeps the kinds of the entries that it is told.
type listener struct {
	mu      sync.Mutex
	entries []string
	gone    error
}

func (l *listener) Entry(p *room.Published) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, p.Entry.Kind)
}
func (l *listener) Note(room.Note) {}
func (l *listener) Gone(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = why
}

func (l *listener) heard() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprint(l.entries)
}

func newGame(t *testing.T, p *place, id, clock string) {
	t.Helper()
	c := match.Creation{Settings: match.Settings{Rules: "kalah", Clock: clock}, Secret: "a secret", Seats: []string{"ann", "bob"}}
	if err := p.Create(t.Context(), id, "match", c.Command("create-"+id)); err != nil {
		t.Fatal(err)
	}
}

func move(t *testing.T, p *place, by, text string, ply int) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"move": text, "ply": ply})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Do(t.Context(), "r", machine.Command{ID: fmt.Sprint(by, ply), Kind: "move", By: by, Body: body}); err != nil {
		t.Fatalf("%s plays %s: %v", by, text, err)
	}
}

// deaf is a bus with inboxes that look healthy and deliver nothing.
type deaf struct {
	bus.Bus
	mu   sync.Mutex
	ears map[bus.Instance]bool
}

func (d *deaf) set(name bus.Instance, deaf bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ears[name] = deaf
}

func (d *deaf) Send(ctx context.Context, to bus.Instance, msg []byte) error {
	d.mu.Lock()
	lost := d.ears[to]
	d.mu.Unlock()
	if lost {
		return nil
	}
	return d.Bus.Send(ctx, to, msg)
}

// Two instances that share nothing any more send nothing, in whatever order they forget
// each other.
func TestInstancesThatShareNothingStopTheirBeats(t *testing.T) {
	for range 20 {
		synctest.Test(t, testBeats)
	}
}

func testBeats(t *testing.T) {
	b, j := membus.New(), memjournal.New()
	one, two := start(t, "one", b, j), start(t, "two", b, j)
	sent := func() int64 { return one.link.Stats().Sent + two.link.Stats().Sent }
	one.link.Tell("two", room.Message{Kind: "leave", Room: "r"})
	time.Sleep(10 * time.Second)
	if n := sent(); n < 10 {
		t.Errorf("%d messages while they talk to each other", n)
	}
	time.Sleep(time.Minute)
	before := sent()
	time.Sleep(10 * time.Minute)
	if n := sent() - before; n > 0 {
		t.Errorf("%d messages more within ten minutes", n)
	}
}

// comes connects a player of the game to an instance.
func comes(t *testing.T, p *place, player string, l *listener) {
	t.Helper()
	f, err := p.Follow(t.Context(), "r", l)
	if err != nil {
		t.Fatal(err)
	}
	f.Join(player)
	synctest.Wait()
}

// A game is played on two instances. One of them goes deaf for a while, is not healthy, and
// catches up.
func TestInstancesShareAGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, b := memjournal.New(), &deaf{Bus: membus.New(), ears: map[bus.Instance]bool{}}
		one, two := start(t, "one", b, j), start(t, "two", b, j)
		newGame(t, one, "r", "")
		var here, there listener
		comes(t, one, "ann", &here) // the first to come makes its instance the owner
		comes(t, two, "bob", &there)
		time.Sleep(2 * time.Second)
		if !one.link.Healthy() || !two.link.Healthy() {
			t.Fatal("not healthy")
		}
		move(t, one, "ann", "a", 0)
		move(t, two, "bob", "a", 1)
		synctest.Wait()
		if here.heard() != "[move move]" || there.heard() != "[move move]" {
			t.Fatalf("one heard %s, two %s", here.heard(), there.heard())
		}

		b.set("two", true)
		move(t, one, "ann", "b", 2)
		time.Sleep(5 * time.Second)
		if two.link.Healthy() {
			t.Error("an instance that hears nothing is healthy")
		}
		if !one.link.Healthy() {
			t.Error("the other is not healthy either")
		}
		b.set("two", false)
		time.Sleep(5 * time.Second)
		if !two.link.Healthy() || there.heard() != "[move move move]" {
			t.Errorf("two has heard %s, healthy: %v", there.heard(), two.link.Healthy())
		}
		if n := two.link.Stats().Missed; n == 0 {
			t.Error("nothing is counted as missed")
		}
	})
}

// The instances share rooms in which nothing happens. What they tell each other is beats and renewals. It
// depends on the number of instances and not on that of rooms: with 3,000 rooms there are as many messages.
func TestIdleRoomsCostFewMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rooms, seconds = 600, 20
		j, b := memjournal.New(), membus.New()
		all := []*place{start(t, "one", b, j), start(t, "two", b, j), start(t, "three", b, j)}
		for i := range rooms {
			id := fmt.Sprint("room", i)
			owner, other := all[i%3], all[(i+1)%3]
			newGame(t, owner, id, "")
			for _, at := range []struct {
				*place
				player string
			}{{owner, "ann"}, {other, "bob"}} {
				f, err := at.Follow(t.Context(), id, new(listener))
				if err != nil {
					t.Fatal(err)
				}
				f.Join(at.player)
			}
		}
		time.Sleep(20 * time.Second) // all are told who is where
		sent := func() (n int64) {
			for _, p := range all {
				n += p.link.Stats().Sent
			}
			return n
		}
		before := sent()
		time.Sleep(seconds * time.Second)
		n := float64(sent()-before) / seconds
		t.Logf("%.0f messages a second", n)
		if n > 100 {
			t.Errorf("%.0f messages a second", n)
		}
	})
}

// gameState is a part of the state of a game.
type gameState struct {
	State string  `json:"state"`
	Clock []int64 `json:"clock"` // ms
}

func look(t *testing.T, p *place) (s gameState) {
	t.Helper()
	v, err := p.View(t.Context(), "r", "ann")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(v.Snapshot, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// While nothing passes between two instances, a player on the one that does not own the
// game cannot move. The player's clock does not run meanwhile, also if only one of the two
// instances is deaf.
func TestClocksArePausedWhileInstancesCannotTalk(t *testing.T) {
	for _, deafened := range [][]bus.Instance{{"one", "two"}, {"one"}, {"two"}} {
		t.Run(fmt.Sprint(deafened), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { testWithoutMessages(t, deafened) })
		})
	}
}

func testWithoutMessages(t *testing.T, deafened []bus.Instance) {
	j, b := memjournal.New(), &deaf{Bus: membus.New(), ears: map[bus.Instance]bool{}}
	one, two := start(t, "one", b, j), start(t, "two", b, j)
	newGame(t, one, "r", "0.5+0")
	var here, there listener
	comes(t, one, "ann", &here)
	comes(t, two, "bob", &there)
	move(t, one, "ann", "a", 0)
	move(t, two, "bob", "a", 1)
	move(t, one, "ann", "c", 2)
	time.Sleep(3 * time.Second) // bob thinks
	for _, name := range deafened {
		b.set(name, true)
	}
	const away = time.Minute // bob's flag would have fallen
	time.Sleep(away)
	for _, name := range deafened {
		b.set(name, false)
	}
	time.Sleep(3 * time.Second)
	if s := look(t, one); s.State != "live" {
		t.Fatalf("after %v without messages the game is %+v", away, s)
	}
	move(t, two, "bob", "b", 3)
	// Bob thought for 6 s, and it takes up to 6 s more until a deaf instance is noticed.
	if s := look(t, one); s.State != "live" || s.Clock[1] < 18_000 {
		t.Errorf("bob has %v of 30 s left", time.Duration(s.Clock[1])*time.Millisecond)
	}
}

// A player reconnects to another instance in the moment in which the messages stop. The owner
// hears nothing of it, and the player loses no time. The link tells since when it is deaf.
func TestPlayerWhoReconnectsWhileMessagesStopLosesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, b := memjournal.New(), &deaf{Bus: membus.New(), ears: map[bus.Instance]bool{}}
		one, two, three := start(t, "one", b, j), start(t, "two", b, j), start(t, "three", b, j)
		newGame(t, one, "r", "0.5+0")
		var here, there, elsewhere listener
		comes(t, one, "ann", &here)
		f, err := two.Follow(t.Context(), "r", &there)
		if err != nil {
			t.Fatal(err)
		}
		f.Join("bob")
		synctest.Wait()
		move(t, one, "ann", "a", 0)
		move(t, two, "bob", "a", 1)
		move(t, one, "ann", "c", 2)
		time.Sleep(3500 * time.Millisecond) // bob thinks
		f.Leave("bob")
		time.Sleep(500 * time.Millisecond) // the owner is told
		stopped := time.Now()
		for _, name := range []bus.Instance{"one", "two", "three"} {
			b.set(name, true)
		}
		comes(t, three, "bob", &elsewhere)
		const away = 40 * time.Second // bob's flag would have fallen
		time.Sleep(away)
		if since := one.link.DeafSince(); since.After(stopped) || stopped.Sub(since) > time.Second {
			t.Errorf("the owner is deaf since %v before the messages stopped", stopped.Sub(since))
		}
		for _, name := range []bus.Instance{"one", "two", "three"} {
			b.set(name, false)
		}
		time.Sleep(5 * time.Second)
		if !one.link.DeafSince().IsZero() {
			t.Error("the owner is still deaf")
		}
		if s := look(t, one); s.State != "live" {
			t.Fatalf("after %v without messages the game is %+v", away, s)
		}
		move(t, three, "bob", "b", 3)
		if s := look(t, one); s.Clock[1] < 20_000 {
			t.Errorf("bob has %v of 30 s left", time.Duration(s.Clock[1])*time.Millisecond)
		}
	})
}

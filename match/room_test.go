package match

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
	"mancala/match/room"
)

// house runs real rooms with matches in a bubble of fake time. die stops them
// without a drain.
func house(t *testing.T, j journal.Journal, self string) (h *room.Registry, die func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h, err := room.Start(ctx, room.Config{
		Self: self, Journal: j, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Kinds: map[string]func(string) machine.Machine{Kind: func(string) machine.Machine { return New() }},
		Tasks: map[string]room.Handler{TaskRematch: func(ctx context.Context, task room.Task) (json.RawMessage, error) {
			err := h.Create(ctx, task.Room+"2", Kind, machine.Command{ID: "rematch", Kind: KindCreate, Body: task.Body})
			return json.RawMessage(`{"room":"` + task.Room + `2"}`), err
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	die = func() { cancel(); h.Wait() }
	t.Cleanup(die)
	return h, die
}

func send(t *testing.T, h *room.Registry, id, by, kind, body string) {
	t.Helper()
	c := machine.Command{ID: by + kind + body, Kind: kind, By: by, Body: json.RawMessage(body)}
	if _, err := h.Do(t.Context(), id, c); err != nil {
		t.Fatalf("%s %s %s: %v", by, kind, body, err)
	}
}

func see(t *testing.T, h *room.Registry, id string) string {
	t.Helper()
	v, err := h.View(t.Context(), id, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(v.Snapshot)
}

// TestMatchPlaysInARealRoom plays in a real room: the flag falls at its time although no client is
// connected, and a rematch is another room.
func TestMatchPlaysInARealRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := house(t, memjournal.New(), "one")
		c := Creation{Settings: Settings{Rules: "oware-abapa", Clock: "1+0", Start: "creator"}, Creator: "ann"}
		if err := h.Create(t.Context(), "g1", Kind, c.Command("create")); err != nil {
			t.Fatal(err)
		}
		send(t, h, "g1", "ben", KindSit, "")
		send(t, h, "g1", "ann", KindMove, `{"ply":0,"move":"c"}`)
		send(t, h, "g1", "ben", KindMove, `{"ply":1,"move":"c"}`)
		// Grace, a minute, and what is in the bucket.
		falls := 240*time.Millisecond + time.Minute + 1170*time.Millisecond
		time.Sleep(falls - time.Millisecond)
		synctest.Wait()
		if s := see(t, h, "g1"); !strings.Contains(s, `"state":"live"`) {
			t.Fatalf("too early: %s", s)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s := see(t, h, "g1"); !strings.Contains(s, `"result":{"reason":"time","scores":[0,0],"winners":[1]`) {
			t.Fatalf("no flag: %s", s)
		}
		send(t, h, "g1", "ann", KindOffer, `{"what":"rematch"}`)
		send(t, h, "g1", "ben", KindAccept, `{"what":"rematch"}`)
		time.Sleep(time.Second)
		synctest.Wait()
		if s := see(t, h, "g1"); !strings.Contains(s, `"rematch":"g12"`) {
			t.Fatalf("no rematch: %s", s)
		}
		if s := see(t, h, "g12"); !strings.Contains(s, `"state":"live"`) || !strings.Contains(s, `"seats":["ben","ann"]`) {
			t.Fatalf("another rematch: %s", s)
		}
	})
}

// TestNoPlayerLosesOnTimeByATakeover: the owner dies in the middle of a game,
// and another instance takes over after more time than the clock held. No
// player has lost on time.
func TestNoPlayerLosesOnTimeByATakeover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := memjournal.New()
		h, die := house(t, j, "one")
		c := Creation{Settings: Settings{Rules: "oware-abapa", Clock: "1+0"}, Seats: []string{"ann", "ben"}}
		if err := h.Create(t.Context(), "g1", Kind, c.Command("create")); err != nil {
			t.Fatal(err)
		}
		send(t, h, "g1", "ann", KindMove, `{"ply":0,"move":"c"}`)
		send(t, h, "g1", "ben", KindMove, `{"ply":1,"move":"c"}`)
		time.Sleep(10 * time.Second)
		die()
		time.Sleep(10 * time.Minute)
		h, _ = house(t, j, "two")
		time.Sleep(10 * time.Second)
		send(t, h, "g1", "ann", KindMove, `{"ply":2,"move":"d"}`)
		if s := see(t, h, "g1"); !strings.Contains(s, `"state":"live"`) {
			t.Fatalf("lost because of us: %s", s)
		}
	})
}

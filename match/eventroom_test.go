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

	"mancala/match/journal/memjournal"
	"mancala/match/machine"
	"mancala/match/room"
)

// reporting starts an instance that keeps what games report.
func reporting(t *testing.T) (h *room.Registry, reports chan string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	reports = make(chan string, 10)
	h, err := room.Start(ctx, room.Config{
		Self: "one", Journal: memjournal.New(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Kinds: map[string]func(string) machine.Machine{Kind: func(string) machine.Machine { return New() }},
		Tasks: map[string]room.Handler{TaskReport: func(_ context.Context, task room.Task) (json.RawMessage, error) {
			reports <- task.Room + " " + string(task.Body)
			return nil, nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); h.Wait() })
	return h, reports
}

// TestRoomTellsAGameOfATournamentWhichPlayersCame plays games to which some players come. A game to which
// no player comes is loaded only when its deadline comes.
func TestRoomTellsAGameOfATournamentWhichPlayersCame(t *testing.T) {
	for _, clock := range []string{"none", "5+3"} {
		for _, tt := range []struct {
			name   string
			come   []string
			leave  bool // before the deadline
			report string
		}{
			{"neither player", nil, false, `"reason":"no-show","played":false,"winners":[]`},
			{"the second player", []string{"p1"}, false, `"reason":"no-show","played":false,"winners":[1]`},
			{"the second player, who leaves", []string{"p1"}, true, `"reason":"no-show","played":false,"winners":[]`},
			{"both players", []string{"p0", "p1"}, false, `"reason":"no-show","played":false,"winners":[1]`},
		} {
			t.Run(clock+"/"+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h, reports := reporting(t)
					e := someEvent
					c := Creation{Settings: Settings{Clock: clock}, Seats: []string{"p0", "p1"}, Event: &e, NoShow: 5 * time.Minute}
					if err := h.Create(t.Context(), "g1", Kind, c.Command("create")); err != nil {
						t.Fatal(err)
					}
					if len(tt.come) > 0 {
						f, err := h.Follow(t.Context(), "g1", deaf{})
						if err != nil {
							t.Fatal(err)
						}
						for _, p := range tt.come {
							f.Join(p)
						}
						time.Sleep(time.Minute)
						if tt.leave {
							f.Close()
						}
					}
					time.Sleep(5*time.Minute + 5*time.Second)
					if got := <-reports; !strings.HasPrefix(got, `g1 {"event":"k3v9qa2mx9","report":{"round":2,"board":14,"game":1,`) || !strings.Contains(got, tt.report) {
						t.Errorf("reported is %s", got)
					}
					time.Sleep(time.Hour)
					if len(reports) > 0 {
						t.Errorf("reported again: %s", <-reports)
					}
				})
			})
		}
	}
}

// TestPausedGameSleepsAndGoesOn lets a room sleep while its game is paused.
func TestPausedGameSleepsAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, reports := reporting(t)
		e := someEvent
		c := Creation{Settings: Settings{Clock: "5+3"}, Seats: []string{"p0", "p1"}, Event: &e, NoShow: 5 * time.Minute}
		if err := h.Create(t.Context(), "g1", Kind, c.Command("create")); err != nil {
			t.Fatal(err)
		}
		send(t, h, "g1", "p0", KindMove, `{"ply":0,"move":"a"}`)
		for n, body := range []string{`{"act":"pause"}`, `{"act":"resume"}`} {
			o := arbiterOrder(body)
			o.ID = body
			for range 2 { // the second one is a repeat
				if a, err := h.Order(t.Context(), "g1", o); err != nil || a.Seq == 0 {
					t.Fatalf("%s: %+v, %v", body, a, err)
				}
			}
			if n == 0 {
				time.Sleep(3 * time.Hour)
				if len(reports) > 0 {
					t.Fatalf("reported in the pause: %s", <-reports)
				}
			}
		}
		time.Sleep(5*time.Minute + 5*time.Second)
		if got := <-reports; !strings.Contains(got, `"reason":"no-show","played":false,"winners":[0]`) {
			t.Errorf("reported is %s", got)
		}
	})
}

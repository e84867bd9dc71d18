package push_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"mancala/lobby/lobbytest"
	"mancala/lobby/push"
	"mancala/lobby/push/pushtest"
)

func TestTurnIsToldOnceToEachDevice(t *testing.T) {
	with(t, func(d *desk) {
		phone, laptop := d.subscribe("ada", "", "fr"), d.subscribe("ada", "", "ar")
		d.subscribe("ben", "", "en")
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 3*24*time.Hour)
		d.turn(d.two, "k3v9qa2mx1", "ada", "0.2.1", 9, 3*24*time.Hour) // the same turn, by the next owner
		d.work(d.one, d.two)
		d.got() // the player may come back at once
		d.pass(6 * time.Second)
		d.work(d.one, d.two)
		list := d.got("turn", "turn")
		for i, m := range list {
			want := map[*pushtest.Browser]string{phone: "fr", laptop: "ar"}[m.To]
			if m.Message.Lang != want || m.Message.Body != "k3v9qa2mx1" || m.Key != d.one.PublicKey() || m.Contact != "mailto:operator@example.com" {
				d.Errorf("message %d is %+v", i, m)
			}
			if m.Urgency != "normal" || m.TTL != "259194" || len(m.Topic) != 32 || m.Topic != list[0].Topic || strings.Contains(m.Topic, "k3v9") {
				d.Errorf("message %d has the headers %+v", i, m)
			}
		}
		d.pass(time.Minute)
		d.turn(d.two, "k3v9qa2mx1", "ada", "0.2.1", 9, 3*24*time.Hour)
		d.pass(time.Hour)
		d.work(d.one, d.two)
		d.got()
		if want := map[push.Outcome]int{push.Sent: 2}; !maps.Equal(d.counts, want) || d.asked == 0 {
			d.Errorf("counted %v, want %v; asked %d times who is there", d.counts, want, d.asked)
		}
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.2", 12, 3*24*time.Hour)
		d.pass(6 * time.Second)
		d.work(d.one, d.two)
		if next := d.got("turn", "turn"); len(next) > 0 && next[0].Topic != list[0].Topic {
			d.Error("the next message of the game has another topic")
		}
	})
}

func TestTurnIsToldByAnotherInstanceAfterADeath(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "", "en")
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
		d.pass(6 * time.Second)
		dead, cancel := context.WithCancel(d.Context())
		s := d.services()
		notice := s.Notice
		s.Notice = func(ctx context.Context, room, player string, reminder bool) (func(string) push.Message, error) {
			cancel() // the instance dies when it has claimed the turn
			return notice(ctx, room, player, reminder)
		}
		if _, err := d.one.Work(dead, s); err == nil {
			d.Error("the dead instance goes on")
		}
		d.work(d.two)
		d.got() // the claim holds
		d.pass(3 * time.Minute)
		d.work(d.two, d.start(d.people))
		d.got("turn")
	})
}

func TestPlayerWithAnOpenPageIsNotTold(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "", "en")
		d.open[d.ids["ada"]] = true
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 3*24*time.Hour)
		d.pass(6 * time.Second)
		d.work(d.one)
		d.got()
		d.open[d.ids["ada"]] = false // the phone fell asleep
		d.pass(3 * time.Minute)
		d.work(d.one)
		d.got("turn")
		d.turn(d.one, "k3v9qa2mx2", "ada", "0.2.1", 7, 3*24*time.Hour)
		d.open[d.ids["ada"]] = true
		for range 3 {
			d.pass(10 * time.Minute)
			d.work(d.one)
		}
		d.got()
	})
}

func TestPresenceIsReadBeforeItsAnswersExpire(t *testing.T) {
	d := newDesk(t, lobbytest.Memory(t))
	s := d.services()
	notice := s.Notice
	s.Notice = func(ctx context.Context, room, player string, reminder bool) (func(string) push.Message, error) {
		d.mu.Lock()
		d.open = map[string]bool{} // the answers of the other instances have expired
		d.mu.Unlock()
		return notice(ctx, room, player, reminder)
	}
	for _, name := range []string{"ada", "ben"} {
		d.subscribe(name, "", "en")
		d.open[d.ids[name]] = true
		d.turn(d.one, "k3v9qa2mx"+name, name, "0.2.1", 7, 24*time.Hour)
	}
	d.pass(6 * time.Second)
	if _, err := d.one.Work(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	d.got()
}

func TestDevicesOfAPlayerAreCalledAtTheSameTime(t *testing.T) {
	d := newDesk(t, lobbytest.Memory(t))
	var reached sync.WaitGroup
	reached.Add(9)
	all := make(chan struct{})
	go func() { reached.Wait(); close(all) }()
	together := func(w http.ResponseWriter, r *http.Request) { // as if none answered before the last was called
		reached.Done()
		select {
		case <-all:
			w.WriteHeader(http.StatusCreated)
		case <-r.Context().Done():
		}
	}
	for range 8 {
		d.remote.Answer(d.subscribe("ada", "", "en"), together)
	}
	d.remote.Answer(d.subscribe("ben", "", "en"), together)
	d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
	d.turn(d.one, "k3v9qa2mx2", "ben", "0.2.1", 7, 24*time.Hour)
	d.pass(6 * time.Second)
	d.work(d.one)
	if want := map[push.Outcome]int{push.Sent: 9}; !maps.Equal(d.counts, want) {
		t.Errorf("counted %v, want %v", d.counts, want)
	}
}

func TestSilentDevicesDelayNoOtherPlayer(t *testing.T) {
	d := newDesk(t, lobbytest.Memory(t))
	told := make(chan struct{})
	silent := func(w http.ResponseWriter, r *http.Request) { // until another player was told
		select {
		case <-told:
			w.WriteHeader(http.StatusServiceUnavailable)
		case <-r.Context().Done():
			t.Error("a device was waited for before another player was told")
		}
	}
	for range 8 {
		d.remote.Answer(d.subscribe("ada", "", "en"), silent)
	}
	d.remote.Answer(d.subscribe("ben", "", "en"), func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		close(told)
	})
	d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
	d.turn(d.one, "k3v9qa2mx2", "ben", "0.2.1", 7, 24*time.Hour)
	d.pass(6 * time.Second)
	d.work(d.one)
	if want := map[push.Outcome]int{push.Sent: 1, push.Failed: 8}; !maps.Equal(d.counts, want) {
		t.Errorf("counted %v, want %v", d.counts, want)
	}
}

func TestFinishedTurnIsNotTold(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "", "en")
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
		d.onTurn["k3v9qa2mx1"] = d.ids["ben"]
		for range 3 {
			d.pass(20 * time.Hour / 3)
			d.work(d.one)
		}
		d.got()
	})
}

func TestPlayerIsToldNothingWhileTheGameIsPaused(t *testing.T) {
	const room, day = "k3v9qa2mx1", 24 * time.Hour
	for _, tt := range []struct {
		name string
		told bool // of the turn, before the pause
	}{{"before the first message", false}, {"before the reminder", true}} {
		with(t, func(d *desk) {
			d.subscribe("ada", "", "en")
			d.turn(d.one, room, "ada", "0.2.1", 7, 2*day)
			if tt.told {
				d.pass(time.Minute)
				d.work(d.one)
				d.got("turn")
			}
			d.fails = push.ErrPaused
			for range 30 {
				d.pass(day / 10)
				d.work(d.one, d.two)
			}
			d.got()
			d.fails = nil
			d.turn(d.two, room, "ada", "0.2.1", 9, 2*day) // the end moves by the length of the pause
			d.pass(10 * time.Minute)
			d.work(d.one, d.two)
			if tt.told {
				d.got()
			} else {
				d.got("turn")
			}
			d.pass(2*day - 13*time.Hour)
			d.work(d.one, d.two)
			d.got()
			d.pass(time.Hour)
			d.work(d.one, d.two)
			d.got("reminder")
			if d.counts[push.Failed] > 0 {
				d.Errorf("%s: counted %v", tt.name, d.counts)
			}
		})
	}
}

func TestUnreadableRoomIsTriedAgain(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "", "en")
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
		d.fails = errors.New("away")
		d.pass(6 * time.Second)
		d.work(d.one)
		d.fails = nil
		d.pass(6 * time.Minute)
		d.work(d.one)
		d.got("turn")
	})
}

func TestFailingMessageIsSentAgain(t *testing.T) {
	with(t, func(d *desk) {
		b := d.subscribe("ada", "", "en")
		d.remote.Answer(b, pushtest.Status(http.StatusServiceUnavailable))
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
		d.pass(6 * time.Second)
		d.work(d.one)
		d.work(d.one, d.two)
		if d.counts[push.Failed] != 1 {
			d.Errorf("counted %v after the first try", d.counts)
		}
		d.remote.Answer(b, nil)
		d.pass(6 * time.Minute)
		d.work(d.two)
		d.got("turn")
	})
}

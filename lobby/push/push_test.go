package push_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/lobbytest"
	"mancala/lobby/push"
	"mancala/lobby/push/pushtest"
	"mancala/match/machine"
)

// desk is two instances of the service on one database, with a clock of its own.
type desk struct {
	*testing.T
	db       lobby.DB
	people   *lobby.People
	accounts *account.Accounts
	remote   *pushtest.Service
	one      *push.Push
	two      *push.Push
	ids      map[string]string // players by name

	mu     sync.Mutex
	now    time.Time
	open   map[string]bool   // players with an open page
	onTurn map[string]string // by room
	fails  error             // of Notice
	asked  int
	counts map[push.Outcome]int
}

func newDesk(t *testing.T, db lobby.DB) *desk {
	t.Helper()
	l, err := lobby.Open(t.Context(), db, lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{
		T: t, db: db, people: l.People, remote: pushtest.New(t), now: time.UnixMilli(1_795_252_000_000),
		open: map[string]bool{}, onTurn: map[string]string{}, counts: map[push.Outcome]int{},
	}
	if d.accounts, err = account.Open(t.Context(), db, l.People, account.Options{Now: d.clock}); err != nil {
		t.Fatal(err)
	}
	d.one, d.two = d.start(l.People), d.start(l.People)
	d.ids = lobbytest.Guests(t, l.People, "ada", "ben")
	return d
}

func (d *desk) start(people *lobby.People) *push.Push {
	d.Helper()
	opt := d.remote.Options()
	opt.Now = d.clock
	p, err := push.Open(d.Context(), d.db, people, opt)
	if err != nil {
		d.Fatal(err)
	}
	return p
}

func (d *desk) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *desk) pass(t time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(t)
}

func (d *desk) services() push.Services {
	return push.Services{
		Presence: d, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Notice: func(_ context.Context, room, player string, reminder bool) (func(string) push.Message, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.fails != nil || d.onTurn[room] != player {
				return nil, d.fails
			}
			return func(lang string) push.Message {
				title := "turn"
				if reminder {
					title = "reminder"
				}
				return push.Message{Title: title, Body: room, Lang: lang}
			}, nil
		},
		Count: func(o push.Outcome) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.counts[o]++
		},
	}
}

// Ask implements [push.Presence].
func (d *desk) Ask([]string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
}

// Open implements [push.Presence].
func (d *desk) Open(player string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[player]
}

// turn notes on an instance that a player is on turn.
func (d *desk) turn(p *push.Push, room, name, turn string, seq uint64, left time.Duration) {
	d.Helper()
	d.mu.Lock()
	d.onTurn[room] = d.ids[name]
	a := machine.Awaited{Player: d.ids[name], Turn: turn, Until: d.now.Add(left)}
	d.mu.Unlock()
	p.Note(room, seq, a)
	if err := p.Close(d.Context()); err != nil { // stores what was noted
		d.Fatal(err)
	}
}

// work lets instances do what is due, at the same time.
func (d *desk) work(instances ...*push.Push) {
	d.Helper()
	var group sync.WaitGroup
	for _, p := range instances {
		group.Go(func() {
			if _, err := p.Work(d.Context(), d.services()); err != nil && d.fails == nil {
				d.Error(err)
			}
		})
	}
	group.Wait()
}

// subscribe subscribes with a browser of a player.
func (d *desk) subscribe(name, session, lang string) *pushtest.Browser {
	d.Helper()
	b, s := d.remote.Browser()
	if err := d.one.Subscribe(d.Context(), d.ids[name], session, lang, s); err != nil {
		d.Fatal(err)
	}
	return b
}

// got returns the titles of the messages that have arrived.
func (d *desk) got(want ...string) []pushtest.Received {
	d.Helper()
	list := d.remote.Take()
	var titles []string
	for _, m := range list {
		titles = append(titles, m.Message.Title)
	}
	if !slices.Equal(titles, want) {
		d.Errorf("the messages %q have arrived, want %q", titles, want)
	}
	return list
}

func (d *desk) devices(name string) int {
	d.Helper()
	list, err := d.one.Devices(d.Context(), d.ids[name])
	if err != nil {
		d.Fatal(err)
	}
	return len(list)
}

func with(t *testing.T, test func(d *desk)) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) { test(newDesk(t, db)) })
}

func TestInstancesThatStartTogetherHaveOneKey(t *testing.T) {
	with(t, func(d *desk) {
		var group sync.WaitGroup
		keys := make([]string, 8)
		for i := range keys {
			l, err := lobby.Open(d.Context(), d.db, lobby.Options{})
			if err != nil {
				d.Fatal(err)
			}
			group.Go(func() { keys[i] = d.start(l.People).PublicKey() })
		}
		group.Wait()
		for _, k := range append(keys, d.two.PublicKey()) {
			if k != d.one.PublicKey() || len(k) != 87 {
				d.Errorf("an instance has the key %q, another one %q", k, d.one.PublicKey())
			}
		}
	})
}

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

func TestEarlierTurnDoesNotReplaceALaterOne(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "", "en")
		d.subscribe("ben", "", "en")
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, time.Hour)
		d.turn(d.two, "k3v9qa2mx1", "ben", "0.2.1", 6, time.Hour) // an instance that was slow
		d.onTurn["k3v9qa2mx1"] = d.ids["ada"]
		d.pass(6 * time.Second)
		d.work(d.one, d.two)
		d.got("turn")
	})
}

func TestPlayerWithoutDeviceCostsNoRow(t *testing.T) {
	with(t, func(d *desk) {
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, time.Hour)
		var n int
		if err := d.db.Reader().QueryRow("SELECT COUNT(*) FROM push_turns").Scan(&n); err != nil || n != 0 {
			d.Errorf("%d rows, %v", n, err)
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
	silent := func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		select {
		case <-told:
		default:
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

func TestTurnIsLeftToTheNextClaimBeforeTheLeaseEnds(t *testing.T) {
	d := newDesk(t, lobbytest.Memory(t))
	d.subscribe("ada", "", "en")
	for i := range 6 {
		d.turn(d.one, fmt.Sprint("k3v9qa2mx", i), "ada", "0.2.1", 7, 24*time.Hour)
	}
	s := d.services()
	notice := s.Notice
	var begun sync.WaitGroup
	begun.Add(4) // as many as are told at the same time
	var slow sync.Once
	s.Notice = func(ctx context.Context, room, player string, reminder bool) (func(string) push.Message, error) {
		begun.Done()
		begun.Wait()
		slow.Do(func() { d.pass(100 * time.Second) })
		return notice(ctx, room, player, reminder)
	}
	d.pass(6 * time.Second)
	if _, err := d.one.Work(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	d.got("turn", "turn", "turn", "turn")
	d.pass(time.Minute)
	d.work(d.two)
	d.got("turn", "turn")
}

func TestPlayerIsRemindedOnceBeforeTheTurnEnds(t *testing.T) {
	for _, tt := range []struct {
		days  int
		comes time.Duration // before the end
	}{{1, 6 * time.Hour}, {3, 18 * time.Hour}, {14, 24 * time.Hour}} {
		with(t, func(d *desk) {
			whole := time.Duration(tt.days) * 24 * time.Hour
			d.subscribe("ada", "", "en")
			d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, whole)
			d.pass(time.Minute)
			d.work(d.one)
			d.got("turn")
			d.pass(whole - tt.comes - time.Minute - time.Second)
			d.work(d.one)
			d.got()
			d.pass(time.Second)
			d.work(d.one, d.two)
			if m := d.got("reminder"); len(m) > 0 && m[0].Urgency != "high" {
				d.Errorf("the reminder is %s", m[0].Urgency)
			}
			d.pass(tt.comes - time.Minute)
			d.work(d.one, d.two)
			d.got()
		})
	}
}

func TestReminderFollowsTheEndOfTheTurn(t *testing.T) {
	const room, day = "k3v9qa2mx1", 24 * time.Hour
	for _, tt := range []struct {
		name       string
		after      time.Duration // of the beginning, when the end moves
		end, comes time.Duration // since the beginning
	}{
		{"later", 2 * day, 5 * day, 4 * day},
		{"earlier", 2 * day, 7 * day / 2, 5 * day / 2},
		{"later, before the first message", 0, 5 * day, 4 * day},
	} {
		with(t, func(d *desk) {
			d.subscribe("ada", "", "en")
			begun := d.clock()
			d.turn(d.one, room, "ada", "0.2.1", 7, 4*day)
			if tt.after > 0 {
				d.pass(time.Minute)
				d.work(d.one)
				d.got("turn")
			}
			d.pass(tt.after - d.clock().Sub(begun))
			d.turn(d.two, room, "ada", "0.2.1", 9, tt.end-tt.after)
			d.turn(d.one, room, "ada", "0.2.1", 8, 4*day-tt.after) // an instance that was slow
			if tt.after == 0 {
				d.pass(time.Minute)
				d.work(d.one)
				d.got("turn")
			}
			d.pass(tt.comes - time.Second - d.clock().Sub(begun))
			d.work(d.one, d.two)
			d.got()
			d.pass(time.Second)
			d.work(d.one, d.two)
			if len(d.got("reminder")) != 1 {
				d.Errorf("the end has moved to a time that is %s", tt.name)
			}
			d.pass(day)
			d.work(d.one, d.two)
			d.got()
		})
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

func TestSubscriptionEndsWhenThePushServiceSaysSo(t *testing.T) {
	for _, code := range []int{http.StatusNotFound, http.StatusGone} {
		with(t, func(d *desk) {
			b := d.subscribe("ada", "", "en")
			d.remote.Answer(b, pushtest.Status(code))
			d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
			d.pass(6 * time.Second)
			d.work(d.one)
			if d.devices("ada") != 0 || d.counts[push.Gone] != 1 {
				d.Errorf("after %d there are %d devices; counted %v", code, d.devices("ada"), d.counts)
			}
		})
	}
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

func TestSubscriptionThatFailsForDaysIsDeleted(t *testing.T) {
	with(t, func(d *desk) {
		b := d.subscribe("ada", "", "en")
		d.remote.Answer(b, pushtest.Status(http.StatusForbidden))
		for i := range 20 { // an outage of hours ends nothing
			d.turn(d.one, "k3v9qa2mx1", "ada", "x"+string(rune('a'+i)), uint64(7+i), 24*time.Hour)
			d.pass(10 * time.Minute)
			d.work(d.one)
		}
		if d.devices("ada") != 1 {
			d.Fatal("an outage of some hours has ended a subscription")
		}
		d.pass(3 * 24 * time.Hour)
		d.turn(d.one, "k3v9qa2mx1", "ada", "later", 90, 24*time.Hour)
		d.pass(time.Minute)
		d.work(d.one)
		if d.devices("ada") != 0 {
			d.Error("a subscription that has failed for days is still there")
		}
	})
}

func TestSubscriptionsEndWithTheirSessionAndTheirPlayer(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "s1", "en")
		d.subscribe("ada", "s2", "en")
		d.subscribe("ada", "", "en")
		d.subscribe("ben", "", "en")
		left := func(want int) {
			d.Helper()
			if n := d.devices("ada"); n != want || d.devices("ben") != 1 {
				d.Errorf("ada has %d devices, want %d; ben has %d, want 1", n, want, d.devices("ben"))
			}
		}
		end := func(ids ...string) {
			d.Helper()
			if err := d.two.Ended(d.Context(), ids); err != nil {
				d.Fatal(err)
			}
		}
		end("s3", "")
		left(3)
		end("s1")
		left(2)
		end(d.ids["ada"]) // has an account now
		left(1)
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
		if err := d.people.Forget(d.Context(), d.ids["ada"]); err != nil {
			d.Fatal(err)
		}
		left(0)
		_, s := d.remote.Browser()
		if err := d.one.Subscribe(d.Context(), d.ids["ada"], "", "en", s); lobby.CodeOf(err) != lobby.CodeNoPlayer {
			d.Errorf("a deleted player subscribes: %v", err)
		}
	})
}

func TestDevicesOfAPlayerAreBounded(t *testing.T) {
	with(t, func(d *desk) {
		for range 12 {
			d.subscribe("ada", "", "en")
			d.pass(time.Second)
		}
		last := d.subscribe("ada", "", "en")
		list, err := d.one.Devices(d.Context(), d.ids["ada"])
		if err != nil || len(list) != 8 || list[7] != push.DeviceOf(last.Endpoint) {
			d.Errorf("%d devices, %v; the newest is not the last one", len(list), err)
		}
	})
}

func TestDeviceBelongsToThePlayerWhoSubscribedLast(t *testing.T) {
	with(t, func(d *desk) {
		_, s := d.remote.Browser()
		for _, name := range []string{"ada", "ada", "ben"} {
			if err := d.one.Subscribe(d.Context(), d.ids[name], "", "en", s); err != nil {
				d.Fatal(err)
			}
		}
		if d.devices("ada") != 0 || d.devices("ben") != 1 {
			d.Errorf("ada has %d devices, ben %d", d.devices("ada"), d.devices("ben"))
		}
		if err := d.one.Unsubscribe(d.Context(), d.ids["ada"], push.DeviceOf(s.Endpoint)); err != nil || d.devices("ben") != 1 {
			d.Errorf("another player has ended the subscription: %v", err)
		}
		if err := d.one.Unsubscribe(d.Context(), d.ids["ben"], push.DeviceOf(s.Endpoint)); err != nil || d.devices("ben") != 0 {
			d.Errorf("%d devices are left, %v", d.devices("ben"), err)
		}
	})
}

func TestSweepDeletesTurnsAWeekAfterTheirEnd(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "", "en")
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
		rows := func() (n int) {
			if err := d.db.Reader().QueryRow("SELECT COUNT(*) FROM push_turns").Scan(&n); err != nil {
				d.Fatal(err)
			}
			return n
		}
		d.pass(7 * 24 * time.Hour)
		if err := d.one.Sweep(d.Context()); err != nil || rows() != 1 {
			d.Errorf("%d rows, %v", rows(), err)
		}
		d.pass(2 * 24 * time.Hour)
		if err := d.one.Sweep(d.Context()); err != nil || rows() != 0 {
			d.Errorf("%d rows, %v", rows(), err)
		}
	})
}

func TestSweepDeletesDevicesWithoutSessionOrPlayer(t *testing.T) {
	with(t, func(d *desk) {
		ctx := d.Context()
		maps.Copy(d.ids, lobbytest.Guests(t, d.people, "cleo"))
		d.subscribe("ada", "", "en") // as a guest
		if _, err := d.people.Upgrade(ctx, d.ids["ada"], "Ada", func(lobby.Tx) error { return nil }); err != nil {
			d.Fatal(err)
		}
		begin := func() string {
			s, err := d.accounts.Begin(ctx, d.ids["ada"], "")
			if err != nil {
				d.Fatal(err)
			}
			return s.ID
		}
		d.subscribe("ada", begin(), "en") // a session that ends because it is not used
		d.pass(401 * 24 * time.Hour)
		kept := []string{push.DeviceOf(d.subscribe("ada", begin(), "en").Endpoint)}
		if _, err := d.accounts.MakeToken(ctx, d.ids["ada"], "bot", []string{account.Scopes[0]}); err != nil {
			d.Fatal(err)
		}
		tokens, err := d.accounts.Tokens(ctx, d.ids["ada"])
		if err != nil || len(tokens) != 1 {
			d.Fatal(tokens, err)
		}
		d.pass(time.Second)
		kept = append(kept, push.DeviceOf(d.subscribe("ada", tokens[0].ID, "en").Endpoint))
		d.subscribe("ada", "sended", "en") // a session that has ended in the meantime
		d.subscribe("ben", "", "en")
		d.subscribe("cleo", "", "en")
		err = d.db.Write(ctx, func(tx lobby.Tx) error {
			_, err := tx.Exec("DELETE FROM players WHERE id = $1", d.ids["cleo"]) // by an instance of an older release
			return err
		})
		if err != nil {
			d.Fatal(err)
		}
		if err := d.accounts.Sweep(ctx); err != nil {
			d.Fatal(err)
		}
		for range 2 {
			if err := d.two.Sweep(ctx); err != nil {
				d.Fatal(err)
			}
			list, err := d.one.Devices(ctx, d.ids["ada"])
			if err != nil || !slices.Equal(list, kept) || d.devices("ben") != 1 || d.devices("cleo") != 0 {
				d.Errorf("left are %q of ada, want %q; %d of ben, %d of cleo; %v", list, kept, d.devices("ben"), d.devices("cleo"), err)
			}
		}
	})
}

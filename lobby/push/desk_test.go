package push_test

import (
	"context"
	"io"
	"log/slog"
	"slices"
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
	change   func(*push.Options) // of its instances; may be nil
	ids      map[string]string   // players by name

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
	return newDeskWith(t, db, nil)
}

// newDeskWith is newDesk with other options of the instances.
func newDeskWith(t *testing.T, db lobby.DB, change func(*push.Options)) *desk {
	t.Helper()
	l, err := lobby.Open(t.Context(), db, lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{
		T: t, db: db, people: l.People, remote: pushtest.New(t), now: time.UnixMilli(1_795_252_000_000),
		open: map[string]bool{}, onTurn: map[string]string{}, counts: map[push.Outcome]int{}, change: change,
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
	if d.change != nil {
		d.change(&opt)
	}
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

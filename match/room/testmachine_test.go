package room

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// ledger is the machine of these tests: a book that two may write in. It has
// all that a room must cope with and no game: seats, secrets, a clock, tasks,
// people who go and come back, and ways to break.
type ledger struct {
	id      string
	Sum     int
	Entries int
	Seats   []string
	Secret  [2]int
	Rings   int
	Ring    int64  // when the bell rings, ms; 0 never
	Next    string // who has not added last
	Gone    []string
	Open    []string // tasks
	Done    []string // tasks with what came of them
	Credit  int64    // ms of outages
	Sick    bool     // Snapshot panics
	Late    int64    // s by which watchers lag behind
	Preface string   // so that a snapshot is not shorter than every entry
}

// body is of every command and entry.
type body struct {
	N    int    `json:"n,omitempty"`
	In   int64  `json:"in,omitempty"` // ms
	Task string `json:"task,omitempty"`
	Got  string `json:"got,omitempty"`
	From int64  `json:"from,omitempty"`
	Lost int64  `json:"lost,omitempty"`
}

// Awaits implements [machine.Awaiting]. After a player has added, the ledger waits for the other one until
// the bell rings.
func (l *ledger) Awaits() (a machine.Awaited) {
	if l.Next != "" {
		a = machine.Awaited{Player: l.Next, Turn: fmt.Sprint(l.Sum), Until: time.UnixMilli(l.Ring)}
	}
	return a
}

func newLedger(id string) machine.Machine {
	return &ledger{id: id, Preface: strings.Repeat("once upon a time ", 25)}
}

func (l *ledger) Decide(c machine.Command, now time.Time) (machine.Entry, error) {
	var b body
	if len(c.Body) > 0 && json.Unmarshal(c.Body, &b) != nil {
		return machine.Entry{}, refusal.New("bad-body")
	}
	seated := slices.Contains(l.Seats, c.By)
	refuse := func(code refusal.Code) (machine.Entry, error) { return machine.Entry{}, refusal.New(code) }
	switch c.Kind {
	case "open":
	case "sit":
		if seated || len(l.Seats) == 2 {
			return refuse("no-seat")
		}
	case "add", "hide", "bell", "task", "rot", "deaf", "mute", "spin", "late":
		if !seated {
			return refuse("not-yours")
		}
		if c.Kind == "bell" {
			b.In += now.UnixMilli()
		}
	case "set": // an order of the service
		if !c.Server {
			return refuse("not-yours")
		}
		if l.Sum == b.N {
			return machine.Entry{}, machine.ErrNothing
		}
	case "idle":
		return machine.Entry{}, machine.ErrNothing
	case "boom":
		panic("boom")
	case "odd":
		return machine.Entry{}, errors.New("neither fish nor fowl")
	case machine.KindWake:
		if l.Ring == 0 || now.UnixMilli() < l.Ring {
			return machine.Entry{}, machine.ErrNothing
		}
	case machine.KindGone, machine.KindBack:
		if slices.Contains(l.Gone, c.By) == (c.Kind == machine.KindGone) {
			return machine.Entry{}, machine.ErrNothing
		}
	case machine.KindDone:
		if !slices.Contains(l.Open, b.Task) {
			return refuse("no-task")
		}
	case machine.KindOutage:
		if len(l.Seats) == 0 || c.By != "" && c.By != l.Next {
			return machine.Entry{}, machine.ErrNothing // no player to credit
		}
		if b.From > 0 {
			b.From = now.UnixMilli() - b.From
		} else {
			b.From = b.Lost
		}
	default:
		return refuse("unknown")
	}
	data, err := json.Marshal(b)
	return machine.Entry{Kind: c.Kind, Body: data}, err
}

// State changes when the bell is set and when it rings.
func (l *ledger) State() string { return map[bool]string{true: "set"}[l.Ring > 0] }

func (l *ledger) Apply(e machine.Entry) error {
	var b body
	if err := json.Unmarshal(e.Body, &b); err != nil {
		return err
	}
	l.Entries++
	switch e.Kind {
	case "sit":
		l.Seats = append(l.Seats, e.By)
	case "add":
		l.Sum += b.N
		if len(l.Seats) == 2 {
			l.Next = l.Seats[1-slices.Index(l.Seats, e.By)]
		}
	case "set":
		l.Sum = b.N
	case "hide":
		l.Secret[slices.Index(l.Seats, e.By)] += b.N
	case "bell":
		l.Ring = b.In
	case "late":
		l.Late = int64(b.N)
	case "task":
		l.Open = append(l.Open, b.Task)
	case "rot":
		l.Sum = -1 // half done
		panic("rotten")
	case "deaf":
		return errors.New("not understood")
	case "mute":
		l.Sick = true
	case "spin":
		l.Ring = 1
	case machine.KindWake:
		l.Rings++
		if l.Ring != 1 {
			l.Ring = 0
		}
	case machine.KindGone:
		l.Gone = append(l.Gone, e.By)
	case machine.KindBack:
		l.Gone = slices.DeleteFunc(l.Gone, func(p string) bool { return p == e.By })
	case machine.KindDone:
		l.Open = slices.DeleteFunc(l.Open, func(t string) bool { return t == b.Task })
		l.Done = append(l.Done, b.Task+"="+b.Got)
	case machine.KindOutage:
		l.Credit += b.From
	}
	return nil
}

func (l *ledger) AppendPublic(b []byte, e machine.Entry, a machine.Audience) []byte {
	switch e.Kind {
	case "hide":
		if !a.IsSeat() {
			return b
		}
	case "mute":
		panic("mute")
	}
	return fmt.Appendf(b, `{"kind":%q,"by":%q,"body":%s}`, e.Kind, e.By, e.Body)
}

func (l *ledger) Snapshot(a machine.Audience) []byte {
	if l.Sick {
		panic("sick")
	}
	public := *l
	for seat := range public.Secret {
		if a != machine.Audience(seat) {
			public.Secret[seat] = 0
		}
	}
	data, err := json.Marshal(public)
	if err != nil {
		panic(err)
	}
	return data
}

func (l *ledger) AppendPrivate(b []byte, seat machine.Audience) []byte {
	return fmt.Appendf(b, `{"secret":%d,"after":%d}`, l.Secret[seat], l.Entries)
}

func (l *ledger) Audience(player string) machine.Audience {
	if i := slices.Index(l.Seats, player); i >= 0 {
		return machine.Audience(i)
	}
	return machine.Watchers
}

// Checkpoint has all that a ledger is; the ID is its room's.
func (l *ledger) Checkpoint() ([]byte, error) { return json.Marshal(l) }

func (l *ledger) LoadCheckpoint(checkpoint []byte) error { return json.Unmarshal(checkpoint, l) }

func (l *ledger) Delay() time.Duration { return time.Duration(l.Late) * time.Second }

func (l *ledger) Tell(string) ([]byte, error) { return fmt.Appendf(nil, `{"sum":%d}`, l.Sum), nil }

func (l *ledger) Players() []string { return l.Seats }

func (l *ledger) StopsClock(kind string) bool { return kind == "add" }

func (l *ledger) IsBot(player string) bool { return player == "robot" }

func (l *ledger) Wake() time.Time {
	if l.Ring == 0 {
		return time.Time{}
	}
	return time.UnixMilli(l.Ring)
}

func (l *ledger) Tasks() []machine.Task {
	var list []machine.Task
	for _, id := range l.Open {
		list = append(list, machine.Task{ID: id, Kind: "fetch"})
	}
	return list
}

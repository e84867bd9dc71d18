// Package seeks is the room in which people who come alone find each other.
//
// Somebody waits for one thing at a time: with an open seek, which anybody may
// accept, or in a pool, for whoever comes (package pairing). Beside that he may ask
// some people by name. Two who have found each other are a pair until their game is
// there.
//
// The room is volatile: who runs it anew begins with nobody, and people announce
// themselves again, with the key that they had. The key decides the ID of the
// game to come, so that the game itself is the fence: however many copies of
// this room believe that a seek is open, one game comes of it.
package seeks

import (
	"encoding/json"
	"slices"
	"time"

	"mancala/lobby/pairing"
	"mancala/match/machine"
)

// Room is the one room of this kind.
const (
	Room = "lobby"
	Kind = "lobby"
)

// Kinds of commands, and of the entries that they become.
const (
	KindSeek   = "seek"   // wait until somebody accepts
	KindFind   = "find"   // be paired with whoever comes
	KindLeave  = "leave"  // wait no more
	KindAccept = "accept" // play with somebody who seeks, or who has asked

	KindChallenge = "challenge" // ask one person
	KindDecline   = "decline"   // say no to who has asked

	KindApart = "apart" // two who wait must not meet any more
)

// TaskOpen opens the game of a pair; its body is the [Pair].
const TaskOpen = "open"

// Sizes and limits.
const (
	MaxOpen    = 500                    // seeks at a time
	maxWaiting = 4000                   // people at a time
	maxKey     = 32                     // bytes
	maxOptions = 120                    // bytes of house rules: all who are here read them
	waveEvery  = 250 * time.Millisecond // at most
)

// Lobby is the machine. It hides nothing from whoever runs it: it is he who shows
// seeks, and tells people what concerns them.
type Lobby struct {
	state    State
	players  []string
	pairs    []Pair
	waved    int64     // ms
	refusals []Refusal // not to be asked again yet, the oldest first
}

var (
	_ machine.Open     = (*Lobby)(nil)
	_ machine.Restorer = (*Lobby)(nil)
	_ machine.Hasty    = (*Lobby)(nil)
)

// New makes a machine without entries: nobody waits.
func New() *Lobby { return &Lobby{} }

// Open implements [machine.Open].
func (l *Lobby) Open() {}

// Patience implements [machine.Hasty]: a seek nobody stands behind is taken off
// soon. Whose phone was only away for longer announces himself with the same key.
func (l *Lobby) Patience() time.Duration { return 3 * time.Second }

// Audience implements [machine.Machine]: nobody has a seat here.
func (l *Lobby) Audience(string) machine.Audience { return machine.Watchers }

// Players are those who wait: who leaves the page waits no more.
func (l *Lobby) Players() []string { return l.players }

// AppendPublic implements [machine.Machine].
func (l *Lobby) AppendPublic(b []byte, e machine.Entry, _ machine.Audience) []byte {
	return append(append(append(b, `{"k":"`...), e.Kind...), `"}`...)
}

// AppendPrivate implements [machine.Machine].
func (l *Lobby) AppendPrivate(b []byte, _ machine.Audience) []byte { return b }

// Snapshot implements [machine.Machine]: a [State], which no client gets as it is.
func (l *Lobby) Snapshot(machine.Audience) []byte {
	b, err := json.Marshal(l.state)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return b
}

// Apply implements [machine.Machine].
func (l *Lobby) Apply(e machine.Entry) error {
	c, err := Read(e)
	if err != nil {
		return err
	}
	l.state.Fold(c)
	if c.Done != nil {
		l.pairs = slices.DeleteFunc(l.pairs, func(p Pair) bool { return p.ID == c.Done.ID })
	}
	l.pairs = append(l.pairs, c.Pairs...)
	if c.Refused != nil {
		l.refuse(*c.Refused)
	}
	l.waved = max(l.waved, c.Wave)
	l.seat()
	return nil
}

// Restore implements [machine.Restorer]: enough to show the room, and to follow it.
func (l *Lobby) Restore(snapshot []byte) error {
	defer l.seat()
	l.state = State{}
	return json.Unmarshal(snapshot, &l.state)
}

// seat makes those who wait the players.
func (l *Lobby) seat() {
	l.players = make([]string, len(l.state.Waits)) // readers hold on to the old one
	for i := range l.state.Waits {
		l.players[i] = l.state.Waits[i].Player
	}
}

// Wake is when the pools are due, or a challenge has run out.
func (l *Lobby) Wake() time.Time {
	next := l.nextWave()
	for i := range l.state.Asked {
		if at := time.UnixMilli(l.state.Asked[i].Until); next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next
}

// nextWave is soon after somebody has come, and whenever a window widens that may
// let two meet.
func (l *Lobby) nextWave() time.Time {
	pools := map[Game]int{}
	for i := range l.state.Waits {
		if l.state.Waits[i].Pool {
			pools[l.state.Waits[i].Game]++
		}
	}
	var next time.Time
	for i := range l.state.Waits {
		w := &l.state.Waits[i]
		if !w.Pool || pools[w.Game] < 2 {
			continue
		}
		at := pairing.Next(time.UnixMilli(w.Since), time.UnixMilli(l.waved))
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if soonest := time.UnixMilli(l.waved).Add(waveEvery); !next.IsZero() && next.Before(soonest) {
		return soonest
	}
	return next
}

// Tasks are the games to be opened.
func (l *Lobby) Tasks() []machine.Task {
	var tasks []machine.Task
	for _, p := range l.pairs {
		body, err := json.Marshal(p)
		if err != nil {
			panic(err) // strings always encode
		}
		tasks = append(tasks, machine.Task{ID: p.ID, Kind: TaskOpen, Body: body})
	}
	return tasks
}

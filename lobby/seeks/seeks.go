// Package seeks is the room in which people find opponents.
//
// A person waits for one thing at a time: with an open seek, which any player may accept,
// or in a pool (package pairing). At the same time they may challenge some people by name.
// Two people who have found each other are a pair until their game exists.
//
// The room is ephemeral: a new owner starts with an empty room, and people announce
// themselves again with the same key. The ID of the game derives from the key, so the game
// itself is the fence. If several copies of the room give a seek away, one game results.
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
	KindSeek   = "seek"   // wait until another person accepts
	KindFind   = "find"   // wait in a pool
	KindLeave  = "leave"  // stop waiting, or withdraw a challenge
	KindAccept = "accept" // accept a seek or a challenge

	KindChallenge = "challenge" // ask one person for a game
	KindDecline   = "decline"   // decline a challenge

	KindApart = "apart" // keep two people who wait apart, since one has blocked the other
)

// TaskOpen opens the game of a pair; its body is the [Pair].
const TaskOpen = "open"

// Sizes and limits.
const (
	MaxOpen    = 500                    // seeks at a time
	maxWaiting = 4000                   // people at a time
	maxKey     = 32                     // bytes
	maxOptions = 120                    // bytes of house rules, which all visitors receive
	waveEvery  = 250 * time.Millisecond // shortest time between two waves of pairing
)

// Lobby is the machine. It hides nothing from the instance that runs it. That instance
// decides what each person is shown.
type Lobby struct {
	state    State
	players  []string
	pairs    []opening
	waved    int64     // of the last wave, ms
	refusals []Refusal // that still hold, the oldest first
}

// opening is a pair whose game is being opened.
type opening struct {
	Pair
	waits []Wait // which ended when the two were paired
}

var (
	_ machine.NoSecrets       = (*Lobby)(nil)
	_ machine.Restorer        = (*Lobby)(nil)
	_ machine.PresenceTimeout = (*Lobby)(nil)
)

// New returns a machine without entries and without waiting players.
func New() *Lobby { return &Lobby{} }

// NoSecrets implements [machine.NoSecrets].
func (l *Lobby) NoSecrets() {}

// PresenceTimeout implements [machine.PresenceTimeout]: a seek is removed soon after its person has
// disconnected. A person who was disconnected for longer announces themselves again with
// the same key.
func (l *Lobby) PresenceTimeout() time.Duration { return 3 * time.Second }

// Audience implements [machine.Machine]. The lobby has no seats.
func (l *Lobby) Audience(string) machine.Audience { return machine.Watchers }

// Players returns the people who wait. A person who leaves the page stops waiting.
func (l *Lobby) Players() []string { return l.players }

// AppendPublic implements [machine.Machine].
func (l *Lobby) AppendPublic(b []byte, e machine.Entry, _ machine.Audience) []byte {
	return append(append(append(b, `{"k":"`...), e.Kind...), `"}`...)
}

// AppendPrivate implements [machine.Machine].
func (l *Lobby) AppendPrivate(b []byte, _ machine.Audience) []byte { return b }

// Snapshot implements [machine.Machine]. It is a [State], which is not sent to clients.
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
	for _, p := range c.Pairs {
		l.pairs = append(l.pairs, opening{p, l.state.waitsOf(p.Seats[:])})
	}
	l.state.Fold(c)
	if c.Done != nil {
		l.close(c.Done.ID)
	}
	if c.Parted != nil {
		l.close(c.Parted.ID)
	}
	if c.Refused != nil {
		l.refuse(*c.Refused)
	}
	l.waved = max(l.waved, c.Wave)
	l.seat()
	return nil
}

func (l *Lobby) close(pair string) {
	l.pairs = slices.DeleteFunc(l.pairs, func(p opening) bool { return p.ID == pair })
}

// Restore implements [machine.Restorer]. It restores what is needed to show and follow
// the room.
func (l *Lobby) Restore(snapshot []byte) error {
	defer l.seat()
	l.state = State{}
	return json.Unmarshal(snapshot, &l.state)
}

// seat sets players to the people who wait.
func (l *Lobby) seat() {
	l.players = make([]string, len(l.state.Waits)) // not in place: readers keep the old list
	for i := range l.state.Waits {
		l.players[i] = l.state.Waits[i].Player
	}
}

// Wake returns when the next wave of pairing is due or a challenge expires.
func (l *Lobby) Wake() time.Time {
	next := l.nextWave()
	for i := range l.state.Asked {
		if at := time.UnixMilli(l.state.Asked[i].Until); next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next
}

// nextWave returns when the next wave is due: soon after a person has come, and whenever a
// window widens so that two people may meet.
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

// Tasks returns the games to open.
func (l *Lobby) Tasks() []machine.Task {
	var tasks []machine.Task
	for _, p := range l.pairs {
		body, err := json.Marshal(p.Pair)
		if err != nil {
			panic(err) // strings always encode
		}
		tasks = append(tasks, machine.Task{ID: p.ID, Kind: TaskOpen, Body: body})
	}
	return tasks
}

// Package seeks is the room in which people who come alone find each other.
//
// Somebody waits for one thing at a time: with an open seek, which anybody may
// accept, or in a pool, for whoever comes (package pairing). Two who have found
// each other are a pair until their game is there.
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

	"mancala/lobby"
	"mancala/lobby/pairing"
	"mancala/match"
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
	KindAccept = "accept" // play with somebody who seeks
)

// TaskOpen opens the game of a pair; its body is the [Pair].
const TaskOpen = "open"

// Sizes and limits.
const (
	MaxOpen    = 500                    // seeks at a time
	maxWaiting = 4000                   // people at a time
	maxKey     = 32                     // bytes
	maxOptions = 120                    // bytes of house rules: all who are here read them
	remembered = 4096                   // people whose last games are known
	opponents  = 3                      // of each
	waveEvery  = 250 * time.Millisecond // at most
)

// Game is what somebody wants to play.
type Game struct {
	Rules   string `json:"rules"`
	Options string `json:"options,omitempty"`
	Clock   string `json:"clock"`
}

// Settings are the game's, for the match.
func (g Game) Settings() match.Settings {
	return match.Settings{Rules: g.Rules, Options: g.Options, Clock: g.Clock}
}

// Wait is somebody who waits.
type Wait struct {
	ID     string `json:"seek"` // of the game that will come of it
	Player string `json:"by"`
	Key    string `json:"key"`            // his choice, with which he announces himself again
	Pool   bool   `json:"pool,omitempty"` // takes whoever comes
	Since  int64  `json:"since"`          // ms
	Game
}

// Pair are two whose game is being opened.
type Pair struct {
	ID    string    `json:"seek"`  // of the game
	Seats [2]string `json:"seats"` // who begins is first
	Owner string    `json:"owner"` // whose wait it was
	Other string    `json:"other"`
	Game
}

// Change is what an entry does: all kinds have the same form.
type Change struct {
	In    *Wait    `json:"in,omitempty"`    // begins to wait
	Out   []string `json:"out,omitempty"`   // wait no more, by ID of player
	Pairs []Pair   `json:"pairs,omitempty"` // have found each other
	Wave  int64    `json:"wave,omitempty"`  // ms: when the pools have been looked through
	Done  *Done    `json:"done,omitempty"`
}

// Done is what became of a pair.
type Done struct {
	Pair
	At   int64 `json:"at"`             // ms
	Late bool  `json:"late,omitempty"` // another game has come of this seek before
}

// People are those who play in the game that is there.
func (d *Done) People() []string {
	if d.Late {
		return []string{d.Owner}
	}
	return d.Seats[:]
}

// Found is somebody whose game is there. Who was just loading a page learns it
// from this.
type Found struct {
	Player string `json:"by"`
	Game   string `json:"game"`
	At     int64  `json:"at"` // ms
}

// FoundFor is how long that is news.
const FoundFor = 30 * time.Second

// Read gives what an entry of this room does.
func Read(e machine.Entry) (c Change, err error) {
	err = json.Unmarshal(e.Body, &c)
	return c, err
}

// State is who waits, who came first first. Whoever follows the room keeps one.
type State struct {
	Waits []Wait  `json:"waits"`
	Found []Found `json:"found,omitempty"`
}

// Fold takes a change in.
func (s *State) Fold(c Change) {
	s.Waits = slices.DeleteFunc(s.Waits, func(w Wait) bool { return slices.Contains(c.Out, w.Player) })
	if c.In != nil {
		s.Waits = append(s.Waits, *c.In)
	}
	if d := c.Done; d != nil {
		s.Found = slices.DeleteFunc(s.Found, func(f Found) bool {
			return f.At+FoundFor.Milliseconds() < d.At || slices.Contains(d.Seats[:], f.Player)
		})
		for _, player := range d.People() {
			s.Found = append(s.Found, Found{player, d.ID, d.At})
		}
	}
}

// Of is what somebody waits with; nil if he does not.
func (s *State) Of(player string) *Wait {
	i := slices.IndexFunc(s.Waits, func(w Wait) bool { return w.Player == player })
	if i < 0 {
		return nil
	}
	return &s.Waits[i]
}

// Open are the seeks that anybody may accept.
func (s *State) Open() (open []Wait) {
	for _, w := range s.Waits {
		if !w.Pool {
			open = append(open, w)
		}
	}
	return open
}

// Lobby is the machine. It hides nothing from whoever runs it: it is he who shows
// seeks, and tells people what concerns them.
type Lobby struct {
	state   State
	players []string
	pairs   []Pair
	waved   int64 // ms
	past    map[string]past
	order   []string // of past, who was added first is first
}

// past is what is known of somebody's last games, as long as the room runs.
type past struct {
	recent  []string
	balance int
}

var (
	_ machine.Open     = (*Lobby)(nil)
	_ machine.Restorer = (*Lobby)(nil)
	_ machine.Hasty    = (*Lobby)(nil)
)

// New makes a machine without entries: nobody waits.
func New() *Lobby { return &Lobby{past: map[string]past{}} }

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
	for _, p := range c.Pairs {
		l.pairs = append(l.pairs, p)
		l.remember(p.Seats[0], p.Seats[1], +1)
		l.remember(p.Seats[1], p.Seats[0], -1)
	}
	l.waved = max(l.waved, c.Wave)
	l.seat()
	return nil
}

// Restore implements [machine.Restorer]: enough to show the room, and to follow it.
func (l *Lobby) Restore(snapshot []byte) error {
	defer l.seat()
	return json.Unmarshal(snapshot, &l.state)
}

// seat makes those who wait the players.
func (l *Lobby) seat() {
	l.players = make([]string, len(l.state.Waits)) // readers hold on to the old one
	for i := range l.state.Waits {
		l.players[i] = l.state.Waits[i].Player
	}
}

func (l *Lobby) remember(player, opponent string, begun int) {
	p, known := l.past[player]
	if !known {
		if len(l.order) == remembered {
			delete(l.past, l.order[0])
			l.order = slices.Delete(l.order, 0, 1)
		}
		l.order = append(l.order, player)
	}
	p.recent = append([]string{opponent}, slices.DeleteFunc(slices.Clone(p.recent), func(id string) bool { return id == opponent })...)
	p.recent = p.recent[:min(len(p.recent), opponents)]
	p.balance += begun
	l.past[player] = p
}

// Wake is when the pools are due: soon after somebody has come, and whenever a
// window widens that may let two meet.
func (l *Lobby) Wake() time.Time {
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

// GameID derives the game from who waits and the key that he has chosen.
func GameID(player, key string) string { return lobby.DerivedRoomID("seek", player, key) }

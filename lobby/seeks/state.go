package seeks

import (
	"encoding/json"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
)

// Game is what somebody wants to play.
type Game struct {
	Rules   string `json:"rules"`
	Options string `json:"options,omitempty"`
	Clock   string `json:"clock"`
	Rated   bool   `json:"rated,omitempty"`
}

// Settings are the game's, for the match.
func (g Game) Settings() match.Settings {
	return match.Settings{Rules: g.Rules, Options: g.Options, Clock: g.Clock, Rated: g.Rated}
}

// Facts are what the lobby knows of somebody when he comes: told by who carries
// his command, never by himself.
type Facts struct {
	Account bool     `json:"account,omitempty"`
	Rating  int      `json:"rating,omitempty"`  // in this game at this speed; 0: none
	Balance int      `json:"balance,omitempty"` // how many more of his last games he has begun than not
	Recent  []string `json:"recent,omitempty"`  // opponents of his last games
	Apart   []string `json:"apart,omitempty"`   // who are here and must not meet him
}

// Range is which ratings somebody wants to meet; a zero is no limit.
type Range struct {
	Low  int `json:"low,omitempty"`
	High int `json:"high,omitempty"`
}

// Holds says whether a rating is in the range. Who has none is in none.
func (r Range) Holds(rating int) bool {
	return r == Range{} || rating != 0 && rating >= r.Low && (r.High == 0 || rating <= r.High)
}

// Wait is somebody who waits.
type Wait struct {
	ID     string `json:"seek"` // of the game that will come of it
	Player string `json:"by"`
	Key    string `json:"key"`            // his choice, with which he announces himself again
	Pool   bool   `json:"pool,omitempty"` // takes whoever comes
	Since  int64  `json:"since"`          // ms
	Game
	Range
	Facts Facts `json:"facts"`
}

// Challenge is somebody who asks somebody else to play. Nobody but the two hears
// of it.
type Challenge struct {
	ID    string `json:"seek"` // of the game that may come of it
	By    string `json:"by"`
	To    string `json:"to"`
	Key   string `json:"key"`   // as of a wait
	Until int64  `json:"until"` // ms
	Game
	Facts Facts `json:"facts"` // of who asks
}

// Ended is a challenge that is no more.
type Ended struct {
	ID  string `json:"seek"`
	Why string `json:"why"`
}

// Why challenges end.
const (
	EndAccepted  = "accepted"
	EndDeclined  = "declined"
	EndWithdrawn = "withdrawn"
	EndExpired   = "expired"
)

// Refusal is that somebody does not want to be asked by another for a while.
type Refusal struct {
	By    string `json:"by"` // who asked
	To    string `json:"to"`
	Until int64  `json:"until"` // ms
}

// Pair are two whose game is being opened.
type Pair struct {
	ID    string    `json:"seek"`  // of the game
	Seats [2]string `json:"seats"` // who begins is first
	Owner string    `json:"owner"` // whose wait it was
	Other string    `json:"other"`
	Asked bool      `json:"asked,omitempty"` // it was a challenge
	Game
}

// Change is what an entry does: all kinds have the same form.
type Change struct {
	In    *Wait    `json:"in,omitempty"`    // begins to wait
	Out   []string `json:"out,omitempty"`   // wait no more, by ID of player
	Pairs []Pair   `json:"pairs,omitempty"` // have found each other
	Wave  int64    `json:"wave,omitempty"`  // ms: when the pools have been looked through
	Done  *Done    `json:"done,omitempty"`

	Ask     *Challenge `json:"ask,omitempty"`
	Ended   []Ended    `json:"ended,omitempty"` // of challenges
	Refused *Refusal   `json:"refused,omitempty"`
	Apart   []string   `json:"apart,omitempty"` // two who must not meet
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
	Waits []Wait      `json:"waits"`
	Asked []Challenge `json:"asked,omitempty"`
	Found []Found     `json:"found,omitempty"`
}

// Fold takes a change in.
func (s *State) Fold(c Change) {
	s.Waits = slices.DeleteFunc(s.Waits, func(w Wait) bool { return slices.Contains(c.Out, w.Player) })
	if c.In != nil {
		s.Waits = append(s.Waits, *c.In)
	}
	s.Asked = slices.DeleteFunc(s.Asked, func(a Challenge) bool {
		return slices.ContainsFunc(c.Ended, func(e Ended) bool { return e.ID == a.ID })
	})
	if c.Ask != nil {
		s.Asked = append(s.Asked, *c.Ask)
	}
	if len(c.Apart) == 2 {
		s.keepApart(c.Apart[0], c.Apart[1])
		s.keepApart(c.Apart[1], c.Apart[0])
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

// keepApart says of somebody who waits that he must not meet another.
func (s *State) keepApart(player, other string) {
	if w := s.Of(player); w != nil {
		w.Facts.Apart = append(slices.Clip(w.Facts.Apart), other)
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

// Challenge is an open one; nil if there is none.
func (s *State) Challenge(id string) *Challenge {
	i := slices.IndexFunc(s.Asked, func(c Challenge) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &s.Asked[i]
}

// Seek is an open seek; nil if there is none.
func (s *State) Seek(id string) *Wait {
	i := slices.IndexFunc(s.Waits, func(w Wait) bool { return w.ID == id && !w.Pool })
	if i < 0 {
		return nil
	}
	return &s.Waits[i]
}

// GameID derives the game from who waits and the key that he has chosen.
func GameID(player, key string) string { return lobby.DerivedRoomID("seek", player, key) }

package seeks

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
)

// Game is the game that a person wants to play.
type Game struct {
	Rules   string `json:"rules"`
	Options string `json:"options,omitempty"`
	Clock   string `json:"clock"`
	Rated   bool   `json:"rated,omitempty"`
}

// Settings returns the settings of the match.
func (g Game) Settings() match.Settings {
	return match.Settings{Rules: g.Rules, Options: g.Options, Clock: g.Clock, Rated: g.Rated}
}

// Facts are the lobby's knowledge about the author of a command. The instance that
// passes the command on adds them (deploy/decisions/0012). Clients cannot set them.
type Facts struct {
	Account bool     `json:"account,omitempty"`
	Rating  int      `json:"rating,omitempty"`  // in this game at this speed; 0: none
	Balance int      `json:"balance,omitempty"` // of the last games: those begun, less the others
	Recent  []string `json:"recent,omitempty"`  // opponents of the last games
	Apart   []string `json:"apart,omitempty"`   // people in the lobby whom the author must not meet
	Place   string   `json:"place,omitempty"`   // where the author is, as address.Place names it
}

// Range is the range of ratings that a person wants to meet. A zero means no limit.
type Range struct {
	Low  int `json:"low,omitempty"`
	High int `json:"high,omitempty"`
}

// Holds reports whether a rating is in the range. An unrated player matches no range
// except the zero Range.
func (r Range) Holds(rating int) bool {
	return r == Range{} || rating != 0 && rating >= r.Low && (r.High == 0 || rating <= r.High)
}

// Wait is a person who waits, with a seek or in a pool.
type Wait struct {
	ID     string `json:"seek"` // of the resulting game
	Player string `json:"by"`
	Key    string `json:"key"`            // chosen by the player's client, to announce the wait again
	Pool   bool   `json:"pool,omitempty"` // waits in a pool
	Since  int64  `json:"since"`          // ms
	Game
	Range
	Facts Facts `json:"facts"`
}

// Challenge is a request of one person to play with another. Only these two are told.
type Challenge struct {
	ID    string `json:"seek"` // of the resulting game
	By    string `json:"by"`
	To    string `json:"to"`
	Key   string `json:"key"`   // as in Wait
	Until int64  `json:"until"` // ms
	Game
	Facts Facts `json:"facts"` // of By
}

// Ended is a challenge that has ended.
type Ended struct {
	ID  string `json:"seek"`
	Why string `json:"why"`
}

// Reasons why challenges end.
const (
	EndAccepted  = "accepted"
	EndDeclined  = "declined"
	EndWithdrawn = "withdrawn"
	EndExpired   = "expired"
)

// Refusal keeps one person from challenging another until a time.
type Refusal struct {
	By    string `json:"by"` // the person who was declined
	To    string `json:"to"`
	Until int64  `json:"until"` // ms
}

// Pair is two people whose game is being opened.
type Pair struct {
	ID    string    `json:"seek"`  // of the game
	Seats [2]string `json:"seats"` // the first begins
	Owner string    `json:"owner"` // of the wait or the challenge
	Other string    `json:"other"`
	Asked bool      `json:"asked,omitempty"` // by a challenge
	Game
}

// Change is the effect of an entry. All kinds have the same form.
type Change struct {
	In    *Wait    `json:"in,omitempty"`    // a person who begins to wait
	Out   []string `json:"out,omitempty"`   // players who stop waiting
	Pairs []Pair   `json:"pairs,omitempty"` // people who have found each other
	Wave  int64    `json:"wave,omitempty"`  // ms: the time of a wave of pairing
	Done  *Done    `json:"done,omitempty"`

	Parted *Parted `json:"parted,omitempty"` // people who have found each other and must not meet

	Ask     *Challenge `json:"ask,omitempty"`
	Ended   []Ended    `json:"ended,omitempty"` // challenges
	Refused *Refusal   `json:"refused,omitempty"`
	Apart   []string   `json:"apart,omitempty"` // two players to keep apart
}

// Done is the result of a pair: its game exists.
type Done struct {
	Pair
	At   int64 `json:"at"`             // ms
	Late bool  `json:"late,omitempty"` // the game was opened for another pair of the same seek
}

// Parted is a pair that gets no game, since one of the two has blocked the other. The
// release before does not read it, and shows neither of them waiting until they ask again.
type Parted struct {
	Pair
	Waits []Wait `json:"waits,omitempty"` // which the pair had ended, and which go on
}

// Accepted reports whether the other player has accepted a seek or a challenge. Otherwise
// both were in a pool.
func (p *Parted) Accepted() bool {
	return !slices.ContainsFunc(p.Waits, func(w Wait) bool { return w.ID == p.ID && w.Pool })
}

// People returns the people of this pair who play in the game.
func (d *Done) People() []string {
	if d.Late {
		return []string{d.Owner}
	}
	return d.Seats[:]
}

// Found is a person whose game exists. It is kept for a page that is being loaded
// meanwhile.
type Found struct {
	Player string `json:"by"`
	Game   string `json:"game"`
	At     int64  `json:"at"` // ms
}

// FoundFor is how long a Found is kept.
const FoundFor = 30 * time.Second

// Read returns the effect of an entry of this room.
func Read(e machine.Entry) (c Change, err error) {
	err = json.Unmarshal(e.Body, &c)
	return c, err
}

// State is the state of the room, in the order in which people came. Every follower of the
// room keeps one.
type State struct {
	Waits []Wait      `json:"waits"`
	Asked []Challenge `json:"asked,omitempty"`
	Found []Found     `json:"found,omitempty"`
}

// Fold applies a change.
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
	if c.Parted != nil {
		s.Waits = append(s.Waits, c.Parted.Waits...)
		slices.SortStableFunc(s.Waits, func(a, b Wait) int { return cmp.Compare(a.Since, b.Since) })
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

// keepApart notes that player, if they wait, must not meet other.
func (s *State) keepApart(player, other string) {
	if w := s.Of(player); w != nil {
		w.Facts.Apart = append(slices.Clip(w.Facts.Apart), other)
	}
}

// Of returns the wait of a player, or nil.
func (s *State) Of(player string) *Wait {
	i := slices.IndexFunc(s.Waits, func(w Wait) bool { return w.Player == player })
	if i < 0 {
		return nil
	}
	return &s.Waits[i]
}

// waitsOf returns the waits of these players.
func (s *State) waitsOf(players []string) (waits []Wait) {
	for _, w := range s.Waits {
		if slices.Contains(players, w.Player) {
			waits = append(waits, w)
		}
	}
	return waits
}

// Open returns the seeks that any player may accept.
func (s *State) Open() (open []Wait) {
	for _, w := range s.Waits {
		if !w.Pool {
			open = append(open, w)
		}
	}
	return open
}

// Challenge returns an open challenge, or nil.
func (s *State) Challenge(id string) *Challenge {
	i := slices.IndexFunc(s.Asked, func(c Challenge) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &s.Asked[i]
}

// Seek returns an open seek, or nil.
func (s *State) Seek(id string) *Wait {
	i := slices.IndexFunc(s.Waits, func(w Wait) bool { return w.ID == id && !w.Pool })
	if i < 0 {
		return nil
	}
	return &s.Waits[i]
}

// GameID derives the ID of a game from the player who waits and their key.
func GameID(player, key string) string { return lobby.DerivedRoomID("seek", player, key) }

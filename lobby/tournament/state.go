package tournament

import "slices"

// Stage is how far a tournament is.
type Stage string

const (
	Entry   Stage = "entry"   // people join
	Running Stage = "running" // a round has started
	Over    Stage = "over"
)

// State is a tournament as its host and everybody else see it.
type State struct {
	Settings  Settings  `json:"settings"`
	Stage     Stage     `json:"stage"`
	Hosts     []string  `json:"hosts"`
	Players   []Player  `json:"players"`             // by number, from 1
	Start     []int     `json:"start,omitempty"`     // numbers in the starting order, once round 1 has started
	Forbidden [][2]int  `json:"forbidden,omitempty"` // pairs of numbers who may not meet
	Rounds    [][]Board `json:"rounds,omitempty"`    // each by board, from 1
	Due       int64     `json:"due,omitempty"`       // ms: when the next round starts by itself, or the next wave may come; 0: the host starts it
	Ends      int64     `json:"ends,omitempty"`      // ms: of an arena that has started
	Undo      *Undo     `json:"undo,omitempty"`      // the step that can be taken back
}

// A Player is one row of the list of players.
type Player struct {
	Number int            `json:"n"` // in the order in which they joined, from 1
	ID     string         `json:"id"`
	Paper  bool           `json:"paper,omitempty"`  // plays without a device: the host enters the results
	Rating int            `json:"rating,omitempty"` // decides the starting order; 0: none
	Here   bool           `json:"here,omitempty"`   // has checked in
	Out    bool           `json:"out,omitempty"`    // has withdrawn, or was marked absent: is not paired
	Away   bool           `json:"away,omitempty"`   // in an arena or a class: has no page open, and is not paired
	Joined int            `json:"joined,omitempty"` // the first round in which they could be paired, of a late player
	Byes   map[int]string `json:"byes,omitempty"`   // by round: "half" or "zero"
	Waited int            `json:"waited,omitempty"` // waves without an opponent: in an arena the last ones in a row, in a class all
}

// Byes that players ask for.
const (
	HalfBye = "half"
	ZeroBye = "zero"
)

// A Board is two players who meet in a round, or the bye of one player.
type Board struct {
	Number int    `json:"n"`
	First  int    `json:"first"`            // number of the player who moves first in the first game
	Second int    `json:"second,omitempty"` // 0: First has the bye
	Games  []Game `json:"games,omitempty"`
	Result string `json:"result,omitempty"` // once it is over: see results.go
	Seeds  int    `json:"seeds,omitempty"`  // how many more First has won than Second, in all games
	ByHost bool   `json:"byHost,omitempty"` // the host has set the result
	Paper  bool   `json:"paper,omitempty"`  // no rooms are opened for its games
	Match  int    `json:"match,omitempty"`  // of a knockout: the match in the bracket
}

// A Game is one game of a board.
type Game struct {
	Room    string `json:"room,omitempty"`    // once it was asked for
	Opened  bool   `json:"opened,omitempty"`  // the room exists
	Result  string `json:"result,omitempty"`  // for the board's first player, once it is over
	Reason  string `json:"reason,omitempty"`  // as in the result of a match
	Seeds   int    `json:"seeds,omitempty"`   // how many more the board's first player has won
	Swapped bool   `json:"swapped,omitempty"` // the board's second player moves first
}

// player returns the row of a player, or nil.
func (s *State) player(id string) *Player {
	if i := slices.IndexFunc(s.Players, func(p Player) bool { return p.ID == id }); i >= 0 {
		return &s.Players[i]
	}
	return nil
}

// numbered returns the row with a number, or nil.
func (s *State) numbered(n int) *Player {
	if n < 1 || n > len(s.Players) {
		return nil
	}
	return &s.Players[n-1]
}

func (s *State) isHost(id string) bool { return id != "" && slices.Contains(s.Hosts, id) }

// round returns the boards of the last round that has started.
func (s *State) round() []Board {
	if len(s.Rounds) == 0 {
		return nil
	}
	return s.Rounds[len(s.Rounds)-1]
}

// roundOver reports whether every board of the last round has a result.
func (s *State) roundOver() bool {
	return !slices.ContainsFunc(s.round(), func(b Board) bool { return b.Result == "" })
}

package tournament

import "slices"

// Stage is how far a tournament is.
type Stage string

const (
	Entry   Stage = "entry"   // people join
	Running Stage = "running" // a round has started
	Over    Stage = "over"
	Deleted Stage = "deleted" // by a host
)

// State is a tournament as its host and everybody else see it.
type State struct {
	Settings  Settings  `json:"settings"`
	Stage     Stage     `json:"stage"`
	Hosts     []string  `json:"hosts"`
	Players   []Player  `json:"players"`             // by number, from 1
	Former    []Former  `json:"former,omitempty"`    // players whose places others have taken, each once; releases before this field forget it
	Start     []int     `json:"start,omitempty"`     // numbers in the starting order, once round 1 has started
	Forbidden [][2]int  `json:"forbidden,omitempty"` // pairs of numbers who may not meet
	Apart     []Apart   `json:"apart,omitempty"`     // earlier values of Forbidden, from which rounds were paired
	Rounds    [][]Board `json:"rounds,omitempty"`    // each by board, from 1
	Due       int64     `json:"due,omitempty"`       // ms: when the next round starts by itself, or the next wave may come; 0: the host starts it
	Ends      int64     `json:"ends,omitempty"`      // ms: of an arena that has started, or of the last round if the settings give it an end
	Closed    int       `json:"closed,omitempty"`    // the last round whose end has come
	Undo      *Undo     `json:"undo,omitempty"`      // the step that can be taken back
	Acts      []Act     `json:"acts,omitempty"`      // of hosts, which the games' rooms have not confirmed
	Acted     int       `json:"acted,omitempty"`     // how many acts there were
	Paused    int       `json:"paused,omitempty"`    // a host has paused the last round as a whole: its boards up to this number; 0: not, or no game stands still any more. The release before reads it
	Recall    int       `json:"recall,omitempty"`    // the round that is being taken back, see recall.go
	Left      []int     `json:"left,omitempty"`      // the boards that the recall could not reach so far
	Recalled  int       `json:"recalled,omitempty"`  // how many rounds were taken back
	Reread    int64     `json:"reread,omitempty"`    // ms: when the game was changed, until the players' ratings in the new one are read, see ratings.go
	Indexed   string    `json:"indexed,omitempty"`   // the last task that put the tournament into the list

	Announced *Announcement `json:"announced,omitempty"` // the last one
}

// An Announcement is what a host has told everybody in the tournament.
type Announcement struct {
	Text string `json:"text"`
	At   int64  `json:"at"` // ms
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
	Joined int            `json:"joined,omitempty"` // the first round in which they could be paired, of a late player or a substitute
	Byes   map[int]string `json:"byes,omitempty"`   // by round: "half" or "zero"
	Steps  int            `json:"steps,omitempty"`  // commands of their own
	Waited int            `json:"waited,omitempty"` // waves without an opponent: in an arena the last ones in a row, in a class all
}

// A Former is a player whose place another person has taken. They may have entered again since.
type Former struct {
	ID    string `json:"id"`
	Paper bool   `json:"paper,omitempty"` // as in [Player]
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
	// Forfeit is set when a host counts the match of a knockout as unplayed. Its games do not count then. Releases
	// before this field let them count, and paired the next round by them.
	Forfeit bool  `json:"forfeit,omitempty"`
	Was     []Was `json:"was,omitempty"` // results that were corrected after a later round had been paired
}

// Was is the result from which rounds were paired before it was corrected.
type Was struct {
	Paired int    `json:"paired"` // the last round that was paired from it
	Result string `json:"result,omitempty"`
}

// Apart is the pairs who could not meet when rounds were paired.
type Apart struct {
	Paired int      `json:"paired"` // the last round that was paired with them
	Pairs  [][2]int `json:"pairs"`
}

// apart returns the pairs who could not meet when a round was paired.
func (s *State) apart(round int) [][2]int {
	for _, a := range s.Apart {
		if a.Paired >= round {
			return a.Pairs
		}
	}
	return s.Forbidden
}

// has reports whether a player is on the board.
func (b *Board) has(player int) bool { return b.First == player || b.Second == player }

// resultBefore returns the result of a board from which a later round was paired.
func (b *Board) resultBefore(round int) string {
	for _, w := range b.Was {
		if w.Paired >= round {
			return w.Result
		}
	}
	return b.Result
}

// A Game is one game of a board.
type Game struct {
	Room    string `json:"room,omitempty"`    // once it was asked for
	Opened  bool   `json:"opened,omitempty"`  // the room exists
	Acted   int    `json:"acted,omitempty"`   // how many acts there were then: later ones can be about it
	Paused  bool   `json:"paused,omitempty"`  // by a host
	Result  string `json:"result,omitempty"`  // for the board's first player, once it is over
	Reason  string `json:"reason,omitempty"`  // as in the result of a match
	Seeds   int    `json:"seeds,omitempty"`   // how many more the board's first player has won
	Swapped bool   `json:"swapped,omitempty"` // the board's second player moves first
}

// Player returns the row of a player, or nil.
func (s *State) Player(id string) *Player {
	if i := slices.IndexFunc(s.Players, func(p Player) bool { return id != "" && p.ID == id }); i >= 0 {
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

// IsHost reports whether a person is a host.
func (s *State) IsHost(id string) bool { return id != "" && slices.Contains(s.Hosts, id) }

// BoardOf returns the last board of a player in the last round, or nil.
func (s *State) BoardOf(player int) *Board {
	boards := s.round()
	for i := range slices.Backward(boards) {
		if boards[i].has(player) {
			return &boards[i]
		}
	}
	return nil
}

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

// Package crosstable holds who met whom in a tournament, round by round, and what it
// counted. Pairing systems, tie-breaks and files read it.
//
// Everything here is a value or a pure function. Rooms, players' accounts and clocks do
// not belong here, nor does any rule of a pairing system.
package crosstable

// Tenths is a number of points in tenths: 5 is half a point. Report files have one decimal.
type Tenths int

// An Event is a tournament as its tables show it.
type Event struct {
	Name, City, Federation string
	Starts, Ends           string // dates as in report files, such as 2026/11/25
	Arbiter                string
	Clock                  string // how long the players may think, in words

	System    System // how it is paired
	Rounds    int    // as announced before the start
	Points    Points
	OddFirst  bool // whether number 1 moves first in round 1
	Players   []Player
	Forbidden []Forbidden
	TieBreaks []string // codes of FIDE's list, in their order
	Asked     []Asked  // of rounds that have not been paired
	Coming    int      // the round, not paired yet, whose absent players are all known from Asked and Results; 0: none
}

// Asked are players who have asked for the same bye in a round that has not been paired.
type Asked struct {
	Round   int
	Code    Code // HalfBye, FullBye or Absent
	Players []int
}

// A System is how the rounds of a tournament are paired.
type System string

const (
	Swiss            System = ""
	RoundRobin       System = "round robin"
	DoubleRoundRobin System = "double round robin"
)

// Predetermined reports whether the pairings of all rounds are known before the first one.
func (s System) Predetermined() bool { return s == RoundRobin || s == DoubleRoundRobin }

// Points says what a result is worth.
type Points struct {
	Win, Draw, Loss Tenths
	Absent          Tenths // a round without a game and without a bye
	Bye             Tenths // a bye that the pairing gave
}

// Usual are the points of a tournament that names no others.
var Usual = Points{Win: 10, Draw: 5, Bye: 10}

// A Player is one row of the table.
type Player struct {
	Number     int // 1 for the first of Event.Players, 2 for the next, and so on
	Name       string
	Rating     int
	Title, Sex string
	Federation string
	ID, Birth  string
	Rank       int      // the place in the standings that a file gives, or 0
	Results    []Result // by round; a round that is missing has not been paired for this player
	Extra      []Tenths // points by round that count for the pairing alone (acceleration)
}

// A Result is one round of one player.
type Result struct {
	Opponent int  // the number of the opponent, or 0
	First    bool // whether the player moved first; means nothing without an opponent
	Code     Code
	Seeds    int // seeds won less those of the opponent, in all games of the round; 0 where it is not known
}

// Forbidden are players who may not meet each other in some rounds.
type Forbidden struct {
	Players  []int // numbers
	From, To int   // rounds from 1, both included; To is 0 where no end is given
}

// Holds reports whether the players may not meet in a round.
func (f Forbidden) Holds(round int) bool { return round >= f.From && (f.To == 0 || round <= f.To) }

// A Code is how a round ended for a player, in the letters of FIDE's report file (TRF26,
// record 001).
type Code byte

const (
	Win         Code = '1'
	Draw        Code = '='
	Loss        Code = '0'
	ShortWin    Code = 'W' // a game of less than one move, which is not rated
	ShortDraw   Code = 'D'
	ShortLoss   Code = 'L'
	ForfeitWin  Code = '+' // the opponent did not come
	ForfeitLoss Code = '-'
	HalfBye     Code = 'H'
	FullBye     Code = 'F'
	PairingBye  Code = 'U' // the pairing had no opponent for the player
	Absent      Code = 'Z'
	Unfinished  Code = '*' // paired, and not over
)

// Played reports whether a game was played. Only played games count as meetings and for
// the first move (FIDE C.04.2, unplayed games).
func (c Code) Played() bool {
	switch c {
	case Win, Draw, Loss, ShortWin, ShortDraw, ShortLoss, Unfinished:
		return true
	}
	return false
}

// Of returns what a round with code c is worth.
func (p Points) Of(c Code) Tenths {
	switch c {
	case Win, ShortWin, ForfeitWin, FullBye:
		return p.Win
	case Draw, ShortDraw, HalfBye:
		return p.Draw
	case Loss, ShortLoss, ForfeitLoss, Unfinished:
		return p.Loss
	case PairingBye:
		return p.Bye
	}
	return p.Absent
}

// Score returns the points of player p after a number of rounds.
func (e *Event) Score(p *Player, rounds int) Tenths {
	var sum Tenths
	for _, r := range p.Results[:min(rounds, len(p.Results))] {
		sum += e.Points.Of(r.Code)
	}
	return sum + e.Points.Absent*Tenths(max(0, rounds-len(p.Results)))
}

// PairingScore returns the points that the pairing of a round uses: those of the rounds
// before, and the extra points of accelerated players.
func (e *Event) PairingScore(p *Player, round int) Tenths {
	sum := e.Score(p, round-1)
	if round <= len(p.Extra) {
		sum += p.Extra[round-1]
	}
	return sum
}

// Paired returns the number of rounds in which a player has an opponent or a bye that the
// pairing gave.
func (e *Event) Paired() int {
	rounds := 0
	for i := range e.Players {
		for n, r := range e.Players[i].Results {
			if r.Opponent != 0 || r.Code == PairingBye {
				rounds = max(rounds, n+1)
			}
		}
	}
	return rounds
}

// HasEntered reports whether the pairing of one of the first rounds had player p in it.
func (p *Player) HasEntered(rounds int) bool {
	for _, r := range p.Results[:min(rounds, len(p.Results))] {
		if r.Opponent != 0 || r.Code == PairingBye {
			return true
		}
	}
	return false
}

// Player returns the player with a number.
func (e *Event) Player(number int) *Player { return &e.Players[number-1] }

// Before returns the table as it was when a round was paired: the results of the rounds before
// it, and who had asked for a bye in it or was absent.
func (e *Event) Before(round int) *Event {
	before := *e
	before.Players = make([]Player, len(e.Players))
	for i, p := range e.Players {
		if len(p.Results) >= round {
			r := p.Results[round-1]
			known := round - 1
			if r.Opponent == 0 && r.Code != PairingBye {
				known = round
			}
			p.Results = p.Results[:known:known]
		}
		before.Players[i] = p
	}
	return &before
}

// Package knockout holds tournaments of single elimination: a player who loses a match is out.
//
// A bracket is a pure function of the number of players, the settings and what has happened so
// far. Players are known by their seed number: 1 is the best. In every round the best player left
// would meet the worst one left, if each match went to the better seed number. Where the number of
// players is no power of two, the best of them have no opponent in the first round.
//
// A match is one game, or a mini-match of two games with sides changed. How a match ends that is
// level then is a setting; see [Settings].
package knockout

// State is how far a match has come.
type State uint8

const (
	Waiting State = iota // a player is not known yet
	Open                 // it can be played
	Over
)

// Reason is why a match went to its winner.
type Reason uint8

const (
	Undecided    Reason = iota
	ByScore             // by games or by seeds, as the settings say
	ByDecider           // by the deciding game
	BySeedNumber        // the match was level, and the better seed number goes through
	ByBye               // there was no opponent
	ByWalkover          // the opponent was absent or had left
	ByAward             // the host decided
	Nobody              // both players were absent or had left, or there were none; there is no winner
)

// Outcome is how a game ended.
type Outcome uint8

const (
	Drawn Outcome = iota
	FirstWon
	SecondWon
)

// A Bracket is a tournament as it stands.
type Bracket struct {
	Players  int
	Settings Settings
	Rounds   []Round
	Third    *Match // the match for third place, or nil
	Champion int    // 0 before the final is won
	Over     bool   // no match is left
	Ignored  []int  // the indices of events that had no effect, such as a result of a match that is not on

	left    []bool // by player
	matches []*Match
}

// A Round is the matches of one round, from the top of the bracket to the bottom.
type Round struct {
	Places  int // for players: 2 in the final, 4 in the semifinals
	Matches []*Match
}

// A Match is one node of the bracket.
type Match struct {
	ID     int // from 1, round by round, from top to bottom; the match for third place comes last
	Round  int // from 1
	Sides  [2]Side
	Games  []Game // those that are over, in order
	Points [2]int // half points by side: a win is 2, a draw 1
	Seeds  int    // how many more seeds side 0 has won than side 1
	State  State
	Winner int // 0 without one
	Loser  int // 0 without one
	Reason Reason
	Next   int // the match that the winner goes to, or 0

	begins  int // the side that moves first in the first game
	absent  [2]bool
	awarded int
}

// A Side is one place in a match.
type Side struct {
	Player int  // 0 while the player is not known
	Empty  bool // no player will come
	From   int  // the match that the player comes from, or 0 in the first round
	Loser  bool // the player comes as the loser of that match
}

// A Game is one game of a match.
type Game struct {
	Match, Number int // both from 1
	First, Second int // players; First moves first
	Decider       bool
	Outcome       Outcome // of a game that is over
	Seeds         int     // how many more seeds First has won than Second
}

// build makes all matches, with the players of the first round.
func (b *Bracket) build() {
	order := []int{1}
	for len(order) < b.Players { // each place becomes a match against a worse player
		var wider []int
		for _, number := range order {
			wider = append(wider, number, 2*len(order)+1-number)
		}
		order = wider
	}
	for places := len(order); places > 1; places /= 2 {
		round := Round{Places: places}
		for i := range places / 2 {
			m := &Match{ID: len(b.matches) + i + 1, Round: len(b.Rounds) + 1}
			for side := range m.Sides {
				m.Sides[side] = b.sideOf(2*i+side, order)
			}
			round.Matches = append(round.Matches, m)
		}
		b.matches = append(b.matches, round.Matches...)
		b.Rounds = append(b.Rounds, round)
	}
	if b.Settings.ThirdPlace && len(b.Rounds) > 1 {
		semifinals := b.Rounds[len(b.Rounds)-2].Matches
		b.Third = &Match{ID: len(b.matches) + 1, Round: len(b.Rounds)}
		for side, m := range semifinals {
			b.Third.Sides[side] = Side{From: m.ID, Loser: true}
		}
		b.matches = append(b.matches, b.Third)
	}
}

// sideOf returns a place of the round that is being built.
func (b *Bracket) sideOf(place int, order []int) Side {
	if len(b.Rounds) == 0 {
		if order[place] > b.Players {
			return Side{Empty: true}
		}
		return Side{Player: order[place]}
	}
	from := b.Rounds[len(b.Rounds)-1].Matches[place]
	from.Next = len(b.matches) + place/2 + 1
	return Side{From: from.ID}
}

func (b *Bracket) final() *Match { return b.Rounds[len(b.Rounds)-1].Matches[0] }

// Match returns the match with an ID, or nil.
func (b *Bracket) Match(id int) *Match {
	if id < 1 || id > len(b.matches) {
		return nil
	}
	return b.matches[id-1]
}

// Next returns the games that can be played now: of each open match the next one, in the order of
// the matches.
func (b *Bracket) Next() []Game {
	var games []Game
	for _, m := range b.matches {
		if m.State == Open {
			games = append(games, b.next(m))
		}
	}
	return games
}

// next returns the game that an open match waits for.
//
// In a deciding game the worse seed number moves first, and a draw is enough for the other.
func (b *Bracket) next(m *Match) Game {
	n := len(m.Games)
	g := Game{Match: m.ID, Number: n + 1, Decider: n == b.Settings.mostGames()}
	begins := (m.begins + n) % 2
	if g.Decider {
		begins = 0
		if m.Sides[0].Player < m.Sides[1].Player {
			begins = 1
		}
	}
	g.First, g.Second = m.Sides[begins].Player, m.Sides[1-begins].Player
	return g
}

// known reports whether both sides have their player, or never will.
func (m *Match) known() bool {
	return (m.Sides[0].Player > 0 || m.Sides[0].Empty) && (m.Sides[1].Player > 0 || m.Sides[1].Empty)
}

// side returns the side of a player in a match, or -1.
func (m *Match) side(player int) int {
	for side, s := range m.Sides {
		if player != 0 && s.Player == player {
			return side
		}
	}
	return -1
}

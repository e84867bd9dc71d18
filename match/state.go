package match

import (
	"mancala/engine"
)

// maxSeats is how many people play at most: four sides, or two with partners.
const maxSeats = 4

// stage is how far a contest has come: the field "state".
type stage uint8

const (
	unborn  stage = iota // no entry yet
	waiting              // for people to sit down
	setup                // a lay-out or the choice of a side
	live                 // the game is on
	pause                // between two rounds
	over
)

var stageNames = [...]string{"", "waiting", "setup", "live", "pause", "over"}

// state is all that the entries so far amount to. Copying it is cheap, and the
// copy may be changed as long as slices are replaced and not written to: Decide
// works on copies.
type state struct {
	stage     stage
	start     start
	forOthers bool
	plain     bool // without assists
	chat      ChatLevel
	rated     bool  // it counts for the ratings of its players (rated.go)
	counted   bool  // and has been rated
	listed    bool  // anybody may find it among the games to watch
	behind    int64 // s: so much later watchers see what happens once the game is on
	rematches bool  // all have agreed to play again; the room for it is being made

	at      int64 // of the last entry
	began   int64 // when the game began, 0 before
	expires int64 // when a game ends that has not begun, or in which nobody has moved and no clock runs, 0: never
	unmoved int64 // how long after its beginning that is, ms

	rules    *ruleset
	control  control
	creator  string
	secret   string // decides who sits where; nobody is ever told
	sitters  []string
	youngest string   // who has said that he is, if that decides who begins
	seats    []string // by seat, once the game has begun

	pos       engine.Position
	hist      engine.History
	firstSeat engine.Seat // who began this round
	moves     []byte      // the plies of this round, packed (moves.go)
	lay       string      // the lay-out among them
	last      lastPly
	made      [maxSeats]int32 // plies of each seat in this contest; a takeback does not lower it

	clock [maxSeats]int64 // ms left
	run   int64           // when the clock of the seat on turn begins to run, 0: it stands
	due   int64           // when the time for a first move, a lay-out or a pause ends, 0: none does
	lag   [maxSeats]bucket
	hold  hold

	offers []offer
	drawn  [maxSeats]int32 // made+1 when the seat last offered a draw, 0: never
	asked  [maxSeats]int32 // the same for a takeback
	gone   [maxSeats]int64 // for how long a seat that is gone is waited for, 0: it is here
	left   []leaver

	round    int
	standing engine.Standing
	rounds   []result    // of the rounds that have ended, if there are rounds
	past     []pastRound // their plies
	result   *result
	ratings  []RatingChange // what the contest made of them, by seat
	rematch  string         // the room in which the same people play again
}

// lastPly is the last ply as people see it.
type lastPly struct {
	seat  engine.Seat
	move  string // empty: no ply yet
	trace []byte // JSON; usually a part of the entry's body
}

// leaver is a seat that has left a game of four (RULES.md §7.9).
type leaver struct {
	seat engine.Seat
	ply  int32 // plies of the round that had been played
}

// pastRound is what a record needs of a round that is over.
type pastRound struct {
	firstSeat engine.Seat
	moves     []byte
	lay       string
}

// result is how a round or a contest ended.
type result struct {
	Reason  string   `json:"reason"`
	Scores  []int    `json:"scores"`
	Winners []int    `json:"winners"`
	Ply     int      `json:"ply"`
	Receipt []bucket `json:"receipt,omitempty"`
}

// Reasons of a result beside the engine's ends and terminations.
const (
	byAbort     = "aborted"    // before it had really begun; nobody wins
	byExpiry    = "expired"    // nobody came
	byTarget    = "target"     // a match: the gains needed are reached
	byMaxRounds = "max-rounds" // a match: all its rounds are played
)

// seatOf is the seat of a player, or -1.
func (s *state) seatOf(player string) int {
	for i, p := range s.seats {
		if p == player && p != "" {
			return i
		}
	}
	return -1
}

// side is the side on which a seat plays.
func (s *state) side(seat int) int { return s.rules.game.Side(engine.Seat(seat)) }

// out says whether a seat has left a game of four.
func (s *state) out(seat int) bool { return s.pos.Out>>seat&1 != 0 }

// onTurn is the seat that is to move.
func (s *state) onTurn() int { return int(s.pos.Seat) }

// playing says whether people can do things to the board or to each other.
func (s *state) playing() bool { return s.stage == setup || s.stage == live }

// settle makes the stage fit the position's phase.
func (s *state) settle() {
	switch s.pos.Phase {
	case engine.Setup, engine.Swapping:
		s.stage = setup
	case engine.Play:
		s.stage = live
	}
}

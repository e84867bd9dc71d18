package match

import (
	"mancala/engine"
)

// maxSeats is the largest number of players: four sides, or two sides of partners.
const maxSeats = 4

// stage is how far a contest has come: the field "state".
type stage uint8

const (
	unborn  stage = iota // no entry yet
	waiting              // for players to sit down
	setup                // a lay-out or the choice of a side
	live                 // the game is on
	between              // between two rounds
	over
)

var stageNames = [...]string{"", "waiting", "setup", "live", "pause", "over"}

// state is the result of all entries so far. Copying it is cheap. A copy may be
// changed as long as slices are replaced and not written to: Decide works on copies.
type state struct {
	stage     stage
	start     start
	forOthers bool
	plain     bool // without assists
	chat      ChatLevel
	rated     bool  // the game counts for the ratings of its players (rated.go)
	counted   bool  // the game has been rated
	listed    bool  // the game is shown among the games to watch
	behind    int64 // s: the delay of what watchers see once the game has begun
	rematches bool  // all have agreed to play again; the room for it is being created

	firstSeat engine.Seat // the seat that began this round; it stands here because it needs no padding

	extras  int32 // entries that are no moves (maxExtras)
	at      int64 // of the last entry
	began   int64 // when the game began, 0 before
	expires int64 // when a game ends that has not begun, or in which no person has moved and no clock runs, 0: never
	unmoved int64 // ms from the beginning of a game without a move to its end

	rules    *ruleset
	control  control
	creator  string
	secret   string // decides the seats at random; never told to any player
	sitters  []string
	youngest string   // the player who reported being the youngest, if that decides who begins
	seats    []string // by seat, once the game has begun

	pos   engine.Position
	hist  engine.History
	moves []byte // the plies of this round, packed (movelist.go)
	lay   string // the lay-out among the plies
	last  lastPly
	made  [maxSeats]int32 // plies of each seat in this contest; a takeback does not lower it

	clock [maxSeats]int64 // ms left
	run   int64           // when the clock of the seat on turn begins to run, 0: it is stopped
	due   int64           // when the time for a first move, a lay-out or a pause ends, 0: no deadline
	lag   [maxSeats]bucket
	hold  hold

	credit *credits // what was given back because of the service, see credited; nil: nothing

	offers []offer
	drawn  [maxSeats]int32 // made+1 when the seat last offered a draw, 0: never
	asked  [maxSeats]int32 // the same for a takeback
	gone   [maxSeats]int64 // until when a disconnected seat is waited for, 0: it is connected
	left   []leaver

	round    int
	standing engine.Standing
	rounds   []result    // of the rounds that have ended, if there are rounds
	past     []pastRound // the plies of these rounds
	result   *result
	ratings  []RatingChange // how the contest changed the ratings, by seat
	rematch  string         // the room in which the same players play again

	event *tournamentPart // of a game of a tournament; nil: of any other
}

// lastPly is the last ply as people see it.
type lastPly struct {
	seat  engine.Seat
	move  string // empty: no ply yet
	trace []byte // JSON; usually part of the entry's body
}

// leaver is a seat that has left a game of four (RULES.md §7.9).
type leaver struct {
	seat engine.Seat
	ply  int32 // plies of the round that were played before
}

// pastRound is what a record needs of a round that is over.
type pastRound struct {
	firstSeat engine.Seat
	moves     []byte
	lay       string
}

// result is how a round or a contest ended.
type result struct {
	Reason  string    `json:"reason"`
	Scores  []int     `json:"scores"`
	Winners []int     `json:"winners"`
	Ply     int       `json:"ply"`
	Receipt []receipt `json:"receipt,omitempty"`
}

// Reasons of a result in addition to the engine's ends and terminations.
const (
	byAbort     = "aborted"    // before every side had made a ply; no side wins
	byExpiry    = "expired"    // no player came
	byTarget    = "target"     // a match: the gains needed are reached
	byMaxRounds = "max-rounds" // a match: all its rounds are played
	byArbiter   = "arbiter"    // an arbiter ended the game; no side wins
)

// seatOf returns the seat of a player, or -1.
func (s *state) seatOf(player string) int {
	for i, p := range s.seats {
		if p == player && p != "" {
			return i
		}
	}
	return -1
}

// side returns the side on which a seat plays.
func (s *state) side(seat int) int { return s.rules.game.Side(engine.Seat(seat)) }

// out reports whether a seat has left a game of four.
func (s *state) out(seat int) bool { return s.pos.Out>>seat&1 != 0 }

// onTurn returns the seat on turn.
func (s *state) onTurn() int { return int(s.pos.Seat) }

// playing reports whether a round is being played: its set-up or its moves.
func (s *state) playing() bool { return s.stage == setup || s.stage == live }

// settle sets the stage that fits the position's phase.
func (s *state) settle() {
	switch s.pos.Phase {
	case engine.Setup, engine.Swapping:
		s.stage = setup
	case engine.Play:
		s.stage = live
	}
}

package engine

import (
	"fmt"
	"strings"
)

// RulesError refuses a rule set: which option (or "options", "system") and why,
// as the rest of a sentence.
type RulesError struct {
	Control string
	Reason  string
}

func (e *RulesError) Error() string { return fmt.Sprintf("engine: rules: %s %s", e.Control, e.Reason) }

// Reason is why a move is not allowed. Its text is a stable code: clients and
// tests compare it, and the web layer turns it into a sentence.
type Reason string

const (
	GameOver       Reason = "game-over"
	WrongPhase     Reason = "wrong-phase"  // a lay-out is due, or a side choice, or neither
	BadMove        Reason = "bad-move"     // the text is not a move at all
	NotYourPit     Reason = "not-your-pit" // no such pit on the mover's side
	EmptyPit       Reason = "empty-pit"
	NeedsDirection Reason = "needs-direction" // here a direction is chosen for each ply
	NoDirection    Reason = "no-direction"    // here none is
	MustLiftTwo    Reason = "must-lift-two"   // the pit holds one seed, and that is not enough
	BlockedSingle  Reason = "blocked-single"  // a single seed may only go into an empty pit
	NotRightmost   Reason = "not-rightmost"   // here one has no choice
	MustGive       Reason = "must-give"       // the opponent has no seeds: give him one
	NoGift         Reason = "no-gift"         // no gift is due, or not from this pit
	MustFeed       Reason = "must-feed"       // the opponent has no seeds: sow him some
	EndlessSowing  Reason = "endless-sowing"
	GrandSlammed   Reason = "grand-slam" // it would take every seed of the opponent
	NoPass         Reason = "no-pass"    // there is a move to make
	MustPass       Reason = "must-pass"  // there is none
	NotALayout     Reason = "not-a-layout"
)

// MoveError reports a move the rules forbid. It is the player's mistake, not
// the server's: log at debug, answer the player, keep the room.
type MoveError struct {
	Move   Move
	Reason Reason
	Legal  []Move // what would be legal instead; empty when that is a lay-out
	Detail string // of a lay-out: what is wrong with it; else empty
}

// Pit is the pit as played, 1-based from the mover's left, or 0.
func (e *MoveError) Pit() int {
	if e.Move.Kind == MoveLift || e.Move.Kind == MoveGift {
		return int(e.Move.Pit) + 1
	}
	return 0
}

func (e *MoveError) Error() string { return fmt.Sprintf("engine: move %s: %s", e.Move, e.Message()) }

// Message explains the refusal in plain English, without names.
func (e *MoveError) Message() string {
	pit := fmt.Sprintf("pit %d", e.Pit())
	switch e.Reason {
	case GameOver:
		return "the game is over"
	case WrongPhase:
		switch {
		case e.Move.Kind == MoveLayOut || e.Move.Kind == MoveKeep || e.Move.Kind == MoveSwap:
			return "this is not the time for that" + e.instead()
		case len(e.Legal) == 0:
			return "the seeds must be laid out first"
		}
		return "choose a side first" + e.instead()
	case BadMove:
		return "this is not a move"
	case NotYourPit:
		return "there is no " + pit + " on the mover's side"
	case EmptyPit:
		return pit + " is empty"
	case NeedsDirection:
		return "choose a direction"
	case NoDirection:
		return "the direction cannot be chosen in this game"
	case MustLiftTwo:
		return pit + " holds a single seed" + e.instead()
	case BlockedSingle:
		return "a single seed can only go into an empty pit" + e.instead()
	case NotRightmost:
		return "only the rightmost pit can be played" + e.instead()
	case MustGive:
		return "the opponent has no seeds and must be given one" + e.instead()
	case NoGift:
		return "no seed can be given from " + pit + e.instead()
	case MustFeed:
		return "the opponent has no seeds and must be fed" + e.instead()
	case EndlessSowing:
		return "sowing from " + pit + " would never end" + e.instead()
	case GrandSlammed:
		return "a move may not take every seed of the opponent" + e.instead()
	case NoPass:
		return "one may pass only without a move" + e.instead()
	case MustPass:
		return "there is no move but to pass"
	case NotALayout:
		return "the lay-out " + e.Detail
	}
	return string(e.Reason)
}

func (e *MoveError) instead() string {
	if len(e.Legal) == 0 {
		return ""
	}
	out := make([]string, len(e.Legal))
	for i, m := range e.Legal {
		out[i] = m.String()
	}
	return "; legal: " + strings.Join(out, " ")
}

package engine

import (
	"fmt"
	"strings"
)

// RulesError reports a refused rule set. Control is the option to change, or
// "options" or "system". Reason completes a sentence that starts with the control.
type RulesError struct {
	Control string
	Reason  string
}

func (e *RulesError) Error() string { return fmt.Sprintf("engine: rules: %s %s", e.Control, e.Reason) }

// Reason is the cause why a move is not allowed. Its text is a stable code: clients
// and tests compare it, and the web layer turns it into a sentence.
type Reason string

const (
	GameOver       Reason = "game-over"
	WrongPhase     Reason = "wrong-phase"  // the move does not fit the phase: lay-out, choice of a side, or play
	BadMove        Reason = "bad-move"     // the text is not a move
	NotYourPit     Reason = "not-your-pit" // the mover's side has no such pit
	EmptyPit       Reason = "empty-pit"
	NeedsDirection Reason = "needs-direction" // these rules let the player choose a direction for each ply
	NoDirection    Reason = "no-direction"    // these rules give no choice of direction
	MustLiftTwo    Reason = "must-lift-two"   // the pit holds one seed, and these rules need two
	BlockedSingle  Reason = "blocked-single"  // a single seed may only go into an empty pit
	NotRightmost   Reason = "not-rightmost"   // these rules allow only the rightmost playable pit
	MustGive       Reason = "must-give"       // the opponent has no seeds and must be given one
	NoGift         Reason = "no-gift"         // no gift is due, or this pit may not give it
	MustFeed       Reason = "must-feed"       // the opponent has no seeds, and the move must sow some on their side
	EndlessSowing  Reason = "endless-sowing"
	// A lift against the ordinary direction must capture with its first lap.
	AgainstDirection Reason = "against-direction"
	MustCapture      Reason = "must-capture"      // another ply captures with its first lap
	InnerFirst       Reason = "inner-first"       // a blank ply begins in the inner row, if a pit there may be lifted
	GivesUpRow       Reason = "gives-up-row"      // a blank ply may not empty an inner row with its first seed
	EnterInner       Reason = "enter-inner"       // a seed is entered into an inner pit with seeds
	EnterElsewhere   Reason = "enter-elsewhere"   // a blank ply enters no seed into the house, or none into a single
	Inwards          Reason = "inwards"           // captured seeds of a flank are sown inwards from its head
	BlockedPit       Reason = "blocked-pit"       // the pit is blocked for this ply
	MustTakeBlocked  Reason = "must-take-blocked" // the blocked pit must be captured
	NoHouse          Reason = "no-house"          // the sowing does not come to the choice to sow the house
	GrandSlammed     Reason = "grand-slam"        // the move would capture every seed of the opponent
	NoPass           Reason = "no-pass"           // the player has a move to make
	MustPass         Reason = "must-pass"         // the player has no move but to pass
	NotALayout       Reason = "not-a-layout"
)

// MoveError reports a move that the rules forbid. It is the player's mistake and no
// fault of the server: log it at debug, answer the player, keep the room.
type MoveError struct {
	Move   Move
	Reason Reason
	Legal  []Move // the legal moves; empty if the game is over or a lay-out is due
	Detail string // what is wrong with a lay-out; empty for other moves
}

// Pit returns the number of the pit that was played, from 1 at the mover's left, or 0
// if the move names no pit.
func (e *MoveError) Pit() int {
	if e.Move.Kind == MoveLift || e.Move.Kind == MoveGift {
		return int(e.Move.Pit) + 1
	}
	return 0
}

func (e *MoveError) Error() string { return fmt.Sprintf("engine: move %s: %s", e.Move, e.Message()) }

// Message returns the refusal in plain English. It contains no player's name.
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
	case AgainstDirection:
		return "sowing " + pit + " the other way must capture" + e.instead()
	case MustCapture:
		return "a move that captures at once must be played" + e.instead()
	case InnerFirst:
		return "a move without a capture begins in the inner row" + e.instead()
	case GivesUpRow:
		return "sowing from " + pit + " this way would empty the inner row" + e.instead()
	case EnterInner:
		return "a seed is entered into an inner pit with seeds" + e.instead()
	case EnterElsewhere:
		return "a seed without a capture is entered elsewhere" + e.instead()
	case Inwards:
		return "seeds captured from " + pit + " are sown inwards" + e.instead()
	case BlockedPit:
		return pit + " is blocked for this move" + e.instead()
	case MustTakeBlocked:
		return "the blocked pit must be captured" + e.instead()
	case NoHouse:
		return "the sowing from " + pit + " does not come to the house" + e.instead()
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

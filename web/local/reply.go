package local

import (
	"encoding/json"

	"mancala/match/refusal"
)

// Codes of errors, beside those of a match.
const (
	CodeBadRequest refusal.Code = "bad-request"
	CodeNoGame     refusal.Code = "no-game"  // nothing was begun or continued
	CodeBadGame    refusal.Code = "bad-game" // what was kept is no game that can be played
	CodeBroken     refusal.Code = "broken"   // a defect of this package; the page continues with what it has kept
)

// Reply is the answer to a request.
type Reply struct {
	Error  *Fault            `json:"error,omitempty"`
	Frames []json.RawMessage `json:"frames,omitempty"` // for the page, in order

	Game *Game  `json:"game,omitempty"` // a game has begun: the page keeps this in place of what it has kept
	Add  []Step `json:"add,omitempty"`  // the page keeps these, too

	Bot   bool  `json:"bot,omitempty"`   // a bot has to answer: the page asks it to think
	Pause int64 `json:"pause,omitempty"` // ms in which people watch the ply before, before the bot's answer is given
	Wake  int64 `json:"wake,omitempty"`  // when the next round begins, ms since 1970

	Text string          `json:"text,omitempty"` // a record
	JSON json.RawMessage `json:"json,omitempty"` // a hint or a replay
}

// Fault is why a request was refused.
type Fault struct {
	Code   refusal.Code `json:"code"`
	Detail any          `json:"detail,omitempty"`
}

// Step is a command as the page keeps it.
type Step struct {
	Kind string          `json:"k"`
	Seat int             `json:"s,omitempty"`
	At   int64           `json:"at"`
	Body json.RawMessage `json:"b,omitempty"`
}

// Kept is a game as the page keeps it.
type Kept struct {
	Game  Game   `json:"game"`
	Steps []Step `json:"steps"`
}

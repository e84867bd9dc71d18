package local

import (
	"encoding/json"
	"errors"
	"fmt"

	"mancala/match/refusal"
)

// Codes of errors, beside those of a match.
const (
	CodeBadRequest refusal.Code = "bad-request"
	CodeNoGame     refusal.Code = "no-game"  // nothing was begun or continued
	CodeBadGame    refusal.Code = "bad-game" // what was kept is no game that can be played
	CodeBroken     refusal.Code = "broken"   // a defect of this package; the page continues with what it has kept
)

// MaxRequest bounds a request in bytes. The longest game takes less.
const MaxRequest = 1 << 20

// request is everything that the page can ask.
type request struct {
	Do   string          `json:"do"`
	Now  int64           `json:"now"`
	Game *Game           `json:"game"`
	Kept *Kept           `json:"kept"`
	ID   string          `json:"id"`
	Kind string          `json:"kind"`
	As   *int            `json:"as"`
	Body json.RawMessage `json:"body"`
}

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

var screen table

// Answer returns the answer to a request. It is called by one goroutine at a time, and keeps the
// game between two calls.
func Answer(request []byte) (answer []byte) {
	defer func() {
		if why := recover(); why != nil { // the worker would end, and the page would learn nothing
			screen = table{}
			answer = encode(Reply{Error: broken(why)})
		}
	}()
	return screen.answer(request)
}

func (t *table) answer(text []byte) []byte {
	var q request
	if len(text) > MaxRequest || json.Unmarshal(text, &q) != nil || !timely(q.Now) {
		return encode(Reply{Error: &Fault{Code: CodeBadRequest}})
	}
	r, err := t.do(&q)
	var refused *refusal.Error
	switch {
	case errors.As(err, &refused):
		return encode(Reply{Error: &Fault{refused.Code, refused.Detail}})
	case err != nil:
		return encode(Reply{Error: broken(err)})
	}
	return encode(r)
}

// broken returns the fault of a panic or an error that no request should lead to. Its detail {"why": …} is
// for developers: the page writes it to the browser's console.
func broken(why any) *Fault {
	return &Fault{CodeBroken, map[string]string{"why": fmt.Sprint(why)}}
}

func encode(r Reply) []byte {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // JSON of the match, texts and numbers always encode
	}
	return b
}

// timely reports whether a time can be one of a game: from 1970 on, and before the year 3000.
func timely(ms int64) bool { return ms >= 0 && ms < 32_503_680_000_000 }

// do carries a request out.
func (t *table) do(q *request) (Reply, error) {
	switch q.Do {
	case "begin":
		if q.Game == nil {
			return Reply{}, refusal.New(CodeBadRequest)
		}
		return t.begin(*q.Game, q.Now)
	case "continue":
		if q.Kept == nil {
			return Reply{}, refusal.New(CodeBadGame)
		}
		return t.goOn(*q.Kept, q.Now)
	}
	if t.match == nil {
		return Reply{}, refusal.New(CodeNoGame)
	}
	switch q.Do {
	case "cmd":
		return t.command(q)
	case "think":
		return t.think()
	case "bot":
		return t.bot(q.Now)
	case "wake":
		return t.wake(q.Now)
	case "read":
		return t.reply(t.snapshot(q.Now)), nil
	case "hint":
		return t.hint()
	case "replay":
		return t.replay()
	case "record":
		return Reply{Text: t.match.Record(t.game.nameOf)}, nil
	}
	return Reply{}, refusal.New(CodeBadRequest)
}

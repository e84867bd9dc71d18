package local

import (
	"encoding/json"
	"errors"
	"fmt"

	"mancala/match/refusal"
)

// MaxRequest bounds a request in bytes. The longest game takes less.
const MaxRequest = 1 << 20

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

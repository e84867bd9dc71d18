// Package local answers the requests of a page that plays without a server.
//
// It is compiled to WebAssembly (package web/local/wasm) and runs in a worker of the
// browser. Requests and answers are JSON.
package local

import (
	"encoding/json"

	"mancala/engine"
)

// Answer returns the answer to a request. It is called by one goroutine at a time.
func Answer(request []byte) []byte {
	var q struct{ Rules string }
	answer := struct {
		Error string `json:"error,omitempty"`
		Board string `json:"board,omitempty"`
	}{}
	if err := json.Unmarshal(request, &q); err != nil {
		answer.Error = "bad-request"
	} else if rules, ok := engine.System(q.Rules); !ok {
		answer.Error = "bad-rules"
	} else if g, err := engine.Compile(rules); err != nil {
		answer.Error = "bad-rules"
	} else {
		answer.Board = g.Start().String()
	}
	body, _ := json.Marshal(answer) // two texts
	return body
}

package live

import (
	"encoding/json"

	"mancala/match/wire"
	"mancala/web/site"
)

// request holds the fields of any message from a client. T decides which of them
// matter.
type request struct {
	T      string `json:"t"`
	Room   string `json:"room"`
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	What   string `json:"what"` // of a query; package match reads the field of a command
	Since  uint64 `json:"since"`
	Take   bool   `json:"take"`
	Reads  bool   `json:"reads"`
	Glance bool   `json:"glance"` // see the room as watchers do without counting as one
	Key    string `json:"key"`    // of a seek in the lobby
	Again  bool   `json:"again"`  // the client repeats a seek
	Quiet  bool   `json:"quiet"`  // in the lobby: only news about the player
	Games  bool   `json:"games"`  // in the lobby: also changes of the player's games
	Rules  string `json:"rules"`  // which seeks to show
	Clock  string `json:"clock"`
	Preset string `json:"preset"`
	Text   string `json:"text"`
}

// ReadRequest reads a message. Most messages are written by JSON.stringify: plain
// text and small numbers without spaces. readPlain reads those. encoding/json reads
// all others and decides what is valid, but takes five times as long. last is the
// room of the previous command. It is nearly always the room of this one, and
// reusing it saves an allocation.
//
// The room of a command reads the command's own fields from the same bytes. Passing only
// these fields would save 60 of about 10,000 ns, and a duplicate member would then be read
// in two ways.
func ReadRequest(msg []byte, last string) (request, error) {
	var q request
	if q.readPlain(msg, last) {
		return q, nil
	}
	return readAny(msg)
}

// readAny is a separate function so that the request in ReadRequest stays on the
// stack.
func readAny(msg []byte) (request, error) {
	var q request
	if json.Unmarshal(msg, &q) != nil || !site.IsJSONText(msg) {
		return q, site.ErrBadFrame
	}
	return q, nil
}

// readPlain reads a plain message. It returns false for any other message.
// encoding/json would give the same result for a message that readPlain accepts.
func (q *request) readPlain(b []byte, last string) bool {
	if len(b) < 2 || b[0] != '{' {
		return false
	}
	for b = b[1:]; ; b = b[1:] {
		key, rest, ok := wire.CutText(b)
		if !ok || len(rest) < 2 || rest[0] != ':' {
			return false
		}
		for _, c := range key {
			if c < 'a' || c > 'z' {
				return false // encoding/json also accepts "ROOM"
			}
		}
		b = rest[1:]
		switch c := b[0]; {
		case c == '"':
			var value []byte
			if value, b, ok = wire.CutText(b); !ok || !q.setText(key, value, last) {
				return false
			}
		case c >= '0' && c <= '9':
			var n uint64
			if n, b, ok = wire.CutUint(b); !ok || !q.setNumber(key, n) {
				return false
			}
		default:
			return false
		}
		if len(b) == 1 && b[0] == '}' {
			return true
		}
		if len(b) == 0 || b[0] != ',' {
			return false
		}
	}
}

func (q *request) setText(key, value []byte, last string) bool {
	switch string(key) {
	case "t":
		q.T = word(value)
	case "room":
		if q.Room = last; q.Room != string(value) {
			q.Room = string(value)
		}
	case "id":
		q.ID = string(value)
	case "kind":
		q.Kind = word(value)
	case "what":
		q.What = word(value)
	case "preset":
		q.Preset = string(value)
	case "text":
		q.Text = string(value)
	case "key":
		q.Key = string(value)
	case "rules":
		q.Rules = string(value)
	case "clock":
		q.Clock = string(value)
	case "since", "take", "reads", "glance", "again", "quiet", "games":
		return false
	}
	return true
}

// word converts the most frequent values to strings without allocating.
func word(b []byte) string {
	switch string(b) {
	case "cmd":
		return "cmd"
	case "move":
		return "move"
	case "legal":
		return "legal"
	}
	return string(b)
}

func (q *request) setNumber(key []byte, n uint64) bool {
	switch string(key) {
	case "since":
		q.Since = n
	case "t", "room", "id", "kind", "what", "preset", "text", "key", "rules", "clock", "take", "reads", "glance", "again", "quiet", "games":
		return false
	}
	return true
}

// Package request reads the messages of clients: what comes by a socket, and the commands that programs post.
//
// It knows neither rooms nor players. Who may send a message is decided elsewhere.
package request

import (
	"encoding/json"
	"strconv"

	"mancala/match/machine"
	"mancala/match/wire"
	"mancala/web/site"
)

// PeopleRoom is the room name that a page of people follows. The registry has no
// such room, but the socket answers as if it had.
const PeopleRoom = "people"

// Request holds the fields of any message from a client. T decides which of them
// matter.
type Request struct {
	T      string `json:"t"`
	Room   string `json:"room"`
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	What   string `json:"what"` // of a query; package match reads that of a command
	Since  uint64 `json:"since"`
	Take   bool   `json:"take"`
	Reads  bool   `json:"reads"`
	Glance bool   `json:"glance"` // see the room as watchers do without counting as one
	Brief  bool   `json:"brief"`  // in a tournament: the boards whose games are open are named
	Key    string `json:"key"`    // of a seek in the lobby
	Again  bool   `json:"again"`  // the client repeats a seek
	Quiet  bool   `json:"quiet"`  // in the lobby: only news about the player
	Games  bool   `json:"games"`  // in the lobby: also changes of the player's games
	Rated  truth  `json:"rated"`  // of settings; package match reads the field as well
	Rules  string `json:"rules"`  // which seeks to show
	Clock  string `json:"clock"`
	Preset string `json:"preset"`
	Text   string `json:"text"`
	As     Seat   `json:"as"` // of a command: the seat that it is for, if the client plays for several

	Own []byte `json:"-"` // the message without t, room, id, kind and as, as an object
}

// truth is true for the value true and false for every other, which its reader refuses.
type truth bool

func (t *truth) UnmarshalJSON(b []byte) error {
	*t = string(b) == "true"
	return nil
}

// Seat is a seat in a message, or 0 if the message has none.
type Seat int

// seatNumbered returns the seat with a number of the protocol.
func seatNumbered(n uint64) Seat { return Seat(min(n, 1<<16)) + 1 }

// Seat returns the seat that a command is for, if the message has one.
func (q *Request) Seat() (int, bool) { return int(q.As) - 1, q.As != 0 }

// Audience returns the audience of a seat that the message has.
func (s Seat) Audience() machine.Audience { return machine.Audience(s - 1) }

func (s *Seat) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseUint(string(b), 10, 16)
	*s = seatNumbered(n)
	return err
}

// Read reads a message. Most messages are written by JSON.stringify: plain
// text and small numbers without spaces. readPlain reads those. encoding/json reads
// all others and decides what is valid, but takes five times as long. last is the
// room of the previous command. It is nearly always the room of this one, and
// reusing it saves an allocation. Read may write to msg, and Own may be a part of
// it.
func Read(msg []byte, last string) (Request, error) {
	var q Request
	if q.readPlain(msg, last) {
		return q, nil
	}
	return readAny(msg)
}

// readAny is a separate function so that the request in Read stays on the
// stack.
func readAny(msg []byte) (Request, error) {
	var q Request
	if json.Unmarshal(msg, &q) != nil || !site.IsJSONText(msg) {
		return q, site.ErrBadFrame
	}
	q.Own = ownMembers(msg)
	return q, nil
}

var noMembers = []byte("{}")

// ofFrame reports whether a member belongs to the frame of a command. All others are the
// command's own.
func ofFrame(key []byte) bool {
	switch string(key) {
	case "t", "room", "id", "kind", "as":
		return true
	}
	return false
}

// ownMembers returns a message, a valid object, without the texts of its frame.
func ownMembers(msg []byte) []byte {
	b := []byte{'{'}
	_ = wire.Members(msg, func(key, raw []byte) error {
		if ofFrame(key) && (string(key) == "as" || wire.CheckText(raw) == nil) {
			return nil
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), key...), `":`...)
		b = append(b, raw...)
		return nil
	})
	return append(b, '}')
}

// readPlain reads a plain message. It returns false for any other message.
// encoding/json would give the same result for a message that readPlain accepts.
func (q *Request) readPlain(msg []byte, last string) bool {
	if len(msg) < 2 || msg[0] != '{' {
		return false
	}
	own, mixed := 0, false // where the first of the own members is; whether one of the frame comes later
	for b := msg[1:]; ; b = b[1:] {
		at := len(msg) - len(b)
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
		if ofFrame(key) {
			mixed = own > 0
		} else if own == 0 {
			own = at
		}
		if len(b) == 1 && b[0] == '}' {
			break
		}
		if len(b) == 0 || b[0] != ',' {
			return false
		}
	}
	switch {
	case own == 0:
		q.Own = noMembers
	case mixed:
		q.Own = ownMembers(msg)
	default: // the usual case
		msg[own-1] = '{'
		q.Own = msg[own-1:]
	}
	return true
}

func (q *Request) setText(key, value []byte, last string) bool {
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
	case "since", "take", "reads", "glance", "brief", "again", "quiet", "games", "rated", "as":
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

func (q *Request) setNumber(key []byte, n uint64) bool {
	switch string(key) {
	case "since":
		q.Since = n
	case "as":
		q.As = seatNumbered(n)
	case "t", "room", "id", "kind", "what", "preset", "text", "key", "rules", "clock",
		"take", "reads", "glance", "brief", "again", "quiet", "games", "rated":
		return false
	}
	return true
}

package entrants

import (
	"bytes"
	"encoding/json"
	"strconv"

	"mancala/lobby/tournament"
)

// frame is a message of the server. Most frames are entries of a tournament's room, which each of
// its players gets. So a frame is searched for what every frame has, and its JSON is read only when
// a person needs it.
type frame struct {
	kind string // its member "t"
	room string
	seq  uint64 // of an entry, a snapshot or the answer to a subscription
	text []byte // the whole frame; valid until the next one is read
}

// readFrame reads the beginning of a frame, whose members the server always writes in the same
// order.
func readFrame(text []byte) frame {
	f := frame{text: text}
	rest := text
	f.kind, rest = member(rest, `{"t":"`)
	if f.room, rest = member(rest, `,"room":"`); f.room == "" {
		return f
	}
	if digits, found := bytes.CutPrefix(rest, []byte(`,"seq":`)); found {
		n := 0
		for n < len(digits) && digits[n] >= '0' && digits[n] <= '9' {
			n++
		}
		f.seq, _ = strconv.ParseUint(string(digits[:n]), 10, 64)
	}
	return f
}

// member returns a text that follows after, and the bytes behind it.
func member(b []byte, after string) (value string, rest []byte) {
	rest, found := bytes.CutPrefix(b, []byte(after))
	if !found {
		return "", b
	}
	text, rest, _ := bytes.Cut(rest, []byte(`"`))
	return string(text), rest
}

// details are the members of a frame that people need.
type details struct {
	ID   string `json:"id"`
	Code string `json:"code"`
	You  *struct {
		Legal []struct {
			Move string `json:"m"`
		} `json:"legal"`
	} `json:"you"`
	Snap struct {
		State string `json:"state"`
		Ply   int    `json:"ply"`
	} `json:"snap"`
	Entry struct {
		Kind string `json:"k"`
		Ply  int    `json:"ply"`
		Set  struct {
			State string `json:"state"`
		} `json:"set"`
		Opened *tournament.OpenedBoards `json:"opened"`
	} `json:"ev"`
}

func (f frame) details() (d details, err error) {
	err = json.Unmarshal(f.text, &d)
	return d, err
}

// lastObject decodes the last object of a text that has a member of this name with this number. The
// object must begin with its own member "n".
func lastObject(text []byte, name string, number int, object any) (at int) {
	want := strconv.AppendInt([]byte(`"`+name+`":`), int64(number), 10)
	for end := len(text); ; {
		at = bytes.LastIndex(text[:end], want)
		if at < 0 {
			return -1
		}
		if next := at + len(want); next < len(text) && (text[next] == ',' || text[next] == '}') {
			break
		}
		end = at
	}
	at = bytes.LastIndex(text[:at], []byte(`{"n":`))
	if at < 0 || json.NewDecoder(bytes.NewReader(text[at:])).Decode(object) != nil {
		return -1
	}
	return at
}

package live

import (
	"encoding/json"
	"strconv"
	"sync"

	"mancala/lobby/chat"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/match/wire"
	"mancala/web/socket"
)

type chatFrame struct {
	T string `json:"t"`
	chat.Line
}

// Frames are assembled from bytes that the room has already encoded. The part that
// all readers share is built once. The part of a single reader is inserted.

// open begins a frame about a room.
func open(b []byte, kind, roomID string) []byte {
	b = append(b, `{"t":"`...)
	b = append(b, kind...)
	b = append(b, `","room":"`...)
	b = append(b, roomID...) // already checked: letters and digits
	return append(b, '"')
}

// ownBuffer is stack space for a reader's own part of an entry.
type ownBuffer [64]byte

// heads lends buffers for the shared part, which is copied into the frame. A buffer
// on the stack would escape to the heap, because a machine fills it through an
// interface.
var heads = sync.Pool{New: func() any { return new([]byte) }}

// appendHead appends an entry for an audience, up to the place of the reader's own
// part.
func appendHead(b []byte, roomID string, p *room.Published, a machine.Audience) []byte {
	b = open(b, "ev", roomID)
	b = append(b, `,"seq":`...)
	b = strconv.AppendUint(b, p.Seq, 10)
	from := len(b)
	b = append(b, `,"ev":`...)
	mark := len(b)
	if b = p.AppendPublic(b, a); len(b) == mark {
		return b[:from] // this audience learns only that an entry exists
	}
	return b
}

// appendOwn appends one reader's part of an entry: the command's ID if the reader is
// its author, or the author's keeper.
func appendOwn(b []byte, p *room.Published, player string) []byte {
	if p.Entry.Command != "" && player != "" && match.ActsFor(player, p.Entry.By) {
		b = append(b, `,"id":`...)
		b = wire.AppendText(b, p.Entry.Command)
	}
	return b
}

var closing = []byte("}")

// resumeFrames returns the frames that bring a socket up to date. They are a
// snapshot or the missed entries, then a sync frame. The sync frame has the number
// of the last entry and the reader's private part. me is the reader's ID, and player is
// the one as whom the reader follows the room: it is empty if the socket only shows the
// board.
func resumeFrames(roomID string, r *room.Resume, me, player string, now int64) []socket.Frame {
	var frames []socket.Frame
	if r.Snapshot != nil {
		b := open(nil, "snap", roomID)
		b = append(b, `,"seq":`...)
		b = strconv.AppendUint(b, r.From, 10)
		b = appendPlace(b, r.Audience, me, now)
		b = append(b, `,"snap":`...)
		frames = append(frames, socket.Text(b, r.Snapshot, closing))
	}
	var head []byte
	for _, p := range r.Missed {
		head = appendHead(head[:0], roomID, p, r.Audience)
		frames = append(frames, socket.Text(head, appendOwn(nil, p, player), closing))
	}
	b := open(nil, "sync", roomID)
	b = append(b, `,"seq":`...)
	b = strconv.AppendUint(b, r.Seq, 10)
	b = appendPlace(b, r.Audience, me, now)
	if r.Sum != "" {
		b = wire.AppendText(append(b, `,"sum":`...), r.Sum)
	}
	if r.Private != nil {
		b = append(b, `,"you":`...)
		b = append(b, r.Private...)
	}
	return append(frames, socket.Text(append(b, '}')))
}

func appendPlace(b []byte, a machine.Audience, me string, now int64) []byte {
	b = append(b, `,"me":`...)
	b = wire.AppendText(b, me)
	b = append(b, `,"as":`...)
	b = strconv.AppendInt(b, int64(a), 10)
	b = append(b, `,"now":`...)
	return strconv.AppendInt(b, now, 10)
}

// message encodes any other frame. It is too slow for a game's entries.
func message(fields any) socket.Frame {
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err) // only our own types reach this; a test sends each
	}
	return socket.Text(text)
}

type errFrame struct {
	T      string       `json:"t"`
	Room   string       `json:"room,omitempty"`
	ID     string       `json:"id,omitempty"`
	Code   refusal.Code `json:"code"`
	Msg    string       `json:"msg"`
	Detail any          `json:"detail,omitempty"`
}

type ackFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	ID   string `json:"id"`
	Seq  uint64 `json:"seq,omitempty"`
}

type namesFrame struct {
	T     string            `json:"t"`
	Room  string            `json:"room"`
	Names map[string]string `json:"names"`

	Deleted []string          `json:"deleted,omitempty"` // clients name them in their readers' language
	Ratings map[string]string `json:"ratings,omitempty"` // only in a rated game
}

type goneFrame struct {
	T    string       `json:"t"`
	Room string       `json:"room"`
	Code refusal.Code `json:"code"`
}

// gamesFrame tells a page that its player's games have changed.
type gamesFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
}

// Notes are news without an entry number, such as an absent player, the number of
// watchers or the progress of a board's setup. They may be lost.

// NoteFrame encodes a note. It names a player by their seat.
func NoteFrame(roomID string, n room.Note, seat machine.Audience) (socket.Frame, bool) {
	fields := map[string]any{}
	if len(n.Body) > 0 && json.Unmarshal(n.Body, &fields) != nil {
		return socket.Frame{}, false
	}
	fields["t"], fields["room"], fields["kind"] = "note", roomID, n.Kind
	if n.By != "" {
		fields["seat"] = seat
		fields["by"] = n.By
	}
	if n.Over {
		fields["over"] = true
	}
	return message(fields), true
}

type watchingFrame struct {
	T     string   `json:"t"`
	Room  string   `json:"room"`
	Kind  string   `json:"kind"`
	Count int      `json:"count"`
	Who   []string `json:"who"`
}

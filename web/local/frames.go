package local

import (
	"encoding/json"

	"mancala/match"
	"mancala/match/machine"
)

// snapFrame is the frame "snap" of web/PROTOCOL.md, with the names and the private part that the page
// of a game has in its HTML.
type snapFrame struct {
	T     string            `json:"t"`
	Room  string            `json:"room"`
	Seq   int               `json:"seq"`
	Me    string            `json:"me"`
	As    machine.Audience  `json:"as"`
	Now   int64             `json:"now"`
	Snap  json.RawMessage   `json:"snap"`
	You   json.RawMessage   `json:"you,omitempty"`
	Names map[string]string `json:"names"`
}

// eventFrame is the frame "ev".
type eventFrame struct {
	T    string          `json:"t"`
	Room string          `json:"room"`
	Seq  int             `json:"seq"`
	Ev   json.RawMessage `json:"ev"`
	ID   string          `json:"id,omitempty"`
	You  json.RawMessage `json:"you,omitempty"`
}

// snapshot returns the whole state for the page.
func (t *table) snapshot(now int64) json.RawMessage {
	as := t.match.Audience(Me)
	names := map[string]string{}
	for _, p := range t.match.Players() {
		names[p] = t.game.nameOf(p)
	}
	return frame(snapFrame{"snap", Room, len(t.entries), Me, as, now, t.match.Snapshot(as), t.match.AppendPrivate(nil, as), names})
}

// event returns the last entry for the page.
func (t *table) event(e machine.Entry) json.RawMessage {
	as := t.match.Audience(Me)
	f := eventFrame{"ev", Room, len(t.entries), t.match.AppendPublic(nil, e, as), "", t.match.AppendPrivate(nil, as)}
	if match.ActsFor(Me, e.By) {
		f.ID = e.Command
	}
	return frame(f)
}

func frame(fields any) json.RawMessage {
	b, err := json.Marshal(fields)
	if err != nil {
		panic(err) // see encode
	}
	return b
}

// reply returns frames, and what the page has to do next.
func (t *table) reply(frames ...json.RawMessage) Reply {
	r := Reply{Frames: frames, Bot: t.asked(match.TaskBot)}
	if t.match.State() == "pause" {
		r.Wake = t.match.Wake().UnixMilli()
	}
	return r
}

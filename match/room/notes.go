package room

import (
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Note is news for every follower that is not in the journal: lossy and without a
// number.
type Note struct {
	Kind string          `json:"k"`
	By   string          `json:"p,omitempty"` // the player that it is about, if any
	Body json.RawMessage `json:"b,omitempty"` // a JSON object, or nil
	Over bool            `json:"o,omitempty"` // a sticky note that no longer holds

	Hubs bool `json:"h,omitempty"` // from one hub of the room to the other hubs, see [Following.Spread]; not for people

	Players bool `json:"-"` // not for watchers, who lag behind: it is about the present
}

// Kinds of notes that the room itself sends. They are sticky: sockets that come later find
// them in [Resume.Notes].
const (
	NotePresence    = "presence"    // By a player: {"here":false} three seconds after the last socket went, {"here":true} when back
	NoteWatching    = "watching"    // {"count":n}: the number of watchers
	NoteUnavailable = "unavailable" // the room is cut off, or the owner cannot be reached: the clocks are paused; Over when they run again
	NoteQuarantined = "quarantined" // the room can only be read from now on
)

// sticky reports whether the note holds until another of its kind replaces it.
func (n Note) sticky() bool {
	switch n.Kind {
	case NotePresence, NoteWatching, NoteUnavailable, NoteQuarantined:
		return true
	}
	return false
}

const (
	noteEvery   = time.Second // for each kind and author
	maxNote     = 256         // bytes of a player's note
	maxNoteKind = 16
	noteSlots   = 4 // kinds of notes that one player may use within a minute
)

// notes holds the notes that wait. A note that comes within a second of the last one of
// its kind replaces the one that waits: the latest counts.
type notes struct {
	mu      sync.Mutex
	waiting bool // some slot does
	slots   []noteSlot
}

type noteSlot struct {
	note    Note
	waiting bool
	sent    time.Time
}

// Say passes on a player's own news, like "the board is filled: 54 of 72". kind is up
// to 16 small letters, body a JSON object of up to 256 bytes. Only the players in the
// room's roster may speak.
func (f *Following) Say(player, kind string, body json.RawMessage) error {
	n := Note{Kind: kind, By: player, Body: body}
	if err := checkNote(n); err != nil {
		return err
	}
	n.Body = slices.Clone(body)
	return f.room.say(n)
}

// Spread tells the hubs of this room on other instances something of the hub's own,
// like a line of chat, as a note with Hubs set. It may be lost. With one instance it
// does nothing.
func (f *Following) Spread(kind string, body json.RawMessage) {
	if !f.room.registry.Alone() {
		f.room.role.spread(Note{Kind: kind, Body: body, Hubs: true})
	}
}

// checkNote refuses a note that no player may send.
func checkNote(n Note) error {
	if len(n.Kind) == 0 || len(n.Kind) > maxNoteKind || len(n.Body) > maxNote || n.sticky() || n.Over || n.Players || n.Hubs {
		return ErrBadNote
	}
	for i := range len(n.Kind) {
		if n.Kind[i] < 'a' || n.Kind[i] > 'z' {
			return ErrBadNote
		}
	}
	if len(n.Body) > 0 && (n.Body[0] != '{' || !json.Valid(n.Body)) {
		return ErrBadNote
	}
	return nil
}

// say queues a player's note.
func (r *Room) say(n Note) error {
	if r.roster.Load().find(n.By) < 0 || !r.notes.add(n, noteSlots) {
		return ErrBadNote
	}
	r.nudge()
	return nil
}

// add queues a note. limit is how many kinds its author may have in use; 0 is for the
// room's own notes.
func (n *notes) add(note Note, limit int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.slots = slices.DeleteFunc(n.slots, func(s noteSlot) bool {
		return !s.waiting && time.Since(s.sent) > time.Minute
	})
	used := 0
	for i := range n.slots {
		s := &n.slots[i]
		if s.note.By != note.By {
			continue
		}
		if s.note.Kind == note.Kind {
			s.note, s.waiting, n.waiting = note, true, true
			return true
		}
		if !s.note.sticky() {
			used++
		}
	}
	if limit > 0 && used >= limit {
		return false
	}
	n.slots, n.waiting = append(n.slots, noteSlot{note: note, waiting: true}), true
	return true
}

// trim forgets the room's own notes that were told a while ago. Players' notes stay for
// a minute: they are counted.
func (n *notes) trim() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.slots = exactly(slices.DeleteFunc(n.slots, func(s noteSlot) bool {
		return !s.waiting && s.note.sticky() && time.Since(s.sent) > noteEvery
	}))
}

// due takes out the notes that may be told now. It returns when there will be more, or
// zero if none waits.
func (n *notes) due(now time.Time) (list []Note, next time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.waiting {
		return nil, time.Time{} // as after nearly every command
	}
	n.waiting = false
	for i := range n.slots {
		s := &n.slots[i]
		if !s.waiting {
			continue
		}
		if at := s.sent.Add(noteEvery); at.After(now) {
			next, n.waiting = earlier(next, at), true
			continue
		}
		s.waiting, s.sent = false, now
		list = append(list, s.note)
		s.note.Body = nil
	}
	return list, next
}

// sendNotes tells the notes that are due, and returns when there will be more.
func (r *Room) sendNotes(now time.Time) (next time.Time) {
	list, next := r.notes.due(now)
	for _, n := range list {
		if n.By != "" {
			r.role.say(n)
		} else {
			r.passNote(n)
		}
	}
	return next
}

// passNote tells a note to the followers that it is for.
func (r *Room) passNote(n Note) {
	l := r.delayed.Load()
	if n.Players = l != nil && n.By != ""; l != nil && !n.Players {
		l.feed.keepSticky(n)
	}
	r.feed.note(n)
}

func countBody(n int) json.RawMessage {
	return append(strconv.AppendInt([]byte(`{"count":`), int64(n), 10), '}')
}

// earlier returns the earlier of two times, where zero means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

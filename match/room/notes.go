package room

import (
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Note is news that is not in the journal: lossy, unnumbered, for everybody who
// follows.
type Note struct {
	Kind string
	By   string          // the player it is about, if any
	Body json.RawMessage // a JSON object, or nil
	Over bool            // a standing note that no longer holds

	Players bool // not for watchers: they lag behind, and it is about the present
}

// Kinds of notes that the room itself sends. They stand: who comes later finds
// them in [Resume.Notes].
const (
	NotePresence    = "presence"    // By a player: {"here":false} three seconds after the last socket went, {"here":true} when back
	NoteWatching    = "watching"    // {"count":n}: how many watch
	NoteUnavailable = "unavailable" // the journal is away, the clocks stand; Over when they go on
	NoteQuarantined = "quarantined" // this room can only be read from now on
)

func (n Note) standing() bool {
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

// notes holds what waits to be told. A note that comes within a second of the
// last of its kind replaces the one that waits: the latest is what counts.
type notes struct {
	mu    sync.Mutex
	slots []noteSlot
}

type noteSlot struct {
	note    Note
	waiting bool
	sent    time.Time
}

// Say passes on a player's own news, like "the board is filled: 54 of 72". kind
// is up to 16 small letters, body a JSON object of up to 256 bytes. Only those
// in the room's roster may speak.
func (f *Following) Say(player, kind string, body json.RawMessage) error {
	if len(kind) == 0 || len(kind) > maxNoteKind || len(body) > maxNote || (Note{Kind: kind}).standing() {
		return ErrBadNote
	}
	for i := range len(kind) {
		if kind[i] < 'a' || kind[i] > 'z' {
			return ErrBadNote
		}
	}
	if len(body) > 0 && (body[0] != '{' || !json.Valid(body)) {
		return ErrBadNote
	}
	r := f.room
	if r.roster.Load().find(player) < 0 {
		return ErrBadNote
	}
	if !r.notes.add(Note{Kind: kind, By: player, Body: slices.Clone(body)}, noteSlots) {
		return ErrBadNote
	}
	r.nudge()
	return nil
}

// add queues a note. limit is how many kinds its author may have in use, 0 for
// the room's own.
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
			s.note, s.waiting = note, true
			return true
		}
		if !s.note.standing() {
			used++
		}
	}
	if limit > 0 && used >= limit {
		return false
	}
	n.slots = append(n.slots, noteSlot{note: note, waiting: true})
	return true
}

// due takes out what may be told now, and says when there will be more (zero:
// nothing waits).
func (n *notes) due(now time.Time) (list []Note, next time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range n.slots {
		s := &n.slots[i]
		if !s.waiting {
			continue
		}
		if at := s.sent.Add(noteEvery); at.After(now) {
			next = earlier(next, at)
			continue
		}
		s.waiting, s.sent = false, now
		list = append(list, s.note)
		s.note.Body = nil
	}
	return list, next
}

func (r *Room) sendNotes(now time.Time) (next time.Time) {
	list, next := r.notes.due(now)
	l := r.late.Load()
	for _, n := range list {
		if n.Players = l != nil && n.By != ""; l != nil && !n.Players {
			l.feed.stand(n)
		}
		r.feed.note(n)
	}
	return next
}

func countBody(n int) json.RawMessage {
	return append(strconv.AppendInt([]byte(`{"count":`), int64(n), 10), '}')
}

// earlier gives the earlier of two times, where zero means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

package room

import (
	"bytes"
	"context"
	"errors"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

// appendTimeout bounds one attempt to write, give or take a second. To the people in the
// room, a database that takes longer is away.
const appendTimeout = 5 * time.Second

// written is an entry and the row that holds it.
type written struct {
	entry machine.Entry
	row   journal.Row
	doubt bool // an attempt may be in the journal, or on its way there
}

// kept returns a copy that lasts: the row's bytes are borrowed.
func (w *written) kept() *written {
	k := *w
	k.row.Data = bytes.Clone(w.row.Data)
	return &k
}

type outcome int8

const (
	inJournal    outcome = iota // there, and ours
	notInJournal                // surely not there
	unknown                     // the same row must be tried again until we know
	fenced                      // another instance owns the room
)

// write appends an entry. After a conflict or an unknown outcome the row itself tells
// whose it is.
func (o *owner) write(w *written) outcome {
	r := o.room
	ctx := r.registry.writing.In(r.registry.ctx, appendTimeout)
	var wake time.Time
	if !o.known {
		// The room is due at once if we die: from the first entry on, another
		// instance opens it then and learns its wake time. The wake time after
		// this entry is not known before it is applied, and one that is too
		// early does no harm.
		wake = msTime(w.entry.At)
	}
	for range 3 {
		err := r.registry.journal.Append(ctx, r.id, w.row, wake)
		switch {
		case err == nil:
			o.known = true
			return inJournal
		case errors.Is(err, journal.ErrUnavailable):
			if w.doubt {
				return unknown // this attempt is not there, an earlier one may be
			}
			return notInJournal
		}
		w.doubt = true
		missing := false
		switch found := o.look(ctx, w, &missing); {
		case !missing:
			return found
		case errors.Is(err, journal.ErrConflict):
			return fenced // the row is free, so it is the epoch that is not ours
		}
		// Not there, or not yet. The same row is written again, so that a late
		// attempt conflicts with itself.
	}
	return unknown
}

// look reads the row that w should be, and returns whose it is.
func (o *owner) look(ctx context.Context, w *written, missing *bool) outcome {
	r := o.room
	rows, err := r.registry.journal.Read(ctx, r.id, w.row.Seq-1, 1)
	switch {
	case errors.Is(err, journal.ErrNoRoom):
		return fenced // another database
	case err != nil:
		return unknown
	case len(rows) == 0:
		*missing = true
		return unknown
	case rows[0].Epoch != w.row.Epoch || rows[0].Key != w.row.Key:
		return fenced
	}
	if !bytes.Equal(rows[0].Data, w.row.Data) {
		// The journal is right, not our memory.
		e, err := decodeEntry(rows[0].Data)
		if err != nil {
			return fenced
		}
		w.entry = e
	}
	o.known = true
	return inJournal
}

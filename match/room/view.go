package room

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"mancala/match/machine"
)

// View is a room as one person may see it, for a page or an answer of the API.
type View struct {
	Kind     string
	Seq      uint64 // a socket of this page subscribes since here
	Audience machine.Audience
	Snapshot []byte
	Private  []byte // the seat's, or nil

	Now   int64         // the room's time when this was made, in ms; a running clock is computed from it
	Delay time.Duration // how far this reader lags behind; Now is not delayed
}

// View shows a room. A room that runs here is asked, through its feed if the person
// only watches. One that sleeps is replayed aside and goes on sleeping, so that a
// reader costs no ownership.
func (reg *Registry) View(ctx context.Context, id, player string) (View, error) {
	show := func(kind string, seq uint64, m machine.Machine) View {
		v := View{Kind: kind, Seq: seq, Audience: m.Audience(player)}
		v.Snapshot = m.Snapshot(v.Audience)
		if v.Audience.IsSeat() {
			v.Private = m.AppendPrivate(nil, v.Audience)
		}
		return v
	}
	if there, ok := reg.rooms.Load(id); ok {
		r, err := reg.opened(ctx, there.(*slot))
		if errors.Is(err, errElsewhere) {
			return reg.View(ctx, id, player)
		}
		if err != nil {
			return View{}, err
		}
		var v View
		if err = r.readWhenWoken(ctx); err != nil {
			// The room has ended, or the reader has gone.
		} else if r.roster.Load().Audience(player) == machine.Watchers {
			v, err = r.publicView(ctx)
		} else {
			v, err = result(ctx, r, func(r *Room) (v View, _ error) {
				err := r.guard("view", func() { v = show(r.kind, r.seq, r.machine) })
				v.Now = r.anchor.Load().now()
				return v, err
			})
		}
		if !errors.Is(err, ErrMoved) {
			return v, err
		}
	}
	var v View
	err := reg.lookAside(ctx, id, player, func(kind string, seq uint64, delay time.Duration, m machine.Machine) {
		v = show(kind, seq, m)
		v.Now, v.Delay = reg.anchor.Load().now(), delay
	})
	return v, err
}

// Seqs returns how far rooms are, without asking them: the number of the last entry of
// each of these rooms that exists.
func (reg *Registry) Seqs(ctx context.Context, ids []string) (map[string]uint64, error) {
	seqs, err := reg.journal.Seqs(ctx, ids)
	if err != nil {
		return nil, outside("count", strconv.Itoa(len(ids))+" rooms", err)
	}
	return seqs, nil
}

// publicView returns what watchers see now, made once for all of them.
func (r *Room) publicView(ctx context.Context) (View, error) {
	for {
		f := r.public()
		f.mu.Lock()
		if f.over != nil {
			f.mu.Unlock()
			return View{}, ErrMoved
		}
		if f != r.public() {
			f.mu.Unlock()
			continue
		}
		if f.snap != nil && f.snapSeq == f.seq {
			defer f.mu.Unlock()
			v := View{Kind: r.kind, Seq: f.seq, Audience: machine.Watchers, Snapshot: f.snap, Now: r.anchor.Load().now()}
			if l := r.delayed.Load(); l != nil {
				v.Delay = l.delay
			}
			return v, nil
		}
		if f.blank {
			f.mu.Unlock()
			return View{}, ErrQuarantined
		}
		made := f.want()
		f.mu.Unlock()
		r.nudge()
		select {
		case <-made:
		case <-ctx.Done():
			return View{}, ctx.Err()
		}
	}
}

// Replay returns a machine of its own with all of a room's entries, for what only the
// machine's own package can tell. It belongs to the caller, who must not show more of
// it than [Registry.View] would.
func (reg *Registry) Replay(ctx context.Context, id string) (machine.Machine, uint64, error) {
	line, err := reg.journal.Room(ctx, id)
	if err != nil {
		return nil, 0, outside("replay", id, err)
	}
	m, seq, broken, err := reg.replay(ctx, id, line.Kind, 0, nil)
	switch {
	case err != nil:
		return nil, 0, err
	case m == nil:
		return nil, 0, fmt.Errorf("room: replay %s: %w (%w)", id, ErrQuarantined, broken)
	}
	return m, seq, nil
}

// Entries reads a room's entries from the journal as far as a person may see them,
// without waking it.
func (reg *Registry) Entries(ctx context.Context, id, player string) ([]*Published, error) {
	line, err := reg.journal.Room(ctx, id)
	if err != nil {
		return nil, outside("read", id, err)
	}
	m, err := reg.encoder(line.Kind)
	if err != nil {
		return nil, fmt.Errorf("room: read %s: %w (%w)", id, ErrQuarantined, err)
	}
	enc := &reader{m, reg.log}
	seq := uint64(0)
	err = reg.lookAside(ctx, id, player, func(_ string, s uint64, _ time.Duration, _ machine.Machine) { seq = s })
	if err != nil {
		return nil, err
	}
	if seq == 0 {
		return nil, nil
	}
	return reg.entries(ctx, id, enc, 0, int(seq))
}

// lookAside calls f with the state of a room that does not run here, as a person may
// see it.
func (reg *Registry) lookAside(ctx context.Context, id, player string, f func(kind string, seq uint64, delay time.Duration, m machine.Machine)) (err error) {
	line, err := reg.journal.Room(ctx, id)
	if err != nil {
		return outside("view", id, err)
	}
	m, seq, broken, err := reg.replay(ctx, id, line.Kind, 0, nil)
	if err != nil {
		return err
	}
	if m == nil {
		return fmt.Errorf("room: view %s: %w (%w)", id, ErrQuarantined, broken)
	}
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("room: view %s: %w (panic: %v)", id, ErrQuarantined, why)
		}
	}()
	delay := time.Duration(0)
	if delayOf(m) > 0 && m.Audience(player) == machine.Watchers {
		l, err := reg.delayedAt(ctx, id, line.Kind, nil, reg.anchor.Load().now())
		if err != nil {
			return err
		}
		if l != nil { // a delay that has begun goes on
			m, seq, delay = l.machine, l.feed.seq, l.delay
		}
	}
	f(line.Kind, seq, delay, m)
	return nil
}

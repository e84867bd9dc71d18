package room

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

// Create adds a room that sleeps. An empty machine of its kind makes the first entries
// from these commands. By may be empty here: no seat is taken yet. If there is such a
// room already and its first command was the same one, Create returns nil: a room whose
// ID is derived (a rematch, a seek) may be created twice. Otherwise the error is
// [ErrTaken], or the machine's refusal.
func (reg *Registry) Create(ctx context.Context, id, kind string, commands ...machine.Command) error {
	reg.gate.RLock()
	defer reg.gate.RUnlock()
	if reg.closed {
		return ErrMoved
	}
	rows, wake, err := reg.first(id, kind, commands)
	if err != nil {
		return err
	}
	err = reg.journal.Create(ctx, journal.Room{ID: id, Kind: kind, Wake: wake}, rows...)
	if err == nil {
		return nil
	}
	if !errors.Is(err, journal.ErrConflict) && !errors.Is(err, journal.ErrUnknown) {
		return outside("create", id, err)
	}
	there, readErr := reg.journal.Read(ctx, id, 0, 1)
	switch {
	case readErr != nil:
		return fmt.Errorf("room: create %s: %w", id, ErrUnavailable)
	case len(there) > 0 && len(rows) > 0 && there[0].Epoch == 0 && there[0].Key == rows[0].Key:
		return nil
	}
	return fmt.Errorf("room: create %s: %w", id, ErrTaken)
}

// first makes the first rows of a room, and returns its wake time.
func (reg *Registry) first(id, kind string, commands []machine.Command) (rows []journal.Row, wake time.Time, err error) {
	defer func() {
		if why := recover(); why != nil {
			reg.log.Error("room: cannot create", "room", id, "kind", kind, "panic", why)
			err = ErrQuarantined
		}
	}()
	m, err := reg.machine(id, kind)
	if err != nil {
		return nil, wake, err
	}
	now := reg.anchor.Load().now()
	for i, c := range commands {
		if machine.Internal(c.Kind) {
			return nil, wake, ErrReserved
		}
		e, err := m.Decide(c, msTime(now))
		if err != nil {
			return nil, wake, fmt.Errorf("room: create %s: %w", id, err)
		}
		e.At, e.By, e.Command = now, c.By, c.ID
		data := appendEntry(nil, e)
		if err := m.Apply(e); err != nil {
			return nil, wake, fmt.Errorf("room: create %s: %w", id, err)
		}
		rows = append(rows, journal.Row{Seq: uint64(i) + 1, Key: rowKey(c), Data: data})
	}
	wake = m.Wake()
	if len(m.Tasks()) > 0 {
		wake = msTime(now) // a room with open tasks is awake
	}
	return rows, wake, nil
}

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
	_, _, err := reg.create(ctx, id, kind, commands)
	return err
}

// CreateShown is Create, and returns the room as watchers see it. The view is empty if there
// was such a room already.
func (reg *Registry) CreateShown(ctx context.Context, id, kind string, commands ...machine.Command) (v View, err error) {
	reg.gate.RLock()
	defer reg.gate.RUnlock()
	f, made, err := reg.create(ctx, id, kind, commands)
	if !made {
		return v, err
	}
	defer func() {
		if why := recover(); why != nil {
			reg.log.Error("room: cannot show a new room", "room", id, "kind", kind, "panic", why)
			v = View{}
		}
	}()
	v = show(kind, f.line.Seq, f.machine, machine.Watchers)
	v.Now = reg.anchor.Load().now()
	return v, nil
}

// create makes a room and writes it. It reports whether there was no such room.
func (reg *Registry) create(ctx context.Context, id, kind string, commands []machine.Command) (f *unopened, made bool, err error) {
	if f, err = reg.first(ctx, id, kind, commands); err != nil {
		return nil, false, err
	}
	made, err = reg.write(ctx, f)
	return f, made, err
}

// Begin is Create for a room that a client opens next. Where there is one instance, the room
// runs at once. That saves the claim and the replay.
func (reg *Registry) Begin(ctx context.Context, id, kind string, commands ...machine.Command) error {
	reg.gate.RLock()
	defer reg.gate.RUnlock()
	f, err := reg.first(ctx, id, kind, commands)
	if err != nil {
		return err
	}
	s := new(slot)
	taken := true // after a failover that lost the room, another instance may create one with the same ID
	if reg.Alone() && reg.ready(time.Now()) {
		_, taken = reg.rooms.LoadOrStore(id, s)
	}
	if taken {
		_, err = reg.write(ctx, f)
		return err
	}
	f.line.Owner = reg.self
	since := reg.attempt()
	made, err := reg.write(ctx, f)
	if !made {
		f = nil
	}
	reg.start(id, s, func(ctx context.Context) (*Room, error) {
		if f == nil { // another caller may have asked for it meanwhile, and it may exist
			return reg.load(ctx, id, true)
		}
		return reg.loadOwned(ctx, f.line, since, f, nil)
	})
	return err
}

// write writes a new room with its first entries. It reports whether there was no such room.
// Without an error there may have been the same one.
func (reg *Registry) write(ctx context.Context, f *unopened) (made bool, err error) {
	id := f.line.ID
	err = reg.journal.Create(ctx, f.line, f.rows...)
	if err == nil {
		f.line.Epoch, f.line.Seq = journal.FirstEpoch(f.line), uint64(len(f.rows))
		return true, nil
	}
	if !errors.Is(err, journal.ErrConflict) && !errors.Is(err, journal.ErrUnknown) {
		return false, outside("create", id, err)
	}
	there, readErr := reg.journal.Read(ctx, id, 0, 1)
	switch {
	case readErr != nil:
		return false, fmt.Errorf("room: create %s: %w", id, ErrUnavailable)
	case len(there) > 0 && len(f.rows) > 0 && there[0].Epoch == 0 && there[0].Key == f.rows[0].Key:
		return false, nil
	}
	return false, fmt.Errorf("room: create %s: %w", id, ErrTaken)
}

// AllRead reports whether every instance that may be running reads a form of rooms, one of
// [journal.NewestForm] and those before it. Until then no room must be created in this form.
func (reg *Registry) AllRead(ctx context.Context, form int) (bool, error) {
	all, err := reg.journal.AllRead(ctx, form)
	if err != nil {
		return false, fmt.Errorf("room: ask what all instances read: %w (%w)", ErrUnavailable, err)
	}
	return all, nil
}

// allReadEntries returns [ErrTooNew] until every instance reads entries of a version. Entries have a
// version if they hold what earlier releases do not know.
func (reg *Registry) allReadEntries(ctx context.Context, version int) error {
	if int(reg.versionRead.Load()) >= version {
		return nil
	}
	switch all, err := reg.AllRead(ctx, journal.FormOf(version)); {
	case err != nil:
		return err
	case !all:
		return ErrTooNew
	}
	reg.versionRead.Store(int32(version)) // a lower one is asked for again, at worst
	return nil
}

// first makes a room with its first entries.
func (reg *Registry) first(ctx context.Context, id, kind string, commands []machine.Command) (*unopened, error) {
	if reg.closed {
		return nil, ErrMoved
	}
	f, version, err := reg.decideFirst(id, kind, commands)
	if err == nil && version > 0 {
		err = reg.allReadEntries(ctx, version)
	}
	return f, err
}

// decideFirst makes a room with its first entries. version is the newest one of an entry.
func (reg *Registry) decideFirst(id, kind string, commands []machine.Command) (f *unopened, version int, err error) {
	defer func() {
		if why := recover(); why != nil {
			reg.log.Error("room: cannot create", "room", id, "kind", kind, "panic", why)
			err = ErrQuarantined
		}
	}()
	if err := reg.knows(id, kind); err != nil {
		return nil, 0, err
	}
	m, err := reg.machine(id, kind)
	if err != nil {
		return nil, 0, err
	}
	f = &unopened{machine: m, line: journal.Room{ID: id, Kind: kind}}
	now := reg.anchor.Load().now()
	for i, c := range commands {
		if machine.Internal(c.Kind) {
			return nil, 0, ErrReserved
		}
		e, err := m.Decide(c, msTime(now))
		if err != nil {
			return nil, 0, fmt.Errorf("room: create %s: %w", id, err)
		}
		e.At, e.By, e.Command = now, c.By, c.ID
		version = max(version, e.Version)
		data := appendEntry(nil, e)
		if err := m.Apply(e); err != nil {
			return nil, 0, fmt.Errorf("room: create %s: %w", id, err)
		}
		f.entries = append(f.entries, e)
		f.rows = append(f.rows, journal.Row{Seq: uint64(i) + 1, Key: rowKey(c), Data: data})
	}
	f.line.Wake = m.Wake()
	if len(m.Tasks()) > 0 {
		f.line.Wake = msTime(now) // a room with open tasks is awake
	}
	return f, version, nil
}

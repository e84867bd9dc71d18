package room

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mancala/match/journal"
	"mancala/match/lru"
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
	f, rows, wake, version, err := reg.first(id, kind, commands)
	if err == nil && version > 0 {
		err = reg.allReadEntries(ctx, version)
	}
	if err != nil {
		return err
	}
	err = reg.journal.Create(ctx, journal.Room{ID: id, Kind: kind, Wake: wake}, rows...)
	if err == nil {
		if reg.Alone() { // after a failover that lost the room, another instance may create one with the same ID
			reg.made.keep(id, f)
		}
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

// first makes the first rows of a room. It returns them and the room with these entries, its wake
// time, and the newest version of an entry.
func (reg *Registry) first(id, kind string, commands []machine.Command) (f *unopened, rows []journal.Row, wake time.Time, version int, err error) {
	defer func() {
		if why := recover(); why != nil {
			reg.log.Error("room: cannot create", "room", id, "kind", kind, "panic", why)
			err = ErrQuarantined
		}
	}()
	if err := reg.knows(id, kind); err != nil {
		return nil, nil, wake, 0, err
	}
	m, err := reg.machine(id, kind)
	if err != nil {
		return nil, nil, wake, 0, err
	}
	f = &unopened{machine: m}
	now := reg.anchor.Load().now()
	for i, c := range commands {
		if machine.Internal(c.Kind) {
			return nil, nil, wake, 0, ErrReserved
		}
		e, err := m.Decide(c, msTime(now))
		if err != nil {
			return nil, nil, wake, 0, fmt.Errorf("room: create %s: %w", id, err)
		}
		e.At, e.By, e.Command = now, c.By, c.ID
		version = max(version, e.Version)
		data := appendEntry(nil, e)
		if err := m.Apply(e); err != nil {
			return nil, nil, wake, 0, fmt.Errorf("room: create %s: %w", id, err)
		}
		f.entries = append(f.entries, e)
		rows = append(rows, journal.Row{Seq: uint64(i) + 1, Key: rowKey(c), Data: data})
	}
	wake = m.Wake()
	if len(m.Tasks()) > 0 {
		wake = msTime(now) // a room with open tasks is awake
	}
	return f, rows, wake, version, nil
}

// unopened is a room that was created here, with all its entries.
type unopened struct {
	machine machine.Machine
	entries []machine.Entry
}

// replay is [Registry.replay] for a room whose entries are known.
func (f *unopened) replay(s span) (machine.Machine, uint64) {
	s.begin(nil)
	for i, e := range f.entries {
		s.each(uint64(i)+1, e)
	}
	return f.machine, uint64(len(f.entries))
}

// made keeps the rooms that were created here last until they are opened. Most of them are opened
// at once by the player who made them, and need not be read and replayed then.
type made struct{ rooms *lru.Cache[string, *unopened] }

// maxMade is how many rooms are kept. They take about 4 KiB each.
const maxMade = 128

func newMade() made { return made{lru.New[string, *unopened](maxMade)} }

func (n made) keep(id string, f *unopened) { n.rooms.Put(id, f, 1) }

// take returns a room that nobody has owned before this epoch, and forgets it. It returns nil if
// the room is not known. Without an owner nothing was appended since the room was created.
func (n made) take(id string, epoch uint64) *unopened {
	f, ok := n.rooms.Take(id)
	if !ok || epoch != 1 {
		return nil
	}
	return f
}

package room

import (
	"context"
	"errors"
	"fmt"

	"mancala/match/journal"
	"mancala/match/machine"
)

// span tells which entries of a room to replay, and who wants to know them.
type span struct {
	entries uint64 // how many the room has at least
	upTo    uint64 // the last one; 0: all that there are

	rows []journal.Row // all rows that there are; nil: they are read

	// begin is called before the first entry, with the checkpoint that the replay begins
	// with, or nil. It is called again if the entries after the checkpoint cannot be applied:
	// the replay then begins with the first entry. Both may be nil.
	begin func(*checkpoint)
	each  func(uint64, machine.Entry)
}

// replay returns a machine that has applied the room's entries. If one cannot be decoded or
// applied the machine is as of the entry before, and broken is the reason; err is the
// journal's error.
func (reg *Registry) replay(ctx context.Context, id, kind string, s span) (m machine.Machine, seq uint64, broken, err error) {
	if c := reg.checkpoint(ctx, id, kind, s.entries); c != nil {
		m, seq, broken, err = reg.replayFrom(ctx, id, kind, c, s)
		if err != nil || broken == nil {
			return m, seq, nil, err
		}
		reg.log.Warn("room: the entries after a checkpoint cannot be applied", "room", id, "seq", c.Seq, "err", broken)
	}
	return reg.replayFrom(ctx, id, kind, nil, s)
}

// replayFrom is replay from a checkpoint, or from the first entry if c is nil. From a
// checkpoint, there is no machine if an entry cannot be applied.
func (reg *Registry) replayFrom(ctx context.Context, id, kind string, c *checkpoint, s span) (m machine.Machine, seq uint64, broken, err error) {
	if c != nil {
		m, seq = c.machine, c.Seq
	} else if m, broken = reg.machine(id, kind); broken != nil {
		return nil, 0, broken, nil
	}
	if s.begin != nil {
		s.begin(c)
	}
	for rows := s.rows; ; rows = nil {
		if rows == nil || c != nil {
			if rows, err = reg.journal.Read(ctx, id, seq, replayChunk); err != nil {
				return nil, 0, nil, outside("replay", id, err)
			}
		}
		for _, row := range rows {
			if s.upTo != 0 && row.Seq > s.upTo {
				return m, seq, nil, nil
			}
			e, broken := decodeEntry(row.Data)
			if broken == nil && row.Seq != seq+1 {
				broken = fmt.Errorf("row %d where %d should be", row.Seq, seq+1)
			}
			if broken == nil {
				broken = apply(m, e)
			}
			if broken != nil {
				broken = fmt.Errorf("entry %d: %w", seq+1, broken)
				switch {
				case c != nil || s.upTo != 0:
					m = nil
				case seq > 0: // once more, to the last good one
					m, seq, _, err = reg.replay(ctx, id, kind, span{entries: seq, upTo: seq})
				default:
					m, _ = reg.machine(id, kind)
				}
				return m, seq, broken, err
			}
			seq++
			if s.each != nil {
				s.each(seq, e)
			}
		}
		if len(rows) < replayChunk {
			return m, seq, nil, nil
		}
	}
}

const replayChunk = 512

// freeEntries is how many entries are replayed for any request. That covers nearly every
// game, and takes about a millisecond.
const freeEntries = 200

type chargeKey struct{}

// Charged returns a context for the requests of a client. Before a longer room is replayed
// for such a request, pay is called. It counts the replay, or refuses it. A nil pay is for
// what is done once for all clients.
func Charged(ctx context.Context, pay func() error) context.Context {
	return context.WithValue(ctx, chargeKey{}, pay)
}

// payer returns the function that pays for replays, or nil.
func payer(ctx context.Context) func() error {
	pay, _ := ctx.Value(chargeKey{}).(func() error)
	return pay
}

// charge charges the context's client for a replay of the given number of entries.
func charge(ctx context.Context, entries uint64) error {
	if pay := payer(ctx); pay != nil && entries > freeEntries {
		return pay()
	}
	return nil
}

func apply(m machine.Machine, e machine.Entry) (err error) {
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("apply panicked: %v", why)
		}
	}()
	return m.Apply(e)
}

// applyStaged applies an entry, and reports whether that changes the machine's state.
func applyStaged(m machine.Machine, e machine.Entry) (newState bool, err error) {
	s, ok := m.(machine.Staged)
	if !ok {
		return false, m.Apply(e)
	}
	before := s.State()
	err = m.Apply(e)
	return err == nil && s.State() != before, err
}

// knows returns an error if this release has no machine for a kind of room. In a rolling upgrade
// such a room is left to the instances of the newer release.
func (reg *Registry) knows(id, kind string) error {
	if reg.kinds[kind] == nil {
		return fmt.Errorf("room: %s is of kind %q: %w", id, kind, ErrTooNew)
	}
	return nil
}

// machine makes the machine of a kind.
func (reg *Registry) machine(id, kind string) (m machine.Machine, err error) {
	defer func() {
		if why := recover(); why != nil {
			m, err = nil, fmt.Errorf("new %s panicked: %v", kind, why)
		}
	}()
	create := reg.kinds[kind]
	if create == nil {
		return nil, fmt.Errorf("no machine of kind %q: %w", kind, ErrTooNew)
	}
	if m = create(id); m == nil {
		return nil, errors.New("no machine")
	}
	return m, nil
}

// encoder returns the machine that encodes entries for all rooms of a kind.
func (reg *Registry) encoder(kind string) (machine.Machine, error) {
	if m, ok := reg.encoders.Load(kind); ok {
		return m.(machine.Machine), nil
	}
	m, err := reg.machine("", kind)
	if err != nil {
		return nil, err
	}
	reg.encoders.Store(kind, m)
	return m, nil
}

// entries reads up to limit rows after a sequence and prepares them for readers. A
// missing row is an error: a reader must not get a hole.
func (reg *Registry) entries(ctx context.Context, id string, enc encoder, after uint64, limit int) ([]*Published, error) {
	rows, err := reg.journal.Read(ctx, id, after, limit)
	if err != nil {
		return nil, outside("read", id, err)
	}
	list := make([]*Published, 0, len(rows))
	for i, row := range rows {
		e, err := decodeEntry(row.Data)
		if err != nil {
			return nil, err
		}
		if row.Seq != after+1+uint64(i) {
			return nil, fmt.Errorf("room: %s has row %d where %d should be", id, row.Seq, after+1+uint64(i))
		}
		list = append(list, &Published{Seq: row.Seq, Entry: e, encoder: enc})
	}
	return list, nil
}

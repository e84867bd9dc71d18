package room

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

// checkpointEvery is the number of entries after which a room writes a checkpoint. A shorter
// room never has one, and no reader asks for it.
const checkpointEvery = 512

// checkpoint is the state of a room as of an entry, stored so that the next copy applies only
// the entries after it. All of it follows from the entries. So a checkpoint that is missing,
// cannot be read or leads to an error costs only the time of a whole replay.
type checkpoint struct {
	Version int              `json:"v"`
	Seq     uint64           `json:"seq"`
	Sum     uint32           `json:"sum"` // of the entries, see addSum
	At      int64            `json:"at"`  // of the last entry
	Repeats []authorCommands `json:"repeats"`
	State   json.RawMessage  `json:"state"` // the machine's

	machine machine.Machine // that has loaded the state
}

// checkpointVersion is the version of the room's own part that this release reads and writes.
const checkpointVersion = 1

// checkpoint returns the newest checkpoint of a room with the given number of entries, or nil.
// The caller may use its machine.
func (reg *Registry) checkpoint(ctx context.Context, id, kind string, entries uint64) (c *checkpoint) {
	if entries < reg.checkpointEvery {
		return nil
	}
	m, err := reg.machine(id, kind)
	loader, ok := m.(machine.Checkpointer)
	if err != nil || !ok {
		return nil
	}
	stored, err := reg.journal.Checkpoint(ctx, id)
	if err != nil || stored.Seq == 0 || stored.Seq > entries {
		return nil // the replay reads the journal too, and reports its error
	}
	defer func() {
		if why := recover(); why != nil {
			reg.log.Warn("room: a checkpoint cannot be loaded", "room", id, "seq", stored.Seq, "panic", why)
			c = nil
		}
	}()
	c = &checkpoint{machine: m}
	if err = json.Unmarshal(stored.Data, c); err == nil && (c.Version != checkpointVersion || c.Seq != stored.Seq) {
		err = fmt.Errorf("it has version %d and ends at %d", c.Version, c.Seq)
	}
	if err == nil {
		err = loader.LoadCheckpoint(c.State)
	}
	if err != nil {
		reg.log.Info("room: a checkpoint cannot be read; all entries are read instead", "room", id, "seq", stored.Seq, "err", err)
		return nil
	}
	c.State = nil
	return c
}

// newCheckpoint returns a checkpoint of the present state, or false if the machine writes none.
func (r *Room) newCheckpoint() (stored journal.Checkpoint, ok bool) {
	m, can := r.machine.(machine.Checkpointer)
	if !can || r.inQuarantine() || r.ephemeral() {
		return stored, false
	}
	defer func() {
		if why := recover(); why != nil {
			r.registry.log.Error("room: a checkpoint cannot be written", "room", r.id, "seq", r.seq, "panic", why)
			ok = false
		}
	}()
	state, err := m.Checkpoint()
	if err == nil {
		stored.Seq = r.seq
		stored.Data, err = json.Marshal(checkpoint{
			Version: checkpointVersion, Seq: r.seq, Sum: r.sum, At: r.last, Repeats: r.repeats.stored(), State: state,
		})
	}
	if err != nil {
		r.registry.log.Error("room: a checkpoint cannot be written", "room", r.id, "seq", r.seq, "err", err)
	}
	return stored, err == nil
}

// saves is what an owner knows of its room's checkpoints.
type saves struct {
	last atomic.Uint64 // number of the last one in the journal
	due  uint64        // the entry with which to write the next one
}

// save writes a checkpoint if enough entries have come since the last attempt. The state is
// encoded here, since it belongs to this goroutine, and stored by another.
func (o *owner) save() {
	r := o.room
	if r.seq < o.saves.due {
		return
	}
	o.saves.due = r.seq + r.registry.checkpointEvery
	if c, ok := r.newCheckpoint(); ok {
		r.registry.group.Go(func() {
			ctx, cancel := context.WithTimeout(r.registry.ctx, appendTimeout)
			defer cancel()
			o.put(ctx, c)
		})
	}
}

// saveBeforeSleep writes the checkpoint of a room that goes to sleep with many entries after
// its last one. A room without a wake time has ended, and is folded instead.
func (o *owner) saveBeforeSleep(ctx context.Context, wake time.Time) {
	r := o.room
	if wake.IsZero() || r.seq < o.saves.last.Load()+r.registry.checkpointEvery {
		return
	}
	if c, ok := r.newCheckpoint(); ok {
		o.put(ctx, c)
	}
}

// put stores a checkpoint. Nothing depends on it, so an error is only logged.
func (o *owner) put(ctx context.Context, c journal.Checkpoint) {
	r := o.room
	if err := r.registry.journal.PutCheckpoint(ctx, r.id, r.epoch, c); err != nil {
		r.registry.log.Info("room: a checkpoint could not be stored", "room", r.id, "seq", c.Seq, "err", err)
		return
	}
	o.saves.last.Store(c.Seq)
}

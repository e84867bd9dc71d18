// Package memjournal keeps rooms in memory: for a server whose database is "memory:", for
// benchmarks, simulations and tests. Nothing survives the process.
//
// It starts no goroutine, does no I/O and reads the time with [time.Now], so it works
// inside a testing/synctest bubble.
package memjournal

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"mancala/match/journal"
)

var _ journal.Journal = (*Journal)(nil)

// Journal is a [journal.Journal] in memory. Make one with [New].
type Journal struct {
	mu    sync.RWMutex // guards the map, not the rooms: appends to different rooms share only a read lock
	rooms map[string]*room

	aliveMu        sync.Mutex // locked after a room's lock, never before it
	alive          map[string]time.Time
	endedProcesses map[string]bool // instances whose process has ended
}

// room is one room. The lock order is Journal.mu, room.mu, Journal.aliveMu.
type room struct {
	mu   sync.Mutex
	line journal.Room // without OwnerSeen
	rows rows
	last journal.Checkpoint
}

// New returns an empty journal.
func New() *Journal {
	return &Journal{rooms: map[string]*room{}, alive: map[string]time.Time{}, endedProcesses: map[string]bool{}}
}

func now() time.Time { return time.UnixMilli(time.Now().UnixMilli()) }

// ms rounds a time down to milliseconds, which is what every journal keeps.
func ms(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return time.UnixMilli(t.UnixMilli())
}

// checkContext returns an error if ctx has ended. It is called before anything is
// written.
func checkContext(ctx context.Context, op, id string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("memjournal: %s %q: %w: %w", op, id, journal.ErrUnavailable, err)
	}
	return nil
}

func fail(op, id string, err error) error {
	return fmt.Errorf("memjournal: %s %q: %w", op, id, err)
}

// lookup returns the room with its lock held, or nil.
func (j *Journal) lookup(id string) *room {
	j.mu.RLock()
	r := j.rooms[id]
	j.mu.RUnlock()
	if r != nil {
		r.mu.Lock()
	}
	return r
}

// lastSeen returns the last sign of life of an instance, and whether the instance
// counts as alive.
func (j *Journal) lastSeen(instance string) (time.Time, bool) {
	j.aliveMu.Lock()
	defer j.aliveMu.Unlock()
	at, ok := j.alive[instance]
	after := journal.DeadAfter
	if j.endedProcesses[instance] {
		after = journal.GoneAfter
	}
	return at, ok && now().Sub(at) < after
}

// End records that an instance's process has ended. A database learns this by itself.
func (j *Journal) End(instance string) {
	j.aliveMu.Lock()
	defer j.aliveMu.Unlock()
	j.endedProcesses[instance] = true
}

// Dead implements [journal.Journal].
func (j *Journal) Dead(ctx context.Context) ([]string, error) {
	if err := checkContext(ctx, "dead", ""); err != nil {
		return nil, err
	}
	j.aliveMu.Lock()
	names := slices.Sorted(maps.Keys(j.alive))
	j.aliveMu.Unlock()
	return slices.DeleteFunc(names, func(name string) bool {
		at, alive := j.lastSeen(name)
		return alive || now().Sub(at) > journal.DeadListedFor
	}), nil
}

// line returns a room's line with the current state of its owner. The caller holds
// the room's lock.
func (j *Journal) line(r *room) journal.Room {
	line := r.line
	seen, alive := j.lastSeen(line.Owner)
	line.OwnerSeen, line.OwnerDead = seen, line.Owner != "" && !alive
	return line
}

// Create implements [journal.Journal].
func (j *Journal) Create(ctx context.Context, r journal.Room, rows ...journal.Row) error {
	if err := checkContext(ctx, "create", r.ID); err != nil {
		return err
	}
	if !journal.ValidNew(r) {
		return fail("create", r.ID, journal.ErrInvalid)
	}
	for i, row := range rows {
		if row.Seq != uint64(i)+1 {
			return fail("create", r.ID, journal.ErrInvalid)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.rooms[r.ID] != nil {
		return fail("create", r.ID, journal.ErrConflict)
	}
	made := &room{line: journal.Room{
		ID: r.ID, Kind: r.Kind, Owner: r.Owner, Epoch: journal.FirstEpoch(r), Wake: ms(r.Wake), Seq: uint64(len(rows)),
	}}
	for _, row := range rows {
		made.rows.add(row)
	}
	j.rooms[r.ID] = made
	return nil
}

// Room implements [journal.Journal].
func (j *Journal) Room(ctx context.Context, id string) (journal.Room, error) {
	if err := checkContext(ctx, "room", id); err != nil {
		return journal.Room{}, err
	}
	r := j.lookup(id)
	if r == nil {
		return journal.Room{}, fail("room", id, journal.ErrNoRoom)
	}
	defer r.mu.Unlock()
	return j.line(r), nil
}

// Seqs implements [journal.Journal].
func (j *Journal) Seqs(ctx context.Context, ids []string) (map[string]uint64, error) {
	if err := checkContext(ctx, "seqs", ""); err != nil {
		return nil, err
	}
	seqs := make(map[string]uint64, len(ids))
	for _, id := range ids {
		if r := j.lookup(id); r != nil {
			seqs[id] = r.line.Seq
			r.mu.Unlock()
		}
	}
	return seqs, nil
}

// Claim implements [journal.Journal].
func (j *Journal) Claim(ctx context.Context, id, self string, seen uint64) (journal.Room, error) {
	if err := checkContext(ctx, "claim", id); err != nil {
		return journal.Room{}, err
	}
	if !journal.ValidID(self) {
		return journal.Room{}, fail("claim", id, journal.ErrInvalid)
	}
	r := j.lookup(id)
	if r == nil {
		return journal.Room{}, fail("claim", id, journal.ErrNoRoom)
	}
	defer r.mu.Unlock()
	last, alive := j.lastSeen(r.line.Owner)
	if r.line.Epoch != seen || (r.line.Owner != self && alive) {
		return journal.Room{}, fail("claim", id, journal.ErrConflict)
	}
	r.line.Owner, r.line.Epoch = self, seen+1
	j.signOfLife(self)
	line := r.line
	line.OwnerSeen = last
	return line, nil
}

// Release implements [journal.Journal].
func (j *Journal) Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error {
	if err := checkContext(ctx, "release", id); err != nil {
		return err
	}
	r := j.lookup(id)
	if r == nil {
		return nil
	}
	defer r.mu.Unlock()
	if r.line.Owner == self && r.line.Epoch == epoch {
		r.line.Owner, r.line.Wake = "", ms(wake)
	}
	return nil
}

// Append implements [journal.Journal].
func (j *Journal) Append(ctx context.Context, id string, row journal.Row, wake time.Time) error {
	if err := checkContext(ctx, "append", id); err != nil {
		return err
	}
	r := j.lookup(id)
	if r == nil {
		return fail("append", id, journal.ErrConflict)
	}
	defer r.mu.Unlock()
	if r.line.Owner == "" || r.line.Epoch != row.Epoch || r.line.Seq+1 != row.Seq {
		return fail("append", id, journal.ErrConflict)
	}
	r.rows.add(row)
	r.line.Seq = row.Seq
	if wake = ms(wake); !wake.IsZero() && (r.line.Wake.IsZero() || wake.Before(r.line.Wake)) {
		r.line.Wake = wake
	}
	return nil
}

// Read implements [journal.Journal].
func (j *Journal) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	if err := checkContext(ctx, "read", id); err != nil {
		return nil, err
	}
	r := j.lookup(id)
	if r == nil {
		return nil, fail("read", id, journal.ErrNoRoom)
	}
	defer r.mu.Unlock()
	return r.rows.after(after, limit), nil
}

// PutCheckpoint implements [journal.Journal].
func (j *Journal) PutCheckpoint(ctx context.Context, id string, epoch uint64, c journal.Checkpoint) error {
	if err := checkContext(ctx, "checkpoint", id); err != nil {
		return err
	}
	r := j.lookup(id)
	if r == nil {
		return fail("checkpoint", id, journal.ErrConflict)
	}
	defer r.mu.Unlock()
	if r.line.Owner == "" || r.line.Epoch != epoch || c.Seq > r.line.Seq || c.Seq < max(1, r.last.Seq) {
		return fail("checkpoint", id, journal.ErrConflict)
	}
	r.last = journal.Checkpoint{Seq: c.Seq, Data: slices.Clone(c.Data)}
	return nil
}

// Checkpoint implements [journal.Journal].
func (j *Journal) Checkpoint(ctx context.Context, id string) (journal.Checkpoint, error) {
	if err := checkContext(ctx, "read checkpoint", id); err != nil {
		return journal.Checkpoint{}, err
	}
	r := j.lookup(id)
	if r == nil {
		return journal.Checkpoint{}, nil
	}
	defer r.mu.Unlock()
	return journal.Checkpoint{Seq: r.last.Seq, Data: slices.Clone(r.last.Data)}, nil
}

// Due implements [journal.Journal]. It reads every room.
func (j *Journal) Due(ctx context.Context, at time.Time, limit int) ([]journal.Room, error) {
	if err := checkContext(ctx, "due", ""); err != nil {
		return nil, err
	}
	var due []journal.Room
	j.mu.RLock()
	for _, r := range j.rooms {
		r.mu.Lock()
		line := j.line(r)
		r.mu.Unlock()
		if !line.Wake.IsZero() && !line.Wake.After(at) && (line.Owner == "" || line.OwnerDead) {
			due = append(due, line)
		}
	}
	j.mu.RUnlock()
	// The ID orders rooms that are equal otherwise, so that a simulation can be
	// repeated.
	slices.SortFunc(due, func(a, b journal.Room) int {
		unownedFirst := cmp.Compare(min(len(a.Owner), 1), min(len(b.Owner), 1))
		return cmp.Or(unownedFirst, a.Wake.Compare(b.Wake), cmp.Compare(a.ID, b.ID))
	})
	if limit > 0 && limit < len(due) {
		due = due[:limit]
	}
	return due, nil
}

// Confirm implements [journal.Journal]: no commit waits for another server.
func (j *Journal) Confirm(context.Context) error { return nil }

// Alive implements [journal.Journal].
func (j *Journal) Alive(ctx context.Context, self string) (time.Time, error) {
	if err := checkContext(ctx, "alive", self); err != nil {
		return time.Time{}, err
	}
	if !journal.ValidID(self) {
		return time.Time{}, fail("alive", self, journal.ErrInvalid)
	}
	return j.signOfLife(self), nil
}

func (j *Journal) signOfLife(instance string) time.Time {
	j.aliveMu.Lock()
	defer j.aliveMu.Unlock()
	t := now()
	j.alive[instance] = t
	return t
}

// Fold implements [journal.Journal]. It leaves the rows as they are: in memory they are
// small already.
func (j *Journal) Fold(ctx context.Context, id string) error {
	if err := checkContext(ctx, "fold", id); err != nil {
		return err
	}
	r := j.lookup(id)
	if r == nil {
		return nil
	}
	defer r.mu.Unlock()
	if r.line.Owner == "" && r.line.Wake.IsZero() {
		r.last = journal.Checkpoint{}
	}
	return nil
}

// AllRead implements [journal.Journal]. All instances are in this process.
func (j *Journal) AllRead(ctx context.Context, form int) (bool, error) {
	return form <= journal.NewestForm, checkContext(ctx, "all read", "")
}

// Unfolded implements [journal.Journal].
func (j *Journal) Unfolded(ctx context.Context, _ int) ([]string, error) {
	return nil, checkContext(ctx, "unfolded", "")
}

// Delete implements [journal.Journal].
func (j *Journal) Delete(ctx context.Context, id string) error {
	if err := checkContext(ctx, "delete", id); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	r := j.rooms[id]
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.line.Owner != "" || !r.line.Wake.IsZero() {
		return fail("delete", id, journal.ErrConflict)
	}
	r.line.Epoch++ // callers that have looked the room up are fenced
	delete(j.rooms, id)
	return nil
}

package room

import (
	"context"
	"slices"
	"sync"
	"time"

	"mancala/match/freshcall"
	"mancala/match/journal"
)

const (
	// atOnce is how many followers of one room may do the same thing at the same
	// time, see the kinds of turns. Other followers wait in order.
	atOnce = 4
	// maxDoubts is how many rooms a [Trust] lists.
	maxDoubts = 16
)

// Trust remembers in which rooms one socket has claimed an entry that did not
// exist. [Following.Resume] reads the journal for such a claim once for each socket
// and room. A socket with false claims in many rooms is believed in none. A Trust
// belongs to one socket and serves all its rooms. The zero value is ready. It is
// safe from any goroutine.
type Trust struct {
	mu    sync.Mutex
	rooms []string // with a false claim; at most maxDoubts
}

// in reports whether the socket may claim an entry that this room does not know.
// A nil Trust may not.
func (t *Trust) in(room string) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.rooms) < maxDoubts && !slices.Contains(t.rooms, room)
}

// lose notes a false claim in a room.
func (t *Trust) lose(room string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.rooms) < maxDoubts && !slices.Contains(t.rooms, room) {
		t.rooms = append(t.rooms, room)
	}
}

// admission bounds what the followers of a room do at the same time, so that its
// players' commands are answered however many followers there are. Followers read
// the journal on their own goroutines, and few of them at a time have a place in the
// inbox. A room has an admission while a follower needs it.
type admission struct {
	mu      sync.Mutex
	turns   [kindsOfTurns]turns
	ahead   freshcall.Group
	asking  int  // followers that wait for a read ahead
	dropped bool // the room has another one, or none
}

// Kinds of turns.
const (
	readingBack  = iota // a follower reads older entries from the journal
	servedAsSeat        // the room's goroutine brings a player up to date
	kindsOfTurns
)

// turns counts the followers that have a turn, and keeps the waiting ones in order.
type turns struct {
	taken   int
	waiting []chan struct{} // closed when the turn comes
}

// lockAdmission returns the room's admission, locked.
func (r *Room) lockAdmission() *admission {
	for {
		c := r.admission.Load()
		if c == nil {
			c = new(admission)
			if !r.admission.CompareAndSwap(nil, c) {
				continue
			}
		}
		c.mu.Lock()
		if !c.dropped {
			return c
		}
		c.mu.Unlock()
	}
}

// dropAdmission makes the room smaller while no follower needs it.
func (r *Room) dropAdmission() {
	c := r.admission.Load()
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.turns {
		if t.taken > 0 {
			return
		}
	}
	if c.asking == 0 {
		c.dropped = true
		r.admission.Store(nil)
	}
}

// takeTurn waits for a turn of a kind. The caller calls end after it.
func (r *Room) takeTurn(ctx context.Context, kind int) (end func(), err error) {
	c := r.lockAdmission()
	t := &c.turns[kind]
	end = func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(t.waiting) == 0 {
			t.taken--
			return
		}
		close(t.waiting[0])
		t.waiting = t.waiting[1:]
	}
	if t.taken < atOnce {
		t.taken++
		c.mu.Unlock()
		return end, nil
	}
	turn := make(chan struct{})
	t.waiting = append(t.waiting, turn)
	c.mu.Unlock()
	select {
	case <-turn:
		return end, nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	i := slices.Index(t.waiting, turn)
	if i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
	}
	c.mu.Unlock()
	if i < 0 {
		end() // the turn has come meanwhile
	}
	return nil, ctx.Err()
}

// readBack reads the entries after a sequence for one follower.
func (r *Room) readBack(ctx context.Context, after uint64, limit int) ([]*Published, error) {
	end, err := r.takeTurn(ctx, readingBack)
	if err != nil {
		return nil, err
	}
	defer end()
	return r.registry.entries(ctx, r.id, r, after, limit)
}

// callForSeat runs f, which serves a player, on the room's goroutine.
func (r *Room) callForSeat(ctx context.Context, f func(*Room) error) error {
	end, err := r.takeTurn(ctx, servedAsSeat)
	if err != nil {
		return err
	}
	defer end()
	return r.call(ctx, f)
}

// readAhead asks the journal for entries that the room does not know. A replica applies
// them: its owner may have died before it told us, or its message is on its way. An
// owner that finds one has lost the room and ends, unless it is its own entry whose
// outcome it did not know. When readAhead returns nil the room
// knows every entry that was in the journal at the call, unless it is quarantined or
// has ended.
//
// Any goroutine but the room's may call it. However many followers do, one read runs at
// a time, and all that wait share the next one.
func (r *Room) readAhead(ctx context.Context) error {
	c := r.lockAdmission()
	c.asking++
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asking--
	}()
	return c.ahead.Do(ctx, r.readOn)
}

// readWhenWoken reads the entries that a room may have missed while this process was
// stopped, before a reader is shown its state: another instance may have taken the room
// over and written more. A replica may also miss entries until its owner has answered it, and
// while its owner is silent. It returns ErrMoved if the room has ended, and ErrUnavailable
// while the journal does not answer.
func (r *Room) readWhenWoken(ctx context.Context) error {
	reg := r.registry
	ran := reg.ran(time.Now()) // before wakings: a stop that has just been counted is in it
	wakings := reg.wakings.Load()
	if r.wakings.Load() == wakings && ran && !r.unheard.Load() || r.ephemeral() {
		return nil
	}
	err := r.readAhead(ctx)
	if err == nil {
		r.wakings.Store(wakings)
	}
	return err
}

// readForPage is [Room.readWhenWoken] for a page. A socket tells the last entry that it has seen, and the reader
// of a page does not. So a page also waits for the entries of which a replica has heard.
func (r *Room) readForPage(ctx context.Context) error {
	if r.behind.Load() {
		return r.readAhead(ctx)
	}
	return r.readWhenWoken(ctx)
}

// readOn reads the rows after those that the room knows. The room's goroutine applies them.
func (r *Room) readOn() error {
	ctx := r.registry.writing.In(r.registry.ctx, appendTimeout)
	limit := r.role.rowsToRead()
	for {
		known, err := r.feed.reached()
		if err != nil {
			return err
		}
		rows, err := r.registry.journal.Read(ctx, r.id, known, limit)
		if err != nil {
			return outside("read", r.id, err)
		}
		if len(rows) == 0 {
			return nil
		}
		if err := r.callInTurn(ctx, func(r *Room) error { return r.takeRead(rows) }); err != nil {
			return err
		}
		if now, err := r.feed.reached(); err != nil || now == known || len(rows) < limit || !r.isReplica() {
			return err
		}
	}
}

// takeRead applies rows that were read from the journal on another goroutine. The room may
// know some of them by now.
func (r *Room) takeRead(rows []journal.Row) error {
	for _, row := range rows {
		switch {
		case row.Seq <= r.seq:
			continue
		case !r.takesEntries():
			return nil
		}
		if err := r.role.takeRow(row); err != nil {
			return err
		}
	}
	return nil
}

// reached returns the last sequence that followers can have been told of, or
// ErrMoved if the room has ended.
func (f *feed) reached() (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over != nil {
		return 0, ErrMoved
	}
	return f.seq, nil
}

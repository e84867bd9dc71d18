package room

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

const (
	linger     = 5 * time.Second        // after the last request or follower
	stayAwake  = time.Minute            // a room whose wake-up is nearer than this is not unloaded
	asksWithin = 500 * time.Millisecond // of a doubt
	maxNews    = 64                     // of other instances, while the room is busy
)

// owner is the role of a room that this instance owns: it makes entries of commands,
// wakes the machine, carries out its tasks, and tells the replicas.
type owner struct {
	room   *Room
	outage *outage // not nil while the room is cut off

	mu   sync.Mutex
	news []func() // of other instances, see [owner.hearNews]

	peers     map[string]*peer // other instances that follow
	tasks     map[string]context.CancelFunc
	wake      time.Time // the machine's, in the database's time
	wakeAfter time.Time // not before this: the machine asked for a wake-up and did nothing
	wakes     int       // in a row without the wake time moving on
	stranded  bool      // a player may be stranded, see [owner.strand]
	known     bool      // the rooms table has a wake time for the case that we die
	frozen    *freeze   // the registry's last freeze that is credited
	sure      int64     // the last of the registry's doubts after which the room was still ours
	asks      time.Time // when to ask about a newer one
	saves     saves
	awaited   machine.Awaited // what was reported to [Config.Awaits] last
	published time.Time       // when the last entry had been published
}

// runDeciding does what is due in a room that decides.
func (o *owner) runDeciding(now time.Time) (next time.Time) {
	if o.stopped(now) {
		o.goAway(nil)
		return time.Time{}
	}
	next = o.lookAtFollowers(now)
	if since := o.unreachable(now); !since.IsZero() {
		o.waitForPlayer(now, since)
		return time.Time{}
	}
	next = earlier(next, o.reassure(now))
	if o.room.ends() {
		return time.Time{}
	}
	next = earlier(next, o.wakeUp(now))
	return earlier(next, o.presence(now))
}

// hearNews makes the room's goroutine call f before it decides anything else. A full inbox
// does not drop the call: the failure detector and the link tell of an instance only once.
// What an instance tells of its followers comes this way as well. If it waited in the inbox
// while the instance dies, it would be handled after the news of the death, and the people
// of the dead instance would count as connected.
func (o *owner) hearNews(f func()) {
	o.mu.Lock()
	o.news = append(o.news, f)
	o.mu.Unlock()
	o.room.nudge()
}

// hearMore is hearNews for a message that is repeated if it is dropped.
func (o *owner) hearMore(f func()) {
	o.mu.Lock()
	full := len(o.news) >= maxNews
	o.mu.Unlock()
	if !full {
		o.hearNews(f)
	}
}

// takeNews makes the calls that wait, in order. It returns the time after that.
func (o *owner) takeNews(now time.Time) time.Time {
	o.mu.Lock()
	news := o.news
	o.news = nil
	o.mu.Unlock()
	if len(news) == 0 {
		return now
	}
	for _, f := range news {
		if !o.room.ends() {
			f()
		}
	}
	return time.Now()
}

// lookAtFollowers updates the people from the present followers.
func (o *owner) lookAtFollowers(now time.Time) (next time.Time) {
	r := o.room
	if len(o.peers) > 0 {
		next = o.dropSilent(now)
	}
	if _, counted := r.lookAround(now); counted {
		r.notes.add(Note{Kind: NoteWatching, Body: countBody(r.watching)}, 0)
	}
	return next
}

// commitOwn is [Room.commit] for an entry that this room has written.
func (o *owner) commitOwn(e machine.Entry) bool {
	r := o.room
	r.registry.watch.entered(r.kind, e.Kind)
	if !r.commit(e) {
		return false
	}
	o.syncTasks()
	o.tellAwaited()
	o.save()
	return true
}

// tellAwaited reports the player on turn to [Config.Awaits], once for each turn, and again if
// the turn will end at another time.
func (o *owner) tellAwaited() {
	r := o.room
	m, ok := r.machine.(machine.Awaiting)
	if !ok || r.registry.awaits == nil {
		return
	}
	var a machine.Awaited
	if r.guard("awaits", func() { a = m.Awaits() }) != nil || a.Player == "" {
		return
	}
	if a != o.awaited {
		o.awaited = a
		r.registry.awaits(r.id, r.seq, a)
	}
}

// reassure checks whether this instance still owns the room, after signs of life so far
// apart that other instances may have declared it dead. The next entry would show it, but
// there may be none: all players may be waiting for a player who is connected to the new
// owner. It returns when to ask.
func (o *owner) reassure(now time.Time) time.Time {
	r := o.room
	doubts := r.registry.doubts.Load()
	switch {
	case o.sure == doubts:
		return time.Time{}
	case o.asks.IsZero():
		o.asks = now.Add(rand.N(asksWithin)) // all our rooms ask
		return o.asks
	case now.Before(o.asks):
		return o.asks
	}
	o.asks = time.Time{}
	if o.owns() {
		o.sure = doubts
	} else if !r.ends() {
		o.asks = now.Add(backoff(0, probeFirst, probeMost))
	}
	return o.asks
}

// owns asks the rooms table whether the room is ours. It returns false if the table
// cannot be read, too. A database that failed over to a standby may have lost entries that
// this room has shown: then the room ends, and its followers see what the journal has.
func (o *owner) owns() bool {
	r := o.room
	ctx, cancel := context.WithTimeout(r.registry.ctx, appendTimeout)
	defer cancel()
	line, err := r.registry.journal.Room(ctx, r.id)
	if errors.Is(err, journal.ErrNoRoom) || (err == nil && (line.Epoch != r.epoch || line.Owner != r.registry.self)) {
		r.end(ErrFenced)
		return false
	}
	if err == nil && line.Seq < r.seq && !r.ephemeral() {
		r.diverged(r.seq, "the journal")
		return false
	}
	return err == nil
}

// hear handles a message of a following instance.
func (o *owner) hear(from string, m Message) {
	switch {
	case toOwner(m.Kind):
		o.hearPeer(from, m)
	case m.Kind == tellEntry || m.Kind == tellNote:
		o.room.registry.tellLeft(from, m.Room)
	case m.Kind == tellHere:
		o.room.callLater(func(*Room) { o.takeAnswer(from, m.Call) })
	case m.Kind == tellTaken:
		if m.Epoch > o.room.epoch { // an owner's epoch never changes
			o.room.fence()
		}
	}
}

func (o *owner) missed(string) {}

func (o *owner) lost(from string) { o.hearNews(func() { o.strand(from) }) }

func (o *owner) silent(from string, since time.Time) { o.markPeer(from, since) }

func (o *owner) audible(from string) { o.markPeer(from, time.Time{}) }

func (o *owner) spread(n Note) { o.tellPeers("", n) }

func (o *owner) say(n Note) { o.room.passNote(n) }

func (o *owner) showsState() bool { return true }

// rowsToRead is 2: the first unknown row may be an entry of our own, and one row of another
// owner is enough to know that the room has one.
func (o *owner) rowsToRead() int { return 2 }

// takeRow handles a row that the room does not know. It is the pending entry, which is then
// applied, or another instance owns the room.
func (o *owner) takeRow(row journal.Row) error {
	r := o.room
	if !o.isCutOff() || row.Epoch != r.epoch {
		r.end(ErrFenced)
		return ErrMoved
	}
	w := o.outage.pending
	if w == nil || !w.is(row) || w.learn(row) != nil {
		return ErrUnavailable
	}
	o.known, o.outage.pending = true, nil
	o.commitOwn(w.entry)
	return nil
}

// rest unloads the room when it has no followers and nothing is due. It returns when to ask
// again.
func (o *owner) rest(now time.Time) time.Time {
	r := o.room
	if r.mode() != deciding || r.followed > 0 || len(o.tasks) > 0 || !o.settled() || r.delays() || o.wakesSoon() {
		r.idle = time.Time{}
		return time.Time{}
	}
	if r.idle.IsZero() {
		r.idle = now.Add(linger)
	}
	if now.Before(r.idle) {
		return r.idle
	}
	if o.release() != nil {
		r.idle = now.Add(linger)
		return r.idle
	}
	r.end(errAsleep)
	return time.Time{}
}

// leave stops the clocks, as in an outage that begins now: players lose no time while
// they connect again and wait for the next owner. A room that is cut off credits its outage
// first. If the journal does not take that, leave returns false.
func (o *owner) leave() bool {
	r := o.room
	if now := time.Now(); r.mode() == deciding && o.stopped(now) {
		o.goAway(nil)
	}
	switch r.mode() {
	case cutOff:
		return o.resolve() && o.credit()
	case deciding:
		now := time.Now()
		_, _ = o.decide(outageCommand(r.timeAt(now), machine.CauseOutage), true, now)
		return r.mode() == deciding
	}
	return true
}

// release gives the room up, with the time at which it must be woken.
func (o *owner) release() error {
	r := o.room
	ctx, cancel := context.WithTimeout(r.registry.ctx, appendTimeout)
	defer cancel()
	if err := o.tellUnseen(ctx); err != nil {
		r.registry.log.Warn("room: unseen state not reported before sleep", "room", r.id, "err", err)
		return err
	}
	wake := o.wake
	if len(o.tasks) > 0 {
		wake = msTime(r.now())
	}
	o.saveBeforeSleep(ctx, wake)
	err := r.registry.journal.Release(ctx, r.id, r.registry.self, r.epoch, wake)
	if err != nil {
		r.registry.log.Warn("room: cannot release", "room", r.id, "err", err)
	}
	return err
}

// tellUnseen reports the state, if something may have happened that no follower saw.
func (o *owner) tellUnseen(ctx context.Context) error {
	r := o.room
	if !r.unseen || r.registry.unseen == nil || r.inQuarantine() {
		return nil
	}
	v := View{Kind: r.kind, Seq: r.seq, Audience: machine.Watchers}
	err := r.guard("snapshot", func() { v.Snapshot = r.machine.Snapshot(machine.Watchers) })
	if err == nil {
		err = r.registry.unseen(ctx, r.id, v)
	}
	r.unseen = err != nil
	return err
}

// decidesNoMore ends the outage and the tasks.
func (o *owner) decidesNoMore() {
	o.endOutage()
	o.stopTasks()
}

// ended also makes this instance try to open a room that has ended without a release. The
// rooms table may still name this instance as its owner. While this instance lives, no other
// one then opens the room when it is due.
func (o *owner) ended() {
	o.decidesNoMore()
	if r := o.room; r.over != errAsleep && r.over != ErrDrained {
		r.registry.retry.Store(r.id, true)
	}
}

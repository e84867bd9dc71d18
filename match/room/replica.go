package room

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

const (
	renewEvery  = 10 * time.Second // between two follow messages to the owner
	renewSoon   = 100 * time.Millisecond
	answerAfter = time.Second // an owner that has not answered by then is looked for
	// fewPlayers is the greatest number of players in a room whose owner is told at once who of
	// them has come or gone. If their instance is cut off then, the owner must know that they are
	// there. The players of a large room are told together, every renewSoon at most.
	fewPlayers = 8
	maxHeard   = 256  // messages that wait for a busy replica
	maxHeld    = 1024 // requests that wait for a state
)

// replica is the role of a room that another instance owns. It decides nothing. It applies
// the owner's entries to a machine of its own, serves the clients that are connected here,
// and forwards commands to the owner. It reads missed entries from the journal. It ends
// when it has no followers any more, and when the room has no other owner: the next request
// opens the room again.
type replica struct {
	room *Room

	mu     sync.Mutex
	heard  []heardMessage
	lossy  bool // messages have been lost, or may have been
	alone  bool // the owner is silent
	filled bool // a read of missing entries has ended
	failed bool // it failed

	// Fields of the room's goroutine; owner also under mu.
	owner     string
	answered  bool       // by this owner
	tries     int        // how often it was asked until then
	told      bool       // the followers know that we wait for the owner
	asked     time.Time  // when the first unanswered follow had been sent; zero if all are answered
	looks     int        // how often the rooms table named no other owner since the last answer
	notBefore time.Time  // when the rooms table may be asked again
	sent      time.Time  // last follow
	next      time.Time  // when to follow again
	urgent    bool       // the next follow is more than a renewal
	held      []*request // until there is a state to serve them from
	calls     []*call
	moved     bool     // the owner does not know yet who is here
	players   []string // those who were here at the last follow

	stale   bool   // the owner fell silent, or messages were lost, after those that are being handled
	filling bool   // missing entries are being read
	goal    uint64 // the last entry that this instance has heard of
	began   uint64 // the room's sequence when the read began
}

// heardMessage is a message and its sender.
type heardMessage struct {
	from string
	Message
}

// runReplicating does what is due in a replica, and returns when more will be.
func (m *replica) runReplicating(now time.Time) time.Time {
	r := m.room
	if looked, _ := r.lookAround(now); looked {
		m.moved = true
		if players, _ := r.crowdHere(); len(r.people) <= fewPlayers && !slices.Equal(players, m.players) {
			m.next = now
		}
		m.urgent = true
	}
	m.mu.Lock()
	heard, lossy, alone, filled, failed := m.heard, m.lossy, m.alone, m.filled, m.failed
	m.heard, m.lossy, m.alone, m.filled = nil, false, false, false
	m.mu.Unlock()
	m.stale = alone || lossy
	if filled {
		m.gapFilled(failed)
	}
	for _, msg := range heard {
		if !r.ends() {
			m.learn(msg)
		}
	}
	if lossy {
		m.next, m.urgent = now, true
	} else if m.moved && m.next.After(m.sent.Add(renewSoon)) {
		m.next = m.sent.Add(renewSoon)
	}
	if alone {
		m.lookSoon()
	}
	if at := m.lookAt(); !at.IsZero() && !now.Before(at) {
		m.lookForOwner(now)
	}
	if !r.ends() && !now.Before(m.next) {
		m.followOwner(now)
	}
	next := earlier(m.next, m.repeatCalls(now))
	return earlier(next, m.lookAt())
}

// lookSoon makes the replica look for an owner without waiting for an answer.
func (m *replica) lookSoon() { m.asked = time.Now().Add(-answerAfter) }

// lookLater makes the replica wait before it asks the rooms table again, longer each time. An
// instance that does not run the room answers at once, and would be asked at once.
func (m *replica) lookLater(now time.Time) {
	m.notBefore = now.Add(renewSoon << min(m.looks, 5))
	m.looks++
}

// lookAt returns when to look for the owner, or zero. An owner that says again and again
// that it does not run the room is looked for less and less often.
func (m *replica) lookAt() time.Time {
	if m.asked.IsZero() {
		return time.Time{}
	}
	at := m.asked.Add(answerAfter)
	if at.Before(m.notBefore) {
		return m.notBefore
	}
	return at
}

// hear keeps an owner's message for the room's goroutine. Another follower's message
// means that the sender takes us for the owner.
func (m *replica) hear(from string, msg Message) {
	if toOwner(msg.Kind) {
		if msg.Kind != tellLeave {
			m.room.registry.link.Tell(from, Message{Kind: tellGone, Room: msg.Room})
		}
		return
	}
	m.mu.Lock()
	if len(m.heard) < maxHeard {
		m.heard = append(m.heard, heardMessage{from, msg})
	} else {
		m.lossy = true
		m.room.unheard.Store(true)
	}
	m.mu.Unlock()
	m.room.nudge()
}

// missed makes the replica ask its owner again.
func (m *replica) missed(from string) {
	m.mu.Lock()
	if from == "" || from == m.owner {
		m.lossy = true
		m.room.unheard.Store(true)
	}
	m.mu.Unlock()
	m.room.nudge()
}

// lost makes the replica look for another owner.
func (m *replica) lost(from string) {
	m.mu.Lock()
	if from == "" || from == m.owner {
		m.alone = true
		m.room.unheard.Store(true) // readers may have seen more elsewhere
	}
	m.mu.Unlock()
	m.room.nudge()
}

func (m *replica) silent(from string, _ time.Time) { m.lost(from) }

func (m *replica) audible(string) {}

func (m *replica) spread(n Note) {
	m.mu.Lock()
	owner := m.owner
	m.mu.Unlock()
	m.room.registry.link.Tell(owner, Message{Kind: tellSay, Room: m.room.id, Notes: []Note{n}})
}

// say sends a player's note to the owner, which publishes it.
func (m *replica) say(n Note) {
	m.room.registry.link.Tell(m.owner, Message{Kind: tellSay, Room: m.room.id, Notes: []Note{n}})
}

// serve forwards commands, and keeps calls until there is a state.
func (m *replica) serve(q *request) time.Time {
	switch {
	case q.call == nil:
		m.forward(q)
	case m.showsState():
		return m.room.makeCall(q)
	case len(m.held) >= maxHeld:
		q.answer(m.room.registry, reply{err: ErrBusy})
	default:
		m.held = append(m.held, q)
	}
	return time.Now()
}

// showsState is false until the owner has sent a state that the journal does not have.
func (m *replica) showsState() bool { return m.answered || !m.room.ephemeral() }

// rest unloads a replica without followers. It returns when to ask again.
func (m *replica) rest(now time.Time) time.Time {
	r := m.room
	if r.followed > 0 || len(m.calls) > 0 || r.delays() {
		r.idle = time.Time{}
		return time.Time{}
	}
	if r.idle.IsZero() {
		r.idle = now.Add(linger)
	}
	if now.Before(r.idle) {
		return r.idle
	}
	r.end(errAsleep)
	return time.Time{}
}

func (m *replica) learnWake() {} // the owner wakes the machine

func (m *replica) decidesNoMore() {}

func (m *replica) leave() bool { return true }

func (m *replica) release() error { return nil }

// ended tells the owner that this replica has no followers any more.
func (m *replica) ended() {
	reg := m.room.registry
	reg.link.Tell(m.owner, Message{Kind: tellLeave, Room: m.room.id})
	for _, q := range m.held {
		q.answer(reg, reply{err: ErrMoved})
	}
	for _, c := range m.calls {
		c.q.answer(reg, reply{err: ErrMoved})
	}
	m.held, m.calls = nil, nil
}

// learn handles a message of another instance.
func (m *replica) learn(msg heardMessage) {
	r := m.room
	if r.ephemeral() && msg.Epoch != r.epoch && (msg.Kind == tellEntry || msg.Kind == tellState) {
		r.end(ErrMoved) // a new owner has begun with an empty state
		return
	}
	if msg.Kind == tellEntry {
		m.reach(msg.Seq, msg.Entry)
		return
	}
	if msg.from != m.owner {
		return // a former owner's state
	}
	switch msg.Kind {
	case tellState:
		m.adopt(msg.Message)
	case tellNote:
		for _, n := range msg.Notes {
			if n.Hubs {
				r.tellHubs(n)
			} else {
				r.passNote(n)
			}
		}
	case tellDone:
		m.takeAnswer(msg.Message)
	case tellGone:
		m.lookSoon()
		if r.ephemeral() {
			r.end(ErrMoved)
		}
	}
}

// reach takes the room to an entry: with that entry, or with the journal's rows if
// others come before it.
func (m *replica) reach(seq uint64, data []byte) {
	r := m.room
	if seq <= r.seq || !r.takesEntries() {
		return
	}
	if !m.showsState() {
		return // the owner's state will contain it
	}
	if data != nil && seq == r.seq+1 {
		e, err := decodeEntry(data)
		if err != nil {
			r.quarantine(err)
			return
		}
		m.take(e)
		return
	}
	if r.ephemeral() {
		r.end(ErrMoved) // the missing entries are nowhere
		return
	}
	m.goal = max(m.goal, seq)
	r.behind.Store(true)
	m.fillGap()
}

// fillGap reads the entries up to goal from the journal, on another goroutine: the
// replica answers its followers meanwhile.
func (m *replica) fillGap() {
	r := m.room
	if m.filling {
		return
	}
	m.filling, m.began = true, r.seq
	r.registry.group.Go(func() {
		err := r.readAhead(r.registry.ctx)
		m.mu.Lock()
		m.filled, m.failed = true, err != nil
		m.mu.Unlock()
		r.nudge()
	})
}

// gapFilled comes after a read of missing entries. If the read found none the replica
// asks the owner again, and the owner's answer starts the next read. If this instance does
// not reach the database the replica ends: its followers would stay before an old board
// while the clocks run.
func (m *replica) gapFilled(failed bool) {
	r := m.room
	m.filling = false
	switch {
	case r.seq >= m.goal || !r.takesEntries():
		r.behind.Store(false)
	case failed && !r.registry.healthy(time.Now()):
		r.end(ErrFenced)
	case failed || r.seq == m.began:
		m.next, m.urgent = time.Now().Add(renewSoon), true
	default: // the owner published more meanwhile
		m.fillGap()
	}
}

func (m *replica) rowsToRead() int { return replayChunk }

// takeRow applies the entry of a row. Its owner may have died before it sent the entry, or
// the message has not arrived yet.
func (m *replica) takeRow(row journal.Row) error {
	r := m.room
	e, err := decodeEntry(row.Data)
	if err == nil && row.Seq != r.seq+1 {
		err = fmt.Errorf("row %d where %d should be", row.Seq, r.seq+1)
	}
	if err != nil {
		r.quarantine(err)
		return nil
	}
	m.take(e)
	return nil
}

// take applies an entry that is in the journal, and answers the command that it came
// from.
func (m *replica) take(e machine.Entry) {
	m.room.last = max(m.room.last, e.At)
	if m.room.commit(e) {
		m.answerCall(e)
	}
}

// adopt applies the owner's answer to a follow: its state, its sequence and its notes.
func (m *replica) adopt(msg Message) {
	r := m.room
	if msg.Snapshot != nil && !m.showsState() {
		var err error
		broken := r.guard("restore", func() { err = r.machine.(machine.Restorer).Restore(msg.Snapshot) })
		if errors.Join(broken, err) != nil {
			r.end(ErrMoved)
			return
		}
		r.seq, r.feed.seq = msg.Seq, msg.Seq
		_ = r.deriveState()
	}
	first := !m.answered
	m.answered, m.asked, m.tries, r.epoch = true, time.Time{}, 0, msg.Epoch
	m.looks, m.notBefore = 0, time.Time{}
	m.setClock(msg.Now, first)
	m.reach(msg.Seq, nil)
	m.trustOwner(msg.Seq)
	if m.compare(msg); r.ends() {
		return
	}
	if first {
		m.sendCalls(time.Now()) // this owner may not have received them
	}
	m.replaceNotes(msg.Notes) // unavailable ends with it, unless the owner is cut off
	m.told = false
	held := m.held
	m.held = nil
	for _, q := range held {
		r.idle = time.Time{}
		m.serve(q)
	}
}

// trustOwner ends reads of the journal for every reader, after an answer of the owner that tells
// of entries up to seq. It does not if the owner has fallen silent, or messages were lost, since that answer.
func (m *replica) trustOwner(seq uint64) {
	r := m.room
	if !m.filling && (r.seq >= seq || !r.takesEntries()) {
		r.behind.Store(false) // also if a failover has lost the entry that was looked for
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.stale && !m.alone && !m.lossy {
		r.unheard.Store(false)
	}
}

// compare ends a replica whose entries differ from its owner's.
func (m *replica) compare(owner Message) {
	r := m.room
	switch {
	case r.ephemeral() || owner.Sum == 0: // the owner's release sends no checksum
	case owner.Seq == r.seq && owner.Sum != r.sum:
		r.diverged(r.seq, m.owner)
	case owner.Seq < r.seq:
		m.askJournal(r.seq)
	}
}

// askJournal ends the replica if the journal does not have entry seq any more. The
// replica may have read that entry before its owner's answer came.
func (m *replica) askJournal(seq uint64) {
	r := m.room
	r.registry.group.Go(func() {
		ctx := r.registry.writing.In(r.registry.ctx, appendTimeout)
		if seqs, err := r.registry.journal.Seqs(ctx, []string{r.id}); err == nil && seqs[r.id] < seq {
			r.callLater(func(r *Room) { r.diverged(seq, "the journal") })
		}
	})
}

// replaceNotes replaces the sticky notes by those of the owner.
func (m *replica) replaceNotes(notes []Note) {
	r := m.room
	for _, old := range r.feed.sticky { // only this goroutine writes it
		kept := false
		for _, n := range notes {
			kept = kept || n.Kind == old.Kind && n.By == old.By
		}
		if !kept {
			r.passNote(Note{Kind: old.Kind, By: old.By, Over: true})
		}
	}
	for _, n := range notes {
		same := false
		for _, old := range r.feed.sticky {
			same = same || n.Kind == old.Kind && n.By == old.By && string(n.Body) == string(old.Body)
		}
		if !same {
			r.passNote(n)
		}
	}
}

// setClock sets the room's time to the owner's, of which the times in the state are. now is
// 0 if the owner's release does not tell it. The message was under way for a while, so an
// earlier time than ours counts only from a new owner or if it is much earlier.
func (m *replica) setClock(now int64, newOwner bool) {
	r, local := m.room, time.Now()
	ahead := time.Duration(now-r.anchor.Load().ms(local)) * time.Millisecond
	if now != 0 && (newOwner || ahead > 0 || ahead < -answerAfter) {
		r.anchor.Store(&anchor{local, now})
	}
}

// followOwner tells the owner who is here.
func (m *replica) followOwner(now time.Time) {
	r := m.room
	players, watchers := r.crowdHere()
	renewal := m.answered && !m.urgent
	m.moved, m.urgent, m.sent, m.players = false, false, now, players
	r.registry.link.Tell(m.owner, Message{
		Kind: tellFollow, Room: r.id, Epoch: r.epoch, Seq: r.seq, Players: players, Watchers: watchers,
		Answers: true, Collects: true, Patient: renewal,
	})
	m.next = now.Add(renewEvery/2 + rand.N(renewEvery/2))
	if !m.answered { // an owner that is opening the room does not answer before it has finished
		m.next = now.Add(renewSoon << min(m.tries, 4))
		m.tries++
	}
	if m.asked.IsZero() {
		m.asked = now
		if renewal { // the answer may wait as well
			m.asked = now.Add(2 * CollectFor)
		}
	}
}

// lookForOwner asks the rooms table who owns the room, since the owner that we followed
// does not answer.
func (m *replica) lookForOwner(now time.Time) {
	r := m.room
	m.asked = time.Time{}
	var line journal.Room
	err := error(ErrUnavailable)
	if r.registry.healthy(now) { // otherwise the answer would only take long
		line, err = r.registry.journal.Room(r.registry.writing.In(r.registry.ctx, appendTimeout), r.id)
	}
	switch {
	case err != nil:
		m.lookLater(now) // the database is away as well
	case line.Owner == r.registry.self || !r.registry.lives(line) || line.Epoch != r.epoch && r.ephemeral():
		r.end(ErrMoved)
		return
	case line.Seq < r.seq && !r.ephemeral(): // a silent owner cannot tell of it
		r.diverged(r.seq, "the journal")
		return
	case line.Owner != m.owner:
		m.mu.Lock()
		m.owner = line.Owner
		m.mu.Unlock()
		r.epoch, m.answered, m.tries = line.Epoch, false, 0
		r.unheard.Store(true)
		m.looks, m.notBefore = 0, time.Time{}
		m.sendCalls(now)
	default:
		m.lookLater(now)
	}
	if !m.told {
		m.told = true
		r.passNote(Note{Kind: NoteUnavailable})
	}
	m.next, m.urgent = now, true
	m.followOwner(now)
}

package room

import (
	"math/rand/v2"
	"sync"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

const (
	renewEvery  = 10 * time.Second // an owner hears that we still follow
	renewSoon   = 100 * time.Millisecond
	answerAfter = time.Second // by then an owner has answered, or is looked for
	maxHeard    = 256         // messages that wait for a busy replica
	maxHeld     = 1024        // requests that wait for a state
)

// replica makes a room a copy of one that another instance owns. It decides
// nothing: the owner's entries are applied to a machine of its own, so that
// everybody who is connected here is served from here, and commands go to the
// owner. What it misses it reads in the journal. It ends when nobody follows it
// any more, and when there is no owner: whoever comes then opens the room anew.
type replica struct {
	mu     sync.Mutex
	heard  []saying
	lossy  bool // something was lost, or may have been
	alone  bool // the owner has fallen silent
	filled bool // a read of missing entries has ended
	failed bool // it failed

	// What the room's goroutine alone uses; owner also under mu.
	owner  string
	stood  bool       // the owner has answered since we last looked for it
	tries  int        // how often it was asked until then
	silent bool       // our people have been told that we wait for the owner
	asked  time.Time  // first unanswered follow; zero if all are answered
	sent   time.Time  // last follow
	next   time.Time  // when to follow again
	held   []*request // until there is a state to ask
	calls  []*call
	last   uint64 // number of the last call
	moved  bool   // others are here than the owner was told

	filling bool   // missing entries are being read
	goal    uint64 // the last entry that this instance has heard of
	began   uint64 // the room's sequence when the read began
}

// saying is a message and who has sent it.
type saying struct {
	from string
	Message
}

// hear keeps a message for the room's goroutine.
func (m *replica) hear(r *Room, from string, msg Message) {
	m.mu.Lock()
	if len(m.heard) < maxHeard {
		m.heard = append(m.heard, saying{from, msg})
	} else {
		m.lossy = true
	}
	m.mu.Unlock()
	r.nudge()
}

// tellOwner tells the owner something, from any goroutine.
func (m *replica) tellOwner(r *Room, msg Message) {
	m.mu.Lock()
	owner := m.owner
	m.mu.Unlock()
	msg.Room = r.id
	r.registry.link.Tell(owner, msg)
}

// lose makes the replica look for another owner, if this one was its; with an
// empty name, in any case.
func (m *replica) lose(r *Room, owner string) {
	m.mu.Lock()
	m.alone = m.alone || owner == "" || owner == m.owner
	m.mu.Unlock()
	r.nudge()
}

// renew makes the replica ask where its owner is, if that is the one who is meant.
func (m *replica) renew(r *Room, owner string) {
	m.mu.Lock()
	if owner == "" || owner == m.owner {
		m.lossy = true
	}
	m.mu.Unlock()
	r.nudge()
}

// reflect does what is due in a replica and says when there will be more.
func (r *Room) reflect(now time.Time) time.Time {
	m := r.replica
	m.mu.Lock()
	heard, lossy, alone, filled, failed := m.heard, m.lossy, m.alone, m.filled, m.failed
	m.heard, m.lossy, m.alone, m.filled = nil, false, false, false
	m.mu.Unlock()
	if filled {
		r.gapFilled(failed)
	}
	for _, msg := range heard {
		if r.over == nil {
			r.learn(msg)
		}
	}
	if lossy {
		m.next = now
	} else if m.moved && m.next.After(m.sent.Add(renewSoon)) {
		m.next = m.sent.Add(renewSoon)
	}
	if alone || !m.asked.IsZero() && now.Sub(m.asked) >= answerAfter {
		r.lookForOwner(now)
	}
	if r.over == nil && !now.Before(m.next) {
		r.followOwner(now)
	}
	next := earlier(m.next, r.repeatCalls(now))
	if !m.asked.IsZero() {
		next = earlier(next, m.asked.Add(answerAfter))
	}
	return next
}

// learn takes in what another instance has said.
func (r *Room) learn(msg saying) {
	m := r.replica
	if r.volatile() && msg.Epoch != r.epoch && (msg.Kind == tellEntry || msg.Kind == tellStand) {
		r.over = ErrMoved // it has begun anew
		return
	}
	if msg.Kind == tellEntry {
		r.reach(msg.Seq, msg.Entry)
		return
	}
	if msg.from != m.owner {
		return // what an earlier owner still says of its state
	}
	switch msg.Kind {
	case tellStand:
		r.stands(msg.Message)
	case tellNote:
		for _, n := range msg.Notes {
			if n.Hubs {
				r.tellHubs(n)
			} else {
				r.passNote(n)
			}
		}
	case tellDone:
		r.answered(msg.Message)
	case tellGone:
		m.asked = time.Now().Add(-answerAfter) // look for the next at once
		if r.volatile() {
			r.over = ErrMoved
		}
	}
}

// volatile says whether the journal does not have the state. It is safe from any
// goroutine.
func (r *Room) volatile() bool {
	_, yes := r.encoder.(machine.Restorer)
	return yes
}

// reach takes the room to an entry: by that entry, or by the journal if others
// come before it.
func (r *Room) reach(seq uint64, data []byte) {
	if seq <= r.seq || r.sick != nil || r.over != nil {
		return
	}
	if r.volatile() && !r.replica.stood {
		return // it will be in the state
	}
	if data != nil && seq == r.seq+1 {
		e, err := decodeEntry(data)
		if err != nil {
			r.quarantine(err)
			return
		}
		r.take(e)
		return
	}
	if r.volatile() {
		r.over = ErrMoved // nobody can tell what is missing
		return
	}
	r.replica.goal = max(r.replica.goal, seq)
	r.fillGap()
}

// fillGap reads the entries up to goal from the journal, on another goroutine: the
// replica answers its followers meanwhile.
func (r *Room) fillGap() {
	m := r.replica
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
// asks the owner again, and the owner's answer starts the next read.
func (r *Room) gapFilled(failed bool) {
	m := r.replica
	m.filling = false
	switch {
	case r.seq >= m.goal || r.sick != nil || r.over != nil:
	case failed || r.seq == m.began:
		m.next = time.Now().Add(renewSoon)
	default: // the owner published more meanwhile
		r.fillGap()
	}
}

// take applies an entry that is in the journal, and answers whose command it was.
func (r *Room) take(e machine.Entry) bool {
	r.last = max(r.last, e.At)
	if !r.commit(e) {
		return false
	}
	r.answerCall(e)
	return true
}

// stands takes in what the owner says of its state.
func (r *Room) stands(msg Message) {
	m := r.replica
	if msg.Snapshot != nil && !m.stood && r.volatile() {
		var err error
		if r.guard("restore", func() { err = r.machine.(machine.Restorer).Restore(msg.Snapshot) }) != nil || err != nil {
			r.over = ErrMoved
			return
		}
		r.seq, r.feed.seq = msg.Seq, msg.Seq
		_ = r.follows()
	}
	first := !m.stood
	m.stood, m.asked, m.tries, r.epoch = true, time.Time{}, 0, msg.Epoch
	r.reach(msg.Seq, nil)
	if first {
		r.sendCalls(time.Now()) // it may not have heard them
	}
	r.replaceNotes(msg.Notes)
	if m.silent {
		m.silent = false
		r.feed.note(Note{Kind: NoteUnavailable, Over: true})
	}
	held := m.held
	m.held = nil
	for _, q := range held {
		r.serve(q)
	}
}

// replaceNotes makes the standing notes those that the owner has.
func (r *Room) replaceNotes(notes []Note) {
	for _, old := range r.feed.standing { // only this goroutine writes it
		stands := false
		for _, n := range notes {
			stands = stands || n.Kind == old.Kind && n.By == old.By
		}
		if !stands {
			r.passNote(Note{Kind: old.Kind, By: old.By, Over: true})
		}
	}
	for _, n := range notes {
		same := false
		for _, old := range r.feed.standing {
			same = same || n.Kind == old.Kind && n.By == old.By && string(n.Body) == string(old.Body)
		}
		if !same {
			r.passNote(n)
		}
	}
}

// followOwner tells the owner who is here.
func (r *Room) followOwner(now time.Time) {
	m := r.replica
	players, watchers := r.crowdHere()
	m.moved, m.sent = false, now
	r.registry.link.Tell(m.owner, Message{Kind: tellFollow, Room: r.id, Epoch: r.epoch, Seq: r.seq, Players: players, Watchers: watchers})
	m.next = now.Add(renewEvery/2 + rand.N(renewEvery/2))
	if !m.stood { // it may be opening the room just now, and answers nobody until then
		m.next = now.Add(renewSoon << min(m.tries, 4))
		m.tries++
	}
	if m.asked.IsZero() {
		m.asked = now
	}
}

// lookForOwner asks the rooms table whose the room is, since whom we followed
// does not answer.
func (r *Room) lookForOwner(now time.Time) {
	m := r.replica
	m.asked = time.Time{}
	line, err := r.registry.journal.Room(r.registry.writing.In(r.registry.ctx, appendTimeout), r.id)
	switch {
	case err != nil:
		// The database is away as well. We go on looking.
	case line.Owner == r.registry.self || !r.registry.lives(line) || line.Epoch != r.epoch && r.volatile():
		r.over = ErrMoved
		return
	case line.Owner != m.owner:
		m.mu.Lock()
		m.owner = line.Owner
		m.mu.Unlock()
		r.epoch, m.stood, m.tries = line.Epoch, false, 0
		r.sendCalls(now)
	}
	if !m.silent {
		m.silent = true
		r.feed.note(Note{Kind: NoteUnavailable})
	}
	m.next = now
	r.followOwner(now)
}

// lives says whether a room has an owner who counts as alive.
func (reg *Registry) lives(line journal.Room) bool {
	return line.Owner != "" && !(line.OwnerDead && reg.trusts())
}

// crowdHere is who is connected here: players by name, others by number.
func (r *Room) crowdHere() (players []string, watchers int) {
	for i := range r.people {
		if r.people[i].near {
			players = append(players, r.people[i].player)
		}
	}
	return players, r.watching
}

// pass deals with a request in a replica, unless it is one to answer here.
func (r *Room) pass(q *request) bool {
	switch m := r.replica; {
	case q.call == nil:
		r.forward(q)
	case !r.volatile() || m.stood:
		return false
	case len(m.held) >= maxHeld:
		q.answer(r.registry, reply{err: ErrBusy})
	default:
		m.held = append(m.held, q)
	}
	return true
}

// blind says whether there is nothing to show yet.
func (r *Room) blind() bool { return r.replica != nil && !r.replica.stood && r.volatile() }

// leaveOwner ends a replica: it is told that nobody follows here any more.
func (r *Room) leaveOwner() {
	r.registry.link.Tell(r.replica.owner, Message{Kind: tellLeave, Room: r.id})
	for _, q := range r.replica.held {
		q.answer(r.registry, reply{err: ErrMoved})
	}
	for _, c := range r.replica.calls {
		c.q.answer(r.registry, reply{err: ErrMoved})
	}
	r.replica.held, r.replica.calls = nil, nil
}

// restful unloads a replica that nobody follows any more; it says when that may be.
func (r *Room) restful(now time.Time) time.Time {
	if r.followed > 0 || len(r.replica.calls) > 0 || r.lags() {
		r.idle = time.Time{}
		return time.Time{}
	}
	if r.idle.IsZero() {
		r.idle = now.Add(linger)
	}
	if now.Before(r.idle) {
		return r.idle
	}
	r.over = errAsleep
	return time.Time{}
}

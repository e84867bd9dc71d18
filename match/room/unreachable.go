package room

import (
	"slices"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

const (
	// peerFor is how long an instance counts as a follower after its last follow message.
	peerFor = 30 * time.Second
	// strandedFor is how long a stranded player's turns wait. It equals the longest hold of
	// a machine after an outage.
	strandedFor = 30 * time.Second
	// unheardFor is how long a room waits for a player who may have reconnected to another
	// instance, while no message arrives here. It is longer than most outages of Redis.
	unheardFor = 2 * time.Minute
	// unheardThere is how long a room waits for a player who may have reconnected to an
	// instance that is silent. That instance sends its people on much sooner.
	unheardThere = 30 * time.Second
	// noticedWithin is how long a silent instance may take to send its people on. No page
	// connects to it later.
	noticedWithin = 10 * time.Second
	// rejoinWithin is how long a page may take to reconnect. A player who has left for
	// longer when the messages stop would have been heard of elsewhere.
	rejoinWithin = 3 * time.Second
	// farWake is how far away a wake-up is that is no flag of a game that people are sitting
	// at, but a day for a move or the expiry of a game.
	farWake = time.Hour
)

// markPeer records since when an instance has been silent; zero if it is not.
func (o *owner) markPeer(from string, lost time.Time) {
	o.hearNews(func() {
		if p := o.peers[from]; p != nil {
			p.lost = lost
		}
	})
}

// unreachable returns since when a player who is connected to a silent instance, or may be
// connected to one, cannot be reached, or zero if all players can be reached. As far as this
// instance knows, that player is connected and cannot move. So nothing is decided until the
// player is heard of again, until that instance is known to be dead, or until it has not
// followed for so long that the player counts as gone. The followers must have been looked
// at: a player who has just come back is not missing.
func (o *owner) unreachable(now time.Time) time.Time {
	since := o.unheard(now)
	r := o.room
	for _, p := range o.peers { // nearly always none
		if p.lost.IsZero() {
			continue
		}
		for i := range r.people {
			if id := r.people[i].player; p.following.here(id) && !o.reaches(id) {
				since = earlier(since, p.lost)
			}
		}
	}
	if !since.IsZero() { // while our own messages do not arrive, nor did the last entries
		since = earlier(since, r.registry.link.DeafSince())
	}
	return since
}

// unheard returns since when a player who is not here may be connected to another instance
// without this one having heard of it, or zero. The room never waits again for the same
// absence. It does not wait where time decides nothing soon.
func (o *owner) unheard(now time.Time) (since time.Time) {
	r := o.room
	link := r.registry.link
	if link == nil || o.wake.IsZero() || r.ephemeral() {
		return since
	}
	for i := range r.people { // the first condition nearly always holds for all
		p := &r.people[i]
		if p.here || p.bot || !p.came || now.Sub(p.since) >= unheardFor || o.wake.UnixMilli() > r.timeAt(now.Add(farWake)) {
			continue
		}
		since = earlier(since, unheardFrom(p.since, now, link.DeafSince(), link.SilentSince()))
	}
	return since
}

// unheardFrom returns since when a player who left at a time may be connected where this
// instance does not hear of it, or zero. Either no message arrives here since deaf, and the
// player left shortly before that or later. Or an instance is silent, and the player left at
// about that time.
func unheardFrom(left, now, deaf, silent time.Time) time.Time {
	from := deaf
	switch {
	case !deaf.IsZero() && !left.Before(deaf.Add(-rejoinWithin)):
	case !silent.IsZero() && !left.Before(silent.Add(-rejoinWithin)) && left.Before(silent.Add(noticedWithin)) &&
		now.Sub(left) < unheardThere:
		from = silent
	default:
		return time.Time{}
	}
	if left.After(from) {
		return left
	}
	return from
}

// reaches reports whether a player is connected to an instance that is not silent.
func (o *owner) reaches(player string) bool {
	return slices.ContainsFunc(o.room.followings(), func(f *Following) bool {
		p, remote := f.follower.(*peer)
		return f.here(player) && !(remote && !p.lost.IsZero())
	})
}

// The instance of a player may have been frozen or cut off seconds ago, before its silence is
// noticed. So before a room is woken, for example to let a flag fall, the owner asks every
// instance to which players are connected. If one does not answer, it is silent soon, and the
// room waits for its players.

const (
	askAgain = 500 * time.Millisecond // a question or its answer may be lost
	askFor   = 5 * time.Second        // by then an instance that does not answer is known to be silent
)

// ask is the question before a wake-up of the machine.
type ask struct {
	wake     time.Time // the machine's, to which it belongs
	first    time.Time
	last     time.Time
	answered bool
}

// unanswered asks the instances of players before a wake-up that is due. It returns when to
// ask again, or zero if the machine can be woken. An instance of the release before does not
// answer and is not asked. A room without a journal has no flags.
func (o *owner) unanswered(now time.Time) (next time.Time) {
	if o.room.ephemeral() {
		return time.Time{}
	}
	for _, p := range o.peers { // nearly always none
		if !p.answers || !p.lost.IsZero() || !o.plays(p) {
			continue
		}
		q := &p.ask
		if !q.wake.Equal(o.wake) {
			*q = ask{wake: o.wake, first: now}
		}
		if q.answered || now.Sub(q.first) >= askFor {
			continue
		}
		if now.Sub(q.last) >= askAgain {
			q.last = now
			p.tell(Message{Kind: tellAsk, Call: uint64(q.wake.UnixMilli())})
		}
		next = earlier(next, q.last.Add(askAgain))
	}
	return next
}

// takeAnswer notes that an instance has answered. The room then looks at what is due.
func (o *owner) takeAnswer(from string, call uint64) {
	if p := o.peers[from]; p != nil && uint64(p.ask.wake.UnixMilli()) == call {
		p.ask.answered = true
	}
}

// plays reports whether a player is connected to another instance and not here.
func (o *owner) plays(p *peer) bool {
	return slices.ContainsFunc(o.room.people, func(q person) bool { return !q.near && p.following.here(q.player) })
}

// dropSilent dismisses the instances that have not followed for a while, and returns when
// to look again. It dismisses none while this instance hears nothing.
func (o *owner) dropSilent(now time.Time) (next time.Time) {
	deaf := !o.room.registry.link.Healthy()
	for name, p := range o.peers {
		if deaf {
			p.heard = now
		}
		if at := p.heard.Add(peerFor); now.Before(at) {
			next = earlier(next, at)
		} else {
			o.dismiss(name)
		}
	}
	return next
}

// A player is stranded when the instance that they are connected to dies, is frozen or is
// cut off. Their page may not know it yet and still shows an old board. If their turn
// begins meanwhile, it costs them no time until they are back.

// strand records that an instance to which players may be connected is dead.
func (o *owner) strand(from string) {
	r := o.room
	p := o.peers[from]
	if p == nil {
		return
	}
	var lost []string
	for i := range r.people {
		if id := r.people[i].player; p.following.here(id) {
			o.strandPlayer(&r.people[i])
			lost = append(lost, id)
		}
	}
	o.dismiss(from)
	o.lookAtFollowers(time.Now())
	for _, id := range lost {
		o.holdTurn(id)
	}
}

// holdTurn makes the machine wait for a player whose instance has died, if their turn began
// before the death was known. The turn is credited back to the earliest moment at which the
// instance can have died.
func (o *owner) holdTurn(player string) {
	r, now := o.room, time.Now()
	here := slices.ContainsFunc(r.people, func(p person) bool { return p.player == player && p.here })
	if here || r.mode() != deciding || o.stopped(now) {
		return
	}
	c := outageCommand(max(r.last, r.timeAt(now)-journal.DeadAfter.Milliseconds()), machine.CauseWait)
	c.By = player
	_, _ = o.decide(c, true, now) // refused if it is not their turn
}

// strandAll records after an outage that all players may still be reconnecting.
func (o *owner) strandAll() {
	r := o.room
	for i := range r.people {
		if p := &r.people[i]; !p.bot {
			o.strandPlayer(p)
		}
	}
}

func (o *owner) strandPlayer(p *person) {
	p.stranded, o.stranded = time.Now(), true
	if p.told == toldBack {
		p.told = toldUnknown // the machine will be told when they are back
	}
}

// holdForStranded makes the machine wait for a stranded player whose turn has begun with
// the last entry. It does nothing for other seats.
func (o *owner) holdForStranded(kind string) {
	r := o.room
	if !o.stranded || kind == machine.KindOutage {
		return
	}
	now := time.Now()
	o.stranded = false
	for i := 0; i < len(r.people) && r.mode() == deciding; i++ {
		p := &r.people[i]
		if now.Sub(p.stranded) > strandedFor {
			continue
		}
		o.stranded = true
		if p.here {
			continue
		}
		c := outageCommand(r.last, machine.CauseWait)
		c.By = p.player
		_, _ = o.decide(c, true, now) // after an error the room is cut off, and afterwards waits for all players
	}
}

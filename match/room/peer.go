package room

import (
	"encoding/json"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// peer is another instance that follows a room that this instance owns. To the room it is a
// follower like any hub. It sends each entry once, for all people who are connected there.
type peer struct {
	room      *Room
	name      string
	following *Following
	heard     time.Time // when it last said that it follows
	lost      time.Time // since when the instance is silent; zero if it is not
	answers   bool      // the instance answers when it is asked, see [owner.unanswered]
	ask       ask
}

// Entry implements [Follower]. Delayed entries are not sent: the delay for watchers is
// kept where they are connected.
func (p *peer) Entry(e *Published) {
	if !e.ForPlayers() {
		return
	}
	p.tell(Message{Kind: tellEntry, Seq: e.Seq, Entry: appendEntry(nil, e.Entry)})
}

// Note implements [Follower].
func (p *peer) Note(n Note) { p.tell(Message{Kind: tellNote, Notes: []Note{n}}) }

// Gone implements [Follower].
func (p *peer) Gone(error) { p.tell(Message{Kind: tellGone}) }

func (p *peer) tell(m Message) {
	m.Room, m.Epoch = p.room.id, p.room.epoch
	p.room.registry.link.Tell(p.name, m)
}

// hearPeer handles a message of a following instance. While the room is busy, it drops messages
// beyond a number: their senders repeat them.
func (o *owner) hearPeer(from string, m Message) {
	r := o.room
	switch m.Kind {
	case tellDo:
		if m.Command == nil {
			return
		}
		asker := &remoteAsker{o, from, m.Call}
		err := r.registry.check(*m.Command)
		if err == nil {
			err = r.send(*m.Command, asker)
		}
		if err != nil {
			asker.Answered(*m.Command, Answer{}, err)
		}
	case tellSay:
		switch {
		case len(m.Notes) != 1:
		case m.Notes[0].Hubs:
			o.tellPeers(from, m.Notes[0])
		case checkNote(m.Notes[0]) == nil:
			_ = r.say(m.Notes[0])
		}
	case tellFollow:
		o.hearMore(func() { o.admit(from, m) })
	case tellLeave:
		o.hearMore(func() { o.dismiss(from) })
	}
}

// admit makes another instance a follower, or updates the people who are connected there.
func (o *owner) admit(from string, m Message) {
	r := o.room
	p := o.peers[from]
	if p == nil {
		p = &peer{room: r, name: from}
		p.following = &Following{room: r, follower: p, remote: true}
		if o.peers == nil {
			o.peers = map[string]*peer{}
		}
		o.peers[from] = p
		r.addFollowing(p.following)
	}
	p.heard, p.lost, p.answers = time.Now(), time.Time{}, m.Answers
	p.following.setPeople(m.Players, m.Watchers)
	answer := Message{
		Kind: tellState, Seq: r.seq, Sum: r.sum, Notes: r.feed.sticky, Now: r.anchor.Load().now(),
		Collects: true, Patient: m.Patient,
	}
	if r.ephemeral() && m.Seq != r.seq && !r.inQuarantine() {
		_ = r.guard("snapshot", func() { answer.Snapshot = r.machine.Snapshot(machine.Host) })
	}
	p.tell(answer)
}

// tellPeers passes a note from a hub on one instance to the hubs on all others. from is
// empty if the hub is ours, which knows the note.
func (o *owner) tellPeers(from string, n Note) {
	o.room.callLater(func(r *Room) {
		for name, p := range o.peers {
			if name != from {
				p.Note(n)
			}
		}
		if from != "" {
			r.tellHubs(n)
		}
	})
}

// tellHubs tells the hubs on this instance.
func (r *Room) tellHubs(n Note) {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	for _, g := range r.feed.following {
		if !g.closed.Load() && !g.remote {
			g.follower.Note(n)
		}
	}
}

// dismiss forgets a follower on another instance.
func (o *owner) dismiss(from string) {
	if p := o.peers[from]; p != nil {
		delete(o.peers, from)
		p.following.Close()
	}
}

// setPeople notes who is connected on another instance.
func (f *Following) setPeople(players []string, watchers int) {
	f.mu.Lock()
	f.people = tally{}
	for _, p := range players {
		f.people.add(p, 1)
	}
	f.watchers = watchers
	f.mu.Unlock()
	f.room.crowd.changed(f.room)
}

// remoteAsker is the replica that has sent a command.
type remoteAsker struct {
	owner *owner
	from  string
	call  uint64
}

// Answered implements [Asker]. An entry that was just published is its own answer to a
// replica that follows.
func (d *remoteAsker) Answered(_ machine.Command, a Answer, err error) {
	r := d.owner.room
	if err == nil && a.Seq != 0 && !a.Repeat && d.owner.peers[d.from] != nil { // on the room's goroutine, which decided it
		return
	}
	m := Message{Kind: tellDone, Room: r.id, Epoch: r.epoch, Call: d.call, Seq: a.Seq, Repeat: a.Repeat}
	if err != nil {
		m.Code, m.Detail = CodeUnavailable, nil
		if code, ok := refusal.Of(err); ok {
			m.Code = code
			if detail := refusal.Detail(err); detail != nil {
				m.Detail, _ = json.Marshal(detail)
			}
		}
	}
	r.registry.link.Tell(d.from, m)
}

// Hear handles a message from the registry of another instance. It returns at once.
func (reg *Registry) Hear(from string, m Message) {
	switch r := reg.running(m.Room); {
	case m.Kind == tellAsk:
		reg.link.Tell(from, Message{Kind: tellHere, Room: m.Room, Call: m.Call})
	case r != nil:
		r.role.hear(from, m)
	case m.Kind == tellDead:
		reg.hearDead(from)
	case m.Kind == tellEntry || m.Kind == tellNote:
		reg.tellLeft(from, m.Room)
	case toOwner(m.Kind) && m.Kind != tellLeave && !reg.opening(m.Room):
		reg.link.Tell(from, Message{Kind: tellGone, Room: m.Room})
		if m.Kind == tellFollow {
			reg.orphans.Store(m.Room, true)
		}
	}
}

package room

import (
	"time"

	"mancala/match/journal"
)

// A room has a role for as long as it is loaded, and is in one mode at a time.
//
//	 role      mode          the room                                    file
//	 owner     deciding      makes entries of commands                   owner.go
//	 owner     cutOff        cannot write, or a player is unreachable    cutoff.go
//	 replica   replicating   shows the entries of another instance       replica.go
//	 owner     quarantined   can only be read                            quarantine.go
//	 either    ending        ends after this step                        ending.go
//
//	             goAway
//	deciding ────────────> cutOff      A room without a living owner is opened as an
//	   │     <──────────── │           owner: deciding, or cut off if its last owner
//	   │       comeBack    │           died or the service was away. Any other is opened as a replica. A mode
//	   └───> quarantined <─┘           becomes quarantined or ending once and for all.
//
// What a room that is quiet gives back, in any mode, is in trim.go.
type mode int8

const (
	deciding mode = iota
	cutOff
	replicating
	quarantined
	ending
)

// mode returns what the room does now. Only the room's goroutine asks. A replica in
// quarantine goes on as a replica: it can be unloaded, and its owner may be well.
func (r *Room) mode() mode {
	o, owns := r.role.(*owner)
	switch {
	case r.ends():
		return ending
	case !owns:
		return replicating
	case r.inQuarantine():
		return quarantined
	case o.isCutOff():
		return cutOff
	}
	return deciding
}

// takesEntries reports whether further entries change what the room shows.
func (r *Room) takesEntries() bool { return !r.inQuarantine() && !r.ends() }

// run does what is due in the room's mode, and in the mode that follows from it. It
// returns the time at which something will be due, or zero.
func (r *Room) run(now time.Time) (next time.Time) {
	for {
		before := r.mode()
		switch before {
		case deciding:
			next = r.role.(*owner).runDeciding(now)
		case cutOff:
			next = r.role.(*owner).runCutOff(now)
		case replicating:
			next = r.role.(*replica).runReplicating(now)
		case quarantined:
			next = r.role.(*owner).runQuarantined(now)
		case ending:
			return time.Time{} // runEnding comes after the step that the room is in
		}
		if r.mode() == before {
			return next
		}
	}
}

// role is what differs between an owner and a replica. It is set when the room is
// opened and never changes.
type role interface {
	// These may be called by any goroutine.

	// hear handles a message of another instance about the room.
	hear(from string, m Message)
	// missed is called when messages of an instance have been lost. Like lost it is
	// called with an empty name for all instances.
	missed(from string)
	// lost is called when an instance is dead.
	lost(from string)
	// silent is called when no message has come from an instance for a while, audible when one
	// comes again. since is the time of the last message.
	silent(from string, since time.Time)
	audible(from string)
	// spread passes a hub's note to the hubs of the room on other instances.
	spread(n Note)

	// The others are for the room's goroutine.

	// serve carries out a request, or keeps it for later. It returns the time after that.
	serve(q *request) time.Time
	// say publishes a note that a player has sent here.
	say(n Note)
	// showsState reports whether the room has a state to make snapshots of.
	showsState() bool
	// rowsToRead is how many rows a read of unknown entries asks for.
	rowsToRead() int
	// takeRow applies a row of the journal that the room did not know.
	takeRow(row journal.Row) error
	// learnWake reads when the machine wants to be woken.
	learnWake()
	// decidesNoMore is called when the room is quarantined.
	decidesNoMore()
	// rest ends the room if nothing holds it here. It returns when to ask again.
	rest(now time.Time) time.Time
	// leave prepares the end of a room that this instance gives up, and release
	// gives it up. If leave returns false the room must not be released.
	leave() bool
	release() error
	// ended is called once, at the end.
	ended()
}

var (
	_ role = (*owner)(nil)
	_ role = (*replica)(nil)
)

// isReplica reports whether another instance owns the room.
func (r *Room) isReplica() bool {
	_, yes := r.role.(*replica)
	return yes
}

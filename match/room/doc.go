// Package room runs machines. Every match, every tournament and the lobby live in it, and it knows the
// rules of none.
//
// A room is one goroutine that owns a [machine.Machine] and the right to write its
// journal. It takes a command, lets the machine decide, appends the entry, applies it and
// publishes it, in this order and one at a time: nothing is acknowledged or published
// before it is in the journal. Everything else here serves that loop or keeps work away
// from it. When nothing happens for a while the goroutine ends, and the next event starts
// it again (deploy/decisions/0022).
//
//	Do ──> inbox ──> decide ─> append ─> apply ─> publish ──> Follower (a hub)
//	                   ▲          │                  │            │
//	     wake-up, gone,│          └─ fence, outage   └─ tail ──> Resume
//	     back, done ───┘
//
// A [Registry] holds the rooms of one instance: it opens them on demand or when they are
// due, gives signs of life, and lets them go. The layer above needs [Registry.Create],
// [Registry.Do], [Registry.View] and [Registry.Follow]. [Follower] tells how sockets are
// fed.
//
// Where to begin reading: loop.go is the goroutine, execute.go the order above. modes.go
// tells what a room does as an owner, as a replica of another instance's room, when it is
// cut off from the database, in quarantine, and when it ends. trim.go is what makes it
// small while nothing happens. load.go gives a room its state when it is opened: from its
// checkpoint, if it is long, and the entries after that.
//
// Fields of a Room without a lock belong to the goroutine. Its feed (the last entries, the
// followers) and its notes have locks of their own, so that watchers who come, go and
// resume take no turn of the goroutine. No lock is shared by two rooms.
package room

package room

import (
	"sync/atomic"
	"time"

	"mancala/match/event"
	"mancala/match/machine"
)

// Room runs one machine. Callers reach it through a [Registry] or a [Following]. Its
// fields without a lock belong to its goroutine, see [Room.loop].
type Room struct {
	id, kind string
	registry *Registry
	slot     *slot
	role     role
	epoch    uint64                 // of the ownership; the fence compares it
	anchor   atomic.Pointer[anchor] // of the room's time; only its goroutine changes it

	inbox    chan *request // bounded: a full inbox is an answer, not a wait; nil means nudge
	poked    atomic.Bool   // a nil is in the inbox
	draining atomic.Bool
	done     event.Event // fired when the room has ended

	feed      feed
	notes     notes
	admission atomic.Pointer[admission]
	crowd     crowd
	roster    atomic.Pointer[Roster]  // the feed's, for readers without its lock
	delayed   atomic.Pointer[delayed] // what watchers see, if that is not the present
	encoder   machine.Machine         // see [Room.appendPublic]
	broken    atomic.Pointer[string]  // why encoding failed on another goroutine
	wakings   atomic.Int64            // the registry's count at the last read of missed entries

	machine  machine.Machine
	seq      uint64
	last     int64  // At of the last entry
	sum      uint32 // of all entries, see addSum
	repeats  repeats
	people   []person
	watching int
	followed int
	unseen   bool // something may have happened that no follower saw
	quiet    quiet

	sick  error     // why the room is quarantined
	over  error     // why the room ends
	idle  time.Time // when the room may be unloaded
	timer *time.Timer
	armed time.Time // when timer fires
}

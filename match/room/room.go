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
	fenced   atomic.Bool // another instance owns the room, or may open it: this copy ends
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
	unheard   atomic.Bool             // a replica that may lack entries: its owner has not answered or is silent, or messages were lost
	behind    atomic.Bool             // a replica that has heard of an entry and does not have it yet

	machine  machine.Machine
	seq      uint64
	last     int64  // At of the last entry
	sum      uint32 // of all entries, see addSum
	repeats  repeats
	people   []person
	watching int
	followed int
	fresh    bool // nothing has followed the room yet: this instance has just made it, and is the only one
	unseen   bool // something may have happened that no follower saw, and no new state since made one read it
	quiet    quiet

	sick  error     // why the room is quarantined
	over  error     // why the room ends
	idle  time.Time // when the room may be unloaded
	timer *time.Timer
	armed time.Time // when timer fires
}

// crowd coalesces arrivals and departures: however many there are, the room's goroutine
// is woken once until it has looked.
type crowd struct {
	dirty atomic.Bool
}

// person is what the room knows about the presence of one of its players. It is not
// journaled; only what follows from it is.
type person struct {
	player string
	bot    bool // it never has a socket
	here   bool
	near   bool      // with a socket on this instance
	came   bool      // has been here since this owner knows the player
	noted  bool      // the followers have been told of the absence
	told   told      // what the machine was told last
	owed   bool      // the machine does not know yet that they have come, see [machine.DefersArrivals]
	since  time.Time // of the absence

	stranded time.Time // when the instance was lost to which the player was connected
}

type told int8

const (
	toldBack    told = iota // present, as far as the machine knows
	toldGone                // gone
	toldUnknown             // a former owner told it, so this one tells it again
)

package room

import (
	"sync/atomic"
	"time"

	"mancala/match/refusal"
)

// Observer receives what the metrics show. A function may be nil. The functions are called
// from many goroutines and must return at once.
type Observer struct {
	Published   func(kind string, took time.Duration) // from a command's arrival to its entry's publication
	Entered     func(kind, entry string)              // a room of a kind has written an entry of a kind, after those that created it
	Refused     func(code refusal.Code)               // for tests: the service counts what it tells its clients
	Resumed     func(how string, entries int)         // "entries" or "snapshot", and how many entries were sent
	Task        func(kind string, err error)          // one attempt; nil: carried out
	Quarantined func(room string, why error)
	Fenced      func(room string)
	Outage      func(room string) // a room could not write
}

func (o *Observer) published(kind string, sent, now time.Time) {
	if o.Published != nil {
		o.Published(kind, now.Sub(sent))
	}
}

func (o *Observer) entered(kind, entry string) {
	if o.Entered != nil {
		o.Entered(kind, entry)
	}
}

func (o *Observer) refused(code refusal.Code) {
	if o.Refused != nil {
		o.Refused(code)
	}
}

func (o *Observer) resumed(r *Resume) {
	if o.Resumed == nil {
		return
	}
	how := "entries"
	if r.Snapshot != nil {
		how = "snapshot"
	}
	o.Resumed(how, len(r.Missed))
}

func (o *Observer) task(kind string, err error) {
	if o.Task != nil {
		o.Task(kind, err)
	}
}

func (o *Observer) quarantined(room string, why error) {
	if o.Quarantined != nil {
		o.Quarantined(room, why)
	}
}

func (o *Observer) fenced(room string) {
	if o.Fenced != nil {
		o.Fenced(room)
	}
}

func (o *Observer) outage(room string) {
	if o.Outage != nil {
		o.Outage(room)
	}
}

// Stats counts the rooms of this instance by state. Rooms that sleep are rows of the
// database and not counted.
type Stats struct {
	Live        int64 // loaded, the next two included
	Away        int64 // cut off: they cannot write, or a player is unreachable
	Quarantined int64
	Healthy     bool // our signs of life arrive; otherwise no room decides or is opened
	Failing     bool // the last sign of life could not be written
	// Abandoned means that the rooms have been left to other instances, since this one does
	// not reach the database, or since it alone receives no messages. It is never set together with Healthy. Clients must go elsewhere.
	Abandoned bool
}

type stats struct {
	live, away, quarantined atomic.Int64
}

// Stats is safe from any goroutine.
func (reg *Registry) Stats() Stats {
	abandoned := reg.leaves()
	return Stats{
		Live: reg.stats.live.Load(), Away: reg.stats.away.Load(),
		Quarantined: reg.stats.quarantined.Load(), Healthy: !abandoned && reg.healthy(time.Now()),
		Failing: reg.failing.Load(), Abandoned: abandoned,
	}
}

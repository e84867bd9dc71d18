package room

import "time"

// anchor ties this process's monotonic clock to the database's. A room takes
// one when it is claimed and keeps it, so that its time runs evenly whatever
// anybody sets a clock to.
type anchor struct {
	local time.Time // with a monotonic reading
	db    int64     // ms since 1970 at that moment
}

func (a *anchor) now() int64 { return a.ms(time.Now()) }

// ms is a local moment in the database's time.
func (a *anchor) ms(local time.Time) int64 { return a.db + local.Sub(a.local).Milliseconds() }

// at gives the local moment of a database time.
func (a *anchor) at(t time.Time) time.Time {
	return a.local.Add(time.Duration(t.UnixMilli()-a.db) * time.Millisecond)
}

// now is the room's time in ms: the owner's, corrected to the database's, never
// before the last entry's.
func (r *Room) now() int64 { return r.timeAt(time.Now()) }

// timeAt is the room's time at a local moment, which whoever has it already need
// not ask for again: to read the clock is dear enough to be seen in every move.
func (r *Room) timeAt(local time.Time) int64 { return max(r.anchor.ms(local), r.last) }

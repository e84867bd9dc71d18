package room

import "time"

// anchor ties this process's monotonic clock to the database's. A room takes one when
// it is claimed and keeps it, so that its time runs evenly whatever any clock is set
// to.
type anchor struct {
	local time.Time // with a monotonic reading
	db    int64     // ms since 1970 at that moment
}

func (a *anchor) now() int64 { return a.ms(time.Now()) }

// ms returns a local moment in the database's time.
func (a *anchor) ms(local time.Time) int64 { return a.db + local.Sub(a.local).Milliseconds() }

// at returns the local moment of a database time.
func (a *anchor) at(t time.Time) time.Time {
	return a.local.Add(time.Duration(t.UnixMilli()-a.db) * time.Millisecond)
}

// now returns the room's time in ms: the owner's, corrected to the database's, and
// never before the last entry's.
func (r *Room) now() int64 { return r.timeAt(time.Now()) }

// timeAt returns the room's time at a local moment. A caller that has the moment saves
// a reading of the clock, which is dear enough to be seen in every move.
func (r *Room) timeAt(local time.Time) int64 { return max(r.anchor.ms(local), r.last) }

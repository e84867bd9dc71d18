package match

import (
	"time"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// If a player with a clock disconnects, the opponents see a countdown. After the
// countdown they may claim the game or call it a draw. The player's clock runs
// meanwhile. Without a clock, or with days for a move, people are expected to come
// and go, and there is no countdown. The room waits ten seconds before it reports a
// player as gone, so that a short interruption has no effect.
const (
	shortGame   = 10 * minute // longest base time with the shorter wait
	shortWait   = 60_000      // ms
	longerWait  = 120_000     // ms
	longestHold = 30_000      // ms

	goneAfter     = 10 * time.Second
	goneAfterMany = 10 * time.Minute // in a game with maxExtras
)

// PresenceTimeout implements [machine.PresenceTimeout]. A player who has come and gone
// hundreds of times counts as gone only after ten minutes, so that a game with a clock
// does not fill its journal, and its opponents may still claim it.
func (m *Match) PresenceTimeout() time.Duration {
	if m.extras >= maxExtras {
		return goneAfterMany
	}
	return goneAfter
}

// arriveBefore is how long before the deadline for a first ply the match learns who is there. An owner that
// dies takes this knowledge with it. The next owner has the room within this time, and the outage moves the
// deadline.
const arriveBefore = 10 * time.Second

// ArrivalDue implements [machine.DefersArrivals]. The arrival of a player who has made no ply in a game of a tournament
// matters only when the time for a first ply is over.
func (m *Match) ArrivalDue(player string) (until time.Time, waits bool) {
	s := &m.state
	seat := s.seatOf(player)
	if seat < 0 || !s.hasNoShow() || !s.playing() || s.isThere(seat) || s.gone[seat] != 0 || s.hold.on() {
		return until, false
	}
	if s.due > 0 {
		until = time.UnixMilli(s.due).Add(-arriveBefore)
	}
	return until, true
}

func (s *state) patience() int64 {
	if s.control.base <= shortGame {
		return shortWait
	}
	return longerWait
}

// countdown returns the seat that is waited for, and until when. Of several seats it
// returns the one whose countdown ends first; -1 means none.
func (s *state) countdown() (seat int, until int64) { return s.goneFirst(-1) }

// goneFirst is countdown without the seats of a side; -1 leaves out none.
func (s *state) goneFirst(side int) (seat int, until int64) {
	seat = -1
	for i, t := range s.gone {
		if t > 0 && (side < 0 || s.side(i) != side) && (seat < 0 || t < until) {
			seat, until = i, t
		}
	}
	return seat, until
}

func (d *decision) goneAway() error {
	if d.arrival(false) { // the deadline for the first ply decides, and not a claim
		d.kind = kindGone
		return nil
	}
	if d.seat < 0 || !d.control.atBoard() || !d.playing() && d.stage != between || d.gone[d.seat] > 0 || d.out(d.seat) {
		return machine.ErrNothing
	}
	d.kind = kindGone
	d.gone[d.seat] = d.at + d.patience()
	return nil
}

func (d *decision) cameBack() error {
	if d.seat < 0 {
		return machine.ErrNothing
	}
	d.kind = kindBack
	d.gone[d.seat] = 0
	d.arrival(true)
	if d.hold.on() && d.seat == d.onTurn() {
		d.goOn()
	}
	return nil // without a difference there is no entry
}

// claim ends the game against a seat that did not come back in time, as a win or a
// draw. In a game of four sides a claim can only put that seat out.
func (d *decision) claim(o order) error {
	if o.what != "win" && o.what != "draw" {
		return refusal.New(CodeBadCommand)
	}
	if !d.playing() && d.stage != between || d.out(d.seat) {
		return refusal.New(CodeNotLive)
	}
	if d.gone[d.seat] > 0 {
		d.gone[d.seat] = 0 // the player claims, so they are connected
	}
	seat, until := d.goneFirst(d.side(d.seat)) // a missing partner cannot be claimed against
	if seat < 0 || d.at < until || o.what == "draw" && d.rules.rules.Sides > 2 {
		return refusal.New(CodeNoClaim)
	}
	if d.what = o.what; o.what == "draw" {
		d.finish(d.at, result{Reason: engine.ByAbandoned, Winners: d.remaining()})
		return nil
	}
	d.lose(seat, engine.ByAbandoned, d.at)
	return nil
}

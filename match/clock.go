package match

import "mancala/engine"

// Clocks are counted in ms, only from times that are written in entries. A clock is
// two numbers: the time left (clock[seat]), and for the seat on turn the time at
// which it begins to run down (run). A seat's clock is charged after its move:
//
//	elapsed = max(0, at − run)
//	given   = min(round trip, what is in the bucket, elapsed)    (lag.go)
//	left    = clock − (elapsed − given)                          lost if not above 0
//
// and the next turn's clock begins to run at
//
//	run = at + grace (+ delay)     grace = min(2 s, 60 ms · seeds sown)
//
// so that watching a sowing costs no thinking time (ARCHITECTURE.md §4). The grace
// is the same for all players, however fast they watch. Fischer adds its increment
// after a turn in which the clock ran. Extra plies belong to the same turn: the
// clock goes on running, without a new grace, delay or increment. Days per move are
// filled up again after each turn.
//
// Until a seat has made its first ply of the contest its clock is stopped, and due
// is the deadline for that ply: 30 s (days: one move's time). Lay-outs and choices
// of a side have three minutes of their own, during which the clocks are stopped. If
// a seat misses such a deadline without having made a single ply, its player counts
// as never present and the game is aborted. If the seat has made a ply, the missed
// deadline loses the game like a flag. In a match by difference every round has
// fresh clocks. A game of a tournament has another deadline for first plies
// (eventgame.go).
const (
	firstMoveTime = 30_000  // ms
	layOutTime    = 180_000 // ms, also for the choice of a side
	maxGrace      = 2_000   // ms
	gracePerSeed  = 60      // ms
)

// grace returns how long the next side may watch a sowing, in ms.
func grace(sown int) int64 { return min(maxGrace, gracePerSeed*int64(sown)) }

// clocks returns the number of clocks.
func (s *state) clocks() int {
	if s.control.kind == noClock {
		return 0
	}
	return len(s.seats)
}

// stopClocks clears the running clock, the deadline and the hold.
func (s *state) stopClocks() { s.run, s.due, s.hold = 0, 0, hold{} }

// startClock begins a turn. from is the time at which the seat on turn has seen the
// board.
func (s *state) startClock(from int64) {
	s.stopClocks()
	c, seat := s.control, s.onTurn()
	switch {
	case s.event != nil && s.made[seat] == 0:
		s.awaitFirstPly(from)
	case c.kind == noClock || s.out(seat):
	case s.stage == setup && c.kind == days, s.made[seat] == 0 && c.kind == days:
		s.due = from + c.base
	case s.stage == setup:
		s.due = from + layOutTime
	case s.made[seat] == 0:
		s.due = from + firstMoveTime
	case c.kind == delay:
		s.run = from + c.inc
	default:
		s.run = from
	}
}

// charge takes the time for a ply from the clock of the seat on turn. It returns
// false if the ply came too late, even with the compensation for network delay.
func (s *state) charge(at, roundTrip int64) bool {
	run := s.run
	if s.hold.on() && s.due == 0 {
		run = s.hold.runs(at)
	}
	if run == 0 {
		return true
	}
	seat := s.onTurn()
	elapsed := max(0, at-run)
	if s.control.atBoard() {
		elapsed -= s.lag[seat].give(s.control, min(roundTrip, maxRoundTrip), elapsed)
	}
	if elapsed >= s.clock[seat] {
		return false
	}
	s.clock[seat] -= elapsed
	s.run = max(run, at)
	return true
}

// stop takes the elapsed time from the running clock and stops all clocks. A final
// clock therefore shows what its player last saw.
func (s *state) stop(at int64) {
	run := s.run
	if s.hold.on() && s.due == 0 {
		run = s.hold.runs(at)
	}
	if run > 0 {
		seat := s.onTurn()
		s.clock[seat] = max(0, s.clock[seat]-max(0, at-run))
	}
	s.stopClocks()
}

// turnAfter sets the clocks after a ply of seat, whose clock has been charged for
// it.
func (s *state) turnAfter(seat int, phase engine.Phase, at int64, sown int) {
	ran := s.run > 0
	if s.onTurn() == seat && phase == s.pos.Phase && ran {
		s.due, s.hold = 0, hold{} // an extra ply: the same clock goes on
		return
	}
	if ran && s.onTurn() != seat {
		switch s.control.kind {
		case fischer:
			s.clock[seat] += s.control.inc
		case days:
			s.clock[seat] = s.control.base
		}
	}
	s.startClock(at + grace(sown))
}

// flagAt returns when the flag of the seat on turn falls: after the time left on its
// clock, and then the time left in its bucket, at most two seconds. A move that was
// made in time may still be on its way.
func (s *state) flagAt() int64 {
	at := s.run + s.clock[s.onTurn()]
	if s.control.atBoard() {
		at += min(s.lag[s.onTurn()].Left, maxFlagWait)
	}
	return at
}

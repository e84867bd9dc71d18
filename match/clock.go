package match

import "mancala/engine"

// Clocks are counted in ms from times that stand in entries, and nothing else.
// A clock is two numbers: what is left (clock[seat]), and for the seat on turn
// when that begins to run down (run). It is charged when its seat has moved:
//
//	elapsed = max(0, at − run)
//	given   = min(round trip, what is in the bucket, elapsed)    (lag.go)
//	left    = clock − (elapsed − given)                          lost if not above 0
//
// and the next turn's clock begins to run at
//
//	run = at + grace (+ delay)     grace = min(2 s, 60 ms · seeds sown)
//
// so that watching a sow costs nobody thinking time (ARCHITECTURE.md §4); it is the
// same for all, however fast they watch. Fischer adds its increment when a turn
// in which the clock ran is over. Extra plies belong to the same turn: the clock
// goes on running, without a new grace, delay or increment. Days per move are
// filled up again after each turn.
//
// Until a seat has made its first ply of the contest its clock stands, and due
// says when it must have made it: 30 s (days: one move's time). Lay-outs and
// choices of a side have three minutes of their own beside the clocks, which
// stand. Whoever lets such a time pass without having made a single ply has not
// been there, and the game is aborted; later it costs the game like a flag. In a
// match by difference every round has fresh clocks.
const (
	firstMoveTime = 30_000  // ms
	layOutTime    = 180_000 // ms, also for the choice of a side
	maxGrace      = 2_000   // ms
	gracePerSeed  = 60      // ms
)

// grace is how long the next side may watch a sowing.
func grace(sown int) int64 { return min(maxGrace, gracePerSeed*int64(sown)) }

// clocks is how many clocks there are.
func (s *state) clocks() int {
	if s.control.kind == noClock {
		return 0
	}
	return len(s.seats)
}

// stopClocks ends all that time could do.
func (s *state) stopClocks() { s.run, s.due, s.hold = 0, 0, hold{} }

// startClock begins a turn: from is when the seat on turn has seen the board.
func (s *state) startClock(from int64) {
	s.stopClocks()
	c, seat := s.control, s.onTurn()
	switch {
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

// charge takes the time for a ply from the clock of the seat on turn; false if
// it came too late, even with what the network took given back.
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
	if s.control.clocked() {
		elapsed -= s.lag[seat].give(s.control, min(roundTrip, maxRoundTrip), elapsed)
	}
	if elapsed >= s.clock[seat] {
		return false
	}
	s.clock[seat] -= elapsed
	s.run = max(run, at)
	return true
}

// stop takes what has passed from the running clock and lets none run: a clock
// shows in the end what its player saw.
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

// turnAfter sets the clocks after a ply of seat, who has been charged for it.
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

// flagAt is when the flag of the seat on turn falls: after what is left on its
// clock and then what is left in its bucket, at most two seconds, since a move
// may be on its way that was made in time.
func (s *state) flagAt() int64 {
	at := s.run + s.clock[s.onTurn()]
	if s.control.clocked() {
		at += min(s.lag[s.onTurn()].Left, maxFlagWait)
	}
	return at
}

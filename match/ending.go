package match

import (
	"mancala/engine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

// resign gives up the contest, or one round of a match by difference.
func (d *decision) resign(o order) error {
	difference := d.rules.rules.Match == engine.MatchDifference
	round := o.what == "round"
	switch {
	case o.what != "" && o.what != "match" && !round, round && !difference, o.what == "" && difference:
		return refusal.New(CodeBadCommand)
	case !d.playing() && (d.stage != between || round), d.out(d.seat):
		return refusal.New(CodeNotLive)
	case round && d.extras >= maxExtras:
		return refusal.New(CodeTooLong)
	}
	if d.what = o.what; round {
		d.resignRound()
		return nil
	}
	d.lose(d.seat, engine.ByResign, d.at)
	return nil
}

// resignRound gives every seed to the other seat (RULES.md §7.9).
func (d *decision) resignRound() {
	d.rules.game.ResignRound(&d.pos, engine.Seat(d.seat))
	d.endRound(d.at, engine.ByResign, []int{1 - d.side(d.seat)})
}

// abort ends a game in which a side has not made its first ply. No side wins. Before
// the game begins, the creator may withdraw the invitation.
func (d *decision) abort(order) error {
	if d.stage == waiting {
		if d.by != d.creator {
			return refusal.New(CodeNotCreator)
		}
		d.finish(d.at, result{Reason: byAbort})
		return nil
	}
	switch {
	case d.seat < 0:
		return refusal.New(CodeNotPlaying)
	case d.event != nil:
		return refusal.New(CodeOfTournament)
	case !d.playing():
		return refusal.New(CodeNotLive)
	case d.allMoved():
		return refusal.New(CodeTooLate)
	}
	d.finish(d.at, result{Reason: byAbort})
	return nil
}

// allMoved reports whether every side has made a ply.
func (s *state) allMoved() bool {
	var moved [maxSeats]bool
	for seat := range s.seats {
		moved[s.side(seat)] = moved[s.side(seat)] || s.made[seat] > 0 || s.out(seat)
	}
	for seat := range s.seats {
		if !moved[s.side(seat)] {
			return false
		}
	}
	return true
}

// timeOut does what is due at this time without a command of a player.
func (d *decision) timeOut() error {
	d.seat = -1
	switch {
	case d.paused():
		d.kind = kindExpire
		d.finish(d.at, result{Reason: byArbiter})
	case d.stage == waiting:
		d.kind = kindExpire
		d.finish(d.at, result{Reason: byExpiry})
	case d.stage == between:
		d.kind = KindNext
		d.nextRound()
	case d.hold.on():
		d.kind, d.seat = kindResume, d.onTurn()
		d.goOn()
	case d.expires > 0:
		d.kind = kindExpire
		d.finish(d.at, result{Reason: byAbort})
	case d.idleAt() > 0:
		d.warnIdle()
	case d.missesFirstPly():
		d.noShow()
	case d.due > 0 && d.made[d.onTurn()] == 0 && d.event == nil:
		d.kind, d.seat, d.what = KindAbort, d.onTurn(), "time"
		d.finish(d.at, result{Reason: byAbort})
	default:
		d.kind, d.seat = kindFlag, d.onTurn()
		if d.run > 0 {
			d.clock[d.seat] = 0
		}
		d.lose(d.seat, engine.ByTime, d.at)
	}
	return nil
}

// lose ends the game against a seat, whatever the stores hold. In a game of four
// sides it puts only that seat out, until one side is left (RULES.md §7.9).
func (s *state) lose(seat int, reason string, at int64) {
	if s.rules.rules.Sides == 2 {
		s.finish(at, result{Reason: reason, Winners: []int{1 - s.side(seat)}})
		return
	}
	s.left = append(s.left[:len(s.left):len(s.left)], leaver{engine.Seat(seat), int32(len(s.moves))})
	s.pos.Out |= 1 << seat
	s.gone[seat] = 0
	s.offers = nil // the seats that have to agree have changed
	if rest := s.remaining(); len(rest) == 1 {
		s.finish(at, result{Reason: reason, Winners: rest})
	} else if s.alone(-1) { // bots do not play on among themselves
		s.finish(at, result{Reason: reason, Winners: s.leaders()})
	} else if s.onTurn() == seat {
		s.stop(at) // the seat passes at once
	}
}

// remaining returns the sides that still play.
func (s *state) remaining() []int {
	var sides []int
	for side := range s.rules.rules.Sides {
		if s.rules.rules.Sides == 2 || !s.out(side) {
			sides = append(sides, side)
		}
	}
	return sides
}

// leaders returns the sides with the highest score among those that still play.
func (s *state) leaders() []int {
	var best []int
	for _, side := range s.remaining() {
		switch {
		case len(best) == 0 || s.pos.Score(side) > s.pos.Score(best[0]):
			best = []int{side}
		case s.pos.Score(side) == s.pos.Score(best[0]):
			best = append(best, side)
		}
	}
	return best
}

// maxRounds is how many rounds a match has at most, whatever its rules allow
// (RULES.md §10). The entry that ends a round holds the results of all rounds so far, so
// the bytes of a journal grow with the square of the rounds.
const maxRounds = 100

// endRound ends a round. It also ends the contest, unless a match goes on.
func (s *state) endRound(at int64, reason string, winners []int) {
	r := result{Reason: reason, Winners: winners, Scores: s.pos.Scores(), Ply: int(s.pos.Ply)}
	if s.rules.rules.Match != engine.MatchDifference {
		s.finish(at, r)
		return
	}
	s.rounds = append(s.rounds[:len(s.rounds):len(s.rounds)], r)
	s.standing = standingAfter(s.standing, r)
	done, winner, drawn := s.standing.Over(s.rules.rules)
	if !done && len(s.rounds) < maxRounds {
		s.stage, s.offers, s.expires = between, nil, 0
		s.stop(at)
		s.due = at + pauseTime
		return
	}
	m := result{Reason: byTarget, Winners: []int{int(winner)}}
	if max(s.standing.Gains[0], s.standing.Gains[1]) < s.rules.rules.Target {
		m.Reason = byMaxRounds
	}
	if drawn {
		m.Winners = []int{0, 1}
	}
	s.finish(at, m)
}

// standingAfter counts a round. A player who resigns a round loses it and gains
// nothing, even with more seeds in their store. After a draw by agreement no side
// gains.
func standingAfter(s engine.Standing, r result) engine.Standing {
	switch {
	case r.Reason == engine.ByAgreement:
		return s.After([2]int{})
	case r.Reason == engine.ByResign && r.Scores[r.Winners[0]] <= r.Scores[1-r.Winners[0]]:
		s.Rounds++
		s.Layer = engine.Seat(1 - r.Winners[0])
		return s
	}
	return s.After([2]int{r.Scores[0], r.Scores[1]})
}

// finish ends the contest.
func (s *state) finish(at int64, r result) {
	if len(s.seats) > 0 {
		r.Receipt = s.receipts(at)
	}
	s.stop(at)
	if r.Scores == nil {
		r.Scores = s.pos.Scores()
		if s.rules.rules.Match == engine.MatchDifference {
			r.Scores = s.standing.Gains[:]
		}
		r.Scores = append([]int(nil), r.Scores...)
	}
	r.Ply = int(s.pos.Ply)
	s.result, s.stage, s.offers = &r, over, nil
	s.expires, s.gone = 0, [maxSeats]int64{}
	if s.paused() {
		s.changeEvent().Pause = pausedClock{}
	}
}

func appendResult(b []byte, r *result) []byte {
	b = wire.AppendText(append(b, `{"reason":`...), r.Reason)
	b = wire.AppendInts(append(b, `,"scores":`...), r.Scores)
	b = wire.AppendInts(append(b, `,"winners":`...), r.Winners)
	b = wire.AppendInt(append(b, `,"ply":`...), int64(r.Ply))
	if len(r.Receipt) > 0 {
		b = append(b, `,"receipt":[`...)
		for i, l := range r.Receipt {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendReceipt(b, l)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

// pauseTime is how long the result of a round is shown before the next round begins.
const pauseTime = 15_000 // ms

// next begins the next round of a match.
func (d *decision) next(order) error {
	if d.stage != between {
		return refusal.New(CodeNotLive)
	}
	d.nextRound()
	return nil
}

func (d *decision) nextRound() {
	d.round++
	d.beginRound(d.at)
}

package engine

import (
	"fmt"
	"strings"
)

// Standing is the state of a match by difference (RULES.md §10): what each seat has
// gained in the rounds so far, and which seat lays out the next round. Its zero value is the
// start of the match.
type Standing struct {
	Gains  [2]int // by seat
	Rounds int    // rounds played so far
	Layer  Seat   // lays out the next round; the other answers and begins
}

// MatchTag returns the value of the tag Match in the record of the next round: the
// gains before that round, and the target (RULES.md §2).
func (s Standing) MatchTag(r Rules) string {
	return fmt.Sprintf("%d-%d of %d", s.Gains[0], s.Gains[1], r.Target)
}

// ParseMatchTag reads the value of a tag Match.
func ParseMatchTag(text string) (gains [2]int, target int, ok bool) {
	text, of, found := strings.Cut(text, " of ")
	south, north, both := strings.Cut(text, "-")
	var okS, okN, okT bool
	gains[0], okS = parseInt(south)
	gains[1], okN = parseInt(north)
	target, okT = parseInt(of)
	ok = found && both && okS && okN && okT && min(gains[0], gains[1], target) >= 0
	return gains, target, ok
}

// After returns the standing after a round with the given scores. The loser of a
// round lays out the next one. After a drawn round, the player who answered lays out.
func (s Standing) After(scores [2]int) Standing {
	s.Rounds++
	switch d := scores[0] - scores[1]; {
	case d > 0:
		s.Gains[0] += d
		s.Layer = 1
	case d < 0:
		s.Gains[1] -= d
		s.Layer = 0
	default:
		s.Layer ^= 1
	}
	return s
}

// Over reports whether the match is decided under r: a seat has reached the target,
// or all rounds are played. It returns the seat with the higher gains as winner. It
// returns draw if the gains are equal; a match ends so only when MaxRounds limits it.
func (s Standing) Over(r Rules) (over bool, winner Seat, draw bool) {
	over = s.Gains[0] >= r.Target || s.Gains[1] >= r.Target || r.MaxRounds > 0 && s.Rounds >= r.MaxRounds
	if s.Gains[1] > s.Gains[0] {
		winner = 1
	}
	return over, winner, s.Gains[0] == s.Gains[1]
}

// ResignRound ends a round in favour of the other seat (RULES.md §7.9). That seat
// gets every seed on the board, or the whole total if no seed has been laid out.
func (g *Game) ResignRound(p *Position, loser Seat) {
	winner := 1 - g.Side(loser)
	if p.Phase == Setup {
		p.Slots[g.pits+winner] += uint8(g.rules.Total)
	}
	g.giveAll(p, winner, nil)
	g.giveHand(p, 1-winner, nil)
	p.over(p.End, nil)
}

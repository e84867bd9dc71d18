package engine

import (
	"fmt"
	"strings"
)

// Standing is a match by difference (RULES.md §10): what each seat has gained in the
// rounds so far, and who does what in the next. Its zero value is the start.
type Standing struct {
	Gains  [2]int // by seat
	Rounds int    // played
	Layer  Seat   // lays out the next round; the other answers and begins
}

// MatchTag is the value of the tag Match in the record of the next round: the
// gains before it and the target (RULES.md §2).
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

// After returns the standing after a round with the given scores. The loser of
// the round lays out the next; after a drawn round it is the other player's
// turn.
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

// Over says whether the match is decided under r: a seat has the gains it needs,
// or the rounds are played. winner is the seat with the higher gains; draw is
// true if they are equal, which only a limit of rounds can bring about.
func (s Standing) Over(r Rules) (over bool, winner Seat, draw bool) {
	over = s.Gains[0] >= r.Target || s.Gains[1] >= r.Target || r.MaxRounds > 0 && s.Rounds >= r.MaxRounds
	if s.Gains[1] > s.Gains[0] {
		winner = 1
	}
	return over, winner, s.Gains[0] == s.Gains[1]
}

// ResignRound ends a round in favour of the other seat (RULES.md §7.9): it gets every
// seed on the board, and before play the whole total.
func (g *Game) ResignRound(p *Position, loser Seat) {
	winner := 1 - g.Side(loser)
	if p.Phase == Setup {
		p.Slots[g.pits+winner] += uint8(g.rules.Total)
	}
	g.giveAll(p, winner, nil)
	p.Phase = Over
}

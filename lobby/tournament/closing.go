package tournament

import (
	"cmp"
	"time"

	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// The host can give rounds an end some days after their start. Players then agree when they play. At the
// end an order goes to all games of the round. If one player has moved, the other player loses. If neither
// player has moved, the settings decide the result. If both players have moved, the game goes on until its
// clock or the host ends it.

const dayMS = 24 * 3_600_000

// lateNoShow is the time after which a player who has not moved loses a game that begins after the end of
// its round. At the end, the game before it on its board was still played.
const lateNoShow = 24 * time.Hour

// EndOfRound returns when the round that is played ends, in ms. It is 0 for a round without an end, for
// one whose end has come, and while its games are opened.
func (s *State) EndOfRound() int64 {
	switch {
	case s.InWaves(), s.Settings.Days == 0, s.Stage != Running, s.closed(), s.Recall > 0, s.roundOver(), len(s.blocks()) > 0:
		return 0
	}
	return s.Ends
}

// closed reports whether the end of the last round has come.
func (s *State) closed() bool { return s.Closed > 0 && s.Closed == len(s.Rounds) }

// closeRound sends the games of the round the order that ends those that have not begun.
func (d *decision) closeRound() error {
	round := len(d.Rounds)
	d.change.Closed = round
	a := Act{Number: d.Acted + 1, Kind: match.ActClose, By: d.Hosts[0], Round: round, Boards: len(d.round()), Recalled: d.Recalled}
	if len(d.acting(a).Games) > 0 {
		d.change.Act = &a
	}
	return nil
}

// extendRound moves the end of the round.
func (d *decision) extendRound() error {
	end, by, to := d.EndOfRound(), d.order.Ms, d.order.Ends
	switch {
	case end == 0:
		return refusal.New(CodeClosed)
	case (by == 0) == (to == 0), max(by, -by) > maxDays*dayMS, to < 0 || to > maxStarts:
		return refusal.New(match.CodeBadCommand)
	case to == 0 && !mayEnd(end+by, d.at):
		return refusal.New(match.CodeBadCommand)
	case to != 0 && !mayEnd(to, d.at):
		return refusal.New(CodeBadEnd)
	case to == end:
		return machine.ErrNothing
	}
	d.change.Ends = cmp.Or(to, end+by)
	return nil
}

// mayEnd reports whether a round that is played at a time can end at another one.
func mayEnd(end, at int64) bool { return end > at && end <= at+maxDays*dayMS }

// checkEnds refuses settings whose first round ends in the past, or too late to last [maxDays].
func (d *decision) checkEnds(s *Settings) error {
	if s.Ends == 0 || s.Ends > d.at && mayEnd(s.Ends, max(d.at, s.Starts)) {
		return nil
	}
	return refusal.New(CodeBadEnd)
}

// endOfRound returns when a round ends that starts at a time. With an exact end in the settings, the first
// round ends then, and the others a whole number of days (24 hours each) after it: as near as possible to the
// days of a round from their start. So the rounds of a league end at the same hour, but for changes of summer
// time. If the first round cannot end then any more, it is like the others.
func (s *Settings) endOfRound(round int, at int64) int64 {
	usual := at + int64(s.Days)*dayMS
	if s.Ends == 0 {
		return usual
	}
	if round == 1 && mayEnd(s.Ends, at) {
		return s.Ends
	}
	whole := int64(s.Days) * dayMS // between the ends of two rounds
	end := s.Ends + floor(usual-s.Ends+whole/2, whole)*whole
	if !mayEnd(end, at) {
		end -= whole
	}
	return end
}

// floor returns the quotient a/b, rounded down. b is above 0.
func floor(a, b int64) int64 {
	q := a / b
	if q*b > a {
		q--
	}
	return q
}

// settle sets the result of a board whose last game is over, or adds its next game.
func (d *decision) settle(round int, b *Board) {
	if d.Settings.Format == Knockout {
		d.settleMatch(round, b)
	} else {
		b.settle(d.Settings.Games, d.Settings.BySeeds)
	}
	if b.Result != Neither {
		return
	}
	switch d.Settings.Unplayed {
	case UnplayedDraw:
		b.Result = Drawn
	case UnplayedHost:
		b.Result, b.Games[len(b.Games)-1].Result = "", Void
	}
}

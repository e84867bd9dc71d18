package tournament

import (
	"time"

	"mancala/match"
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
	switch end := d.EndOfRound(); {
	case end == 0:
		return refusal.New(CodeClosed)
	case d.order.Ms == 0 || max(d.order.Ms, -d.order.Ms) > maxDays*dayMS || end+d.order.Ms <= d.at || end+d.order.Ms > d.at+maxDays*dayMS:
		return refusal.New(match.CodeBadCommand)
	default:
		d.change.Ends = end + d.order.Ms
	}
	return nil
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

package match

import (
	"errors"
	"strings"

	"mancala/engine"
	"mancala/match/refusal"
)

// Codes with which commands are refused; web/PROTOCOL.md lists them too. An illegal
// move is refused with the engine's [engine.Reason].
const (
	CodeNotYourTurn   refusal.Code = "not-your-turn"
	CodeStale         refusal.Code = "stale"       // meant for another ply
	CodeNotPlaying    refusal.Code = "not-playing" // the sender has no seat
	CodeNotLive       refusal.Code = "not-live"
	CodeNotWaiting    refusal.Code = "not-waiting"
	CodeNoSeat        refusal.Code = "no-seat"
	CodeAlreadySeated refusal.Code = "already-seated"
	CodeNotCreator    refusal.Code = "not-creator"
	CodeBadSettings   refusal.Code = "bad-settings"
	CodeBadClock      refusal.Code = "bad-clock"
	CodeBadRules      refusal.Code = "bad-rules"
	CodeBadCommand    refusal.Code = "bad-command"
	CodeBadMove       refusal.Code = "bad-move"
	CodeNoOffer       refusal.Code = "no-offer"
	CodeOfferAgain    refusal.Code = "offer-again"
	CodeNoTakeback    refusal.Code = "no-takeback" // nothing to take back, or a rated game
	CodeNoClaim       refusal.Code = "no-claim"
	CodeTooLate       refusal.Code = "too-late"
	CodeNotAsked      refusal.Code = "not-asked"    // this game does not ask who is the youngest
	CodeNotRateable   refusal.Code = "not-rateable" // a rated game needs two players, a clock and no house rules
	CodeNoAssists     refusal.Code = "no-assists"
	CodeTooLong       refusal.Code = "too-long" // the game has too many entries that are no moves
	CodePaused        refusal.Code = "game-paused"
	CodeOfTournament  refusal.Code = "tournament-game" // players cannot abort or repeat a game of a tournament
)

// MoveDetail explains an illegal move: the pit as people number it, the legal moves,
// and for a lay-out what is wrong with it.
type MoveDetail struct {
	Pit   int      `json:"pit,omitempty"`
	Legal []string `json:"legal,omitempty"`
	Why   string   `json:"why,omitempty"`
}

// RulesDetail explains why a rule set is refused: the option, and the reason as the
// rest of an English sentence.
type RulesDetail struct {
	Control string `json:"control"`
	Reason  string `json:"reason"`
}

func refuseRules(err error) error {
	var why *engine.RulesError
	if !errors.As(err, &why) {
		return refusal.New(CodeBadRules)
	}
	return refusal.With(CodeBadRules, RulesDetail{why.Control, why.Reason})
}

// Refused returns the refusal for an error of the engine about a move.
func Refused(err error) error { return refuseMove(err) }

func refuseMove(err error) error {
	var why *engine.MoveError
	if !errors.As(err, &why) {
		return refusal.New(CodeBadMove)
	}
	d := MoveDetail{Pit: why.Pit(), Why: why.Detail}
	for _, m := range why.Legal {
		d.Legal = append(d.Legal, strings.Clone(m.String()))
	}
	return refusal.With(refusal.Code(why.Reason), d)
}

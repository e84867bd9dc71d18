package match

import (
	"errors"
	"strings"

	"mancala/engine"
	"mancala/match/machine"
)

// Codes with which commands are refused; web/PROTOCOL.md lists them too. Illegal
// moves are refused with the engine's [engine.Reason].
const (
	CodeNotYourTurn   machine.Code = "not-your-turn"
	CodeStale         machine.Code = "stale"       // meant for another ply
	CodeNotPlaying    machine.Code = "not-playing" // who asks has no seat
	CodeNotLive       machine.Code = "not-live"
	CodeNotWaiting    machine.Code = "not-waiting"
	CodeNoSeat        machine.Code = "no-seat"
	CodeAlreadySeated machine.Code = "already-seated"
	CodeNotCreator    machine.Code = "not-creator"
	CodeBadSettings   machine.Code = "bad-settings"
	CodeBadClock      machine.Code = "bad-clock"
	CodeBadRules      machine.Code = "bad-rules"
	CodeBadCommand    machine.Code = "bad-command"
	CodeBadMove       machine.Code = "bad-move"
	CodeNoOffer       machine.Code = "no-offer"
	CodeOfferAgain    machine.Code = "offer-again"
	CodeNoTakeback    machine.Code = "no-takeback" // nothing to take back, or a rated game
	CodeNoClaim       machine.Code = "no-claim"
	CodeTooLate       machine.Code = "too-late"
	CodeNotAsked      machine.Code = "not-asked"    // it is not the youngest who begins
	CodeNotRateable   machine.Code = "not-rateable" // for two, with a clock, without house rules
	CodeNoAssists     machine.Code = "no-assists"
)

// MoveDetail explains an illegal move: the pit as people number it, what is
// legal instead, and of a lay-out what is wrong with it.
type MoveDetail struct {
	Pit   int      `json:"pit,omitempty"`
	Legal []string `json:"legal,omitempty"`
	Why   string   `json:"why,omitempty"`
}

// RulesDetail explains a rule set that is refused: which option and why, as the
// rest of an English sentence.
type RulesDetail struct {
	Control string `json:"control"`
	Reason  string `json:"reason"`
}

func refuse(code machine.Code) error { return &machine.Error{Code: code} }

func refuseRules(err error) error {
	e := &machine.Error{Code: CodeBadRules}
	var why *engine.RulesError
	if errors.As(err, &why) {
		e.Detail = RulesDetail{why.Control, why.Reason}
	}
	return e
}

// Refused is what a move that the engine forbids is answered with.
func Refused(err error) error { return refuseMove(err) }

func refuseMove(err error) error {
	var why *engine.MoveError
	if !errors.As(err, &why) {
		return refuse(CodeBadMove)
	}
	d := MoveDetail{Pit: why.Pit(), Why: why.Detail}
	for _, m := range why.Legal {
		d.Legal = append(d.Legal, strings.Clone(m.String()))
	}
	return &machine.Error{Code: machine.Code(why.Reason), Detail: d}
}

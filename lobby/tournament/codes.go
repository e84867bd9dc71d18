package tournament

import "mancala/match/refusal"

// Codes of refusals. Their texts are stable.
const (
	CodeBadSettings  refusal.Code = "tournament-settings"    // the detail is a [Problem]
	CodeNotHost      refusal.Code = "tournament-not-host"    // only a host may do this
	CodeNotEntered   refusal.Code = "tournament-not-entered" // the player is not in this tournament
	CodeEntered      refusal.Code = "tournament-entered"     // the player is in this tournament already
	CodeFull         refusal.Code = "tournament-full"
	CodeClosed       refusal.Code = "tournament-closed"       // players cannot join, or come back, any more
	CodeStarted      refusal.Code = "tournament-started"      // it can only be done before the first round, or before anybody has joined
	CodeTooFew       refusal.Code = "tournament-too-few"      // fewer than two players can be paired
	CodeRoundOpen    refusal.Code = "tournament-round-open"   // some games are not over
	CodeNoRound      refusal.Code = "tournament-no-round"     // there is no such round, or no further one
	CodeOpening      refusal.Code = "tournament-opening"      // the games of a round are being opened, or the round is being taken back
	CodeNoPairing    refusal.Code = "tournament-no-pairing"   // no legal pairing is left
	CodeBadPairing   refusal.Code = "tournament-bad-pairing"  // the host's pairings are not of all players who play, each once
	CodeNoBoard      refusal.Code = "tournament-no-board"     // there is no such board or game
	CodeRunning      refusal.Code = "tournament-game-running" // the game has not ended, so it has no other result
	CodeSteps        refusal.Code = "tournament-steps"        // the player has changed their mind 100 times
	CodeTooLong      refusal.Code = "tournament-too-long"     // the hosts have given too many orders
	CodeBadEnd       refusal.Code = "tournament-end"          // no round can end then, or the settings do not say how many days a round lasts
	CodePaired       refusal.Code = "tournament-paired"       // the players have been paired again, so that the result stays
	CodeNothing      refusal.Code = "tournament-no-undo"
	CodeNeedsAccount refusal.Code = "needs-account" // the tournament is for accounts only
)

// A Problem is the detail of a refusal with [CodeBadSettings].
type Problem struct {
	Field string `json:"field"`
}

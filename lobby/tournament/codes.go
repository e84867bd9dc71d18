package tournament

import "mancala/match/refusal"

// Codes of refusals. Their texts are stable.
const (
	CodeBadSettings  refusal.Code = "bad-tournament" // the detail is a [Problem]
	CodeNotHost      refusal.Code = "not-host"       // only a host may do this
	CodeNotEntered   refusal.Code = "not-entered"    // the player is not in this tournament
	CodeEntered      refusal.Code = "entered"        // the player is in this tournament already
	CodeFull         refusal.Code = "tournament-full"
	CodeClosed       refusal.Code = "entry-closed" // nobody can join any more
	CodeStarted      refusal.Code = "started"      // it can only be done before the first round
	CodeTooFew       refusal.Code = "too-few"      // fewer than two players can be paired
	CodeRoundOpen    refusal.Code = "round-open"   // games of the round are not over
	CodeNoRound      refusal.Code = "no-round"     // there is no such round, or no further one
	CodeNoPairing    refusal.Code = "no-pairing"   // no legal pairing is left
	CodeBadPairing   refusal.Code = "bad-pairing"  // the host's pairings are not of all players who play, each once
	CodeNoBoard      refusal.Code = "no-board"     // there is no such board or game
	CodeRunning      refusal.Code = "game-running" // the game has not ended, so it has no other result
	CodeNothing      refusal.Code = "nothing-to-undo"
	CodeNeedsAccount refusal.Code = "needs-account" // the tournament is for accounts only
)

// A Problem is the detail of a refusal with [CodeBadSettings].
type Problem struct {
	Field string `json:"field"`
}

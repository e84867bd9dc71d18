package policy

import (
	"context"

	"mancala/match/refusal"
)

// CodeRatedGame refuses an engine's answer.
const CodeRatedGame refusal.Code = "rated-game"

var errRatedGame = refusal.New(CodeRatedGame)

// MayAskEngine refuses the worth of positions, hints and analyses while one of these
// players plays a rated game. They are the player who asks and those who have signed in
// on the same device. The position that is asked about does not matter: the same one is
// easily made elsewhere.
func (p *Policy) MayAskEngine(ctx context.Context, players []string) error {
	rated, err := p.Games.PlayRated(ctx, players)
	if err == nil && rated {
		err = errRatedGame
	}
	return err
}

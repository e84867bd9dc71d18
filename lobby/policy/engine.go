package policy

import (
	"context"

	"mancala/match/refusal"
)

// CodeRatedGame refuses the help of an engine during a rated game.
const CodeRatedGame refusal.Code = "rated-game"

var errRatedGame = refusal.New(CodeRatedGame)

// MayAskEngine refuses values of positions, hints and analyses while one of
// these players plays a rated game. players are the client's player and the
// players who have signed in on the same device. The position does not matter,
// because a player could set up the same position in another game.
func (p *Policy) MayAskEngine(ctx context.Context, players []string) error {
	rated, err := p.Games.PlayRated(ctx, players)
	if err == nil && rated {
		err = errRatedGame
	}
	return err
}

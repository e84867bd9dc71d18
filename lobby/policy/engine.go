package policy

import (
	"context"

	"mancala/match"
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

// ErrNoHint refuses a hint because the player has no move to choose now.
var ErrNoHint = refusal.New("no-hint")

var errNoHints = refusal.New("no-hints") // the player only watches, or another person plays

// MayHint refuses a hint to a player who does not play only with bots, or who is not on
// turn.
func (p *Policy) MayHint(ctx context.Context, id, player string) error {
	view, err := p.Rooms.View(ctx, id, player)
	if err != nil {
		return err
	}
	s, err := match.ReadPublic(id, view.Snapshot)
	switch {
	case err != nil:
		return err
	case !view.Audience.IsSeat() || !BotsBeside(s, player):
		return errNoHints
	case !s.GoesOn() || s.Turn != int(view.Audience) || s.Phase == "setup":
		return ErrNoHint
	}
	return nil
}

// BotsBeside reports whether all other players of a game are bots. It is false for a
// game with one player or none.
func BotsBeside(s *match.Public, player string) bool {
	for _, other := range s.Seats {
		if _, _, isBot := match.Bot(other); !isBot && other != player {
			return false
		}
	}
	return len(s.Seats) > 1
}

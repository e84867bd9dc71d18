package knockout

import "errors"

// Count is what decides a match.
type Count uint8

const (
	ByGames Count = iota // a win counts 1, a draw a half
	BySeeds              // the seeds won in all games of the match together
)

// Tie is what decides a match that is level after all of its games.
type Tie uint8

const (
	// Decider is one more game. The worse seed number moves first, and if the game is drawn, the
	// better seed number goes through.
	Decider Tie = iota
	// BetterSeed lets the better seed number go through without another game.
	BetterSeed
)

// MostExtra is the greatest number of extra pairs of games.
const MostExtra = 5

// Settings say how a tournament is played. A match has Games games, and the player who is ahead
// then goes through. A level match goes on with pairs of games with sides changed, until one pair
// decides it or Extra pairs have been played. Then Tie decides. The clocks of extra games are not
// decided here.
type Settings struct {
	ThirdPlace bool // the losers of the semifinals play for third place
	Games      int  // 1, or 2 with sides changed
	Count      Count
	Extra      int
	Tie        Tie
}

// Usual is a knockout of single games, with one extra pair for a level match.
var Usual = Settings{ThirdPlace: true, Games: 1, Extra: 1}

// Check returns an error where no tournament can have these settings.
func (s Settings) Check() error {
	switch {
	case s.Games != 1 && s.Games != 2:
		return errors.New("knockout: a match has 1 or 2 games")
	case s.Extra < 0 || s.Extra > MostExtra:
		return errors.New("knockout: a level match has 0 to 5 extra pairs of games")
	case s.Count > BySeeds || s.Tie > BetterSeed:
		return errors.New("knockout: unknown way to decide a match")
	}
	return nil
}

// mostGames returns the greatest number of games in a match, without a deciding one.
func (s Settings) mostGames() int { return s.Games + 2*s.Extra }

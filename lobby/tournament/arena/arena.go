// Package arena holds tournaments in which players are paired again as soon as they are free, for
// a fixed time.
//
// Points and streaks are those that players know from lichess.org (its page "Arena
// tournaments", FAQ): a win counts 2, a draw 1, a loss 0. After two wins in a row every game counts
// double, until the player does not win one. So two wins and a draw are 2 + 2 + 2 points.
//
// Everything here is a pure function of the players and their games so far. How long the arena goes
// on, and when a wave comes, is not decided here.
package arena

// Outcome is how a game ended for a player.
type Outcome uint8

const (
	Loss Outcome = iota
	Draw
	Win
)

// A Game is one game of a player, after it is over.
type Game struct {
	Opponent int // their number
	Rating   int // of the opponent at that time, or 0
	First    bool
	Outcome  Outcome
}

// A Player is one player of the arena.
type Player struct {
	Number int
	Rating int // 0 for a player who has none
	Games  []Game
	Waited int // the last waves in a row that had the player, but no opponent for them
}

// streak is the number of wins in a row after which games count double.
const streak = 2

// Sheet returns the points of each game.
func (p *Player) Sheet() []int {
	points, wins := make([]int, len(p.Games)), 0
	for i, g := range p.Games {
		points[i], wins = score(g, wins)
	}
	return points
}

// Points returns the points of all games together.
func (p *Player) Points() int {
	sum, wins := 0, 0
	for _, g := range p.Games {
		var points int
		points, wins = score(g, wins)
		sum += points
	}
	return sum
}

// score returns the points of a game after some wins in a row, and the wins in a row after it.
func score(g Game, wins int) (points, winsNow int) {
	points = int(g.Outcome)
	if wins >= streak {
		points *= 2
	}
	if g.Outcome != Win {
		return points, 0
	}
	return points, wins + 1
}

// Streak returns how many games the player has won in a row.
func (p *Player) Streak() int {
	wins := 0
	for _, g := range p.Games {
		_, wins = score(g, wins)
	}
	return wins
}

// Doubles reports whether the next game counts double.
func (p *Player) Doubles() bool { return p.Streak() >= streak }

// unratedAs is the rating that a player without one counts as in a performance.
const unratedAs = 1500

// Performance returns the average rating of the opponents, where each win adds 500 and each loss
// takes 500 away (the linear formula of lichess.org). It returns 0 without games.
func (p *Player) Performance() int {
	if len(p.Games) == 0 {
		return 0
	}
	sum := 0
	for _, g := range p.Games {
		rating := g.Rating
		if rating == 0 {
			rating = unratedAs
		}
		sum += rating + 500*(int(g.Outcome)-int(Draw))
	}
	return sum / len(p.Games)
}

// surplus returns in how many more games the player moved first than second.
func (p *Player) surplus() int {
	surplus := 0
	for _, g := range p.Games {
		surplus--
		if g.First {
			surplus += 2
		}
	}
	return surplus
}

// last returns the opponent of the last game, or 0.
func (p *Player) last() int {
	if len(p.Games) == 0 {
		return 0
	}
	return p.Games[len(p.Games)-1].Opponent
}

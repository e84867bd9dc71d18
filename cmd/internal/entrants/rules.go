package entrants

import (
	"slices"

	"mancala/lobby/tournament"
)

// rules checks the pairings, and that each board has the result of its games.
func (c *checker) rules() {
	for i, boards := range c.state.Rounds {
		for _, b := range boards {
			if want := c.boardResult(&b); b.Result != want {
				c.fault("round %d, board %d has the result %q, its games give %q", i+1, b.Number, b.Result, want)
			}
		}
	}
	switch c.Settings.Format {
	case tournament.Swiss:
		c.swiss()
	case tournament.Knockout:
		c.knockout()
	}
}

// boardResult counts the games of a board. The better seed number wins a match that is still level.
func (c *checker) boardResult(b *tournament.Board) string {
	if b.Second == 0 {
		return tournament.Bye
	}
	sum := 0
	for _, g := range b.Games {
		switch g.Result {
		case tournament.FirstWins:
			sum++
		case tournament.SecondWins:
			sum--
		case tournament.Drawn:
		default:
			return ""
		}
	}
	switch {
	case sum > 0:
		return tournament.FirstWins
	case sum < 0:
		return tournament.SecondWins
	case c.Settings.Format != tournament.Knockout:
	case slices.Index(c.state.Start, b.First) < slices.Index(c.state.Start, b.Second):
		return tournament.FirstWins
	default:
		return tournament.SecondWins
	}
	return tournament.Drawn
}

// swiss checks that nobody met twice or had two byes, and that each round had everybody once.
func (c *checker) swiss() {
	met, byes := map[[2]int]int{}, map[int]int{}
	for i, boards := range c.state.Rounds {
		here := map[int]bool{}
		for _, b := range boards {
			for _, number := range []int{b.First, b.Second} {
				if here[number] {
					c.fault("player %d is on two boards of round %d", number, i+1)
				}
				here[number] = number != 0
			}
			pair := [2]int{min(b.First, b.Second), max(b.First, b.Second)}
			if b.Second == 0 {
				if before := byes[b.First]; before > 0 {
					c.fault("player %d has the bye in round %d and in round %d", b.First, before, i+1)
				}
				byes[b.First] = i + 1
			} else if before := met[pair]; before > 0 {
				c.fault("players %v meet in round %d and in round %d", pair, before, i+1)
			}
			met[pair] = i + 1
		}
		delete(here, 0)
		if len(here) != c.Players {
			c.fault("round %d has %d of %d players", i+1, len(here), c.Players)
		}
	}
}

// knockout checks that winners play on, and losers only for the third place.
func (c *checker) knockout() {
	last := len(c.state.Rounds)
	left := map[int]bool{}
	for number := range c.Players {
		left[number+1] = true
	}
	for i, boards := range c.state.Rounds {
		next, here := map[int]bool{}, map[int]bool{}
		for k, b := range boards {
			third := c.Settings.ThirdPlace && i+1 == last && k == len(boards)-1
			for _, number := range []int{b.First, b.Second} {
				if number != 0 && left[number] == third {
					c.fault("round %d, board %d: player %d, won before: %v", i+1, b.Number, number, left[number])
				}
				here[number] = true
			}
			winner := b.First
			if b.Result == tournament.SecondWins {
				winner = b.Second
			}
			if !third {
				next[winner] = true
			}
		}
		for number := range left {
			if !here[number] {
				c.fault("player %d has won and is not in round %d", number, i+1)
			}
		}
		left = next
	}
	if len(left) != 1 {
		c.fault("%d players are left", len(left))
	}
	for _, row := range c.table {
		if left[row.Number] != (row.Place == 1) {
			c.fault("player %d has place %d, won the final: %v", row.Number, row.Place, left[row.Number])
		}
	}
}

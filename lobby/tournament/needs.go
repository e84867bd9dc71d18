package tournament

import (
	"cmp"
	"slices"
)

// What a player needs is told only where it is certain, whatever happens on the other boards.

// A Chance is the place that a player has for certain after a result of the last round, by points
// alone: tie-breaks are not foreseen.
type Chance struct {
	Place  int  // from 1, the worst one that is possible
	Shared bool // others may have as many points as the worst place needs
}

// Chances returns what a win and a draw in the game that a player plays in the last round bring them
// for certain. The standings are those of the state. It reports false if that game decides nothing by
// itself: it is not the last one of its board, seeds decide, or the format has no points.
func (s *State) Chances(number int, standings []Standing) (win, draw Chance, ok bool) {
	own := s.BoardOf(number)
	if !s.hasRoundsWithPoints() || len(s.Rounds) < s.Total() || s.Stage != Running || own == nil || !own.decides(s.Settings.Games) || s.Settings.BySeeds {
		return win, draw, false
	}
	points := map[int]int{}
	for _, row := range standings {
		points[row.Number] = row.Points
	}
	other := own.First + own.Second - number
	lead := own.lead(number)
	chance := func(won int) Chance {
		mine, theirs := points[number]+5+5*cmp.Compare(lead+won, 0), points[other]+5-5*cmp.Compare(lead+won, 0)
		above, level := s.mostAbove(own.Number, points, mine)
		if theirs > mine {
			above++
		}
		if theirs >= mine {
			level++
		}
		return Chance{Place: above + 1, Shared: level > above}
	}
	return chance(1), chance(0), true
}

func (s *State) hasRoundsWithPoints() bool {
	return s.Settings.Format == Swiss || s.Settings.Format == RoundRobin || s.Settings.Format == DoubleRound
}

// decides reports whether the next result of a game is that of the board.
func (b *Board) decides(games int) bool {
	if b.Second == 0 || b.Result != "" {
		return false
	}
	n := len(b.Games)
	return n == games && b.Games[n-1].Result == "" || n == 0 && games == 1 // the host enters it
}

// lead returns how many games more than the other one a player of the board has won.
func (b *Board) lead(number int) (lead int) {
	for _, g := range b.Games {
		switch g.Result {
		case FirstWins:
			lead++
		case SecondWins:
			lead--
		}
	}
	if number == b.Second {
		return -lead
	}
	return lead
}

// mostAbove returns how many players at most can end the last round with more points than these, and
// with at least as many. It leaves out the players of one board.
func (s *State) mostAbove(board int, points map[int]int, than int) (above, level int) {
	count := func(gains ...int) (most [2]int) {
		for _, p := range gains {
			if p > than {
				most[0]++
			}
			if p >= than {
				most[1]++
			}
		}
		return most
	}
	add := func(outcomes ...[2]int) {
		above += slices.MaxFunc(outcomes, func(a, b [2]int) int { return a[0] - b[0] })[0]
		level += slices.MaxFunc(outcomes, func(a, b [2]int) int { return a[1] - b[1] })[1]
	}
	plays := map[int]bool{}
	for _, b := range s.round() {
		plays[b.First], plays[b.Second] = true, true
		first, second := points[b.First], points[b.Second]
		switch {
		case b.Number == board:
		case b.Second == 0:
			add(count(first))
		case b.Result != "":
			add(count(first, second))
		default:
			add(count(first+10, second), count(first+5, second+5), count(first, second+10))
		}
	}
	for number, p := range points {
		if !plays[number] {
			add(count(p))
		}
	}
	return above, level
}

// What a player of a knockout needs in the game that is being played.
const (
	NeedsWin  = "win"  // a win decides the match for them
	NeedsDraw = "draw" // so does a draw
	NeedsStay = "stay" // a win levels the match, which goes on
)

// MatchNeed returns what a player needs in the game of a knockout that is being played. It is empty
// where that game decides nothing, or seeds decide.
func (s *State) MatchNeed(number int) string {
	b := s.BoardOf(number)
	if s.Settings.Format != Knockout || s.Settings.BySeeds || b == nil || b.Running() == nil {
		return ""
	}
	game, most := len(b.Games), s.Settings.Games+2*s.Settings.Extra
	if game <= most && (game < s.Settings.Games || (game-s.Settings.Games)%2 != 0) {
		return "" // the next game of the pair decides
	}
	lead := b.lead(number)
	last := game > most || game == most && s.Settings.SeedNumberDecides // a level match goes to the better seed number
	better := slices.Index(s.Start, number) < slices.Index(s.Start, b.First+b.Second-number)
	switch {
	case lead > 0 && last && better:
		return "" // even a loss is enough
	case lead > 0, lead == 0 && last && better:
		return NeedsDraw
	case lead == 0, lead < 0 && last && better:
		return NeedsWin
	case last:
		return ""
	}
	return NeedsStay
}

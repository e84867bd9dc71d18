package knockout

import (
	"cmp"
	"slices"
)

// A Row is one player in the standings.
type Row struct {
	Place  int // from 1; players who lost in the same round share a place
	Number int
	Out    int // the match in which they went out, or 0
}

// Standings returns the players by how far they have come, and then by their seed numbers. The
// players who are still in share the first place.
func (b *Bracket) Standings() []Row {
	rows := make([]Row, b.Players)
	reached := make([]int, b.Players+1)
	for i := range rows {
		rows[i].Number = i + 1
		reached[i+1] = 4 * (len(b.Rounds) + 1)
	}
	for _, round := range b.Rounds {
		for _, m := range round.Matches {
			for _, s := range m.Sides {
				if m.State == Over && s.Player != 0 && s.Player != m.Winner {
					rows[s.Player-1].Out = m.ID
					reached[s.Player] = 4 * m.Round
				}
			}
		}
	}
	if b.Third != nil && b.Third.Winner != 0 {
		reached[b.Third.Winner]++
	}
	slices.SortStableFunc(rows, func(x, y Row) int { return cmp.Compare(reached[y.Number], reached[x.Number]) })
	for i := range rows {
		rows[i].Place = i + 1
		if i > 0 && reached[rows[i].Number] == reached[rows[i-1].Number] {
			rows[i].Place = rows[i-1].Place
		}
	}
	return rows
}

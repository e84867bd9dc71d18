package knockout

// settle finds out how a match stands, and tells the matches that follow it.
func (b *Bracket) settle(m *Match) {
	m.State, m.Winner, m.Loser, m.Reason = Waiting, 0, 0, Undecided
	m.count()
	if m.known() {
		m.State = Open
		b.decide(m)
	}
	b.pass(m)
}

// count adds the games up.
func (m *Match) count() {
	m.Points, m.Seeds = [2]int{}, 0
	for _, g := range m.Games {
		side := m.side(g.First)
		switch g.Outcome {
		case Drawn:
			m.Points[0]++
			m.Points[1]++
		case FirstWon:
			m.Points[side] += 2
		case SecondWon:
			m.Points[1-side] += 2
		}
		if side == 0 {
			m.Seeds += g.Seeds
		} else {
			m.Seeds -= g.Seeds
		}
	}
}

// decide closes a match whose winner is known.
func (b *Bracket) decide(m *Match) {
	out := func(side int) bool { return m.Sides[side].Empty || m.absent[side] }
	switch {
	case m.awarded != 0:
		m.close(m.side(m.awarded), ByAward)
	case out(0) && out(1):
		m.close(-1, Nobody)
	case out(0) || out(1):
		winner := 0
		if out(0) {
			winner = 1
		}
		if m.Sides[1-winner].Empty {
			m.close(winner, ByBye)
		} else {
			m.close(winner, ByWalkover)
		}
	default:
		b.decideByGames(m)
	}
}

// decideByGames closes a match that its games have decided. Games after the deciding one were
// played before a correction, and are dropped.
func (b *Bracket) decideByGames(m *Match) {
	all := m.Games
	for games := b.Settings.Games; games <= min(len(all), b.Settings.mostGames()); games += 2 {
		m.Games = all[:games]
		m.count()
		if lead := m.lead(b.Settings.Count); lead != 0 {
			m.close(sideAhead(lead), ByScore)
			return
		}
	}
	m.Games = all
	m.count()
	most := b.Settings.mostGames()
	better := 0
	if m.Sides[1].Player < m.Sides[0].Player {
		better = 1
	}
	switch {
	case len(all) == most && b.Settings.Tie == BetterSeed:
		m.close(better, BySeedNumber)
	case len(all) > most && all[most].Outcome == Drawn:
		m.close(better, ByDecider)
	case len(all) > most:
		winner := all[most].First
		if all[most].Outcome == SecondWon {
			winner = all[most].Second
		}
		m.close(m.side(winner), ByDecider)
	}
}

// lead returns by how much side 0 is ahead.
func (m *Match) lead(c Count) int {
	if c == BySeeds {
		return m.Seeds
	}
	return m.Points[0] - m.Points[1]
}

func sideAhead(lead int) int {
	if lead > 0 {
		return 0
	}
	return 1
}

// close ends a match with a winning side, or with -1 without a winner.
func (m *Match) close(winner int, reason Reason) {
	m.State, m.Reason = Over, reason
	if winner >= 0 {
		m.Winner, m.Loser = m.Sides[winner].Player, m.Sides[1-winner].Player
	}
}

// pass takes the winner and the loser of a match to the matches that follow.
func (b *Bracket) pass(m *Match) {
	for _, next := range []*Match{b.Match(m.Next), b.Third} {
		if next == nil {
			continue
		}
		for side := range next.Sides {
			s := next.Sides[side]
			if s.From != m.ID {
				continue
			}
			s.Player = m.Winner
			if s.Loser {
				s.Player = m.Loser
			}
			s.Empty = m.State == Over && s.Player == 0
			if s != next.Sides[side] {
				b.replace(next, side, s)
			}
		}
	}
}

// replace gives a match another player. What happened in it until now was between others.
func (b *Bracket) replace(m *Match, side int, s Side) {
	m.Sides[side] = s
	m.Games, m.absent, m.awarded = nil, [2]bool{}, 0
	if m.known() {
		m.begins = b.beginner(m)
		b.missForLeavers(m)
	}
	b.settle(m)
}

// missForLeavers notes the players of a match that is not over who have left. They stay absent from
// it if they return, and the match stays as it is if they leave later.
func (b *Bracket) missForLeavers(m *Match) {
	for side, s := range m.Sides {
		m.absent[side] = m.absent[side] || s.Player > 0 && b.left[s.Player]
	}
}

// beginner returns the side that moves first in the first game: the one that has moved first less
// often in the tournament. Among equals, it is the better seed number in matches with an odd
// ID, and the other one in the rest.
func (b *Bracket) beginner(m *Match) int {
	var begun [2]int
	for _, earlier := range b.matches {
		for _, g := range earlier.Games {
			for side, s := range m.Sides {
				if g.First == s.Player {
					begun[side]++
				}
			}
		}
	}
	if begun[0] != begun[1] {
		return sideAhead(begun[1] - begun[0])
	}
	if (m.Sides[0].Player < m.Sides[1].Player) == (m.ID%2 == 1) {
		return 0
	}
	return 1
}

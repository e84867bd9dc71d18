package tournament

import (
	"slices"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/knockout"
	"mancala/match"
	"mancala/match/refusal"
)

// A knockout is folded from its boards: each board is a match of the bracket. Package knockout
// numbers the players by their place in the starting order.

// Bracket returns the bracket of a knockout that has started, and the players' numbers: the bracket
// knows them by their place in the starting order, from 1.
func (s *State) Bracket() (b *knockout.Bracket, numbers []int) {
	t := s.table()
	return s.bracket(t), t.numbers
}

// bracket returns the bracket after the rounds that have started.
func (s *State) bracket(t *table) *knockout.Bracket {
	var events []knockout.Event
	for _, boards := range s.Rounds {
		for i := range boards {
			events = t.happened(events, &boards[i])
		}
	}
	return knockout.New(len(t.numbers), s.Settings.knockout(), events)
}

func (s *Settings) knockout() knockout.Settings {
	k := knockout.Settings{ThirdPlace: s.ThirdPlace, Games: s.Games, Extra: s.Extra}
	if s.BySeeds {
		k.Count = knockout.BySeeds
	}
	if s.SeedNumberDecides {
		k.Tie = knockout.BetterSeed
	}
	return k
}

// happened appends what a board says of its match.
func (t *table) happened(events []knockout.Event, b *Board) []knockout.Event {
	first, second := t.places[b.First], t.places[b.Second]
	missed := func(players ...int) {
		for _, p := range players {
			events = append(events, knockout.Event{Kind: knockout.Missed, Match: b.Match, Player: p})
		}
	}
	games := b.Games
	if b.Forfeit {
		games = nil
	}
	for i, g := range games {
		e := knockout.Event{Kind: knockout.Played, Match: b.Match, Game: i + 1, First: first, Second: second, Seeds: g.Seeds}
		switch g.Result {
		case FirstWins:
			e.Outcome = knockout.FirstWon
		case SecondWins:
			e.Outcome = knockout.SecondWon
		case Drawn:
		default:
			continue
		}
		if g.Swapped {
			e.First, e.Second, e.Seeds = second, first, -e.Seeds
			if e.Outcome != knockout.Drawn {
				e.Outcome = knockout.FirstWon + knockout.SecondWon - e.Outcome
			}
		}
		events = append(events, e)
	}
	switch b.Result {
	case FirstWins, SecondWins:
		if b.ByHost {
			winner := first
			if b.Result == SecondWins {
				winner = second
			}
			events = append(events, knockout.Event{Kind: knockout.Awarded, Match: b.Match, Player: winner})
		}
	case FirstUnplayed:
		missed(second)
	case SecondUnplayed:
		missed(first)
	case Neither:
		missed(first, second)
	}
	return events
}

// matches returns the boards of the next round of a knockout. Matches without players have none.
func (d *decision) matches(t *table, round int) (boards []Board, err error) {
	if len(t.numbers) < 2 {
		return nil, refusal.New(CodeTooFew)
	}
	b := d.bracket(t)
	all := slices.Clone(b.Rounds[round-1].Matches)
	if b.Third != nil && round == len(b.Rounds) {
		all = append(all, b.Third)
	}
	first := map[int]crosstable.Pairing{}
	for _, g := range b.Next() {
		first[g.Match] = crosstable.Pairing{First: g.First, Second: g.Second}
	}
	for _, m := range all {
		p, open := first[m.ID]
		if !open {
			if m.Winner == 0 {
				continue
			}
			p = crosstable.Pairing{First: m.Winner}
		}
		board := d.newBoard(t, round, len(boards)+1, p)
		board.Match = m.ID
		boards = append(boards, board)
	}
	if len(boards) == 0 {
		return nil, refusal.New(CodeTooFew) // all players have left
	}
	return boards, nil
}

// settleMatch sets the result of a board of a knockout, or adds the game that decides it.
func (d *decision) settleMatch(round int, b *Board) {
	if last := b.Games[len(b.Games)-1].Result; last == FirstUnplayed || last == SecondUnplayed || last == Neither {
		b.Result = last // the match is over, whatever the games before it were
		return
	}
	after := *d.State
	after.Rounds = slices.Clone(d.Rounds)
	after.Rounds[round-1] = slices.Clone(d.Rounds[round-1])
	after.Rounds[round-1][b.Number-1] = *b
	t := after.table()
	bracket := after.bracket(t)
	if m := bracket.Match(b.Match); m.State == knockout.Over {
		b.Result = FirstWins
		if m.Winner == t.places[b.Second] {
			b.Result = SecondWins
		}
		return
	}
	for _, g := range bracket.Next() {
		if g.Match == b.Match && g.Number == len(b.Games)+1 {
			b.Games = append(b.Games, Game{Room: d.gameID(round, b.Number, g.Number), Swapped: g.First != t.places[b.First]})
		}
	}
}

// bracketResult refuses a result that the host cannot give a match.
func (d *decision) bracketResult(o Order) error {
	switch {
	case o.Result == Drawn:
		return refusal.New(match.CodeBadCommand)
	case o.Round < len(d.Rounds): // its winner plays on already
		return refusal.New(CodeStarted)
	}
	return nil
}

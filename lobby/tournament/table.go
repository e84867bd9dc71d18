package tournament

import (
	"cmp"
	"math/bits"
	"slices"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/roundrobin"
	"mancala/lobby/tournament/tiebreak"
)

// startingOrder returns the numbers of the players in the order of which pairing systems
// speak: the strongest first, and among equals who has joined first.
func (s *State) startingOrder() []int {
	var order []int
	for _, p := range s.Players {
		if !p.Out {
			order = append(order, p.Number)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(s.Players[b-1].Rating, s.Players[a-1].Rating)
	})
	return order
}

// table is a tournament as packages below this one know it: its players are numbered in the
// starting order.
type table struct {
	crosstable.Event
	numbers []int       // of the players, in the starting order
	places  map[int]int // by number: the place in the starting order, from 1
}

// systems are the systems of the formats that have a report file, other than Swiss. The tie-breaks depend
// on the system.
var systems = map[Format]crosstable.System{RoundRobin: crosstable.RoundRobin, DoubleRound: crosstable.DoubleRoundRobin}

// table returns the table after the rounds that have started. A round that is under way has
// unfinished results.
func (s *State) table() *table {
	t := &table{numbers: slices.Clone(s.Start), places: map[int]int{}}
	if len(s.Rounds) == 0 {
		t.numbers = s.startingOrder()
	}
	t.Event = crosstable.Event{Name: s.Settings.Name, System: systems[s.Settings.Format], Points: crosstable.Usual, OddFirst: true}
	for i, number := range t.numbers {
		t.places[number] = i + 1
		p := &s.Players[number-1]
		t.Players = append(t.Players, crosstable.Player{Number: i + 1, ID: p.ID, Rating: p.Rating, Results: s.results(p)})
	}
	t.Rounds = s.rounds(len(t.numbers))
	t.keepApart(s.Forbidden)
	bye := crosstable.PairingBye
	if s.Settings.Format != Swiss {
		bye = roundrobin.ByeCode
	}
	for round, boards := range s.Rounds {
		for i := range boards {
			t.enter(round, &boards[i], bye)
		}
	}
	return t
}

// keepApart puts into the table which of its players may not meet. The pairs are given by number.
func (t *table) keepApart(pairs [][2]int) {
	t.Forbidden = nil
	for _, pair := range pairs {
		if a, b := t.places[pair[0]], t.places[pair[1]]; a > 0 && b > 0 {
			t.Forbidden = append(t.Forbidden, crosstable.Forbidden{Players: []int{a, b}, From: 1, To: t.Rounds})
		}
	}
}

// rounds returns how many rounds a tournament of n players has.
func (s *State) rounds(n int) int {
	switch s.Settings.Format {
	case Swiss:
		return s.Settings.Rounds
	case Knockout:
		return bits.Len(uint(max(n, 1) - 1))
	}
	return roundrobin.Rounds(n, s.Settings.Format == DoubleRound)
}

// results returns what a player gets for each round without a board.
func (s *State) results(p *Player) []crosstable.Result {
	list := make([]crosstable.Result, len(s.Rounds))
	for i := range list {
		list[i].Code = s.without(p, i+1)
	}
	return list
}

// without returns what a player gets for a round in which they have no board.
func (s *State) without(p *Player, round int) crosstable.Code {
	late := round == 1 && p.Joined > 1
	if late && s.Settings.LateHalf || p.Byes[round] == HalfBye {
		return crosstable.HalfBye
	}
	return crosstable.Absent
}

// enter puts a board into the table. bye is what a bye counts as.
func (t *table) enter(round int, b *Board, bye crosstable.Code) {
	first := t.places[b.First]
	if b.Second == 0 {
		t.Players[first-1].Results[round] = crosstable.Result{Code: bye}
		return
	}
	second := t.places[b.Second]
	both, ahead := codes[b.Result], b.Seeds
	t.Players[first-1].Results[round] = crosstable.Result{Opponent: second, First: true, Code: both[0], Seeds: ahead}
	t.Players[second-1].Results[round] = crosstable.Result{Opponent: first, Code: both[1], Seeds: -ahead}
}

// codes are the codes of both players for each result of a board.
var codes = map[string][2]crosstable.Code{
	"":             {crosstable.Unfinished, crosstable.Unfinished},
	FirstWins:      {crosstable.Win, crosstable.Loss},
	SecondWins:     {crosstable.Loss, crosstable.Win},
	Drawn:          {crosstable.Draw, crosstable.Draw},
	FirstUnplayed:  {crosstable.ForfeitWin, crosstable.ForfeitLoss},
	SecondUnplayed: {crosstable.ForfeitLoss, crosstable.ForfeitWin},
	Neither:        {crosstable.ForfeitLoss, crosstable.ForfeitLoss},
}

// left returns the places of the players who have left.
func (s *State) left(t *table) (places []int) {
	for i, number := range t.numbers {
		if s.Players[number-1].Out {
			places = append(places, i+1)
		}
	}
	return places
}

// A Standing is one row of the standings.
type Standing struct {
	Place  int     `json:"place"` // players whom no tie-break separates share a place
	Number int     `json:"n"`
	Points int     `json:"points"` // in tenths: 5 is half a point
	Breaks []Break `json:"breaks"`
}

// A Break is the value of one tie-break.
type Break struct {
	Code  string `json:"code"`
	Value int    `json:"value"`         // in hundredths
	Why   string `json:"why,omitempty"` // in English

	Reason tiebreak.Why `json:"-"` // the same for pages in each language
}

// Standings returns the players by points and tie-breaks, or in a knockout by how far they have
// come.
func (s *State) Standings() []Standing {
	switch s.Settings.Format {
	case Arena:
		return s.arenaStandings()
	case Class:
		return nil // a class has none
	}
	return s.standings(s.table())
}

// standings returns the standings of a tournament with rounds, for the players in a table of it.
func (s *State) standings(t *table) []Standing {
	rules, err := tiebreak.Parse(s.Settings.TieBreaks)
	if err != nil {
		panic(err) // the settings were checked
	}
	if s.Settings.Format == Knockout {
		var list []Standing
		for _, row := range s.bracket(t).Standings() {
			list = append(list, Standing{Place: row.Place, Number: t.numbers[row.Number-1]})
		}
		return list
	}
	event := &t.Event
	if s.Settings.Format != Swiss {
		event = roundrobin.Counted(event, s.left(t))
	}
	var list []Standing
	for _, row := range tiebreak.Standings(event, rules) {
		standing := Standing{Place: row.Place, Number: t.numbers[row.Number-1], Points: int(row.Points)}
		for i, v := range row.Values {
			standing.Breaks = append(standing.Breaks, Break{rules[i].Code, v.Hundredths, v.Why.String(), v.Why})
		}
		list = append(list, standing)
	}
	return list
}

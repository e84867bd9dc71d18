package tournament_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mancala/lobby/tournament"
	"mancala/match"
)

// The place that is told as certain is the worst one over all results of the other boards.
func TestChancesOfTheLastRoundAreTheWorstOverAllOtherResults(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		h := open(t, tournament.Settings{Rounds: 3})
		h.join(3 + random.IntN(4))
		for range 3 {
			h.start()
			if games := h.openGames(); len(h.state().Rounds) < 3 {
				for _, g := range games {
					h.report(g, random.IntN(3), 25, 23)
				}
			}
		}
		s := h.state()
		for _, p := range s.Players {
			win, draw, ok := s.Chances(p.Number, s.Standings())
			b := s.BoardOf(p.Number)
			if ok != (b != nil && b.Second != 0) {
				t.Fatalf("player %d has a board %+v, and chances %v", p.Number, b, ok)
			}
			if !ok {
				continue
			}
			won := map[bool]string{true: tournament.FirstWins, false: tournament.SecondWins}[b.First == p.Number]
			for result, got := range map[string]tournament.Chance{won: win, tournament.Drawn: draw} {
				if want := worst(&s, b.Number, result, p.Number); got != want {
					t.Errorf("player %d after %s: %+v, want %+v", p.Number, result, got, want)
				}
			}
		}
	}
}

// worst tries all results of the other boards of the last round.
func worst(s *tournament.State, board int, result string, number int) (c tournament.Chance) {
	boards := s.Rounds[len(s.Rounds)-1]
	level := 0
	var try func(i int)
	try = func(i int) {
		if i == len(boards) {
			above, equal := 0, 0
			all := s.Standings()
			mine := 0
			for _, row := range all {
				if row.Number == number {
					mine = row.Points
				}
			}
			for _, row := range all {
				if row.Number != number && row.Points > mine {
					above++
				}
				if row.Number != number && row.Points >= mine {
					equal++
				}
			}
			c.Place, level = max(c.Place, above+1), max(level, equal)
			return
		}
		b := &boards[i]
		before := b.Result
		results := []string{tournament.FirstWins, tournament.Drawn, tournament.SecondWins}
		if b.Number == board {
			results = []string{result}
		} else if before != "" {
			results = []string{before}
		}
		for _, b.Result = range results {
			try(i + 1)
		}
		b.Result = before
	}
	try(0)
	c.Shared = level > c.Place-1
	return c
}

func TestChancesOfTwoGamesAreToldInTheGameThatDecides(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1, Games: 2})
	h.join(4)
	h.start()
	games := h.openGames()
	chances := func(number int) (win, draw tournament.Chance, ok bool) {
		s := h.state()
		return s.Chances(number, s.Standings())
	}
	winner := h.state().Rounds[0][0].First
	loser := h.state().Rounds[0][0].Second
	if win, draw, ok := chances(winner); ok {
		t.Errorf("in the first game: %+v, %+v", win, draw)
	}
	h.report(games[0], 0, 25, 23)
	type told struct{ win, draw tournament.Chance }
	shared := tournament.Chance{Place: 1, Shared: true}
	for number, want := range map[int]told{
		winner: {shared, shared},                                                         // the board is won already
		loser:  {tournament.Chance{Place: 2, Shared: true}, tournament.Chance{Place: 4}}, // no better than a draw
	} {
		win, draw, ok := chances(number)
		if got := (told{win, draw}); !ok || got != want {
			t.Errorf("player %d in the second game: %+v, %v, want %+v", number, got, ok, want)
		}
	}
}

func TestChancesAreNotToldWhereSeedsDecideOrTheHostDoes(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1, Games: 2, BySeeds: true})
	h.join(4)
	h.start()
	h.report(h.openGames()[0], 0, 25, 23)
	s := h.state()
	if _, _, ok := s.Chances(1, s.Standings()); ok {
		t.Error("seeds decide")
	}
	h = open(t, tournament.Settings{Rounds: 1})
	h.join(4)
	h.start()
	g := h.openGames()[0]
	h.must("", tournament.KindReport, tournament.Order{Report: &tournament.Report{Room: g.Room, Report: match.Report{
		Round: 1, Board: 1, Game: 1, Reason: "arbiter", Played: true,
	}}})
	s = h.state()
	if _, _, ok := s.Chances(s.Rounds[0][0].First, s.Standings()); ok {
		t.Error("the game has ended without a result")
	}
}

func TestPlayersOfAKnockoutAreToldWhatTheGameDecides(t *testing.T) {
	type step struct {
		outcome       int // the seat that wins, or 2
		first, second string
	}
	for name, tt := range map[string]struct {
		settings tournament.Settings
		before   [2]string
		steps    []step
	}{
		"a single game with an extra pair": {tournament.Settings{Extra: 1}, [2]string{"win", "win"}, []step{{2, "", ""}, {0, "stay", "draw"}}},
		"a pair":                           {tournament.Settings{Games: 2}, [2]string{"", ""}, []step{{0, "draw", "stay"}, {0, "draw", "win"}}},
		"a pair, then the seed number":     {tournament.Settings{Games: 2, SeedNumberDecides: true}, [2]string{"", ""}, []step{{2, "draw", "win"}}},
	} {
		t.Run(name, func(t *testing.T) {
			tt.settings.Format = tournament.Knockout
			h := open(t, tt.settings)
			h.join(2)
			h.start()
			told := func() [2]string {
				s := h.state()
				return [2]string{s.MatchNeed(1), s.MatchNeed(2)}
			}
			games := h.openGames()
			if got := told(); got != tt.before {
				t.Errorf("in the first game: %q, want %q", got, tt.before)
			}
			for i, step := range tt.steps {
				h.report(games[0], step.outcome, 25, 23)
				games = h.openGames()
				if got := told(); got != [2]string{step.first, step.second} {
					t.Errorf("after game %d: %q, want %q and %q", i+1, got, step.first, step.second)
				}
			}
		})
	}
}

func TestEverySentenceAboutAKnockoutComesTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		h := open(t, tournament.Settings{
			Format: tournament.Knockout, Games: 1 + random.IntN(2), Extra: random.IntN(3), SeedNumberDecides: random.IntN(2) == 0, ThirdPlace: random.IntN(2) == 0,
		})
		h.join(2 + random.IntN(5))
		for h.send(host, tournament.KindStart, tournament.Order{Round: len(h.state().Rounds) + 1}) == nil {
			for games := h.openGames(); len(games) > 0; games = h.openGames() {
				for _, g := range games {
					h.comesTrue(g, random.IntN(3))
				}
			}
		}
	}
}

// comesTrue ends a game of a knockout, and compares the match with what its players were told.
func (h *hall) comesTrue(g tournament.NewGame, outcome int) {
	h.Helper()
	before := h.state()
	h.report(g, outcome, 25, 23)
	b := h.state().Rounds[g.Round-1][g.Board-1]
	for number, wins := range map[int]string{b.First: tournament.FirstWins, b.Second: tournament.SecondWins} {
		seat := slices.Index(g.Seats[:], before.Players[number-1].ID)
		won, drawn := outcome == seat, outcome == 2
		var want string // the result of the match, or "" if it is not for this player
		switch said := before.MatchNeed(number); {
		case said == "":
			continue
		case said == tournament.NeedsStay && won && b.Result != "":
			h.Errorf("player %d levels the match %+v, and it is over", number, b)
		case said == tournament.NeedsWin && won, said == tournament.NeedsDraw && (won || drawn):
			want = wins
		}
		if (b.Result == wins) != (want == wins) {
			h.Errorf("player %d of %+v: outcome %d of game %d ends the match %+v", number, before.Settings, outcome, g.Game, b)
		}
	}
}

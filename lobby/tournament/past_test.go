package tournament_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"mancala/lobby/tournament"
	"mancala/lobby/tournament/crosstable"
	"mancala/match"
	"mancala/match/machine"
)

// importing returns the order that enters the players and the rounds of a report file.
func importing(t *testing.T, e *crosstable.Event) tournament.Order {
	t.Helper()
	list, past, err := tournament.Entrants(e)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].ID = id(i + 1)
	}
	return tournament.Order{Entrants: list, Past: past}
}

// A Swiss that is exported after any round and imported elsewhere has the same table there, goes on,
// and the table is read back from the room's entries.
func TestSwissGoesOnFromItsReportFile(t *testing.T) {
	for run := range uint64(30) {
		rng := rand.New(rand.NewPCG(run, 27))
		settings := tournament.Settings{Rounds: 5, LateHalf: run%2 == 0}
		old := open(t, settings)
		old.join(8 + rng.IntN(20))
		if run%2 == 1 {
			old.must(host, tournament.KindForbid, tournament.Order{Player: id(1), Other: id(5)})
		}
		old.disturb(rng, 1)
		for round := 1; round < 5; round++ {
			old.start()
			if run%3 > 0 {
				old.playRound(func() int { return rng.IntN(3) })
			}
			old.disturb(rng, round+1)
			bye := tournament.Order{Player: id(1 + rng.IntN(8)), Round: round + 1, Bye: tournament.ZeroBye}
			if err := old.send(host, tournament.KindBye, bye); err != nil && !errors.Is(err, machine.ErrNothing) {
				t.Fatal(err)
			}
			s := old.state()
			want := filed(t, s.CrossTable(names(s)))

			h := open(t, settings)
			h.must("", tournament.KindImport, importing(t, want))
			known := map[string]string{}
			for i, p := range want.Players {
				known[id(i+1)] = p.Name
			}
			there := h.state()
			if got := filed(t, there.CrossTable(known)); !reflect.DeepEqual(got, want) {
				t.Fatalf("run %d, round %d:\n%+v\nbecame\n%+v", run, round, want, got)
			}
			h.agrees()
			if e := h.entries[len(h.entries)-1]; e.Version != 2 {
				t.Errorf("the entry has version %d, which the release before reads", e.Version)
			}
			if run%3 == 0 {
				old.playRound(func() int { return rng.IntN(3) })
				continue
			}
			h.must(host, tournament.KindStart, tournament.Order{Round: round + 1})
			_, next, err := s.Preview()
			for i, b := range h.state().Rounds[round] {
				one, other := known[id(b.First)], known[id(b.Second)]
				if err != nil || one != names(s)[id(next[i][0])] || other != names(s)[id(next[i][1])] {
					t.Fatalf("run %d, round %d: board %d is %s and %s, want %v, %v", run, round+1, i+1, one, other, next, err)
				}
			}
		}
	}
}

// A file of this program names the players who will not be paired, so that nobody else is withdrawn there: not
// a player who was absent in the last round, and not one who has joined late.
func TestPlayersOfAFileAreWithdrawnAsTheFileSays(t *testing.T) {
	old := open(t, tournament.Settings{Rounds: 4})
	old.join(8)
	old.start()
	old.playRound(func() int { return 0 })
	old.must(host, tournament.KindBye, tournament.Order{Player: id(1), Round: 2, Bye: tournament.ZeroBye})
	old.start()
	old.playRound(func() int { return 1 })
	old.must("", tournament.KindJoin, tournament.Order{Player: id(9)})
	old.must(host, tournament.KindBye, tournament.Order{Player: id(2), Round: 4, Bye: tournament.HalfBye})
	old.must(host, tournament.KindBye, tournament.Order{Player: id(3), Round: 3, Bye: tournament.ZeroBye})
	old.must(host, tournament.KindLeave, tournament.Order{Player: id(4)})
	s := old.state()
	h := open(t, tournament.Settings{Rounds: 4})
	h.must("", tournament.KindImport, importing(t, filed(t, s.CrossTable(names(s)))))
	if n := len(h.state().Players); n != 9 {
		t.Fatalf("%d players", n)
	}
	for i, number := range append(slices.Clone(s.Start), 9) {
		p := h.state().Players[i]
		want := map[int]map[int]string{2: {4: tournament.HalfBye}, 3: {3: tournament.ZeroBye}}[number]
		if p.Out != (number == 4) || !maps.Equal(p.Byes, want) {
			t.Errorf("player %d is %+v, want the byes %v", number, p, want)
		}
	}
}

// A round of which some results are missing is imported too. The host enters them.
func TestHostEntersTheResultsThatAFileLacks(t *testing.T) {
	old := open(t, tournament.Settings{Rounds: 3})
	old.join(6)
	old.start()
	s := old.state()
	h := open(t, tournament.Settings{Rounds: 3})
	h.must("", tournament.KindImport, importing(t, filed(t, s.CrossTable(names(s)))))
	h.refused(tournament.CodeRoundOpen, host, tournament.KindStart, tournament.Order{Round: 2})
	for _, b := range h.state().Rounds[0] {
		h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: b.Number, Result: tournament.Drawn})
	}
	h.must(host, tournament.KindStart, tournament.Order{Round: 2})
	h.agrees()
}

func TestAbsentPlayersOfAFileAreOutAndAskedByesAreKept(t *testing.T) {
	old := open(t, tournament.Settings{Rounds: 3})
	old.join(7)
	old.start()
	old.playRound(func() int { return 0 })
	old.must(host, tournament.KindLeave, tournament.Order{Player: id(2)})
	old.must(host, tournament.KindBye, tournament.Order{Player: id(3), Round: 2, Bye: tournament.HalfBye})
	old.must(host, tournament.KindForbid, tournament.Order{Player: id(4), Other: id(5)})
	old.start()
	old.playRound(func() int { return 1 })
	s := old.state()
	h := open(t, tournament.Settings{Rounds: 3})
	h.must("", tournament.KindImport, importing(t, filed(t, s.CrossTable(names(s)))))
	got := h.state()
	place := func(number int) int { return 1 + slices.Index(s.Start, number) }
	var out []int
	for _, p := range got.Players {
		if p.Out {
			out = append(out, p.Number)
		}
	}
	if !slices.Equal(out, []int{place(2)}) || got.Players[place(3)-1].Byes[2] != tournament.HalfBye || len(got.Forbidden) != 1 {
		t.Errorf("out %v, players %+v, forbidden %v", out, got.Players, got.Forbidden)
	}
}

// Not every file tells how many rounds there are. Then the number that the host has chosen holds.
func TestFileChangesTheNumberOfRoundsOnlyIfItAnnouncesRoundsToCome(t *testing.T) {
	two := []tournament.Entrant{{ID: id(1)}, {ID: id(2)}}
	round := []tournament.PastBoard{{1, 2, 1, 0}}
	for _, tt := range []struct {
		past tournament.Past
		want int
	}{
		{tournament.Past{}, 2},
		{tournament.Past{Rounds: 1}, 1},
		{tournament.Past{Rounds: 1, Boards: [][]tournament.PastBoard{round}}, 2},
		{tournament.Past{Rounds: 4, Boards: [][]tournament.PastBoard{round}}, 4},
		{tournament.Past{Rounds: 3, Boards: [][]tournament.PastBoard{round, round, round}}, 3},
	} {
		h := open(t, tournament.Settings{Rounds: 2})
		h.must("", tournament.KindImport, tournament.Order{Entrants: two, Past: &tt.past})
		if got := h.state().Settings.Rounds; got != tt.want {
			t.Errorf("%d rounds after a file with %d of %d, want %d", got, len(tt.past.Boards), tt.past.Rounds, tt.want)
		}
	}
}

func TestImpossiblePastIsRefused(t *testing.T) {
	two := []tournament.Entrant{{ID: id(1)}, {ID: id(2)}}
	for name, past := range map[string]tournament.Past{
		"a player who is not there":   {Rounds: 1, Boards: [][]tournament.PastBoard{{{1, 3, 1, 0}}}},
		"a player at two boards":      {Rounds: 1, Boards: [][]tournament.PastBoard{{{1, 2, 1, 0}, {1}}}},
		"a board without players":     {Rounds: 1, Boards: [][]tournament.PastBoard{{{}}}},
		"a player against themselves": {Rounds: 1, Boards: [][]tournament.PastBoard{{{1, 1, 1, 0}}}},
		"an unknown result":           {Rounds: 1, Boards: [][]tournament.PastBoard{{{1, 2, 7, 0}}}},
		"more rounds than announced":  {Boards: [][]tournament.PastBoard{{{1, 2, 1, 0}}}},
		"too many rounds":             {Rounds: tournament.MaxRounds + 1},
		"an impossible pair":          {Rounds: 1, Forbidden: [][2]int{{2, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, tournament.Settings{Rounds: 3})
			h.refused(match.CodeBadCommand, "", tournament.KindImport, tournament.Order{Entrants: two, Past: &past})
		})
	}
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(1)
	h.refused(tournament.CodeStarted, "", tournament.KindImport, tournament.Order{Entrants: []tournament.Entrant{{ID: "px"}}, Past: &tournament.Past{Rounds: 1}})
}

// A record may name the same players again and again. Each pair of them is kept apart once, and a file with
// too many pairs is refused before its list fills the memory.
func TestPlayersWhoAreKeptApartInAFileAreKeptApartOnce(t *testing.T) {
	e := &crosstable.Event{Points: crosstable.Usual, OddFirst: true, Rounds: 3}
	var all []int
	for n := range 100 {
		e.Players = append(e.Players, crosstable.Player{Number: n + 1})
		all = append(all, n+1)
	}
	e.Forbidden = []crosstable.Forbidden{{Players: slices.Repeat([]int{2, 1, 3}, 2000), From: 1}, {Players: []int{3, 4, 1}, From: 2}}
	_, past, err := tournament.Entrants(e)
	if want := [][2]int{{1, 2}, {1, 3}, {2, 3}, {1, 4}, {3, 4}}; err != nil || !slices.Equal(past.Forbidden, want) {
		t.Errorf("%v, %v; want %v", past.Forbidden, err, want)
	}
	e.Forbidden = []crosstable.Forbidden{{Players: all, From: 1}}
	_, _, err = tournament.Entrants(e)
	if problem, ok := errors.AsType[*crosstable.Problem](err); !ok || problem.Code != "apart" {
		t.Errorf("4,950 pairs: %v", err)
	}
}

// What a Swiss here has no place for is refused with a reason.
func TestFileThatASwissCannotGoOnFromIsRefused(t *testing.T) {
	played := func(change func(e *crosstable.Event)) *crosstable.Event {
		e := &crosstable.Event{Points: crosstable.Usual, OddFirst: true, Rounds: 3, Players: []crosstable.Player{
			{Number: 1, Results: []crosstable.Result{{Opponent: 2, First: true, Code: crosstable.Win}, {Opponent: 2, Code: crosstable.Loss}}},
			{Number: 2, Results: []crosstable.Result{{Opponent: 1, Code: crosstable.Loss}, {Opponent: 1, First: true, Code: crosstable.Win}}},
		}}
		change(e)
		return e
	}
	for i, change := range []func(e *crosstable.Event){
		func(e *crosstable.Event) { e.Points.Win = 30 },
		func(e *crosstable.Event) { e.OddFirst = false },
		func(e *crosstable.Event) { e.Rounds = tournament.MaxRounds + 1 },
		func(e *crosstable.Event) { e.Players[0].Extra = []crosstable.Tenths{10} },
		func(e *crosstable.Event) { e.Players[0].Results[0] = crosstable.Result{Code: crosstable.FullBye} },
		func(e *crosstable.Event) { e.Players[1].Results[0].Code = crosstable.Draw },
		func(e *crosstable.Event) {
			e.Players[0].Results[0].Code, e.Players[1].Results[0].Code = crosstable.Unfinished, crosstable.Unfinished
		},
	} {
		if _, _, err := tournament.Entrants(played(change)); err == nil {
			t.Error(fmt.Sprint(i), "is not refused")
		}
	}
	if _, _, err := tournament.Entrants(played(func(*crosstable.Event) {})); err != nil {
		t.Error(err)
	}
}

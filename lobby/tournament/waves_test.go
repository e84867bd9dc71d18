package tournament_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"mancala/lobby/tournament"
	"mancala/lobby/tournament/arena"
	"mancala/match/machine"
)

// run plays an arena or a class for a while: waves come when they are due, and each game ends by
// chance.
func (h *hall) run(rng *rand.Rand, d time.Duration) {
	h.Helper()
	var playing []tournament.NewGame
	for end := h.now.Add(d); h.now.Before(end); h.now = h.now.Add(time.Second) {
		if wake := h.machine.Wake(); !wake.IsZero() && !h.now.Before(wake) {
			h.must("", machine.KindWake, nil)
		}
		playing = append(playing, h.openGames()...)
		playing = slices.DeleteFunc(playing, func(g tournament.NewGame) bool {
			over := rng.IntN(40) == 0
			if over {
				h.report(g, rng.IntN(3), 25, 23)
			}
			return over
		})
		h.nobodyPlaysTwice()
	}
	for _, g := range playing {
		h.report(g, rng.IntN(3), 25, 23)
	}
}

// nobodyPlaysTwice fails the test if a player is in two games at once.
func (h *hall) nobodyPlaysTwice() {
	h.Helper()
	busy := map[int]bool{}
	for _, b := range h.state().Rounds[0] {
		if b.Result != "" {
			continue
		}
		if busy[b.First] || busy[b.Second] {
			h.Fatalf("board %+v, whose players are in another game", b)
		}
		busy[b.First], busy[b.Second] = true, true
	}
}

func TestArenaPairsFreePlayersUntilItsEnd(t *testing.T) {
	for run := range uint64(6) {
		rng := rand.New(rand.NewPCG(run, 24))
		h := open(t, tournament.Settings{Format: tournament.Arena, Minutes: 5})
		n := 7 + int(run)
		h.join(n)
		h.start()
		h.run(rng, 6*time.Minute)
		s := h.state()
		if !h.machine.Wake().IsZero() {
			t.Error("a wave is due after the end")
		}
		h.refused(tournament.CodeClosed, "", tournament.KindJoin, tournament.Order{Player: "plate"})
		games := map[int]int{}
		for _, b := range s.Rounds[0] {
			games[b.First]++
			games[b.Second]++
		}
		for number := 1; number <= n; number++ {
			if games[number] < 3 {
				t.Errorf("run %d: number %d has played %d games", run, number, games[number])
			}
		}
		h.must(host, tournament.KindFinish, nil)
		h.agrees()
		if list := h.state(); list.Standings()[0].Points < list.Standings()[n-1].Points {
			t.Errorf("standings %+v", list.Standings())
		}
	}
}

// Among them are a player who was absent, and the row of a person who has taken another player's place.
func TestPlayersWhoTookNoPartInAnArenaAreNotInItsStandings(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Arena})
	h.join(5)
	for n := range 4 {
		h.must(id(n+1), tournament.KindHere, nil)
	}
	h.must(host, tournament.KindAbsent, nil)
	h.start()
	h.must("", machine.KindWake, nil)
	for _, g := range h.openGames() {
		h.report(g, 0, 25, 23)
	}
	h.must("p1", tournament.KindLeave, nil) // after a game
	for _, player := range []string{"pnew", "pwaits"} {
		h.must("", tournament.KindJoin, tournament.Order{Player: player})
	}
	h.must("", tournament.KindReplace, tournament.Order{Player: "p2", Other: "pnew"})
	var numbers []int
	s := h.state()
	for _, row := range s.Standings() {
		numbers = append(numbers, row.Number)
	}
	if slices.Sort(numbers); !slices.Equal(numbers, []int{1, 2, 3, 4, 7}) {
		t.Errorf("numbers %v in the standings of %+v", numbers, s.Players)
	}
}

// Two players who are free and have just met wait for others. After some waves they meet again.
func TestOpponentsMeetAgainOnceTheyHaveWaited(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Arena})
	h.join(4)
	h.start()
	h.must("", machine.KindWake, nil)
	h.report(h.openGames()[0], 0, 25, 23)
	waves := 0
	for ; len(h.state().Rounds[0]) < 3 && waves < 10; waves++ {
		h.now = h.machine.Wake()
		h.must("", machine.KindWake, nil)
	}
	if waves != arena.Patience+1 {
		t.Errorf("they meet again in wave %d, want one after %d without an opponent", waves, arena.Patience)
	}
	for _, p := range h.state().Players {
		if p.Waited != 0 {
			t.Errorf("number %d plays, and still counts as waiting for %d waves", p.Number, p.Waited)
		}
	}
}

func TestClassPlaysUntilTheTeacherEndsIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 25))
	h := open(t, tournament.Settings{Format: tournament.Class})
	h.join(9)
	h.start()
	h.run(rng, 10*time.Minute)
	s := h.state()
	if s.Standings() != nil {
		t.Error("a class has standings")
	}
	if len(s.Rounds[0]) < 40 {
		t.Errorf("only %d games in ten minutes", len(s.Rounds[0]))
	}
	h.must(host, tournament.KindFinish, nil)
	if !h.machine.Wake().IsZero() {
		t.Error("a wave is due after the end")
	}
	h.agrees()
}

// A player whose page has closed gets no game until they are back.
func TestAbsentPlayerIsNotPaired(t *testing.T) {
	for _, format := range []tournament.Format{tournament.Arena, tournament.Class} {
		h := open(t, tournament.Settings{Format: format})
		h.join(4)
		h.must("p2", machine.KindGone, nil)
		h.must("p3", tournament.KindLeave, nil)
		h.start()
		h.must("", machine.KindWake, nil)
		if games := h.openGames(); len(games) != 1 || !slices.Contains(games[0].Seats[:], "p1") || !slices.Contains(games[0].Seats[:], "p4") {
			t.Fatalf("%s: games %v", format, games)
		}
		if wake := h.machine.Wake(); !wake.IsZero() {
			t.Errorf("%s: a wave is due at %v, and nobody is free", format, wake)
		}
		h.must("p2", machine.KindBack, nil)
		h.must("", tournament.KindJoin, tournament.Order{Player: "plate"})
		h.now = h.machine.Wake()
		h.must("", machine.KindWake, nil)
		if games := h.openGames(); len(games) != 1 || !slices.Contains(games[0].Seats[:], "plate") {
			t.Errorf("%s: games %v of those who came", format, games)
		}
	}
}

func BenchmarkWaveOfAThousandPlayers(b *testing.B) {
	h := open(&testing.T{}, tournament.Settings{Format: tournament.Arena})
	h.join(1000)
	h.start()
	for b.Loop() {
		if _, err := h.machine.Decide(machine.Command{Kind: machine.KindWake}, h.now); err != nil {
			b.Fatal(err)
		}
	}
}

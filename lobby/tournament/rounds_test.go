package tournament_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby/tournament"
	"mancala/lobby/tournament/swiss"
	"mancala/match/machine"
	"mancala/match/refusal"
)

func TestRandomSwissIsPlayedToItsEnd(t *testing.T) {
	for run := range uint64(60) {
		rng := rand.New(rand.NewPCG(run, 22))
		h := open(t, tournament.Settings{Rounds: 5, LateHalf: run%2 == 0, Games: 1 + int(run%3)/2})
		h.join(8 + rng.IntN(30))
		met := map[[2]int]bool{}
		byes := map[int]bool{}
		for round := 1; round <= 5; round++ {
			h.disturb(rng, round)
			h.start()
			for _, b := range h.state().Rounds[round-1] {
				pair := [2]int{min(b.First, b.Second), max(b.First, b.Second)}
				if b.Second == 0 && byes[b.First] || b.Second != 0 && met[pair] {
					t.Fatalf("run %d, round %d: board %d is %v again", run, round, b.Number, pair)
				}
				met[pair] = b.Second != 0
				byes[b.First] = byes[b.First] || b.Second == 0
			}
			h.playRound(func() int { return rng.IntN(3) })
		}
		h.must(host, tournament.KindFinish, nil)
		h.agrees()
		if s := h.state(); s.Stage != tournament.Over || len(s.Standings()) < 8 {
			t.Errorf("run %d: %s with %d standings", run, s.Stage, len(s.Standings()))
		}
	}
}

// disturb lets a player join late, leave, come back or ask for a bye. A host keeps some late players apart from
// another player.
func (h *hall) disturb(rng *rand.Rand, round int) {
	h.Helper()
	players := h.state().Players
	p := players[rng.IntN(len(players))]
	switch rng.IntN(4) {
	case 0:
		late := id(len(players) + 1)
		h.must("", tournament.KindJoin, tournament.Order{Player: late, Rating: 1500})
		if rng.IntN(2) == 0 {
			h.must(host, tournament.KindForbid, tournament.Order{Player: late, Other: p.ID})
		}
	case 1:
		if !p.Out && len(players) > 9 {
			h.must(p.ID, tournament.KindLeave, nil)
		}
	case 2:
		if p.Out {
			h.must(host, tournament.KindReturn, tournament.Order{Player: p.ID})
		}
	case 3:
		h.must(host, tournament.KindBye, tournament.Order{Player: p.ID, Round: round, Bye: tournament.HalfBye})
	}
}

func TestRoundStartsOnce(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2})
	h.join(4)
	h.start()
	h.refused(tournament.CodeNoRound, host, tournament.KindStart, tournament.Order{Round: 1})
	h.playRound(func() int { return 0 })
	h.start()
	h.playRound(func() int { return 0 })
	h.refused(tournament.CodeNoRound, host, tournament.KindStart, tournament.Order{Round: 3})
}

func TestNextRoundStartsByItselfAfterThePause(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3, Pause: 60})
	h.join(4)
	h.start()
	if !h.machine.Wake().IsZero() {
		t.Errorf("wake %v while games are played", h.machine.Wake())
	}
	h.playRound(func() int { return 0 })
	if got := h.machine.Wake(); !got.Equal(h.now.Add(time.Minute)) {
		t.Fatalf("wake %v, want after the pause", got)
	}
	h.now = h.now.Add(time.Minute)
	h.must("", machine.KindWake, nil)
	if s := h.state(); len(s.Rounds) != 2 || s.Due != 0 {
		t.Errorf("%d rounds, due %d", len(s.Rounds), s.Due)
	}
	h.playRound(func() int { return 0 })
	h.must(host, tournament.KindWait, nil)
	if !h.machine.Wake().IsZero() {
		t.Error("the round is due although the host waits")
	}
	h.must(host, tournament.KindResult, tournament.Order{Round: 2, Board: 1, Result: tournament.Drawn})
	if !h.machine.Wake().IsZero() {
		t.Error("the round is due after a correction, although the host waits")
	}
}

// A player of a round robin of three withdraws. Every round but one then has no game.
func TestNextRoundStartsByItselfAfterARoundWithoutAGame(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.RoundRobin, Pause: 60})
	h.join(3)
	h.start()
	h.must("p3", tournament.KindLeave, nil)
	for range 2 {
		h.playRound(func() int { return 0 })
		if got := h.machine.Wake(); !got.Equal(h.now.Add(time.Minute)) {
			t.Fatalf("after round %d: wake %v, want after the pause", len(h.state().Rounds), got)
		}
		h.now = h.now.Add(time.Minute)
		h.must("", machine.KindWake, nil)
	}
	h.playRound(func() int { return 0 })
	if s := h.state(); len(s.Rounds) != 3 || s.Due != 0 {
		t.Errorf("%d rounds, due %d, want no round due after the last one", len(s.Rounds), s.Due)
	}
	h.agrees()
}

func TestNoRoundIsDueAfterTheLastOne(t *testing.T) {
	for _, settings := range []tournament.Settings{{Rounds: 1}, {Format: tournament.RoundRobin}, {Format: tournament.Knockout}} {
		settings.Pause = 60
		h := open(t, settings)
		h.join(2)
		h.start()
		h.playRound(func() int { return 0 })
		if got := h.machine.Wake(); !got.IsZero() {
			t.Errorf("%s: the next round is due at %v", settings.Format, got)
		}
	}
}

func TestNextRoundOfAKnockoutStartsByItselfAfterWalkovers(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Knockout, Pause: 60})
	h.join(8)
	h.start()
	h.playRound(func() int { return 0 })
	for _, winner := range []string{"p5", "p6"} { // one in each half
		h.must(winner, tournament.KindLeave, nil)
	}
	for range 2 {
		h.now = h.now.Add(time.Minute)
		h.must("", machine.KindWake, nil)
	}
	rounds := h.state().Rounds
	if len(rounds) != 3 || len(rounds[2][0].Games) != 1 {
		t.Errorf("rounds %+v, want a final after two walkovers", rounds)
	}
	h.agrees()
}

// After that, the host starts the round again when they are ready.
func TestRoundWithoutAGameThatIsTakenBackMakesNoneDue(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.RoundRobin, Pause: 60})
	h.join(3)
	h.start()
	h.playRound(func() int { return 0 })
	out := h.state().Rounds[0][0].First
	h.must(host, tournament.KindLeave, tournament.Order{Player: id(out)})
	h.start()
	h.must(host, tournament.KindUndo, nil)
	if !h.machine.Wake().IsZero() {
		t.Errorf("wake %v while the round is taken back", h.machine.Wake())
	}
	h.must("", machine.KindDone, tournament.Order{Task: h.tasks(tournament.TaskRecall)[0].ID})
	if s := h.state(); len(s.Rounds) != 1 || s.Due != 0 {
		t.Errorf("%d rounds, due %d", len(s.Rounds), s.Due)
	}
	h.agrees()
}

func TestRoundWithoutALegalPairingIsRefused(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 4, Pause: 1})
	h.join(4)
	for range 3 {
		h.start()
		h.playRound(func() int { return 0 })
	}
	h.refused(tournament.CodeNoPairing, host, tournament.KindStart, tournament.Order{Round: 4})
	h.now = h.now.Add(time.Minute)
	h.must("", machine.KindWake, nil) // asks the host instead of trying again and again
	if !h.machine.Wake().IsZero() {
		t.Error("the round is due again")
	}
	// The host may still pair by hand.
	h.refused(tournament.CodeBadPairing, host, tournament.KindStart, tournament.Order{Round: 4, Pairings: [][2]int{{1, 2}, {3, 1}}})
	h.refused(tournament.CodeBadPairing, host, tournament.KindStart, tournament.Order{Round: 4, Pairings: [][2]int{{1, 2}}})
	h.must(host, tournament.KindStart, tournament.Order{Round: 4, Pairings: [][2]int{{4, 1}, {3, 2}}})
	if b := h.state().Rounds[3]; b[0].First != 4 || b[1].Second != 2 {
		t.Errorf("boards %+v", b)
	}
}

func TestForbiddenPairDoesNotMeet(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2})
	h.join(4)
	h.must(host, tournament.KindForbid, tournament.Order{Player: "p1", Other: "p3"})
	h.start()
	for _, b := range h.state().Rounds[0] {
		if b.First+b.Second == 4 {
			t.Errorf("board %+v, although the two may not meet", b)
		}
	}
}

// One player is in no pairing of round 1. A host then keeps them apart from the opponent whom round 2 has for them.
func TestForbiddenPairDoesNotMeetWhenOneOfThemIsLate(t *testing.T) {
	for _, comesBack := range []bool{false, true} {
		t.Run(fmt.Sprintf("comes back: %v", comesBack), func(t *testing.T) {
			h := open(t, tournament.Settings{Rounds: 3})
			h.join(5)
			if comesBack {
				h.must("", tournament.KindJoin, tournament.Order{Player: "p6"})
				h.must("p6", tournament.KindLeave, nil)
			}
			h.start()
			h.playRound(func() int { return 0 })
			if comesBack {
				h.must(host, tournament.KindReturn, tournament.Order{Player: "p6"})
			} else {
				h.must("", tournament.KindJoin, tournament.Order{Player: "p6"})
			}
			s := h.state()
			_, pairings, err := s.Preview()
			i := slices.IndexFunc(pairings, func(p [2]int) bool { return p[0] == 6 || p[1] == 6 })
			if err != nil || i < 0 {
				t.Fatalf("preview %v, %v", pairings, err)
			}
			pair := pairings[i]
			h.must(host, tournament.KindForbid, tournament.Order{Player: id(pair[0]), Other: id(pair[1])})
			s = h.state()
			if e := s.CrossTable(names(s)); len(e.Forbidden) != 1 {
				t.Errorf("the report file keeps %v apart", e.Forbidden)
			}
			if got, err := s.Breaches(pairings); err != nil || len(got) != 1 || got[0] != (tournament.Breach{Pairing: pair, Reason: swiss.Forbidden}) {
				t.Errorf("the host is told %v, %v", got, err)
			}
			h.start()
			for _, b := range h.state().Rounds[1] {
				if (b.First == pair[0] || b.First == pair[1]) && b.First+b.Second == pair[0]+pair[1] {
					t.Errorf("board %+v, although the two may not meet", b)
				}
			}
		})
	}
}

// A late player gets half a point for round 1 at most, so that nobody gains by coming later.
func TestLatePlayerGetsWhatTheHostGrants(t *testing.T) {
	for _, half := range []bool{true, false} {
		h := open(t, tournament.Settings{Rounds: 4, LateHalf: half})
		h.join(4)
		for range 2 {
			h.start()
			h.playRound(func() int { return 2 })
		}
		h.must("", tournament.KindJoin, tournament.Order{Player: "plate", Rating: 1000})
		h.start()
		s := h.state()
		i := slices.IndexFunc(s.Standings(), func(row tournament.Standing) bool { return row.Number == 5 })
		bye := slices.ContainsFunc(s.Rounds[2], func(b tournament.Board) bool { return b.First == 5 && b.Second == 0 })
		want := map[bool]int{true: 5}[half]
		if bye {
			want += 10
		}
		if got := s.Standings()[i].Points; got != want {
			t.Errorf("half a point %v: %d tenths, want %d", half, got, want)
		}
	}
}

// A player is marked absent at check-in, and comes an hour late.
func TestAbsentPlayerWhoComesLateGetsWhatALatePlayerGets(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 4, LateHalf: true})
	h.join(5)
	for n := range 4 {
		h.must(id(n+1), tournament.KindHere, nil)
	}
	h.must(host, tournament.KindAbsent, nil)
	h.start()
	h.playRound(func() int { return 2 })
	h.must(host, tournament.KindReturn, tournament.Order{Player: "p5"})
	h.must(host, tournament.KindUndo, nil)
	h.start()
	h.playRound(func() int { return 2 })
	h.must(host, tournament.KindReturn, tournament.Order{Player: "p5"})
	h.must("", tournament.KindJoin, tournament.Order{Player: "p6"})
	h.start()
	s := h.state()
	points := map[int]int{}
	for _, row := range s.Standings() {
		points[row.Number] = row.Points
	}
	if points[5] != 5 || points[6] != 5 || s.Players[4].Joined != 3 || s.Players[5].Joined != 3 {
		t.Errorf("points %v in tenths, players %+v: want half a point and round 3 for both", points, s.Players[4:])
	}
	// The round before was paired without them.
	if then := s.CrossTableBefore(2, nil); len(then.Players) != 4 {
		t.Errorf("round 2 was paired from %d players, want 4", len(then.Players))
	}
	h.agrees()
}

// A player who has been paired before is no late player.
func TestPlayerWhoComesBackKeepsThePointsOfTheirRounds(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 4, LateHalf: true})
	h.join(4)
	h.start()
	h.playRound(func() int { return 2 })
	h.must("p4", tournament.KindLeave, nil)
	h.start()
	h.playRound(func() int { return 2 })
	h.must(host, tournament.KindReturn, tournament.Order{Player: "p4"})
	if p := h.state().Players[3]; p.Out || p.Joined != 0 {
		t.Errorf("the player is %+v", p)
	}
}

func TestRoundRobinKeepsItsTableWhenAPlayerLeaves(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.RoundRobin})
	h.join(5)
	h.start()
	h.playRound(func() int { return 0 })
	h.must("p3", tournament.KindLeave, nil)
	h.must("", tournament.KindJoin, tournament.Order{Player: "psubstitute"})
	h.refused(tournament.CodeClosed, host, tournament.KindReturn, tournament.Order{Player: "psubstitute"})
	for range 4 {
		h.start()
		h.playRound(func() int { return 0 })
	}
	h.must(host, tournament.KindFinish, nil)
	met := map[[2]int]int{}
	for _, boards := range h.state().Rounds {
		for _, b := range boards {
			met[[2]int{min(b.First, b.Second), max(b.First, b.Second)}]++
			if (b.First == 3 || b.Second == 3) && b.Second != 0 && len(b.Games) == 0 && !strings.HasSuffix(b.Result, "unplayed") {
				t.Errorf("board of a player who has left: %+v", b)
			}
		}
	}
	if len(met) != 15 { // ten pairs and five byes
		t.Errorf("%d pairs and byes: %v", len(met), met)
	}
	h.agrees()
}

// The table of a round robin and the bracket of a knockout have no place for more players.
func TestPlayerWhoWasOutAtTheStartStaysOut(t *testing.T) {
	for format, rounds := range map[tournament.Format]int{tournament.RoundRobin: 3, tournament.Knockout: 2} {
		h := open(t, tournament.Settings{Format: format})
		h.join(5)
		h.must("p5", tournament.KindLeave, nil)
		for n := range rounds {
			h.start()
			h.refused(tournament.CodeClosed, host, tournament.KindReturn, tournament.Order{Player: "p5"})
			h.playRound(func() int { return 0 })
			for _, b := range h.state().Rounds[n] {
				if b.First == 5 || b.Second == 5 || b.Second == 0 {
					t.Errorf("%s: board %+v", format, b)
				}
			}
		}
		h.must(host, tournament.KindFinish, nil)
	}
}

func TestPreviewIsWhatTheStartPairs(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(9)
	s := h.state()
	round, preview, err := s.Preview()
	if err != nil || round != 1 {
		t.Fatalf("round %d, %v", round, err)
	}
	h.start()
	var started [][2]int
	for _, b := range h.state().Rounds[0] {
		started = append(started, [2]int{b.First, b.Second})
	}
	if !slices.Equal(preview, started) {
		t.Errorf("preview %v, started %v", preview, started)
	}
}

func TestHostIsToldWhichOfTheirPairingsBreakARule(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 4})
	h.join(5)
	h.must(host, tournament.KindForbid, tournament.Order{Player: "p3", Other: "p4"})
	h.must(host, tournament.KindStart, tournament.Order{Round: 1, Pairings: [][2]int{{1, 2}, {3, 5}, {4, 0}}})
	h.playRound(func() int { return 0 })
	s := h.state()
	for _, tt := range []struct {
		pairings [][2]int
		want     []tournament.Breach
	}{
		{[][2]int{{2, 1}, {3, 4}, {5, 0}}, []tournament.Breach{{[2]int{2, 1}, swiss.HaveMet}, {[2]int{3, 4}, swiss.Forbidden}}},
		{[][2]int{{1, 3}, {2, 5}, {4, 0}}, []tournament.Breach{{[2]int{4, 0}, swiss.SecondBye}}},
		{[][2]int{{1, 3}, {2, 4}, {5, 0}}, nil},
	} {
		if got, err := s.Breaches(tt.pairings); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, %v, want %v", tt.pairings, got, err, tt.want)
		}
	}
	if _, err := s.Breaches([][2]int{{1, 3}}); !refusal.Is(err, tournament.CodeBadPairing) {
		t.Errorf("pairings without all players: %v", err)
	}
}

func TestHostIsToldWhetherTheRoundsCanBePaired(t *testing.T) {
	for rounds, safe := range map[int]bool{7: false, 3: true} {
		h := open(t, tournament.Settings{Rounds: rounds})
		h.join(6)
		s := h.state()
		if got := s.Outlook(); got.Safe() != safe {
			t.Errorf("%d rounds: %+v", rounds, got)
		}
	}
}

// Four players have three legal rounds. The fourth has a proposal that holds each of them once, and
// a player who has not met another one yet meets them first.
func TestHostGetsAProposalWhenNoPairingIsLegal(t *testing.T) {
	for _, n := range []int{2, 3, 4, 5, 6} {
		h := open(t, tournament.Settings{Rounds: n + 1})
		h.join(n)
		for {
			if err := h.send(host, tournament.KindStart, tournament.Order{Round: len(h.state().Rounds) + 1}); err != nil {
				if !refusal.Is(err, tournament.CodeNoPairing) {
					t.Fatal(err)
				}
				break
			}
			h.playRound(func() int { return 0 })
		}
		s := h.state()
		proposal := s.Fallback()
		breaches, err := s.Breaches(proposal)
		if err != nil || len(breaches) == 0 {
			t.Errorf("%d players: %v breaks %v, %v", n, proposal, breaches, err)
		}
		h.must(host, tournament.KindStart, tournament.Order{Round: len(s.Rounds) + 1, Pairings: proposal})
	}
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.must(host, tournament.KindStart, tournament.Order{Round: 1, Pairings: [][2]int{{1, 2}, {3, 4}}})
	h.playRound(func() int { return 0 })
	s := h.state()
	if got, want := s.Fallback(), [][2]int{{1, 3}, {2, 4}}; !slices.Equal(got, want) {
		t.Errorf("proposal %v, want %v", got, want)
	}
}

func TestProposedPairingsKeepForbiddenPairsApart(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.must(host, tournament.KindForbid, tournament.Order{Player: "p1", Other: "p2"})
	s := h.state()
	if got := s.Fallback(); slices.Contains(got, [2]int{1, 2}) || len(got) != 2 {
		t.Errorf("proposed %v", got)
	}
}

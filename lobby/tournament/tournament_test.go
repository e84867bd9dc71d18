package tournament_test

import (
	"encoding/json"
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

const host = "phost"

// hall runs a tournament without a room.
type hall struct {
	*testing.T
	machine *tournament.Tournament
	entries []machine.Entry
	now     time.Time
}

func open(t *testing.T, s tournament.Settings) *hall {
	t.Helper()
	h := &hall{T: t, machine: tournament.New("cup1"), now: time.UnixMilli(1_700_000_000_000)}
	if s.Name == "" {
		s.Name = "School Cup"
	}
	h.must(host, tournament.KindCreate, tournament.Order{Settings: &s})
	return h
}

// send sends a command, and applies its entry.
func (h *hall) send(by, kind string, o any) error {
	h.Helper()
	body, err := json.Marshal(o)
	if err != nil {
		h.Fatal(err)
	}
	e, err := h.machine.Decide(machine.Command{Kind: kind, By: by, Body: body}, h.now)
	if err != nil {
		return err
	}
	e.At, e.By = h.now.UnixMilli(), by
	if err := h.machine.Apply(e); err != nil {
		h.Fatalf("%s is decided and not understood: %v", kind, err)
	}
	h.entries = append(h.entries, e)
	return nil
}

func (h *hall) must(by, kind string, o any) {
	h.Helper()
	if err := h.send(by, kind, o); err != nil {
		h.Fatalf("%s by %q: %v", kind, by, err)
	}
}

func (h *hall) refused(code refusal.Code, by, kind string, o any) {
	h.Helper()
	if err := h.send(by, kind, o); !refusal.Is(err, code) {
		h.Errorf("%s by %q: %v, want %s", kind, by, err, code)
	}
}

func (h *hall) state() (s tournament.State) {
	h.Helper()
	if err := json.Unmarshal(h.machine.Snapshot(machine.Watchers), &s); err != nil {
		h.Fatal(err)
	}
	return s
}

// join enters players p1, p2 and so on, the strongest first.
func (h *hall) join(n int) {
	h.Helper()
	for i := range n {
		h.must("", tournament.KindJoin, tournament.Order{Player: id(i + 1), Rating: 2000 - i})
	}
}

func id(number int) string { return fmt.Sprintf("p%d", number) }

func (h *hall) start() {
	h.Helper()
	h.must(host, tournament.KindStart, tournament.Order{Round: len(h.state().Rounds) + 1})
}

// openGames does what the tasks ask for.
func (h *hall) openGames() (opened []tournament.NewGame) {
	h.Helper()
	for {
		tasks := h.machine.Tasks()
		if len(tasks) == 0 {
			return opened
		}
		var o tournament.Opening
		if err := json.Unmarshal(tasks[0].Body, &o); err != nil {
			h.Fatal(err)
		}
		opened = append(opened, o.Games...)
		h.must("", machine.KindDone, tournament.Order{Task: tasks[0].ID})
	}
}

// report ends a game that seat 0 wins (0), seat 1 wins (1) or nobody wins (2).
func (h *hall) report(g tournament.NewGame, outcome int, seeds ...int) {
	h.Helper()
	winners := [][]int{{0}, {1}, {0, 1}}[outcome]
	h.must("", tournament.KindReport, tournament.Order{Report: &tournament.Report{
		Room: g.Room, Round: g.Round, Board: g.Board, Game: g.Game, Reason: "normal", Played: true, Winners: winners, Scores: seeds,
	}})
}

// playRound opens and ends the games of the round.
func (h *hall) playRound(outcome func() int) {
	h.Helper()
	for {
		games := h.openGames()
		if len(games) == 0 {
			return
		}
		for _, g := range games {
			h.report(g, outcome(), 25, 23)
		}
	}
}

// agrees fails the test unless a replay and a checkpoint give the same state.
func (h *hall) agrees() {
	h.Helper()
	replayed, loaded := tournament.New("cup1"), tournament.New("cup1")
	half := len(h.entries) / 2
	for i, e := range h.entries {
		if i == half {
			checkpoint, err := replayed.Checkpoint()
			if err == nil {
				err = loaded.LoadCheckpoint(checkpoint)
			}
			if err != nil {
				h.Fatal(err)
			}
		}
		for _, m := range []*tournament.Tournament{replayed, loaded} {
			if m == loaded && i < half {
				continue
			}
			if err := m.Apply(e); err != nil {
				h.Fatal(err)
			}
		}
	}
	want := string(h.machine.Snapshot(machine.Watchers))
	for name, m := range map[string]*tournament.Tournament{"replay": replayed, "checkpoint": loaded} {
		if got := string(m.Snapshot(machine.Watchers)); got != want || !slices.Equal(m.Players(), h.machine.Players()) {
			h.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestRandomSwissIsPlayedToItsEnd(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 22))
		h := open(t, tournament.Settings{Rounds: 5, LateHalf: seed%2 == 0, Games: 1 + int(seed%3)/2})
		h.join(8 + rng.IntN(30))
		met := map[[2]int]bool{}
		byes := map[int]bool{}
		for round := 1; round <= 5; round++ {
			h.disturb(rng, round)
			h.start()
			for _, b := range h.state().Rounds[round-1] {
				pair := [2]int{min(b.First, b.Second), max(b.First, b.Second)}
				if b.Second == 0 && byes[b.First] || b.Second != 0 && met[pair] {
					t.Fatalf("seed %d, round %d: board %d is %v again", seed, round, b.Number, pair)
				}
				met[pair] = b.Second != 0
				byes[b.First] = byes[b.First] || b.Second == 0
			}
			h.playRound(func() int { return rng.IntN(3) })
		}
		h.must(host, tournament.KindFinish, nil)
		h.agrees()
		if s := h.state(); s.Stage != tournament.Over || len(s.Standings()) < 8 {
			t.Errorf("seed %d: %s with %d standings", seed, s.Stage, len(s.Standings()))
		}
	}
}

// disturb lets a player join late, leave, come back or ask for a bye.
func (h *hall) disturb(rng *rand.Rand, round int) {
	h.Helper()
	players := h.state().Players
	p := players[rng.IntN(len(players))]
	switch rng.IntN(4) {
	case 0:
		h.must("", tournament.KindJoin, tournament.Order{Player: id(len(players) + 1), Rating: 1500})
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

func TestGameIsCountedOnce(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1})
	h.join(2)
	h.start()
	g := h.openGames()[0]
	h.report(g, 0, 30, 18)
	again := tournament.Report{Room: g.Room, Round: 1, Board: 1, Game: 1, Played: true, Winners: []int{1}, Scores: []int{1, 47}}
	if err := h.send("", tournament.KindReport, tournament.Order{Report: &again}); err != machine.ErrNothing {
		t.Errorf("a second report: %v", err)
	}
	again.Room = "other1"
	h.refused(tournament.CodeNoBoard, "", tournament.KindReport, tournament.Order{Report: &again})
	b := h.state().Rounds[0][0]
	if b.Result != tournament.FirstWins || b.Seeds != 12 || b.Games[0].Reason != "normal" {
		t.Errorf("board %+v", b)
	}
	s := h.state()
	if breaks := s.Standings()[0].Breaks; breaks[len(breaks)-1] != (tournament.Break{Code: "SEEDS", Value: 1200, Why: "+12: +12"}) {
		t.Errorf("tie-breaks %+v", breaks)
	}
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn, Reason: "both agreed"})
	if b = h.state().Rounds[0][0]; b.Result != tournament.Drawn || !b.ByHost {
		t.Errorf("corrected board %+v", b)
	}
	h.must(host, tournament.KindUndo, nil)
	if b = h.state().Rounds[0][0]; b.Result != tournament.FirstWins || b.ByHost {
		t.Errorf("after undo: %+v", b)
	}
	h.refused(tournament.CodeNothing, host, tournament.KindUndo, nil)
	h.agrees()
}

func TestRunningGameHasNoOtherResult(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1})
	h.join(2)
	h.start()
	h.refused(tournament.CodeRunning, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn})
	h.refused(tournament.CodeRoundOpen, host, tournament.KindFinish, nil)
	h.refused(tournament.CodeRoundOpen, host, tournament.KindStart, tournament.Order{Round: 2})
}

// In the second game of a board the other player moves first.
func TestMiniMatchIsScoredByGamesOrBySeeds(t *testing.T) {
	for _, tt := range []struct {
		bySeeds  bool
		outcomes [2]int // the winning seats
		seeds    [2][2]int
		want     string
	}{
		{false, [2]int{0, 1}, [2][2]int{{25, 23}, {23, 25}}, tournament.FirstWins},
		{false, [2]int{0, 0}, [2][2]int{{40, 8}, {25, 23}}, tournament.Drawn},
		{true, [2]int{0, 0}, [2][2]int{{40, 8}, {25, 23}}, tournament.FirstWins},
		{true, [2]int{0, 0}, [2][2]int{{25, 23}, {40, 8}}, tournament.SecondWins},
		{true, [2]int{0, 0}, [2][2]int{{25, 23}, {25, 23}}, tournament.Drawn},
		{false, [2]int{2, 2}, [2][2]int{{24, 24}, {24, 24}}, tournament.Drawn},
	} {
		h := open(t, tournament.Settings{Rounds: 1, Games: 2, BySeeds: tt.bySeeds})
		h.join(2)
		h.start()
		first := h.openGames()
		h.report(first[0], tt.outcomes[0], tt.seeds[0][:]...)
		second := h.openGames()
		if len(second) != 1 || second[0].Seats != [2]string{first[0].Seats[1], first[0].Seats[0]} {
			t.Fatalf("second game %v after %v, want the first moves reversed", second, first)
		}
		h.report(second[0], tt.outcomes[1], tt.seeds[1][:]...)
		if got := h.state().Rounds[0][0].Result; got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestPlayerWhoDoesNotComeLosesWithoutASecondGame(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1, Games: 2})
	h.join(2)
	h.start()
	g := h.openGames()[0]
	h.must("", tournament.KindReport, tournament.Order{Report: &tournament.Report{Room: g.Room, Round: 1, Board: 1, Game: 1, Reason: "no-show", Winners: []int{1}}})
	if b := h.state().Rounds[0][0]; b.Result != tournament.SecondUnplayed || len(b.Games) != 1 {
		t.Errorf("board %+v", b)
	}
}

func TestOnlyHostsAndTheServerDecideForOthers(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	o := tournament.Order{Player: "p2", Other: "p3", Round: 1, Settings: &tournament.Settings{Name: "Mine"}}
	for _, kind := range []string{
		tournament.KindHere, tournament.KindLeave, tournament.KindBye, tournament.KindSettings, tournament.KindReturn, tournament.KindForbid,
		tournament.KindAllow, tournament.KindStart, tournament.KindResult, tournament.KindWait, tournament.KindAnnounce, tournament.KindFinish,
		tournament.KindUndo, tournament.KindJoin, tournament.KindHost, tournament.KindReport, machine.KindDone, machine.KindWake,
	} {
		h.refused(tournament.CodeNotHost, "p1", kind, o)
		h.refused(tournament.CodeNotHost, "pstranger", kind, o)
	}
	for _, kind := range []string{tournament.KindJoin, tournament.KindHost, tournament.KindReport, machine.KindDone, machine.KindWake} {
		h.refused(tournament.CodeNotHost, host, kind, o) // the server alone
	}
	h.must("", tournament.KindHost, tournament.Order{Player: "pfriend"})
	h.must("pfriend", tournament.KindForbid, o)
	h.must("p1", tournament.KindHere, nil)
	h.must("p1", tournament.KindLeave, nil)
	if s := h.state(); !s.Players[0].Here || !s.Players[0].Out || len(s.Forbidden) != 1 {
		t.Errorf("state %+v", s)
	}
}

func TestStepIsTakenBackWithinAMinute(t *testing.T) {
	for _, tt := range []struct {
		kind  string
		order tournament.Order
	}{
		{tournament.KindLeave, tournament.Order{Player: "p2"}},
		{tournament.KindBye, tournament.Order{Player: "p2", Round: 2, Bye: tournament.ZeroBye}},
		{tournament.KindForbid, tournament.Order{Player: "p2", Other: "p1"}},
	} {
		h := open(t, tournament.Settings{Rounds: 3})
		h.join(4)
		before := h.state()
		h.must(host, tt.kind, tt.order)
		h.now = h.now.Add(tournament.UndoWithin - time.Millisecond)
		h.must(host, tournament.KindUndo, nil)
		if after := h.state(); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%s: %+v, want %+v", tt.kind, after, before)
		}
		h.must(host, tt.kind, tt.order)
		h.now = h.now.Add(tournament.UndoWithin)
		h.refused(tournament.CodeNothing, host, tournament.KindUndo, nil)
		h.agrees()
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

func TestRoundRobinKeepsItsTableWhenAPlayerLeaves(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.RoundRobin})
	h.join(5)
	h.start()
	h.playRound(func() int { return 0 })
	h.must("p3", tournament.KindLeave, nil)
	h.refused(tournament.CodeClosed, "", tournament.KindJoin, tournament.Order{Player: "plate"})
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

func TestPlayersWithoutDevicesGetNoRooms(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1})
	h.join(2)
	h.must(host, tournament.KindLeave, tournament.Order{Player: "p2"})
	h.must("", tournament.KindJoin, tournament.Order{Player: "ppaper", Paper: true})
	h.start()
	if games := h.openGames(); len(games) > 0 {
		t.Errorf("games %v", games)
	}
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.SecondWins})
	if got := h.machine.Players(); !slices.Equal(got, []string{host, "p1"}) {
		t.Errorf("players with devices: %v", got)
	}
	h.must(host, tournament.KindFinish, nil)
}

func TestGamesOfALargeRoundAreOpenedByFewTasks(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1})
	h.join(240)
	h.start()
	if got := len(h.machine.Tasks()); got != 3 {
		t.Errorf("%d tasks, want 3", got)
	}
	rooms := map[string]bool{}
	for _, g := range h.openGames() {
		rooms[g.Room] = true
	}
	if len(rooms) != 120 || len(h.machine.Tasks()) != 0 {
		t.Errorf("%d rooms, %d tasks are left", len(rooms), len(h.machine.Tasks()))
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

func TestRefusalOfSettingsNamesTheField(t *testing.T) {
	for field, s := range map[string]tournament.Settings{
		"name":      {Name: " "},
		"format":    {Name: "Cup", Format: "lottery"},
		"rounds":    {Name: "Cup", Rounds: 101},
		"games":     {Name: "Cup", Games: 3},
		"noShow":    {Name: "Cup", NoShow: -1},
		"pause":     {Name: "Cup", Pause: 4000},
		"accounts":  {Name: "Cup", Rated: true},
		"tieBreaks": {Name: "Cup", TieBreaks: "DE,XX"},
	} {
		h := &hall{T: t, machine: tournament.New("cup1")}
		err := h.send(host, tournament.KindCreate, tournament.Order{Settings: &s})
		if problem, ok := refusal.Detail(err).(tournament.Problem); !ok || problem.Field != field {
			t.Errorf("%+v: %v, want a problem with %s", s, err, field)
		}
	}
}

// A hostile or broken command changes nothing, and never breaks the machine.
func FuzzCommands(f *testing.F) {
	for _, kind := range []string{tournament.KindStart, tournament.KindReport, tournament.KindResult, tournament.KindBye, machine.KindDone} {
		f.Add(kind, "", []byte(`{"round":2,"board":1,"result":"draw","task":"open-1-1.1","bye":"half"}`))
		f.Add(kind, host, []byte(`{"round":1,"pairings":[[1,2],[3,0]],"report":{"round":1,"board":1,"game":1}}`))
	}
	f.Fuzz(func(t *testing.T, kind, by string, body []byte) {
		h := open(t, tournament.Settings{Rounds: 3})
		h.join(5)
		h.start()
		h.openGames()
		before := string(h.machine.Snapshot(machine.Watchers))
		e, err := h.machine.Decide(machine.Command{Kind: kind, By: by, Body: body}, h.now)
		if string(h.machine.Snapshot(machine.Watchers)) != before {
			t.Fatal("a decision changes the state")
		}
		if err != nil {
			return
		}
		if err := h.machine.Apply(e); err != nil {
			t.Fatalf("%s is decided and not understood: %v", e.Body, err)
		}
		h.machine.Tasks()
		h.machine.Snapshot(machine.Watchers)
		s := h.state()
		_, _, _ = s.Preview()
		s.Standings()
	})
}

func BenchmarkResultOfAThousandPlayers(b *testing.B) {
	h := open(&testing.T{}, tournament.Settings{Rounds: 9})
	h.join(1000)
	h.start()
	games := h.openGames()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		g := games[n%len(games)]
		body, _ := json.Marshal(tournament.Order{Report: &tournament.Report{Room: g.Room, Round: 1, Board: g.Board, Game: 1, Played: true, Winners: []int{0}, Scores: []int{30, 18}}})
		e, err := h.machine.Decide(machine.Command{Kind: tournament.KindReport, Body: body}, h.now)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(h.machine.AppendPublic(nil, e, machine.Watchers))), "bytes")
	}
}

package tournament_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

const day = 24 * time.Hour

// notCome reports the end of a game in which these seats have moved.
func (h *hall) notCome(g tournament.NewGame, here ...int) {
	h.Helper()
	h.must("", tournament.KindReport, tournament.Order{Report: &tournament.Report{Room: g.Room, Report: match.Report{
		Round: g.Round, Board: g.Board, Game: g.Game, Reason: "no-show", Winners: here, Scores: []int{0, 0},
	}}})
}

// wakesAt fails the test unless time alone does something then, and nothing before it.
func (h *hall) wakesAt(want time.Time) {
	h.Helper()
	if got := h.machine.Wake(); !got.Equal(want) {
		h.Errorf("it wakes at %v, want %v", got, want)
	}
}

func TestGamesThatHaveNotBegunEndWithTheirRound(t *testing.T) {
	for _, tt := range []struct{ unplayed, want string }{
		{"", tournament.Neither}, {tournament.UnplayedDraw, tournament.Drawn}, {tournament.UnplayedHost, ""},
	} {
		h := open(t, tournament.Settings{Rounds: 2, Clock: "5+3", Days: 7, Unplayed: tt.unplayed, Pause: 60})
		h.join(8)
		h.start()
		if !h.machine.Wake().IsZero() {
			t.Error("it wakes while its games are opened")
		}
		games := h.openGames()
		end := h.now.Add(7 * day)
		h.wakesAt(end)
		h.report(games[0], 0, 30, 18)
		h.now = end.Add(-time.Millisecond)
		if err := h.send("", machine.KindWake, nil); !errors.Is(err, machine.ErrNothing) {
			t.Errorf("before the end: %v", err)
		}
		h.now = end
		h.must("", machine.KindWake, nil)
		acts := h.acts()
		if len(acts) != 1 || acts[0].Kind != match.ActClose || acts[0].By != host || !slices.Equal(h.boardsOf(acts[0]), []int{2, 3, 4}) {
			t.Fatalf("acts %+v", acts)
		}
		h.notCome(games[1])
		h.notCome(games[2], 1)
		h.confirm()
		if !h.machine.Wake().IsZero() {
			t.Error("it wakes again while the last game goes on")
		}
		h.report(games[3], 2)
		boards := h.state().Rounds[0]
		var got []string
		for _, b := range boards {
			got = append(got, b.Result)
		}
		if want := []string{tournament.FirstWins, tt.want, tournament.SecondUnplayed, tournament.Drawn}; !slices.Equal(got, want) {
			t.Errorf("%q: results %q, want %q", tt.unplayed, got, want)
		}
		if tt.want == "" {
			h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 2, Result: tournament.FirstWins})
			h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 2}) // clears it
			h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 2, Result: tournament.Drawn})
		}
		h.wakesAt(h.now.Add(time.Minute))
		h.now = h.now.Add(time.Minute)
		h.must("", machine.KindWake, nil)
		h.openGames()
		h.wakesAt(h.now.Add(7 * day))
		h.agrees()
	}
}

// The room of such a game confirms nothing, so its board would wait for a result without end.
func TestHostDecidesAboutGamesWhoseRoomsAreBrokenAtTheEndOfTheRound(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2, Clock: "5+3", Days: 1})
	h.join(8)
	h.start()
	games := h.openGames()
	h.now = h.now.Add(day)
	h.must("", machine.KindWake, nil)
	h.must("", machine.KindDone, tournament.Order{
		Task: h.tasks(tournament.TaskAct)[0].ID, Broken: []string{games[0].Room, games[2].Room}, Left: []string{games[1].Room},
	})
	for i, b := range h.state().Rounds[0] {
		if void := b.Games[0].Result == tournament.Void; void != (i == 0 || i == 2) || b.Result != "" {
			t.Errorf("board %d is %+v", b.Number, b)
		}
	}
	if acts := h.acts(); len(acts) != 1 || !slices.Equal(h.boardsOf(acts[0]), []int{2}) {
		t.Errorf("acts %+v", acts)
	}
	h.must("", machine.KindDone, tournament.Order{Task: h.tasks(tournament.TaskAct)[0].ID, Broken: []string{games[1].Room}})
	h.report(games[3], 0)
	for board := 1; board <= 3; board++ {
		h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: board, Result: tournament.Drawn})
	}
	h.start()
	h.agrees()
}

func TestEndOfARoundIsMovedUntilItHasCome(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2, Clock: "3/move", Days: 2})
	h.join(4)
	h.refused(tournament.CodeClosed, host, tournament.KindExtend, tournament.Order{Ms: day.Milliseconds()})
	h.start()
	games := h.openGames()
	end := h.now.Add(2 * day)
	for _, by := range []time.Duration{0, -2 * day, 27 * day} {
		h.refused("bad-command", host, tournament.KindExtend, tournament.Order{Ms: by.Milliseconds()})
	}
	for _, by := range []time.Duration{3 * day, -time.Hour} {
		h.must(host, tournament.KindExtend, tournament.Order{Ms: by.Milliseconds()})
		end = end.Add(by)
		h.wakesAt(end)
	}
	h.now = end
	h.must("", machine.KindWake, nil)
	h.refused(tournament.CodeClosed, host, tournament.KindExtend, tournament.Order{Ms: day.Milliseconds()})
	for _, g := range games {
		h.notCome(g)
	}
	h.agrees()
}

func TestRoundGetsAnEndWhenTheHostGivesRoundsOne(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2, Clock: "none"})
	h.join(4)
	h.start()
	h.openGames()
	if !h.machine.Wake().IsZero() {
		t.Error("a round without an end wakes up")
	}
	h.now = h.now.Add(time.Hour)
	s := h.state().Settings
	s.Days = 1
	h.must(host, tournament.KindSettings, tournament.Order{Settings: &s})
	h.wakesAt(h.now.Add(day))
	h.agrees()
}

// An instance of an earlier release ignores the end of a round, and would lose it.
func TestEntriesAboutTheEndOfARoundHaveAVersion(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2, Clock: "5+3"})
	version := func(want int) {
		t.Helper()
		if e := h.entries[len(h.entries)-1]; e.Version != want {
			t.Errorf("the entry %s %s has version %d, want %d", e.Kind, e.Body, e.Version, want)
		}
	}
	version(0)
	set := func(change func(*tournament.Settings)) {
		t.Helper()
		s := h.state().Settings
		change(&s)
		h.must(host, tournament.KindSettings, tournament.Order{Settings: &s})
	}
	set(func(s *tournament.Settings) { s.Unplayed = tournament.UnplayedDraw })
	version(3)
	set(func(s *tournament.Settings) { s.Unplayed, s.Days = "", 1 })
	version(3)
	h.join(4)
	h.start()
	h.openGames()
	h.now = h.now.Add(day)
	h.must("", machine.KindWake, nil) // closes the round
	version(3)
	h.confirm()
	set(func(s *tournament.Settings) { s.Days = 0 })
	version(0)

	created := open(t, tournament.Settings{Days: 1}).entries[0]
	for _, tt := range []struct {
		version int
		read    bool
	}{{0, true}, {2, false}, {3, true}, {4, false}} { // at first such entries had no version
		created.Version = tt.version
		if err := tournament.New("cup1").Apply(created); (err == nil) != tt.read {
			t.Errorf("version %d: %v", tt.version, err)
		}
	}
}

// Without the end, nothing would end a game to which a player does not come.
func TestRoundsKeepTheirEndUntilTheRoundThatIsPlayedIsOverOrHasEnded(t *testing.T) {
	for _, ended := range []bool{false, true} {
		h := open(t, tournament.Settings{Rounds: 3, Clock: "5+3", Days: 2})
		h.join(4)
		without := func() tournament.Order {
			s := h.state().Settings
			s.Days = 0
			return tournament.Order{Settings: &s}
		}
		h.start()
		h.refused(tournament.CodeRoundOpen, host, tournament.KindSettings, without()) // its games are being opened
		games := h.openGames()
		h.refused(tournament.CodeRoundOpen, host, tournament.KindSettings, without())
		s := h.state().Settings
		s.Name = "Spring Cup"
		h.must(host, tournament.KindSettings, tournament.Order{Settings: &s})
		if ended {
			h.now = h.now.Add(2 * day)
			h.must("", machine.KindWake, nil)
		} else {
			h.report(games[0], 0)
			h.report(games[1], 1)
		}
		h.must(host, tournament.KindSettings, without())
		if !h.machine.Wake().IsZero() {
			t.Error("it wakes up without an end")
		}
		h.agrees()
	}
}

// A league plays from Monday to Sunday. Its host has chosen the Sunday on which the first round ends.
func TestRoundsEndAtTheHourOfTheExactEndOfTheFirst(t *testing.T) {
	const week = 7 * day
	for name, tt := range map[string]struct {
		starts, ends time.Duration // from now: the start of a round, and its end
		round        int
		days         int
	}{
		"the first round":                     {0, 6 * day, 1, 7},
		"the first round starts late":         {5 * day, 6 * day, 1, 7},
		"its end is over":                     {6*day + time.Hour, 6*day + week, 1, 7},
		"the second round starts at once":     {6 * day, 6*day + week, 2, 7},
		"it starts three days early":          {3 * day, 6*day + week, 2, 7},
		"it starts three days late":           {9 * day, 6*day + week, 2, 7},
		"it starts four days late":            {10 * day, 6*day + 2*week, 2, 7},
		"the round before has ended at once":  {time.Hour, 6 * day, 2, 7},
		"the longest rounds are not extended": {0, 6 * day, 2, 28},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, tournament.Settings{Rounds: 2, Clock: "5+3", Days: tt.days})
			made := h.now
			s := h.state().Settings
			s.Ends = made.Add(6 * day).UnixMilli()
			h.must(host, tournament.KindSettings, tournament.Order{Settings: &s})
			h.join(4)
			if tt.round == 2 {
				h.start()
				for _, g := range h.openGames() {
					h.report(g, 0)
				}
			}
			h.now = made.Add(tt.starts)
			h.start()
			h.openGames()
			h.wakesAt(made.Add(tt.ends))
			h.agrees()
		})
	}
}

func TestRoundWithAnExactEndLastsUntilThen(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2, Clock: "5+3", Days: 7})
	end := h.now.Add(3*day + time.Minute)
	s := h.state().Settings
	s.Ends = end.UnixMilli()
	h.must(host, tournament.KindSettings, tournament.Order{Settings: &s})
	h.join(4)
	h.start()
	h.openGames()
	h.wakesAt(end)
	later := end.Add(2*day + time.Hour)
	h.must(host, tournament.KindExtend, tournament.Order{Ends: later.UnixMilli()})
	h.wakesAt(later)
	if err := h.send(host, tournament.KindExtend, tournament.Order{Ends: later.UnixMilli()}); !errors.Is(err, machine.ErrNothing) {
		t.Errorf("the same end again: %v", err)
	}
	for _, wrong := range []int64{-1, h.now.UnixMilli(), h.now.Add(28*day + time.Millisecond).UnixMilli(), math.MaxInt64} {
		code := tournament.CodeBadEnd
		if wrong < 0 || wrong > 1<<43 {
			code = match.CodeBadCommand
		}
		h.refused(code, host, tournament.KindExtend, tournament.Order{Ends: wrong})
	}
	h.refused(match.CodeBadCommand, host, tournament.KindExtend, tournament.Order{Ends: later.Add(day).UnixMilli(), Ms: day.Milliseconds()})
	h.agrees()
}

func TestExactEndIsRefusedInThePastAndTooLate(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2, Clock: "5+3", Days: 7})
	for name, tt := range map[string]struct {
		ends, starts time.Duration // from now; 0: none
		days         int
		ok           bool
	}{
		"tomorrow":                          {day, 0, 7, true},
		"this moment":                       {time.Nanosecond, 0, 7, false},
		"yesterday":                         {-day, 0, 7, false},
		"in 28 days":                        {28 * day, 0, 7, true},
		"in 29 days":                        {29 * day, 0, 7, false},
		"28 days after the planned start":   {38 * day, 10 * day, 7, true},
		"29 days after the planned start":   {39 * day, 10 * day, 7, false},
		"before the planned start":          {9 * day, 10 * day, 7, false},
		"no days are said for later rounds": {day, 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := h.state().Settings
			s.Days, s.Ends = tt.days, h.now.Add(tt.ends).UnixMilli()
			if s.Starts = 0; tt.starts != 0 {
				s.Starts = h.now.Add(tt.starts).UnixMilli()
			}
			for _, kind := range []string{tournament.KindSettings, tournament.KindCreate} {
				m := h
				by := host
				if kind == tournament.KindCreate {
					m = &hall{T: t, machine: tournament.New("event00001"), now: h.now}
				}
				err := m.send(by, kind, tournament.Order{Settings: new(s)})
				if tt.ok && err != nil || !tt.ok && !refusal.Is(err, tournament.CodeBadEnd) {
					t.Errorf("%s: %v", kind, err)
				}
			}
		})
	}
}

// The host starts a round, moves its end to the next moment, and takes the round back once its end has come.
func TestRoundInPlaceOfOneThatWasTakenBackHasAnEndOfItsOwn(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2, Clock: "5+3", Days: 1})
	h.join(4)
	h.start()
	h.openGames()
	h.must(host, tournament.KindExtend, tournament.Order{Ms: time.Second.Milliseconds() - day.Milliseconds()})
	h.now = h.now.Add(time.Second)
	h.must("", machine.KindWake, nil)
	if got := h.state().Closed; got != 1 {
		t.Fatalf("the end of round %d has come, want 1", got)
	}
	h.must(host, tournament.KindUndo, nil)
	h.must("", machine.KindDone, tournament.Order{Task: h.tasks(tournament.TaskRecall)[0].ID})
	h.confirm()
	h.start()
	h.openGames()
	h.wakesAt(h.now.Add(day))
	h.agrees()
}

// The first game of a mini-match goes on at the end of its round, so the second one begins after it.
func TestPlayersOfAGameThatBeginsAfterTheEndHaveADay(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.RoundRobin, Clock: "5+3", Games: 2, Days: 1})
	h.join(2)
	h.start()
	first := h.openGames()[0]
	h.now = h.now.Add(day)
	h.must("", machine.KindWake, nil)
	h.confirm()
	h.report(first, 0)
	if o := h.opening(); len(o.Games) != 1 || o.NoShow != day.Milliseconds() {
		t.Errorf("%+v", o)
	}
	h.notCome(h.openGames()[0])
	if b := h.state().Rounds[0][0]; b.Result != tournament.FirstWins {
		t.Errorf("the board is %+v", b)
	}
	h.agrees()
}

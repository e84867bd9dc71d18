package tournament_test

import (
	"fmt"
	"testing"
	"time"

	"mancala/lobby/tournament"
	"mancala/match/machine"
	"mancala/match/refusal"
)

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

// A host whose browser forgets them recovers the tournament as another guest each time.
func TestHostsGiveWayExceptTheFirst(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(2)
	made := 0
	for ; h.send("", tournament.KindHost, tournament.Order{Player: fmt.Sprint("pguest", made)}) == nil; made++ {
		if made > 11_000 {
			t.Fatal("there is no bound")
		}
		hosts := h.state().Hosts
		if last := fmt.Sprint("pguest", made); hosts[0] != host || hosts[len(hosts)-1] != last || len(hosts) != min(made+2, tournament.MaxHosts) {
			t.Fatalf("the hosts are %v after %d have come", hosts, made+1)
		}
	}
	if made < 5000 {
		t.Errorf("a host is refused after %d", made)
	}
	h.refused(tournament.CodeNotHost, "pguest0", tournament.KindStart, tournament.Order{})
	h.refused(tournament.CodeTooLong, "", tournament.KindHost, tournament.Order{Player: "pguest"})
	h.agrees()
	h.must(host, tournament.KindDelete, tournament.Order{})
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

// A step is taken back, and what has happened since stays.
func TestUndoKeepsWhatElseHasChanged(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Arena})
	h.join(4)
	h.start()
	h.must(host, tournament.KindLeave, tournament.Order{Player: "p2"})
	h.must("p2", tournament.KindHere, nil)
	h.must("", machine.KindWake, nil)
	h.must(host, tournament.KindUndo, nil)
	if s := h.state(); s.Players[1].Out || !s.Players[1].Here || len(s.Rounds[0]) != 1 {
		t.Errorf("player %+v, boards %+v", s.Players[1], s.Rounds[0])
	}
	h.agrees()
}

// A person who takes another player's place gives up their own row. Nobody would come to its games.
func TestUndoBringsBackNoRowThatIsGivenUp(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.must(host, tournament.KindLeave, tournament.Order{Player: "p2"})
	h.must("", tournament.KindReplace, tournament.Order{Player: "p1", Other: "p2"})
	h.must(host, tournament.KindUndo, nil)
	h.start()
	if p, boards := h.state().Players[1], h.state().Rounds[0]; !p.Out || plays(boards, p.Number) {
		t.Errorf("player %+v, boards %+v", p, boards)
	}
	h.agrees()
}

func TestOnlyAHostGivesPointsForABye(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.refused(tournament.CodeNotHost, "p1", tournament.KindBye, tournament.Order{Round: 2, Bye: tournament.HalfBye})
	h.must("p1", tournament.KindBye, tournament.Order{Round: 2, Bye: tournament.ZeroBye})
	h.must(host, tournament.KindBye, tournament.Order{Player: "p1", Round: 2, Bye: tournament.HalfBye})
	h.must("p1", tournament.KindBye, tournament.Order{Round: 2}) // they play after all
	h.agrees()
}

func TestWithdrawnPlayerGetsNoHalfPointsForRoundsToCome(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	for _, round := range []int{1, 2, 3} {
		h.must(host, tournament.KindBye, tournament.Order{Player: "p1", Round: round, Bye: tournament.HalfBye})
	}
	h.start()
	h.must("p1", tournament.KindLeave, nil)
	if byes := h.state().Players[0].Byes; len(byes) != 1 || byes[1] != tournament.HalfBye {
		t.Errorf("byes %v, want that of the round that has begun", byes)
	}
	h.agrees()
}

func TestByeIsTakenBackFromAPlayerWhoHasWithdrawnSince(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.must(host, tournament.KindBye, tournament.Order{Player: "p1", Round: 3, Bye: tournament.HalfBye})
	h.must(host, tournament.KindBye, tournament.Order{Player: "p1", Round: 2, Bye: tournament.HalfBye})
	h.must("p1", tournament.KindLeave, nil)
	h.must(host, tournament.KindUndo, nil)
	if p := h.state().Players[0]; !p.Out || len(p.Byes) > 0 {
		t.Errorf("the player is %+v, want withdrawn and without byes", p)
	}
	h.agrees()
}

// Without a clock nobody plays against the time, so no player loses because they have not come, unless
// the host asks for it.
func TestNoPlayerLosesByNotComingInAClassOrWithoutAClock(t *testing.T) {
	for _, tt := range []struct {
		settings tournament.Settings
		want     int64 // s
	}{
		{tournament.Settings{Clock: "5+3"}, 300},
		{tournament.Settings{Clock: "5+3", NoShow: 60}, 60},
		{tournament.Settings{Clock: "none"}, 0},
		{tournament.Settings{Clock: "none", NoShow: 60}, 60},
		{tournament.Settings{Clock: "3/move"}, 0},
		{tournament.Settings{Clock: "5+3", Days: 7}, 30 * 24 * 3600}, // longer than the round
		{tournament.Settings{Clock: "none", Days: 7}, 0},
		{tournament.Settings{Clock: "5+3", Days: 7, NoShow: 60}, 60},
		{tournament.Settings{Clock: "5+3", Format: tournament.Class}, 0},
		{tournament.Settings{Clock: "5+3", Format: tournament.Arena}, 300},
	} {
		h := open(t, tt.settings)
		h.join(2)
		h.start()
		if tt.settings.Format != "" {
			h.must("", machine.KindWake, nil)
		}
		if o := h.opening(); o.NoShow != tt.want*1000 {
			t.Errorf("%+v: a player is waited for %d ms, want %d s", tt.settings, o.NoShow, tt.want)
		}
	}
}

// A page that is loaded later shows the last announcement.
func TestLastAnnouncementStaysInTheState(t *testing.T) {
	h := open(t, tournament.Settings{})
	h.must(host, tournament.KindAnnounce, tournament.Order{Text: "Tea at five"})
	h.now = h.now.Add(time.Minute)
	h.must(host, tournament.KindAnnounce, tournament.Order{Text: "Tea is ready"})
	if got := h.state().Announced; got == nil || *got != (tournament.Announcement{Text: "Tea is ready", At: h.now.UnixMilli()}) {
		t.Errorf("announced is %+v", got)
	}
	h.agrees()
	h.must(host, tournament.KindDelete, nil)
	if got := h.state().Announced; got != nil {
		t.Errorf("a deleted tournament keeps %+v", got)
	}
}

func TestSettingsThatResultsDependOnStayAfterTheStart(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Knockout})
	h.join(4)
	h.start()
	for _, change := range []func(*tournament.Settings){
		func(s *tournament.Settings) { s.Format = tournament.RoundRobin },
		func(s *tournament.Settings) { s.Games = 2 },
		func(s *tournament.Settings) { s.ThirdPlace = true },
		func(s *tournament.Settings) { s.Extra = 1 },
		func(s *tournament.Settings) { s.SeedNumberDecides = true },
	} {
		s := h.state().Settings
		change(&s)
		h.refused(tournament.CodeStarted, host, tournament.KindSettings, tournament.Order{Settings: &s})
	}
	s := h.state().Settings
	s.Name, s.Listed = "Spring Cup", true
	h.must(host, tournament.KindSettings, tournament.Order{Settings: &s})
	if got := h.state().Settings; got.Name != "Spring Cup" || !got.Listed {
		t.Errorf("settings %+v", got)
	}
}

func TestRefusalOfSettingsNamesTheField(t *testing.T) {
	for _, tt := range []struct {
		field    string
		settings tournament.Settings
	}{
		{"name", tournament.Settings{Name: " "}},
		{"format", tournament.Settings{Name: "Cup", Format: "lottery"}},
		{"rounds", tournament.Settings{Name: "Cup", Rounds: 101}},
		{"games", tournament.Settings{Name: "Cup", Games: 3}},
		{"noShow", tournament.Settings{Name: "Cup", NoShow: -1}},
		{"pause", tournament.Settings{Name: "Cup", Pause: 4000}},
		{"accounts", tournament.Settings{Name: "Cup", Rated: true}},
		{"tieBreaks", tournament.Settings{Name: "Cup", TieBreaks: "DE,XX"}},
		{"name", tournament.Settings{Name: "Cup\x00"}},
		{"extra", tournament.Settings{Name: "Cup", ThirdPlace: true}},
		{"minutes", tournament.Settings{Name: "Cup", Format: tournament.Arena, Minutes: 3}},
		{"days", tournament.Settings{Name: "Cup", Days: 29}},
		{"days", tournament.Settings{Name: "Cup", Format: tournament.Arena, Days: 1}},
		{"unplayed", tournament.Settings{Name: "Cup", Unplayed: "win"}},
		{"unplayed", tournament.Settings{Name: "Cup", Format: tournament.Knockout, Unplayed: tournament.UnplayedDraw}},
		{"unplayed", tournament.Settings{Name: "Cup", Format: tournament.Arena, Unplayed: tournament.UnplayedHost}},
		{"unplayed", tournament.Settings{Name: "Cup", Format: tournament.Class, Clock: "none", Unplayed: tournament.UnplayedDraw}},
	} {
		h := &hall{T: t, machine: tournament.New("cup1")}
		err := h.send(host, tournament.KindCreate, tournament.Order{Settings: &tt.settings})
		if problem, ok := refusal.Detail(err).(tournament.Problem); !ok || problem.Field != tt.field {
			t.Errorf("%+v: %v, want a problem with %s", tt.settings, err, tt.field)
		}
	}
}

// A hostile or broken command changes nothing, and never breaks the machine.
func FuzzCommands(f *testing.F) {
	for _, kind := range []string{
		tournament.KindStart, tournament.KindReport, tournament.KindResult, tournament.KindBye, machine.KindDone,
		tournament.KindArbiter, tournament.KindReplace, tournament.KindAbsent, tournament.KindExtend, tournament.KindDelete,
	} {
		f.Add(kind, "", []byte(`{"round":2,"board":1,"result":"draw","task":"open-1-1.1","bye":"half"}`))
		f.Add(kind, host, []byte(`{"round":1,"board":1,"act":"add","ms":9,"player":"p1","other":"p9","pairings":[[1,2],[3,0]],"report":{"round":1,"board":1,"game":1}}`))
	}
	f.Fuzz(func(t *testing.T, kind, by string, body []byte) {
		h := open(t, tournament.Settings{Rounds: 3})
		h.join(5)
		h.start()
		h.openGames()
		before := string(h.machine.Snapshot(machine.Watchers))
		e, err := h.machine.Decide(machine.Command{Kind: kind, By: by, Server: by == "", Body: body}, h.now)
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

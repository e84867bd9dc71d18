package tournament_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// acts returns the acts that wait for the rooms of games.
func (h *hall) acts() (list []tournament.Acting) {
	h.Helper()
	for _, t := range h.tasks(tournament.TaskAct) {
		var a tournament.Acting
		if err := json.Unmarshal(t.Body, &a); err != nil {
			h.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}

// confirm answers the acts, in their order, as the rooms do.
func (h *hall) confirm() {
	h.Helper()
	for tasks := h.tasks(tournament.TaskAct); len(tasks) > 0; tasks = h.tasks(tournament.TaskAct) {
		h.must("", machine.KindDone, tournament.Order{Task: tasks[0].ID})
	}
}

// at reports whether an act is about one seat of one game.
func at(a tournament.Acting, room string, seat int) bool {
	return len(a.Games) == 1 && a.Games[0].Room == room && slices.Equal(a.Games[0].Seats, []int{seat})
}

func TestActOfAHostWaitsUntilTheRoomsOfTheGamesConfirmIt(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(5)
	h.start()
	h.refused(tournament.CodeNoBoard, host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActPause}) // no room is open yet
	games := h.openGames()
	h.report(games[0], 0, 30, 18)

	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActPause})
	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Board: 2, Act: match.ActAdd, Player: games[1].Seats[1], Ms: 60_000, Reason: "the clock was wrong"})
	acts := h.acts()
	if len(acts) != 2 || acts[0].Kind != match.ActPause || !at(acts[0], games[1].Room, 0) {
		t.Fatalf("acts %+v", acts)
	}
	if a := acts[1]; a.By != host || a.Ms != 60_000 || !at(a, games[1].Room, 1) {
		t.Errorf("the second act is %+v", a)
	}
	h.confirm()
	if left := h.acts(); len(left) != 0 {
		t.Errorf("left: %+v", left)
	}
	h.agrees()
}

func TestBadActIsRefused(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	games := h.openGames()
	for _, o := range []tournament.Order{
		{Round: 1, Act: "dance"},
		{Round: 1, Act: match.ActEnd},               // every game at once
		{Round: 1, Act: match.ActAdd},               // no time
		{Round: 1, Act: match.ActPause, Ms: 5},      // time that nobody gets
		{Round: 1, Act: match.ActAdd, Ms: 1 << 40},  // too much
		{Round: 1, Act: match.ActReplace, Board: 1}, // only the server, which knows who asks
	} {
		h.refused("bad-command", host, tournament.KindArbiter, o)
	}
	h.refused(tournament.CodeNoBoard, host, tournament.KindArbiter, tournament.Order{Round: 2, Board: 1, Act: match.ActEnd})
	h.refused(tournament.CodeNotHost, games[0].Seats[0], tournament.KindArbiter, tournament.Order{Round: 1, Board: 1, Act: match.ActEnd})
}

// A player whose telephone is dead enters again with another one.
func TestAnotherPersonTakesAPlayersPlaceAndTheirSeat(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	games := h.openGames()
	old := games[1].Seats[0]
	h.must("", tournament.KindJoin, tournament.Order{Player: "pnew"})
	h.must("", tournament.KindReplace, tournament.Order{Player: old, Other: "pnew"})
	if a := h.acts(); len(a) != 1 || a[0].Kind != match.ActReplace || a[0].Person != "pnew" || !at(a[0], games[1].Room, 0) {
		t.Errorf("acts %+v", a)
	}
	if players := h.machine.Players(); slices.Contains(players, old) || !slices.Contains(players, "pnew") || slices.Contains(players, "") {
		t.Errorf("players %v", players)
	}
	h.refused(tournament.CodeNotEntered, "", tournament.KindReplace, tournament.Order{Player: old, Other: "pnew"})
	h.refused(tournament.CodeNotEntered, "", tournament.KindReplace, tournament.Order{Player: "pnew", Other: "pstranger"})
	h.refused(tournament.CodeEntered, "", tournament.KindReplace, tournament.Order{Player: "pnew", Other: games[0].Seats[0]})
	h.agrees()
}

// A host gives the place of a player who has gone home to a person who wants to play.
func TestSubstituteOfAWithdrawnPlayerTakesPart(t *testing.T) {
	const atEntry, inPlay = 0, 1
	for _, tt := range []struct {
		format        tournament.Format
		leaves, comes int
		want          tournament.Player
	}{
		{tournament.Swiss, atEntry, atEntry, tournament.Player{}},
		{tournament.Swiss, atEntry, inPlay, tournament.Player{Here: true, Joined: 2}}, // as a player who comes back
		{tournament.Swiss, inPlay, inPlay, tournament.Player{Here: true}},
		{tournament.RoundRobin, atEntry, inPlay, tournament.Player{Here: true, Out: true}}, // its table has no place for them
		{tournament.RoundRobin, inPlay, inPlay, tournament.Player{Here: true}},
		{tournament.Knockout, inPlay, inPlay, tournament.Player{Here: true}},
		{tournament.Arena, inPlay, inPlay, tournament.Player{Here: true}},
	} {
		t.Run(fmt.Sprint(tt.format, tt.leaves, tt.comes), func(t *testing.T) {
			h := open(t, tournament.Settings{Format: tt.format})
			h.join(4)
			for stage := atEntry; stage <= inPlay; stage++ {
				if stage == tt.leaves {
					h.must(host, tournament.KindLeave, tournament.Order{Player: "p1"})
				}
				if stage == tt.comes {
					h.must("", tournament.KindJoin, tournament.Order{Player: "pnew"})
					h.must("", tournament.KindReplace, tournament.Order{Player: "p1", Other: "pnew"})
				}
				if stage == atEntry {
					h.start()
					h.openGames()
				}
			}
			tt.want.Number, tt.want.ID, tt.want.Rating = 1, "pnew", 2000
			if p := h.state().Players[0]; !reflect.DeepEqual(p, tt.want) {
				t.Errorf("their row is %+v, want %+v", p, tt.want)
			}
			h.agrees()
		})
	}
}

// The room tells only once that a page has closed, so the row of the place must know it.
func TestSubstituteInAnArenaIsAwayWhereverTheirRowIs(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Arena})
	h.join(2)
	h.start()
	h.must("", tournament.KindJoin, tournament.Order{Player: "pnew"})
	h.must("pnew", machine.KindGone, nil)
	h.must("", tournament.KindReplace, tournament.Order{Player: "p1", Other: "pnew"})
	if !h.state().Players[0].Away {
		t.Error("the player who has gone would be paired")
	}
	h.must("pnew", machine.KindBack, nil)
	if h.state().Players[0].Away {
		t.Error("the player who has come back would not be paired")
	}
}

// A pupil without a device comes late to a round robin, and gets the place of one who has gone home.
func TestPlayerWithoutADeviceTakesAPlaceBetweenGames(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.RoundRobin})
	h.join(4)
	h.start()
	games := h.openGames()
	h.must("", tournament.KindJoin, tournament.Order{Player: "ppaper", Paper: true})
	h.refused(tournament.CodeRunning, "", tournament.KindReplace, tournament.Order{Player: "p1", Other: "ppaper"}) // nobody would play on
	for _, g := range games {
		h.report(g, 0, 25, 23)
	}
	h.must("p1", tournament.KindLeave, nil)
	h.must("", tournament.KindReplace, tournament.Order{Player: "p1", Other: "ppaper"})
	h.start()
	for _, g := range h.openGames() {
		if slices.Contains(g.Seats[:], "ppaper") {
			t.Errorf("the game %+v is opened for a player without a device", g)
		}
	}
	i := slices.IndexFunc(h.state().Rounds[1], func(b tournament.Board) bool { return b.First == 1 || b.Second == 1 })
	if b := h.state().Rounds[1][i]; !b.Paper || b.Result != "" {
		t.Errorf("their board is %+v", b)
	}
	h.agrees()
}

func TestSubstituteJoinsAKnockoutThatHasStarted(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Knockout})
	h.join(4)
	h.start()
	games := h.openGames()
	h.must("", tournament.KindJoin, tournament.Order{Player: "pnew"})
	if p := h.state().Players[4]; !p.Out || p.Joined != 2 {
		t.Errorf("the substitute is %+v", p)
	}
	h.refused(tournament.CodeClosed, host, tournament.KindReturn, tournament.Order{Player: "pnew"})
	h.must("", tournament.KindReplace, tournament.Order{Player: games[0].Seats[1], Other: "pnew"})
	h.report(games[0], 1)
	if s := h.state(); s.Players[s.Rounds[0][0].Second-1].ID != "pnew" && s.Players[s.Rounds[0][0].First-1].ID != "pnew" {
		t.Errorf("the board is %+v of %+v", s.Rounds[0][0], s.Players)
	}
	h.agrees()
}

func TestReasonOfAHostIsInTheJournalAndNotOnTheWire(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	h.openGames()
	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Board: 1, Act: match.ActPause, Reason: "a quarrel"})
	e := h.entries[len(h.entries)-1]
	public := string(h.machine.AppendPublic(nil, e, machine.Watchers))
	if !strings.Contains(string(e.Body), "a quarrel") || strings.Contains(public, "a quarrel") || !strings.Contains(public, match.ActPause) {
		t.Errorf("the entry %s is sent as %s", e.Body, public)
	}
}

func TestAbsentPlayersAreMarkedInOneStepThatCanBeTakenBack(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.must("p2", tournament.KindHere, tournament.Order{})
	h.must(host, tournament.KindAbsent, tournament.Order{})
	out := func() (n int) {
		for _, p := range h.state().Players {
			if p.Out {
				n++
			}
		}
		return n
	}
	if out() != 3 {
		t.Errorf("%d players are out, want 3", out())
	}
	h.must(host, tournament.KindUndo, tournament.Order{})
	if out() != 0 {
		t.Errorf("after taking it back %d players are out", out())
	}
	h.agrees()
}

// Who joins a rated tournament is checked when they join.
func TestTournamentWithPlayersCannotBecomeRated(t *testing.T) {
	h := open(t, tournament.Settings{Clock: "5+3"})
	rated := tournament.Settings{Name: "Cup", Clock: "5+3", Accounts: true, Rated: true}
	h.must(host, tournament.KindSettings, tournament.Order{Settings: &rated})
	casual := tournament.Settings{Name: "Cup", Clock: "5+3", Accounts: true}
	h.must(host, tournament.KindSettings, tournament.Order{Settings: &casual})
	h.must("", tournament.KindJoin, tournament.Order{Player: "p1", Account: true})
	h.refused(tournament.CodeStarted, host, tournament.KindSettings, tournament.Order{Settings: &rated})
}

func TestStoppedArenaGoesOnAndCanBeExtended(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Arena, Minutes: 10})
	h.join(2)
	h.start()
	ends := h.state().Ends
	h.must(host, tournament.KindWait, tournament.Order{})
	if !h.machine.Wake().IsZero() {
		t.Error("a stopped arena wakes up")
	}
	h.must(host, tournament.KindExtend, tournament.Order{Ms: 300_000})
	if got := h.state().Ends; got != ends+300_000 {
		t.Errorf("it ends at %d, want %d", got, ends+300_000)
	}
	h.now = h.now.Add(time.Minute)
	h.must(host, tournament.KindStart, tournament.Order{Round: 1})
	if got := h.machine.Wake(); !got.Equal(h.now) {
		t.Errorf("it wakes at %v, want %v", got, h.now)
	}
}

func TestDeletedTournamentForgetsItsPlayersAndTakesNoCommand(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3, Listed: true})
	h.join(3)
	h.must("", tournament.KindJoin, tournament.Order{Player: "p4", Paper: true})
	h.openGames()
	if len(h.machine.Tasks()) != 0 {
		t.Fatalf("tasks %+v", h.machine.Tasks())
	}
	h.must(host, tournament.KindDelete, tournament.Order{})
	var l tournament.Listing
	tasks := h.tasks(tournament.TaskIndex)
	if len(tasks) != 1 || json.Unmarshal(tasks[0].Body, &l) != nil {
		t.Fatalf("tasks %+v", tasks)
	}
	if l.Stage != tournament.Deleted || l.Name != "" || l.Listed || !slices.Equal(l.Unname, []string{"p1", "p2", "p3"}) || !slices.Equal(l.Forget, []string{"p4"}) {
		t.Errorf("the listing is %+v", l)
	}
	if err := h.send("", tournament.KindJoin, tournament.Order{Player: "p9"}); !refusal.Is(err, "bad-command") {
		t.Errorf("joining a deleted tournament: %v", err)
	}
	h.must("", machine.KindDone, tournament.Order{Task: tasks[0].ID})
	if len(h.machine.Tasks()) != 0 {
		t.Error("it asks again to be forgotten")
	}
	h.agrees()
}

func TestGameWhoseRoomIsBrokenEndsWithoutAResult(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	games := h.openGames()
	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Board: games[0].Board, Act: match.ActEnd})
	h.must("", machine.KindDone, tournament.Order{Task: h.tasks(tournament.TaskAct)[0].ID, Broken: []string{games[0].Room}})
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: games[0].Board, Result: tournament.Drawn})
	h.agrees()
}

func TestPlaceIsNotGivenAwayWhileTheGameIsBeingOpened(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	h.must("", tournament.KindJoin, tournament.Order{Player: "pnew"})
	h.refused(tournament.CodeOpening, "", tournament.KindReplace, tournament.Order{Player: "p1", Other: "pnew"})
	h.openGames()
	h.must("", tournament.KindReplace, tournament.Order{Player: "p1", Other: "pnew"})
}

func TestEntryOfAnActHasThatActAlone(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(400)
	h.start()
	h.openGames()
	for range 10 {
		h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActAdd, Ms: 1000})
		if e := h.entries[len(h.entries)-1]; len(e.Body) > 200 {
			t.Fatalf("an entry has %d bytes", len(e.Body))
		}
	}
	h.refused(tournament.CodeFull, host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActPause})
	if a := h.acts(); len(a) != 10 || len(a[9].Games) != 200 || !slices.Equal(a[9].Games[0].Seats, []int{0, 1}) {
		t.Errorf("%d acts", len(a))
	}
	h.agrees()
}

func TestPlayerKeepsNoHostFromTakingTheRoundBackAndTakesOnlySoManySteps(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	h.openGames()
	for i := range 100 {
		h.must("p1", tournament.KindBye, tournament.Order{Round: 2, Bye: []string{tournament.ZeroBye, ""}[i%2]})
	}
	h.refused(tournament.CodeSteps, "p1", tournament.KindBye, tournament.Order{Round: 2, Bye: tournament.ZeroBye})
	h.must(host, tournament.KindUndo, tournament.Order{})
	if h.state().Recall != 1 {
		t.Error("the round is not taken back")
	}
}

// Anybody can make a tournament. Its host cannot fill the journal without end, and can still end
// the tournament.
func TestOrdersOfAHostHaveABound(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(2)
	announce := tournament.Order{Text: strings.Repeat("ä", 270)}
	given := 0
	for ; h.send(host, tournament.KindAnnounce, announce) == nil; given++ {
		if given > 11_000 {
			t.Fatal("there is no bound")
		}
	}
	if given < 5000 {
		t.Errorf("an order is refused after %d, as %v", given, h.send(host, tournament.KindAnnounce, announce))
	}
	h.refused(tournament.CodeTooLong, host, tournament.KindAnnounce, announce)
	h.must("p1", tournament.KindHere, tournament.Order{})
	checkpoint, err := h.machine.Checkpoint()
	if err == nil {
		h.machine = tournament.New("cup1")
		err = h.machine.LoadCheckpoint(checkpoint)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.refused(tournament.CodeTooLong, host, tournament.KindAnnounce, announce)
	h.must("", tournament.KindJoin, tournament.Order{Player: id(3)})
	h.must(host, tournament.KindAnnounce, announce) // each player allows for more orders
	for h.send(host, tournament.KindAnnounce, announce) == nil {
	}
	h.agrees()
	h.must(host, tournament.KindDelete, tournament.Order{})
}

// A player whose connection comes and goes does not fill the journal of a class either.
func TestComingAndGoingOfAPlayerHasABound(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.Class, Clock: "none"})
	h.join(3)
	for range 1000 {
		h.must("p1", machine.KindGone, tournament.Order{})
		h.must("p1", machine.KindBack, tournament.Order{})
	}
	if err := h.send("p1", machine.KindGone, tournament.Order{}); !errors.Is(err, machine.ErrNothing) {
		t.Errorf("got %v, want nothing more", err)
	}
	h.must("p2", machine.KindGone, tournament.Order{})
	h.agrees()
}

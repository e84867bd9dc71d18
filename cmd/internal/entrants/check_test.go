package entrants

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
)

// club plays a tournament without a service: every game is won by its first player.
type club struct {
	*testing.T
	event   *Event
	machine *tournament.Tournament
	entries []machine.Entry
	now     time.Time

	table func([]tournament.Standing) []tournament.Standing // spoils the standings; nil: does not
}

func newClub(t *testing.T, s tournament.Settings, players int) *club {
	t.Helper()
	s.Name = "Cup"
	c := &club{T: t, event: &Event{Options: Options{Settings: s, Players: players}, id: "cup1"}, machine: tournament.New("cup1"), now: time.UnixMilli(1_700_000_000_000)}
	c.send("phost", tournament.KindCreate, tournament.Order{Settings: &s})
	for i := range players {
		c.send("", tournament.KindJoin, tournament.Order{Player: fmt.Sprintf("p%d", i+1), Rating: 2000 - i})
	}
	return c
}

func (c *club) send(by, kind string, o any) {
	c.Helper()
	body, err := json.Marshal(o)
	if err != nil {
		c.Fatal(err)
	}
	e, err := c.machine.Decide(machine.Command{Kind: kind, By: by, Server: by == "", Body: body}, c.now)
	if err == nil {
		e.At, e.By = c.now.UnixMilli(), by
		err = c.machine.Apply(e)
	}
	if err != nil {
		c.Fatalf("%s: %v", kind, err)
	}
	c.entries = append(c.entries, e)
}

func (c *club) state() *tournament.State {
	s := new(tournament.State)
	if err := json.Unmarshal(c.machine.Snapshot(machine.Watchers), s); err != nil {
		c.Fatal(err)
	}
	return s
}

// round plays the last round to its end.
func (c *club) round() {
	c.Helper()
	for again := true; again; {
		for _, t := range c.machine.Tasks() {
			if t.Kind == tournament.TaskOpen {
				c.send("", machine.KindDone, tournament.Order{Task: t.ID})
			}
		}
		again = false
		s := c.state()
		round := len(s.Rounds)
		for _, b := range s.Rounds[round-1] {
			if n := len(b.Games); n > 0 && b.Games[n-1].Result == "" {
				winner := 0
				if b.Games[n-1].Swapped {
					winner = 1
				}
				c.send("", tournament.KindReport, tournament.Order{Report: &tournament.Report{Room: b.Games[n-1].Room, Report: match.Report{
					Round: round, Board: b.Number, Game: n, Reason: "resign", Played: true, Winners: []int{winner}, Scores: []int{1, 1},
				}}})
				again = true
			}
		}
	}
}

// finish plays all rounds.
func (c *club) finish() {
	c.Helper()
	for round := 1; round <= c.event.Rounds(); round++ {
		c.send("phost", tournament.KindStart, tournament.Order{Round: round})
		if c.event.Settings.Format == tournament.Arena {
			for range 3 {
				c.send("", machine.KindWake, tournament.Order{})
				c.round()
				c.now = c.now.Add(10 * time.Second)
			}
			continue
		}
		c.round()
	}
	c.send("phost", tournament.KindFinish, tournament.Order{})
}

// check checks the tournament as its entries have it. The rooms of its games are not asked.
func (c *club) check() []string {
	k := &checker{Event: c.event, rooms: map[string]place{}}
	k.replay(c.entries)
	if c.table != nil {
		k.table = c.table(k.table)
	}
	k.rules()
	k.standings()
	return k.wrong
}

func TestNothingIsWrongWithATournamentAsItsRoomRunsIt(t *testing.T) {
	for _, s := range []tournament.Settings{
		{Format: tournament.Swiss, Rounds: 3, Clock: "5+3"},
		{Format: tournament.Swiss, Rounds: 3, Clock: "5+3", Games: 2},
		{Format: tournament.Knockout, Clock: "5+3", Games: 2, ThirdPlace: true},
		{Format: tournament.Knockout, Clock: "5+3"},
		{Format: tournament.Arena, Clock: "5+3"},
	} {
		for _, players := range []int{7, 16} {
			c := newClub(t, s, players)
			c.finish()
			if wrong := c.check(); len(wrong) > 0 {
				t.Errorf("%s of %d players: %q", s.Format, players, wrong)
			}
		}
	}
}

// last returns the index of the last entry of a kind.
func (c *club) last(kind string) int {
	for i, e := range slices.Backward(c.entries) {
		if e.Kind == kind {
			return i
		}
	}
	c.Fatalf("no entry is a %s", kind)
	return 0
}

// spoil changes a board in the entries of these kinds, or in all entries.
func (c *club) spoil(round, board int, f func(*tournament.Board), kinds ...string) {
	c.Helper()
	for i, e := range c.entries {
		var change tournament.Change
		if err := json.Unmarshal(e.Body, &change); err != nil {
			c.Fatal(err)
		}
		at := slices.IndexFunc(change.Boards, func(b tournament.Board) bool { return b.Number == board })
		if change.Round != round || at < 0 || len(kinds) > 0 && !slices.Contains(kinds, e.Kind) {
			continue
		}
		f(&change.Boards[at])
		body, err := json.Marshal(change)
		if err != nil {
			c.Fatal(err)
		}
		c.entries[i].Body = body
	}
}

func TestWrongPairingsAndResultsAreFound(t *testing.T) {
	swiss := tournament.Settings{Format: tournament.Swiss, Rounds: 2, Clock: "5+3"}
	knockout := tournament.Settings{Format: tournament.Knockout, Clock: "5+3"}
	arena := tournament.Settings{Format: tournament.Arena, Clock: "5+3"}
	for _, tt := range []struct {
		name     string
		settings tournament.Settings
		players  int
		change   func(c *club)
		want     string
	}{
		{"a board with another result than its game", swiss, 4, func(c *club) {
			c.spoil(2, 1, func(b *tournament.Board) { b.Result = tournament.Drawn }, tournament.KindReport)
		}, `has the result "draw", its games give "first"`},
		{"a result that is counted twice", swiss, 4, func(c *club) { c.entries = append(c.entries, c.entries[c.last(tournament.KindReport)]) }, "5 reports have set 4 results"},
		{"a result that is lost", swiss, 4, func(c *club) {
			i := slices.IndexFunc(c.entries, func(e machine.Entry) bool { return e.Kind == tournament.KindReport })
			c.entries = slices.Delete(c.entries, i, i+1)
		}, "3 results of 4 games"},
		{"a pairing that was there before", swiss, 4, func(c *club) {
			first := c.state().Rounds[0][0]
			c.spoil(2, 1, func(b *tournament.Board) { b.First, b.Second = first.First, first.Second })
		}, "meet in round 1 and in round 2"},
		{"a second bye", swiss, 5, func(c *club) {
			had := c.state().Rounds[0][2].First
			c.spoil(2, 3, func(b *tournament.Board) { b.First = had })
		}, "has the bye in round 1 and in round 2"},
		{"a round that starts early", swiss, 4, func(c *club) {
			i := slices.IndexFunc(c.entries, func(e machine.Entry) bool { return e.Kind == tournament.KindReport })
			c.entries = slices.Insert(c.entries, i, c.entries[c.last(tournament.KindStart)])
		}, "begins while a player of it is at board"},
		{"a loser who plays on", knockout, 4, func(c *club) {
			loser := c.state().Rounds[0][0].Second
			c.spoil(2, 1, func(b *tournament.Board) { b.First = loser })
		}, "won before: false"},
		{"two games at once", arena, 4, func(c *club) {
			busy := c.state().Rounds[0][4].First
			c.spoil(1, 6, func(b *tournament.Board) { b.First = busy })
		}, "begins while a player of it is at board"},
		{"a board whose players change", arena, 4, func(c *club) {
			c.spoil(1, 6, func(b *tournament.Board) { b.First, b.Second = b.Second, b.First }, tournament.KindReport)
		}, "is given to other players"},
		{"a player in a game who is paired again", arena, 4, func(c *club) {
			i := slices.IndexFunc(c.entries, func(e machine.Entry) bool { return e.Kind == tournament.KindReport })
			c.entries = slices.Delete(c.entries, i, i+1)
		}, "begins while a player of it is at board"},
		{"a player on two boards", swiss, 4, func(c *club) {
			c.spoil(2, 1, func(b *tournament.Board) { b.First = c.state().Rounds[1][1].First })
		}, "is on two boards of round 2"},
		{"a player without a board", swiss, 4, func(c *club) {
			c.spoil(2, 1, func(b *tournament.Board) { b.First = c.state().Rounds[1][1].First })
		}, "round 2 has 3 of 4 players"},
		{"a room of two games", swiss, 4, func(c *club) {
			c.spoil(1, 1, func(b *tournament.Board) { b.Games[0].Room = c.state().Rounds[0][1].Games[0].Room })
		}, "belongs to {1 1 1} and to {1 2 1}"},
		{"a winner who does not play on", knockout, 4, func(c *club) {
			loser := c.state().Rounds[0][0].Second
			c.spoil(2, 1, func(b *tournament.Board) { b.First = loser })
		}, "has won and is not in round 2"},
		{"a knockout without a final", knockout, 4, func(c *club) { c.entries = c.entries[:c.last(tournament.KindStart)] }, "2 players are left"},
		{"a second winner", knockout, 4, func(c *club) {
			c.table = func(rows []tournament.Standing) []tournament.Standing { rows[1].Place = 1; return rows }
		}, "has place 1, won the final: false"},
		{"wrong points", swiss, 4, func(c *club) {
			c.table = func(rows []tournament.Standing) []tournament.Standing { rows[0].Points++; return rows }
		}, "has 21 points, the results give 20"},
		{"wrong points in an arena", arena, 2, func(c *club) {
			c.table = func(rows []tournament.Standing) []tournament.Standing { rows[0].Points--; return rows }
		}, "points, the results give"},
		{"a player who is not in the standings", swiss, 4, func(c *club) {
			c.table = func(rows []tournament.Standing) []tournament.Standing { return rows[:3] }
		}, "3 of 4 players are in the standings"},
		{"standings in another order than the points", swiss, 4, func(c *club) {
			c.table = func(rows []tournament.Standing) []tournament.Standing {
				slices.Reverse(rows)
				for i := range rows {
					rows[i].Place = i + 1
				}
				return rows
			}
		}, "is in the wrong place"},
		{"places in another order than the standings", swiss, 4, func(c *club) {
			c.table = func(rows []tournament.Standing) []tournament.Standing { rows[0].Place = 4; return rows }
		}, "is in the wrong place"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newClub(t, tt.settings, tt.players)
			c.finish()
			tt.change(c)
			if wrong := strings.Join(c.check(), "\n"); !strings.Contains(wrong, tt.want) {
				t.Errorf("found %q, want %q", wrong, tt.want)
			}
		})
	}
}

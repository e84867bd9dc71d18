package rating

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/match/journal/sqljournal"
)

var noon = time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)

// table is the ratings in a database with players.
type table struct {
	*Ratings
	people *lobby.People
	now    time.Time
}

func open(t *testing.T, db lobby.DB) *table {
	t.Helper()
	l, err := lobby.Open(t.Context(), db, lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), db, l.People)
	if err != nil {
		t.Fatal(err)
	}
	tb := &table{r, l.People, noon}
	r.now = func() time.Time { return tb.now }
	return tb
}

// addPlayers adds players, with accounts if account is 1.
func (tb *table) addPlayers(t *testing.T, account int, ids ...string) {
	t.Helper()
	err := tb.db.Write(t.Context(), func(tx lobby.Tx) error {
		for _, id := range ids {
			if _, err := tx.Exec("INSERT INTO players (id, name, created, seen, account) VALUES ($1, $1, 1, 1, $2)", id, account); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (tb *table) game(room, a, b string, score float64) Game {
	return Game{Room: room, System: "kalah", Speed: "blitz", Players: [2]string{a, b}, Score: score}
}

func (tb *table) mustCount(t *testing.T, g Game) []Change {
	t.Helper()
	changes, err := tb.Count(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

func (tb *table) all(t *testing.T, player string) string {
	t.Helper()
	list, err := tb.All(t.Context(), player)
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, s := range list {
		out += fmt.Sprintf("%s %s %d±%.0f %d;", s.System, s.Speed, s.Rounded(), s.Deviation, s.Games)
	}
	return out
}

func TestCountChangesBothRatingsAndKeepsThemByGameAndSpeed(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		tb := open(t, db)
		tb.addPlayers(t, 1, "pa", "pb")
		changes := tb.mustCount(t, tb.game("r1", "pb", "pa", 1))
		want := New.Beat(New, 1, 0)
		if len(changes) != 2 || changes[0] != (Change{New, want}) || changes[1].After.Value >= 1500 {
			t.Fatalf("changed %+v, want the first to be %+v", changes, want)
		}
		if a, b := tb.all(t, "pa"), tb.all(t, "pb"); a != "kalah blitz 1338±290 1;" || b != "kalah blitz 1662±290 1;" {
			t.Errorf("ratings are %s and %s", a, b)
		}

		tb.now = tb.now.Add(60 * 24 * time.Hour) // both are less certain by then
		other := tb.game("r2", "pb", "pa", 0.5)
		drawn := tb.mustCount(t, other)
		if d := drawn[0].Before.Deviation; d <= changes[0].After.Deviation || drawn[0].Before.Value != changes[0].After.Value {
			t.Errorf("after two months without a game the rating is %+v", drawn[0].Before)
		}
		other.Room, other.System = "r3", "oware"
		tb.mustCount(t, other)
		if a := tb.all(t, "pa"); a != "kalah blitz 1424±262 2;oware blitz 1500±290 1;" {
			t.Errorf("ratings are %s", a)
		}
		chart, err := tb.Chart(t.Context(), "pb", "kalah", "blitz", 10)
		if err != nil || len(chart) != 2 || chart[0].Room != "r1" || chart[0].Value != changes[0].After.Value || !chart[1].At.Equal(tb.now) {
			t.Errorf("the chart is %+v, %v", chart, err)
		}
		if chart, err := tb.Chart(t.Context(), "pb", "kalah", "blitz", 1); err != nil || len(chart) != 1 || chart[0].Room != "r2" {
			t.Errorf("the last point of the chart is %+v, %v", chart, err)
		}
	})
}

// TestGameCountsOnceOnTwoInstances counts each of several games on two instances at the same time.
func TestGameCountsOnceOnTwoInstances(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		instances := []*table{open(t, db), open(t, db)}
		instances[0].addPlayers(t, 1, "pa", "pb", "pc")
		games := []Game{}
		for i, pair := range [][2]string{{"pa", "pb"}, {"pb", "pa"}, {"pb", "pc"}, {"pc", "pa"}, {"pa", "pc"}} {
			games = append(games, instances[0].game(fmt.Sprint("r", i), pair[0], pair[1], 1))
		}
		const times = 6
		answers := make([][times][]Change, len(games))
		var group sync.WaitGroup
		for i, g := range games {
			for k := range times {
				group.Go(func() {
					got, err := instances[k%2].Count(t.Context(), g)
					if err != nil {
						t.Error(err)
					}
					answers[i][k] = got
				})
			}
		}
		group.Wait()
		for i := range answers {
			for _, got := range answers[i] {
				if len(got) != 2 || rounded(got) != rounded(answers[i][0]) {
					t.Errorf("game %d changed %v and %v", i, got, answers[i][0])
				}
			}
		}
		total := 0
		for _, id := range []string{"pa", "pb", "pc"} {
			list, err := instances[0].All(t.Context(), id)
			if err != nil || len(list) != 1 {
				t.Fatalf("%s: %v, %v", id, list, err)
			}
			chart, err := instances[0].Chart(t.Context(), id, "kalah", "blitz", 100)
			if err != nil || len(chart) != list[0].Games {
				t.Errorf("%s has %d games and a chart of %d points, %v", id, list[0].Games, len(chart), err)
			}
			total += list[0].Games
		}
		if total != 2*len(games) {
			t.Errorf("the players have %d games together, want two for each of %d", total, len(games))
		}
	})
}

// TestGameCountsOnceAcrossAKill counts a game again on a second server, as its room does
// if the first server was killed before the answer.
func TestGameCountsOnceAcrossAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mancala.db")
	serve := func(do func(tb *table)) {
		t.Helper()
		db, err := sqljournal.Open(t.Context(), sqljournal.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		do(open(t, lobby.On(db)))
	}
	var first []Change
	var before string
	serve(func(tb *table) {
		tb.addPlayers(t, 1, "pa", "pb")
		first = tb.mustCount(t, tb.game("r1", "pa", "pb", 1))
		before = tb.all(t, "pa") + tb.all(t, "pb")
	})
	serve(func(tb *table) {
		again := tb.mustCount(t, tb.game("r1", "pa", "pb", 1))
		if after := tb.all(t, "pa") + tb.all(t, "pb"); rounded(again) != rounded(first) || after != before {
			t.Errorf("counted %v and again %v; the ratings were %s and are %s", first, again, before, after)
		}
	})
}

// rounded returns changes without volatility, which the rows of games do not have.
func rounded(changes []Change) string {
	out := ""
	for _, c := range changes {
		out += fmt.Sprintf("%v±%v→%v±%v ", c.Before.Value, c.Before.Deviation, c.After.Value, c.After.Deviation)
	}
	return out
}

func TestGamesOfGuestsAndDeletedPlayersDoNotCount(t *testing.T) {
	tb := openMemory(t)
	tb.addPlayers(t, 1, "pa", "pb")
	tb.addPlayers(t, 0, "guest")
	for _, g := range []Game{tb.game("r1", "pa", "guest", 1), tb.game("r2", "guest", "pa", 0), tb.game("r3", "pa", "deleted", 1)} {
		if got := tb.mustCount(t, g); got != nil || tb.all(t, "pa")+tb.all(t, "guest") != "" {
			t.Errorf("%v changed %v", g.Players, got)
		}
	}
	tb.mustCount(t, tb.game("r4", "pa", "pb", 1))
	if err := tb.people.Forget(t.Context(), "pa"); err != nil {
		t.Fatal(err)
	}
	if got := tb.all(t, "pa"); got != "" {
		t.Errorf("the deleted player still has %s", got)
	}
	before := tb.all(t, "pb")
	if got := tb.mustCount(t, tb.game("r4", "pa", "pb", 1)); len(got) != 2 || got[1].After.Value == 0 || tb.all(t, "pb") != before {
		t.Errorf("counted again, it returned %v, and %s became %s", got, before, tb.all(t, "pb"))
	}
}

func openMemory(t *testing.T) *table {
	t.Helper()
	return open(t, lobbytest.Memory(t))
}

func TestLeaderboardListsCertainRatingsInOrder(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		tb := open(t, db)
		put := func(player string, value, deviation float64, games int, ago time.Duration) {
			t.Helper()
			err := tb.db.Write(t.Context(), func(tx lobby.Tx) error {
				_, err := tx.Exec("INSERT INTO ratings ("+columns+") VALUES ($1, 'kalah', 'blitz', $2, $3, 0.06, $4, $5)",
					player, value, deviation, games, noon.Add(-ago).UnixMilli())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		const day = 24 * time.Hour
		put("second", 1700, 60, 50, 0)
		put("first", 1800, 60, MinGames, 300*day)
		put("also", 1700, 60, 50, 0)
		put("away", 1900, 60, 50, 500*day)
		put("few", 2000, 60, MinGames-1, 0)
		put("unsure", 2100, 120, 50, 0)
		put("last", 1200, 60, 50, 0)
		top, err := tb.Top(t.Context(), "kalah", "blitz", 3)
		got := ""
		for _, p := range top {
			got += fmt.Sprintf("%d %s %d;", p.Rank, p.Player, p.Rounded())
		}
		if want := "1 first 1800;2 also 1700;2 second 1700;"; got != want || err != nil {
			t.Errorf("the leaderboard is %s, %v; want %s", got, err, want)
		}
		for player, rank := range map[string]int{"first": 1, "second": 2, "last": 4, "away": 0, "few": 0, "unsure": 0} {
			if p, err := tb.Where(t.Context(), player, "kalah", "blitz"); err != nil || p.Rank != rank {
				t.Errorf("%s is %+v, %v; want rank %d", player, p, err, rank)
			}
		}
		if p, err := tb.Where(t.Context(), "nobody", "kalah", "blitz"); p != nil || err != nil {
			t.Errorf("an unknown player has %v, %v", p, err)
		}
		boards, err := tb.Boards(t.Context())
		if want := []Board{{"kalah", "blitz", 4}}; err != nil || !reflect.DeepEqual(boards, want) {
			t.Errorf("leaderboards are %v, %v; want %v", boards, err, want)
		}
		found, err := tb.Of(t.Context(), []string{"last", "nobody", "first"}, "kalah", "blitz")
		if err != nil || len(found) != 2 || found["last"].Rounded() != 1200 || found["first"].Deviation <= 60 {
			t.Errorf("found %v, %v", found, err)
		}
	})
}

// readCounter counts reads of a database.
type readCounter struct {
	lobby.DB
	reads atomic.Int64
}

func (c *readCounter) Reader() *sql.DB {
	c.reads.Add(1)
	return c.DB.Reader()
}

func TestListOfLeaderboardsIsReadOnceAMinuteForAll(t *testing.T) {
	db := &readCounter{DB: lobbytest.Memory(t)}
	tb := open(t, db)
	left, leave := context.WithCancel(t.Context())
	leave() // a caller who has left still reads for the others
	for i, tt := range []struct {
		wait   time.Duration
		reads  int64
		people int // in the list; one more is in the table each time
	}{{0, 1, 1}, {boardsFresh - 1, 0, 1}, {1, 1, 3}} {
		tb.now = tb.now.Add(tt.wait)
		err := tb.db.Write(t.Context(), func(tx lobby.Tx) error {
			_, err := tx.Exec("INSERT INTO ratings ("+columns+") VALUES ($1, 'kalah', 'blitz', 1500, 60, 0.06, 50, $2)", fmt.Sprint("p", i), noon.UnixMilli())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		before := db.reads.Load()
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				boards, err := tb.Boards(left)
				if want := []Board{{"kalah", "blitz", tt.people}}; err != nil || !reflect.DeepEqual(boards, want) {
					t.Errorf("after %v leaderboards are %v, %v; want %v", tt.wait, boards, err, want)
				}
			})
		}
		group.Wait()
		if got := db.reads.Load() - before; got != tt.reads {
			t.Errorf("after %v there were %d reads, want %d", tt.wait, got, tt.reads)
		}
	}
}

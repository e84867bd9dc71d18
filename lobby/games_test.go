package lobby

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestGamesOfAPlayerAreListed(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		l.know(t, "pa", "pb")
		start := c.now()
		game := func(room, state string, after time.Duration, in ...Part) Game {
			return Game{Room: room, Title: "Kalah", State: state, Ended: state == "over", Updated: start.Add(after), In: in}
		}
		a, b, other := Part{"pa", 0}, Part{"pb", 1}, Part{"pa", NoSeat}
		old, live := game("r1", "over", time.Hour, a, b), game("r2", "live", time.Minute, a, b)
		waiting, foreign := game("r3", "waiting", time.Second, other), game("r4", "live", time.Second, b)
		for _, g := range []Game{old, live, waiting, foreign, live, live} {
			if err := l.Games.Put(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
		check := func(player string, limit int, want ...Game) {
			t.Helper()
			got, err := l.Games.Of(t.Context(), player, limit)
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("games of %s are\n%v, %v; want\n%v", player, got, err, want)
			}
		}
		check("pa", 10, live, waiting, old)
		check("pa", 2, live, waiting)
		check("pa", 0)
		check("pa", -1)
		check("pb", 10, live, foreign, old)
		check("nobody", 10)
		for from, want := range map[Place][]Game{
			{}: {live, waiting}, {live.Updated, "r2"}: {waiting}, {live.Updated, "r1"}: {live, waiting}, {waiting.Updated, "r3"}: nil,
		} {
			if got, err := l.Games.Going(t.Context(), "pa", from, 10); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("after %v go on\n%v, %v; want\n%v", from, got, err, want)
			}
		}
		if got, err := l.Games.Going(t.Context(), "pa", Place{}, 1); err != nil || len(got) != 1 {
			t.Errorf("at most one that goes on is %v, %v", got, err)
		}
		if n, err := l.Games.Open(t.Context(), "pa"); err != nil || n != 2 {
			t.Errorf("pa has %d open games, %v; want 2", n, err)
		}

		// An older state is ignored. A newer state replaces the old one, and its
		// players.
		if err := l.Games.Put(t.Context(), game("r2", "waiting", time.Second, a)); err != nil {
			t.Fatal(err)
		}
		check("pb", 10, live, foreign, old)
		without := game("r2", "waiting", 2*time.Minute, a)
		if err := l.Games.Put(t.Context(), without); err != nil {
			t.Fatal(err)
		}
		check("pa", 10, without, waiting, old)
		check("pb", 10, foreign, old)
	})
}

func TestGameOfOnePlayerOnTwoSeatsIsListedOnce(t *testing.T) {
	l := openLobby(t, openMemory(t), newClock(), Options{})
	l.know(t, "pa")
	g := Game{Room: "r1", Updated: time.UnixMilli(1), In: []Part{{"pa", 0}, {"pa", 1}}}
	if err := l.Games.Put(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	g.In = g.In[:1]
	if got, err := l.Games.Of(t.Context(), "pa", 10); err != nil || !reflect.DeepEqual(got, []Game{g}) {
		t.Errorf("the games are %v, %v; want %v", got, err, g)
	}
}

// TestLatestUpdateOfAGameWinsInAnyOrder proves that updates of a game may repeat and may
// overtake one another: the latest wins.
func TestLatestUpdateOfAGameWinsInAnyOrder(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		l.know(t, "pa")
		for run := range uint64(20) {
			r := rand.New(rand.NewPCG(run, 0))
			id := fmt.Sprint("r", run)
			var news []Game
			for i := range 6 {
				news = append(news, Game{Room: id, State: fmt.Sprint("s", i), Updated: time.UnixMilli(int64(10*run) + int64(i)), In: []Part{{"pa", i}}})
			}
			last := news[len(news)-1]
			news = append(news, news...)
			r.Shuffle(len(news), func(i, j int) { news[i], news[j] = news[j], news[i] })
			for _, g := range news {
				if err := l.Games.Put(t.Context(), g); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := l.Games.Of(t.Context(), "pa", 1); err != nil || !reflect.DeepEqual(got, []Game{last}) {
				t.Errorf("run %d: the game is %v, %v; want %v", run, got, err, last)
			}
		}
	})
}

// New games, known ones and two states of one game are stored together as they are one by one.
func TestGamesAreStoredTogetherLikeOneByOne(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		l.know(t, "pa", "pb", "pc", "pd")
		game := func(room, state string, at int64, players ...string) Game {
			g := Game{Room: room, State: state, Updated: time.UnixMilli(at)}
			for seat, p := range players {
				g.In = append(g.In, Part{p, seat})
			}
			return g
		}
		for player, put := range map[string]func(...Game) error{
			"pa": func(games ...Game) error { return l.Games.Put(t.Context(), games...) },
			"pc": func(games ...Game) (err error) {
				for _, g := range games {
					err = errors.Join(err, l.Games.Put(t.Context(), g))
				}
				return err
			},
		} {
			other := map[string]string{"pa": "pb", "pc": "pd"}[player]
			known := game("known"+player, "waiting", 1000, player)
			left := game("left"+player, "waiting", 1000, player, other)
			if err := errors.Join(put(known), put(left)); err != nil {
				t.Fatal(err)
			}
			if err := put(
				game("new"+player, "waiting", 2000, player),
				game("known"+player, "live", 2001, player, other),
				game("twice"+player, "live", 2003, player, other),
				game("twice"+player, "waiting", 2002, player),
				game("left"+player, "waiting", 2004),
				game("empty"+player, "waiting", 2005),
				game("other"+player, "live", 2006, other, player),
			); err != nil {
				t.Fatal(err)
			}
		}
		text := func(player, other string) string {
			games, err := l.Games.Of(t.Context(), player, 100)
			if err != nil {
				t.Fatal(err)
			}
			return strings.NewReplacer(player, "player", other, "other").Replace(fmt.Sprint(games))
		}
		together, single := text("pa", "pb"), text("pc", "pd")
		if together != single || strings.Count(single, "player") < 8 {
			t.Errorf("together\n%s\none by one\n%s", together, single)
		}
	})
}

// The next state of a game with the same players is written over the one before. Its rows are then
// those of a game that is stored for the first time.
func TestGameThatGoesOnIsStoredLikeANewOne(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		l.know(t, "pa", "pb")
		put := func(g Game) {
			t.Helper()
			if err := l.Games.Put(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
		rows := func(room string) (text string) {
			t.Helper()
			res, err := db.Reader().QueryContext(t.Context(), `SELECT player, seat, title, state, ended, updated, system, rated, halves, finished, listed
				FROM games WHERE room = $1 ORDER BY player`, room)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Close()
			for res.Next() {
				var player, title, state, system string
				var seat, ended, updated, rated, halves, finished, listed int64
				if err := res.Scan(&player, &seat, &title, &state, &ended, &updated, &system, &rated, &halves, &finished, &listed); err != nil {
					t.Fatal(err)
				}
				text += fmt.Sprintln(player, title, state, system, seat, ended, updated, rated, halves, finished, listed)
			}
			return text
		}
		both := []Part{{"pa", 0}, {"pb", 1}}
		live := Game{Title: "Oware", State: "live", Updated: time.UnixMilli(1000), In: both, System: "oware"}
		over := Game{Title: "Kalah", State: "over", Ended: true, Updated: time.UnixMilli(2000), In: both, System: "kalah", Rated: true, Listed: true, Won: []int{1}}
		for _, states := range [][]Game{{live, over}, {over}} {
			for _, g := range states {
				g.Room = fmt.Sprint("after", len(states))
				put(g)
			}
		}
		if got, want := rows("after2"), rows("after1"); got != want || want == "" {
			t.Errorf("the rows are\n%s, want\n%s", got, want)
		}

		deletePlayer := func(tx Tx) error {
			_, err := tx.Exec("DELETE FROM players WHERE id = $1", "pb")
			return err
		}
		if err := db.Write(t.Context(), deletePlayer); err != nil {
			t.Fatal(err)
		}
		for _, room := range []string{"after2", "new"} {
			over.Room, over.Updated = room, time.UnixMilli(3000)
			put(over)
		}
		if got := rows("after2"); strings.Contains(got, "pb") || !strings.Contains(got, "pa") || !strings.Contains(rows("new"), "pa") {
			t.Errorf("after one player was deleted the rows are\n%s", got)
		}
	})
}

// The balance and the latest opponents are read from the stored games. So another
// instance returns the same, and so does this one after a restart.
func TestOpponentsAreReadFromStoredGames(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		l.know(t, "pa", "pb", "pc", "pd")
		play := func(room string, in ...Part) {
			t.Helper()
			c.advance(time.Minute)
			if err := l.Games.Put(t.Context(), Game{Room: room, State: "over", Ended: true, Updated: c.now(), In: in}); err != nil {
				t.Fatal(err)
			}
		}
		play("r1", Part{"pa", 1}, Part{"pd", 0}) // before the last four
		play("r2", Part{"pa", 0}, Part{"pb", 1})
		play("r3", Part{"pa", 0}, Part{"pc", 1}, Part{"pb", 2}, Part{"pd", 3}) // one game, with three opponents
		play("r4", Part{"pa", 1}, Part{"pc", 0})
		play("r5", Part{"pa", 0}, Part{"pb", 1})
		play("r6", Part{"pa", NoSeat}, Part{"pd", 0}) // pa only watched

		l = openLobby(t, db, c, Options{}) // as after a restart
		for _, tt := range []struct {
			player  string
			balance int
			met     string
		}{{"pa", 2, "[pb pc]"}, {"pb", -3, "[pa pc]"}, {"pc", 0, "[pa pb]"}, {"nobody", 0, "[]"}} {
			balance, met, err := l.Games.Opponents(t.Context(), tt.player, 4, 2)
			if err != nil || balance != tt.balance || fmt.Sprint(met) != tt.met {
				t.Errorf("%s has begun %+d and met %v (%v), want %+d and %s", tt.player, balance, met, err, tt.balance, tt.met)
			}
		}
	})
}

// TestBotsAreInListsButAreNoPlayers: a bot is in the game lists of its opponents, but is not a
// player. Opponents counts games between people only.
func TestBotsAreInListsButAreNoPlayers(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		l.know(t, "pa", "pb")
		for i, other := range []string{"bot3", "pb", "bot1"} {
			g := Game{Room: fmt.Sprint("r", i), State: "live", Updated: c.now().Add(time.Duration(i) * time.Minute), In: []Part{{"pa", 0}, {other, 1}}}
			if err := l.Games.Put(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
		games, err := l.Games.Of(t.Context(), "pa", 9)
		if err != nil || len(games) != 3 || !reflect.DeepEqual(games[0].In, []Part{{"pa", 0}, {"bot1", 1}}) {
			t.Errorf("%+v, %v", games, err)
		}
		balance, met, err := l.Games.Opponents(t.Context(), "pa", 9, 9)
		if err != nil || balance != 1 || !reflect.DeepEqual(met, []string{"pb"}) {
			t.Errorf("begun %d more, met %v, %v", balance, met, err)
		}
		names, err := l.People.Names(t.Context(), []string{"bot1", "pa"})
		if err != nil || names["bot1"] != "Pip" {
			t.Errorf("names %v, %v", names, err)
		}
	})
}

// Every unfinished game that has not changed for a time is visited once, whatever its
// number of players, and also after an error.
func TestIdleGamesAreVisitedOnce(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		l.know(t, "pa", "pb")
		for i := range swept + 3 {
			g := Game{Room: fmt.Sprintf("r%04d", i), Ended: i == 1, Updated: c.now(), In: []Part{{"pa", 0}, {"pb", 1}}}
			if i == 2 {
				g.Updated = c.now().Add(time.Hour)
			}
			if err := l.Games.Put(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
		broken, seen := errors.New("broken"), map[string]int{}
		err := l.Games.EachIdle(t.Context(), c.now().Add(time.Minute), func(_ context.Context, room string) error {
			seen[room]++
			if room == "r0003" {
				return broken
			}
			return nil
		})
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want the error of one game", err)
		}
		if len(seen) != swept+1 || seen["r0000"] != 1 || seen["r0001"]+seen["r0002"] != 0 || seen[fmt.Sprintf("r%04d", swept+2)] != 1 {
			t.Errorf("visited %d games", len(seen))
		}
	})
}

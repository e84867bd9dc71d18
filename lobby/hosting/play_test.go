package hosting_test

import (
	"encoding/json"
	"testing"
	"time"

	"mancala/lobby/tournament"
	"mancala/match"
)

// A game is a game of a tournament, as its room shows it.
type game struct {
	Room  string
	State string   `json:"state"`
	Seats []string `json:"seats"`
	Turn  int      `json:"turn"`

	Result struct {
		Reason  string `json:"reason"`
		Winners []int  `json:"winners"`
	} `json:"result"`
}

func (c *club) game(room string) game {
	c.Helper()
	view, err := c.rooms.View(c.Context(), room, "")
	if err != nil {
		c.Fatalf("game %s: %v", room, err)
	}
	g := game{Room: room}
	if err := json.Unmarshal(view.Snapshot, &g); err != nil {
		c.Fatal(err)
	}
	return g
}

// settle lets the tasks of the rooms be carried out.
func (c *club) settle() { time.Sleep(5 * time.Second) }

// games returns the games of a round that are being played.
func (c *club) games(id string, round int) (list []game) {
	c.Helper()
	for _, b := range c.hall(id, "").State.Rounds[round-1] {
		if b.Result == "" && len(b.Games) > 0 {
			list = append(list, c.game(b.Games[len(b.Games)-1].Room))
		}
	}
	return list
}

// swiss opens a tournament with as many players, and starts its first round.
func (c *club) swiss(host string, s tournament.Settings, players ...string) (id string) {
	c.Helper()
	made := c.open(host, s)
	for _, name := range players {
		c.join(made.ID, name)
	}
	c.must(made.ID, host, tournament.KindStart, tournament.Order{Round: 1})
	c.settle()
	return made.ID
}

func TestGamesReportTheirResultsToTheTournament(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		id := c.swiss(host, tournament.Settings{Rounds: 2, Clock: "5+3"}, "Ada", "Ben", "Mia", "Noor")
		for round := 1; round <= 2; round++ {
			if round > 1 {
				c.must(id, host, tournament.KindStart, tournament.Order{Round: round})
				c.settle()
			}
			games := c.games(id, round)
			if len(games) != 2 {
				t.Fatalf("round %d has %d games", round, len(games))
			}
			for _, g := range games {
				c.must(g.Room, g.Seats[1], match.KindResign, map[string]string{})
			}
			c.settle()
			for _, b := range c.hall(id, "").State.Rounds[round-1] {
				if b.Result != tournament.FirstWins || b.Games[0].Reason != "resign" {
					t.Errorf("round %d, board %d: %+v", round, b.Number, b)
				}
			}
		}
		state := c.hall(id, "").State
		if s := state.Standings(); s[0].Points != 20 || s[3].Points != 0 {
			t.Errorf("standings %+v", s)
		}
	})
}

func TestPlayerWhoIsDeletedIsWithdrawnFromEveryTournament(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host, ada := c.guest(), c.guest()
		var ids []string
		for _, s := range []tournament.Settings{{Rounds: 2}, {Rounds: 2}, {Rounds: 1}} {
			made := c.open(host, s)
			if err := c.Join(t.Context(), made.ID, ada, "Ada"); err != nil {
				t.Fatal(err)
			}
			c.join(made.ID, "Ben")
			c.join(made.ID, "Mia")
			ids = append(ids, made.ID)
		}
		entry, running, over := ids[0], ids[1], ids[2]
		for _, id := range []string{running, over} {
			c.must(id, host, tournament.KindStart, tournament.Order{Round: 1})
			c.settle()
		}
		g := c.games(over, 1)[0]
		c.must(g.Room, g.Seats[0], match.KindResign, map[string]string{})
		c.settle()
		c.must(over, host, tournament.KindFinish, nil)
		c.settle()

		c.Withdraw(t.Context(), ada)
		for id, want := range map[string]bool{entry: true, running: true, over: false} {
			if s := c.hall(id, "").State; s.Player(ada).Out != want {
				t.Errorf("in the stage %q the player is out: %t, want %t", s.Stage, !want, want)
			}
		}
		if err := c.People.Forget(t.Context(), ada); err != nil {
			t.Fatal(err)
		}
		for _, g := range c.games(running, 1) {
			c.must(g.Room, g.Seats[0], match.KindResign, map[string]string{})
		}
		c.settle()
		c.must(running, host, tournament.KindStart, tournament.Order{Round: 2})
		for _, b := range c.hall(running, "").State.Rounds[1] {
			if b.First == 1 || b.Second == 1 {
				t.Errorf("a deleted player is paired: %+v", b)
			}
		}
	})
}

func TestPlayerWhoDoesNotComeLosesAndNobodyWinsWhereBothAreAbsent(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		id := c.swiss(host, tournament.Settings{Rounds: 1, NoShow: 60}, "Ada", "Ben")
		g := c.games(id, 1)[0]
		c.settle()
		time.Sleep(2 * time.Minute)
		if b := c.hall(id, "").State.Rounds[0][0]; b.Result != tournament.Neither {
			t.Errorf("the board of two absent players: %+v", b)
		}
		if g = c.game(g.Room); g.State != "over" || g.Result.Reason != "no-show" {
			t.Errorf("the game: %+v", g)
		}
	})
}

// The first two have played, in the second game only one player has come, and in the third nobody. All have
// a clock, which must not run before its player has come.
func TestPlayersOfALeaguePlayWhenTheyLikeUntilTheRoundEnds(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		id := c.swiss(host, tournament.Settings{Rounds: 2, Clock: "5+3", Days: 2, Unplayed: tournament.UnplayedDraw, Pause: 60},
			"Ada", "Ben", "Mia", "Noor", "Sol", "Tom")
		games := c.games(id, 1)
		time.Sleep(24 * time.Hour)
		c.must(games[0].Room, games[0].Seats[0], match.KindMove, map[string]any{"ply": 0, "move": "a"})
		c.must(games[0].Room, games[0].Seats[1], match.KindResign, map[string]string{})
		c.must(games[1].Room, games[1].Seats[0], match.KindMove, map[string]any{"ply": 0, "move": "a"})
		c.must(id, host, tournament.KindExtend, tournament.Order{Ms: 24 * time.Hour.Milliseconds()})
		time.Sleep(47 * time.Hour)
		if got := c.games(id, 1); len(got) != 2 {
			t.Fatalf("an hour before the end %d games are left", len(got))
		}
		time.Sleep(time.Hour)
		c.settle()
		want := []string{tournament.FirstWins, tournament.FirstUnplayed, tournament.Drawn}
		for i, b := range c.hall(id, "").State.Rounds[0] {
			if b.Result != want[i] {
				t.Errorf("board %d has the result %q, want %q: %+v", i+1, b.Result, want[i], c.game(games[i].Room))
			}
		}
		time.Sleep(time.Minute)
		c.settle()
		if got := c.hall(id, "").State; len(got.Rounds) != 2 || len(got.Acts) != 0 {
			t.Errorf("after the pause there are %d rounds, and the acts %+v", len(got.Rounds), got.Acts)
		}
	})
}

func TestHostStopsGamesAndDecidesTheBoardOfAGameThatDoesNotCount(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		id := c.swiss(host, tournament.Settings{Rounds: 1, NoShow: 60}, "Ada", "Ben", "Mia", "Noor")
		c.must(id, host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActPause})
		time.Sleep(time.Hour) // nobody loses while the games stand still
		games := c.games(id, 1)
		if len(games) != 2 {
			t.Fatalf("%d games are left", len(games))
		}
		mover := games[0].Seats[games[0].Turn]
		c.refused(match.CodePaused, c.do(games[0].Room, mover, match.KindMove, map[string]any{"ply": 0, "move": "a"}))
		c.refused(tournament.CodeRunning, c.do(id, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn}))
		c.must(id, host, tournament.KindArbiter, tournament.Order{Round: 1, Board: 1, Act: match.ActEnd, Reason: "the board was set up wrongly"})
		c.settle()
		if b := c.hall(id, "").State.Rounds[0][0]; b.Result != "" || b.Games[0].Result != tournament.Void {
			t.Errorf("the board of a game that does not count: %+v", b)
		}
		c.must(id, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn, Reason: "agreed"})
		c.must(id, host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActResume})
		c.settle()
		c.must(games[1].Room, games[1].Seats[games[1].Turn], match.KindMove, map[string]any{"ply": 0, "move": "a"})
	})
}

func TestAnotherPersonTakesAPlayersSeatInTheGame(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		id := c.swiss(host, tournament.Settings{Rounds: 2}, "Ada", "Ben")
		g := c.games(id, 1)[0]
		old, again := g.Seats[0], c.join(id, "Again")
		if err := c.Replace(t.Context(), id, host, old, again); err != nil {
			t.Fatal(err)
		}
		c.settle()
		if g = c.game(g.Room); g.Seats[0] != again {
			t.Fatalf("the seats are %v", g.Seats)
		}
		c.must(g.Room, again, match.KindMove, map[string]any{"ply": 0, "move": "a"})
	})
}

func TestRoundIsTakenBackUnlessSomebodyHasMoved(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		id := c.swiss(host, tournament.Settings{Rounds: 1}, "Ada", "Ben", "Mia", "Noor")
		before := c.games(id, 1)
		c.must(id, host, tournament.KindUndo, tournament.Order{})
		c.settle()
		if s := c.hall(id, "").State; s.Stage != tournament.Entry || len(s.Rounds) != 0 {
			t.Fatalf("stage %s, rounds %v", s.Stage, s.Rounds)
		}
		if g := c.game(before[0].Room); g.State != "over" {
			t.Errorf("a game of the round goes on: %+v", g)
		}
		c.must(id, host, tournament.KindStart, tournament.Order{Round: 1})
		c.settle()
		g := c.games(id, 1)[1]
		c.must(g.Room, g.Seats[g.Turn], match.KindMove, map[string]any{"ply": 0, "move": "a"})
		c.must(id, host, tournament.KindUndo, tournament.Order{})
		c.settle()
		if s := c.hall(id, "").State; len(s.Rounds) != 1 || s.Recall != 0 {
			t.Fatalf("rounds %v, recall %d", s.Rounds, s.Recall)
		}
		g = c.games(id, 1)[0] // goes on too
		c.must(g.Room, g.Seats[g.Turn], match.KindMove, map[string]any{"ply": 0, "move": "a"})
	})
}

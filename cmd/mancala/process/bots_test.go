package process

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"testing"

	"mancala/match/journal/pgtest"
	"mancala/web/webtest"
)

// The server is killed several times in each game while it is the bot's turn.
func TestBotsMoveAfterTheServerWasKilled(t *testing.T) {
	t.Parallel()
	p := startProgram(t, filepath.Join(t.TempDir(), "mancala.db"), append(fast, "--bot-pause", "20ms", "--limit-bot-games", "off")...)
	survive(t, p, p, 4)
}

// The instance on which the bot thinks is killed. The player is connected to the other one.
func TestAnotherInstanceTakesOverABot(t *testing.T) {
	t.Parallel()
	database := pgtest.Open(t)
	flags := append([]string{"--redis", ownRedis(t), "--bot-pause", "20ms"}, fast...)
	a, b := startProgram(t, database, flags...), startProgram(t, database, flags...)
	survive(t, a, b, 2)
}

// survive plays games against bots on the instance near. It kills the instance owner,
// which owns the games, during the bots' turns.
func survive(t *testing.T, near, owner *program, kills int) {
	r := rand.New(rand.NewPCG(1, 2))
	for i, rules := range []string{"kalah", "wise"} {
		maker, player := webtest.NewPerson(owner.base()), webtest.NewPerson(near.base())
		defer maker.Leave()
		defer player.Leave()
		room, err := maker.Make(near.ctx, url.Values{"rules": {rules}, "bot": {"2"}, "start": {"creator"}, "options": {map[bool]string{true: "max_rounds=1"}[rules == "wise"]}})
		if err != nil {
			t.Fatal(err)
		}
		if near == owner {
			player = maker
		} else {
			player.HTTP.Jar = maker.HTTP.Jar
		}
		tab := player.Open(room)
		defer tab.Close()
		for n := range kills {
			turn, ok, err := tab.MyTurn(near.ctx, r, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			if err := tab.Must(near.ctx, "move", map[string]any{"ply": turn.Ply, "move": turn.Move}); err != nil {
				t.Fatal(err)
			}
			owner.kill()
			owner.start()
			if err := tab.Until(near.ctx, fmt.Sprintf("the bot's move after kill %d of game %d", n, i), func(g *webtest.Game) bool {
				return g.Over() || g.Number("ply") > turn.Ply && g.Number("turn") == g.As
			}); err != nil {
				t.Fatal(err)
			}
		}
		if err := tab.PlayOn(near.ctx, r, (*webtest.Game).Over); err != nil {
			t.Fatal(err)
		}
	}
	if code := near.stop(); code != 0 {
		t.Errorf("exit status %d\n%s", code, near.log)
	}
}

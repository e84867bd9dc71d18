package process

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"testing"

	"mancala/match/bus/redistest"
	"mancala/match/journal/pgtest"
	"mancala/web/webtest"
)

// TestBotsSurvive kills the server again and again in the middle of games against
// bots, while a bot is on turn. It answers all the same, and the games end.
func TestBotsSurvive(t *testing.T) {
	p := startProgram(t, filepath.Join(t.TempDir(), "mancala.db"), append(fast, "--bot-pause", "20ms", "--limit-bot-games", "off")...)
	survive(t, p, p, 4)
}

// TestBotsAreTakenOver: the instance on which a bot thinks dies, and another one goes
// on where people are connected.
func TestBotsAreTakenOver(t *testing.T) {
	database := pgtest.Open(t)
	flags := append([]string{"--redis", redistest.Open(t), "--bot-pause", "20ms"}, fast...)
	a, b := startProgram(t, database, flags...), startProgram(t, database, flags...)
	survive(t, a, b, 2)
}

// survive plays a game on one instance and kills another, which owns it.
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
			if err := tab.Until(near.ctx, fmt.Sprintf("what comes after kill %d of game %d", n, i), func(g *webtest.Game) bool {
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
		t.Errorf("ended with %d\n%s", code, near.log)
	}
}

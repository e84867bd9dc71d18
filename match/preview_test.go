package match

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mancala/engine"
	"mancala/match/machine"
)

// foreseen is a state before and after a move, as the player's page sees it.
type foreseen struct {
	Before json.RawMessage `json:"before"`
	You    json.RawMessage `json:"you"`
	Move   string          `json:"move"`
	After  json.RawMessage `json:"after"`
}

// The page's preview of a move, from the traces that a seat is sent, equals what the
// move then does. The test takes random positions of all systems.
func TestPreviewsEqualWhatMovesDo(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("MANCALA_TEST_ALL") != "" {
			t.Fatal(err)
		}
		t.Skip("no node: ", err)
	}
	var cases []foreseen
	for run := uint64(0); len(cases) < 1000; run++ {
		cases = append(cases, randomGame(t, run, 40)...)
	}
	text, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cases.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), node, "testdata/previews.mjs", file).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// randomGame plays at random and returns some of its sowings.
func randomGame(t *testing.T, run uint64, most int) []foreseen {
	t.Helper()
	r := rand.New(rand.NewPCG(run, 9))
	rules, options := randomRules(r, run)
	tb := seated(t, rules, options, "")
	var out []foreseen
	for plies := 0; plies < 200 && len(out) < most && tb.m.playing(); plies++ {
		move := ""
		you := tb.m.AppendPrivate(nil, machine.Audience(tb.m.onTurn()))
		if tb.m.pos.Phase == engine.Setup {
			move = randomLayout(r, tb.m.rules.game)
		} else {
			var legal struct {
				Legal []struct{ M string }
			}
			if err := json.Unmarshal(you, &legal); err != nil {
				t.Fatalf("%v in %s", err, you)
			}
			move = legal.Legal[r.IntN(len(legal.Legal))].M
		}
		before, sows := tb.m.Snapshot(machine.Watchers), tb.m.pos.Phase == engine.Play
		tb.play(move)
		if sows && plies%3 == 0 { // positions from the whole game
			out = append(out, foreseen{before, you, move, tb.m.Snapshot(machine.Watchers)})
		}
	}
	return out
}

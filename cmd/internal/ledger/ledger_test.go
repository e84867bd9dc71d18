package ledger

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"mancala/web/webtest"
)

// What is lost, doubled or changed in a journal is found.
func TestCheckerFindsWhatIsWrong(t *testing.T) {
	said := []webtest.Turn{{Ply: 0, Move: "c"}, {Ply: 1, Move: "a"}, {Ply: 2, Move: "f"}}
	for _, tt := range []struct {
		name    string
		said    []webtest.Turn
		journal string
		want    string // in what is said to be wrong
	}{
		{"all is well", said, "c a f", ""},
		{"the last is lost", said, "c a", "ply 2, f, was acknowledged and is lost"},
		{"one in the middle is lost", said, "c f", "ply 1 is f in the journal and was acknowledged as a"},
		{"one is there twice", said, "c a a f", "ply 3, f, is in the journal and was acknowledged to nobody"},
		{"one is nobody's", said, "c a f b", "ply 3, b, is in the journal and was acknowledged to nobody"},
		{"the order is another", said, "a c f", "ply 0 is a in the journal and was acknowledged as c"},
		{"one was acknowledged twice", append(said, webtest.Turn{Ply: 1, Move: "b"}), "c b f", "ply 1 was acknowledged as a and as b"},
		{"the same was acknowledged twice", append(said, webtest.Turn{Ply: 1, Move: "a"}), "c a f", "ply 1 was acknowledged as a and as a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := NewGame("r", "kalah")
			g.Acknowledge(tt.said)
			wrong := strings.Join(append(g.twice, compareMoves(g.Plies, strings.Fields(tt.journal))...), "\n")
			if (wrong == "") != (tt.want == "") || !strings.Contains(wrong, tt.want) {
				t.Errorf("it says %q, want %q", wrong, tt.want)
			}
		})
	}
}

// A server that answers with another game than people have played is found out.
func TestCheckerAsksTheServer(t *testing.T) {
	answers := map[string]string{
		"/api/v1/games/r":        `{"seq":7,"snap":{"state":"over"}}`,
		"/api/v1/games/r/replay": `{"plies":[{"move":"c"}]}`,
	}
	get := func(path string) (string, error) {
		if text, ok := answers[path]; ok {
			return text, nil
		}
		return "", errors.New("gone")
	}
	g := &Game{
		Room: "r", Rules: "kalah", Plies: map[int]string{0: "d"},
		seq: []uint64{7, 8}, states: []map[string]any{{"state": "over"}, {"state": "over"}},
	}
	wrong := g.Check(get)
	for _, want := range []string{"client 1 has at 8", "acknowledged as d", "gone"} {
		if !strings.Contains(fmt.Sprint(wrong), want) {
			t.Errorf("nobody says %q in %q", want, wrong)
		}
	}
	if strings.Contains(fmt.Sprint(wrong), "client 0") {
		t.Errorf("client 0 has what the server has: %q", wrong)
	}
}

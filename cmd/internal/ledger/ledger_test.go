package ledger

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"mancala/web/webtest"
)

func TestLostDoubledAndChangedPliesAreFound(t *testing.T) {
	said := []webtest.Turn{{Ply: 0, Move: "c"}, {Ply: 1, Move: "a"}, {Ply: 2, Move: "f"}}
	for _, tt := range []struct {
		name    string
		said    []webtest.Turn
		journal string
		want    string // in the differences that are returned
	}{
		{"no difference", said, "c a f", ""},
		{"the last ply is lost", said, "c a", "ply 2, f, was acknowledged and is lost"},
		{"a ply in the middle is lost", said, "c f", "ply 1 is f in the journal and was acknowledged as a"},
		{"a ply is there twice", said, "c a a f", "ply 3, f, is in the journal and was never acknowledged"},
		{"a ply was never acknowledged", said, "c a f b", "ply 3, b, is in the journal and was never acknowledged"},
		{"two plies have changed places", said, "a c f", "ply 0 is a in the journal and was acknowledged as c"},
		{"a ply was acknowledged with two moves", append(said, webtest.Turn{Ply: 1, Move: "b"}), "c b f", "ply 1 was acknowledged as a and as b"},
		{"a ply was acknowledged twice", append(said, webtest.Turn{Ply: 1, Move: "a"}), "c a f", "ply 1 was acknowledged as a and as a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := NewGame("r", "kalah")
			g.Acknowledge(tt.said)
			wrong := strings.Join(append(g.contradictions, compareMoves(g.Plies, strings.Fields(tt.journal))...), "\n")
			if (wrong == "") != (tt.want == "") || !strings.Contains(wrong, tt.want) {
				t.Errorf("the differences are %q, want %q", wrong, tt.want)
			}
		})
	}
}

func TestAServerWithAnotherGameIsFound(t *testing.T) {
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
		seqs: []uint64{7, 8}, states: []map[string]any{{"state": "over"}, {"state": "over"}},
	}
	wrong := g.Check(get)
	for _, want := range []string{"client 1 has at 8", "acknowledged as d", "gone"} {
		if !strings.Contains(fmt.Sprint(wrong), want) {
			t.Errorf("no difference has %q: %q", want, wrong)
		}
	}
	if strings.Contains(fmt.Sprint(wrong), "client 0") {
		t.Errorf("client 0 has what the server has, but is reported: %q", wrong)
	}
}

package pages

import (
	"testing"

	"mancala/engine"
)

func TestPuzzlesWithoutOneAnswerAreInvalid(t *testing.T) {
	rules, _ := engine.System("kalah")
	game, err := engine.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []puzzle{
		{"4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0", findCapture}, // no answer
		{"6,5,4,0,0,0/4,4,4,4,4,4 4/5 S play 0 2", findAgain},   // three
		{"0,2,0,3,3,2/0,3,2,0,5,0 14/14 N play 0 22", findAgain},
		{"nonsense", findAgain},
	} {
		if s, err := solve(game, p); err == nil {
			t.Errorf("%v has the answer %d", p, s.pit)
		}
	}
}

package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"mancala/engine"
)

// Each puzzle can be solved on the page, by its answer alone.
func TestPuzzles(t *testing.T) {
	s := serve(t)
	if len(s.puzzles) < 3 {
		t.Errorf("%d puzzles", len(s.puzzles))
	}
	for n, p := range s.puzzles {
		right := 0
		for pit := 1; pit <= 6; pit++ {
			page := s.plain(fmt.Sprintf("/nothing?puzzle=%d&pit=%d", n, pit), nil)
			if page.Status != http.StatusNotFound || !strings.Contains(page.Body, "No game here.") {
				t.Fatalf("puzzle %d, pit %d: %d", n, pit, page.Status)
			}
			if strings.Contains(page.Body, "Right!") {
				right = pit
			} else if tried := strings.Contains(page.Body, "is not it."); tried != (p.pits[pit-1] > 0) {
				t.Errorf("puzzle %d, pit %d with %d seeds: tried %v", n, pit, p.pits[pit-1], tried)
			}
		}
		if right != p.pit {
			t.Errorf("puzzle %d: the page says %d, the engine %d", n, right, p.pit)
		}
	}
}

func TestPuzzleWithBadInput(t *testing.T) {
	s := serve(t)
	for _, query := range []string{"", "?puzzle=99", "?puzzle=-1&pit=1", "?puzzle=x&pit=y", "?puzzle=0&pit=99999999999999999999", "?puzzle=0&pit=-3", "?puzzle=0&pit=7", "?puzzle=0&puzzle=<script>", "?%zz"} {
		page := s.plain("/nothing"+query, nil)
		if page.Status != http.StatusNotFound || strings.Count(page.Body, `name="pit"`) != 6 || strings.Contains(page.Body, "Right!") || strings.Contains(page.Body, "is not it.") || strings.Contains(page.Body, "<script>") {
			t.Errorf("%s: %d %s", query, page.Status, page.Body)
		}
	}
}

func TestPuzzlesThatAreNone(t *testing.T) {
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

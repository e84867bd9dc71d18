package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// The page accepts exactly one pit as the solution of each puzzle: the answer
// of the engine.
func TestPuzzlesHaveOneSolution(t *testing.T) {
	s := serve(t)
	if len(s.pages.SmallPuzzles()) < 3 {
		t.Errorf("%d puzzles", len(s.pages.SmallPuzzles()))
	}
	for n, p := range s.pages.SmallPuzzles() {
		right := 0
		for pit := 1; pit <= 6; pit++ {
			page := s.plain(fmt.Sprintf("/nothing?puzzle=%d&pit=%d", n, pit), nil)
			if page.Status != http.StatusNotFound || !strings.Contains(page.Body, "No game here.") {
				t.Fatalf("puzzle %d, pit %d: %d", n, pit, page.Status)
			}
			if strings.Contains(page.Body, "Right!") {
				right = pit
			} else if tried := strings.Contains(page.Body, "does not work."); tried != (p.Pits[pit-1] > 0) {
				t.Errorf("puzzle %d, pit %d with %d seeds: tried %v", n, pit, p.Pits[pit-1], tried)
			}
		}
		if right != p.Pit {
			t.Errorf("puzzle %d: the page says %d, the engine %d", n, right, p.Pit)
		}
	}
}

func TestInvalidPuzzleAnswersAreIgnored(t *testing.T) {
	s := serve(t)
	for _, query := range []string{"", "?puzzle=99", "?puzzle=-1&pit=1", "?puzzle=x&pit=y", "?puzzle=0&pit=99999999999999999999", "?puzzle=0&pit=-3", "?puzzle=0&pit=7", "?puzzle=0&puzzle=<script>", "?%zz"} {
		page := s.plain("/nothing"+query, nil)
		if page.Status != http.StatusNotFound || strings.Count(page.Body, `name="pit"`) != 6 || strings.Contains(page.Body, "Right!") || strings.Contains(page.Body, "does not work.") || strings.Contains(page.Body, "<script>") {
			t.Errorf("%s: %d %s", query, page.Status, page.Body)
		}
	}
}

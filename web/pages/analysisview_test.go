package pages

import (
	"testing"

	"mancala/engine/search/review"
)

// Plies are counted as the list of moves counts them: a turn of several plies has one number.
func TestPliesOfOneTurnHaveOneNumber(t *testing.T) {
	var plies []review.Ply
	for _, seat := range []int{0, 0, 1, 0} {
		plies = append(plies, review.Ply{Worth: review.Worth{Seat: seat}})
	}
	for ply, want := range []int{0, 1, 1, 2, 3} {
		if got := turnAt(plies, ply); got != want {
			t.Errorf("after %d plies: turn %d, want %d", ply, got, want)
		}
	}
}

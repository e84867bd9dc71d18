package composer

import (
	"context"
	"testing"

	"mancala/lobby/searchpool"
	"mancala/match/refusal"
)

func TestRequestThatWaitsForASearchTooLongIsToldToComeAgain(t *testing.T) {
	srv := &Pages{searching: make(chan struct{}, 1)}
	ended, end := context.WithCancel(t.Context())
	end()
	err := srv.searches(t.Context(), func() error {
		return srv.searches(ended, func() error { t.Error("two requests search at once"); return nil })
	})
	if !refusal.Is(err, searchpool.CodeBusy) {
		t.Errorf("the second request gets %v", err)
	}
	if err := srv.searches(t.Context(), func() error { return nil }); err != nil {
		t.Errorf("after both, a request gets %v", err)
	}
}

package seeks_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mancala/lobby/pairing"
	"mancala/lobby/seeks"
	"mancala/match/machine"
)

// TestNoTwoWaitAQuarterSecondAfterTheyAcceptEachOther relies on the room's own wake-ups,
// and lets people come and go at random times.
func TestNoTwoWaitAQuarterSecondAfterTheyAcceptEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHall()
		for i := range rapid.IntRange(2, 25).Draw(t, "people") {
			f := seeks.Facts{Account: true, Rating: rapid.SampledFrom([]int{0, 900, 1450, 1500, 1640, 1800, 2600}).Draw(t, "rating")}
			if rapid.Bool().Draw(t, "knows") {
				f.Recent = []string{fmt.Sprint("p", rapid.IntRange(0, 24).Draw(t, "whom"))}
			}
			h.do(fmt.Sprint("p", i), seeks.KindFind, map[string]any{
				"key": "k", "clock": "5+3", "rated": rapid.Bool().Draw(t, "rated"), "rules": rapid.SampledFrom([]string{"kalah", "oware"}).Draw(t, "rules"), "facts": f,
			})
			for _, pair := range h.waves(time.Duration(rapid.IntRange(0, 12_000).Draw(t, "ms")) * time.Millisecond) {
				h.do("", machine.KindDone, map[string]any{"task": pair.ID})
			}
			h.checkWaits(t)
		}
	})
}

// checkWaits fails if two people who accept each other still wait.
func (h *hall) checkWaits(t *rapid.T) {
	var s seeks.State
	if err := json.Unmarshal(h.Snapshot(machine.Watchers), &s); err != nil {
		t.Fatal(err)
	}
	left := make([]pairing.Waiting, len(s.Waits))
	for i, w := range s.Waits {
		left[i] = pairing.Waiting{
			ID: w.Player, Pool: fmt.Sprint(w.Rules, w.Clock, w.Rated), Rating: w.Facts.Rating, Since: time.UnixMilli(w.Since), Recent: w.Facts.Recent,
		}
		for j := range i {
			late := h.now.Add(-250 * time.Millisecond)
			if left[i].Since.After(late) || left[j].Since.After(late) {
				continue // there was no time for a wave yet
			}
			if pairing.Accept(&left[i], &left[j], late) {
				t.Fatalf("at %v %+v and %+v accept each other and still wait", h.now.Sub(noon), left[i], left[j])
			}
		}
	}
}

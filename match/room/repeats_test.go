package room

import (
	"fmt"
	"testing"

	"mancala/match/machine"
)

// The last 32 of each author are known, of few authors and of many.
func TestRepeats(t *testing.T) {
	for _, authors := range []int{1, 2, fewPeople, fewPeople + 1, 500} {
		var m repeats
		seq := uint64(0)
		const each = repeatsKept + 5
		first := map[string]uint64{}
		for n := range each {
			for a := range authors {
				seq++
				e := machine.Entry{By: fmt.Sprint("p", a), Command: fmt.Sprint("c", n)}
				m.learn(e, seq)
				first[e.By+e.Command] = seq
			}
		}
		m.learn(machine.Entry{By: "p0"}, seq+1) // the room's own
		for n := range each {
			for a := range authors {
				by, id := fmt.Sprint("p", a), fmt.Sprint("c", n)
				got, ok := m.find(by, id)
				if known := n >= each-repeatsKept; ok != known || (known && got != first[by+id]) {
					t.Fatalf("%d authors: %s of %s: %d %v, was %d", authors, id, by, got, ok, first[by+id])
				}
			}
		}
		if _, ok := m.find("p0", ""); ok {
			t.Error("an empty ID is known")
		}
		if _, ok := m.find("stranger", "c9"); ok {
			t.Error("a stranger's ID is known")
		}
	}
}

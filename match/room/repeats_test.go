package room

import (
	"fmt"
	"testing"

	"mancala/match/machine"
)

// The last 32 commands of each author are known, of few authors and of many.
func TestLastCommandsOfEachAuthorAreRemembered(t *testing.T) {
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

// A room with very many authors does not remember all of them for ever.
func TestRoomForgetsTheFirstOfManyAuthors(t *testing.T) {
	var m repeats
	for i := range 3 * manyAuthors {
		m.learn(machine.Entry{By: fmt.Sprint("p", i), Command: "c"}, uint64(i)+1)
		if seq, ok := m.find(fmt.Sprint("p", i), "c"); !ok || seq != uint64(i)+1 {
			t.Fatalf("author %d: %d, %v", i, seq, ok)
		}
	}
	if n := len(m.authors); n > manyAuthors || len(m.index) != n {
		t.Errorf("%d authors, %d in the index", n, len(m.index))
	}
	if _, ok := m.find("p0", "c"); ok {
		t.Error("the first is still known")
	}
}

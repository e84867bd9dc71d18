package room

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A tally counts like a map, with few names and with many.
func TestTallyCountsLikeAMap(t *testing.T) {
	for _, people := range []int{1, fewPeople, fewPeople + 1, 100} {
		rng := rand.New(rand.NewPCG(uint64(people), 1))
		var got tally
		want := map[string]int{}
		for range 5000 {
			name, n := fmt.Sprint("p", rng.IntN(people)), 1-2*rng.IntN(2)
			if want[name] += n; want[name] <= 0 {
				delete(want, name)
			}
			if now := got.add(name, n); now != want[name] || got.of(name) != now || got.names() != len(want) {
				t.Fatalf("%d people: %s is %d and %d, of %d; want %d of %d", people, name, now, got.of(name), got.names(), want[name], len(want))
			}
		}
	}
}

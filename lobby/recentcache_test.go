package lobby

import (
	"testing"

	"pgregory.net/rapid"
)

// TestRecentRemembersWhatWasUsedLately compares recent with a map that forgets nothing.
// Every remembered value is right, keys that were used lately are remembered, and the size
// stays within its bound.
func TestRecentRemembersWhatWasUsedLately(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(2, 12).Draw(t, "limit")
		r := newRecent[int, int](limit).(*generations[int, int])
		all := map[int]int{}
		var used []int // the latest is last
		for step := range rapid.IntRange(0, 100).Draw(t, "steps") {
			k := rapid.IntRange(0, 20).Draw(t, "key")
			switch rapid.SampledFrom([]string{"put", "put", "get", "drop"}).Draw(t, "op") {
			case "put":
				r.put(k, step)
				all[k] = step
				used = append(used, k)
			case "get":
				if v, ok := r.get(k); ok {
					if v != all[k] {
						t.Fatalf("%d is %d, want %d", k, v, all[k])
					}
					used = append(used, k)
				}
			case "drop":
				r.drop(k)
				delete(all, k)
			}
			if _, there := all[k]; !there {
				if v, ok := r.get(k); ok {
					t.Fatalf("%d was dropped and is %d", k, v)
				}
			}
			if r.size() > limit {
				t.Fatalf("%d keys, want at most %d", r.size(), limit)
			}
		}
		for _, k := range used[max(0, len(used)-limit/2):] {
			if _, ok := all[k]; ok {
				if _, ok := r.get(k); !ok {
					t.Fatalf("%d was used lately and is forgotten", k)
				}
			}
		}
		if r.clear(); r.size() != 0 {
			t.Fatalf("%d keys after clear", r.size())
		}
	})
}

func (r *generations[K, V]) size() int { return len(r.young) + len(r.old) }

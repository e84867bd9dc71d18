package tuning

import "testing"

// BenchmarkHugePages reads a table of 1 GB at random places.
func BenchmarkHugePages(b *testing.B) {
	const places = 1 << 27
	for name, ask := range map[string]func([]uint64){"asked": HugePages[uint64], "not asked": func([]uint64) {}} {
		b.Run(name, func(b *testing.B) {
			table := make([]uint64, places)
			ask(table)
			for i := range table {
				table[i] = uint64(i)
			}
			at, sum := uint64(1), uint64(0)
			for b.Loop() {
				at = at*6364136223846793005 + 1442695040888963407
				sum += table[at>>37]
			}
			if sum == 0 {
				b.Fatal("nothing was read")
			}
		})
	}
}

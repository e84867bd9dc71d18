// Package tablemem holds what large tables need from memory: a smallest size, and
// clearing that does not stop the process.
package tablemem

import "slices"

// MinBytes is the size of the smallest table that is still useful.
const MinBytes = 1 << 16

// Wipe clears a table piece by piece. Go cannot stop a thread in the middle of one
// clear. If its garbage collector wants to stop the process, every other thread would
// wait for the whole table.
func Wipe[T any](table []T) {
	for piece := range slices.Chunk(table, 1024) {
		clear(piece)
	}
}

//go:build race

package room

// slower is by how much the race detector slows a simulation down, about.
const slower = 5

package search

import "time"

var processStart = time.Now()

// wallTime is the clock of a search, unless a duel measures CPU time.
func wallTime() time.Duration { return time.Since(processStart) }

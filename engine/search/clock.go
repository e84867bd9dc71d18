package search

import "time"

var start = time.Now()

// wallTime is what a search goes by, unless a duel measures it.
func wallTime() time.Duration { return time.Since(start) }

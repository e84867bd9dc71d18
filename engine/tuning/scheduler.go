package tuning

import "runtime"

// Threads returns how many threads may run Go code at the same time (GOMAXPROCS).
func Threads() int { return runtime.GOMAXPROCS(0) }

// SetThreads changes this number. It stops the whole program for a moment, so it must be
// called rarely.
//
// With one more thread for each busy search, a room never waits until a search gives its
// thread back. Without it, a move takes 15 times as long while bots think
// (deploy/decisions/0026). "mancala-bench --work bots" shows it. With more threads than
// processors all other work costs more, so the number is raised only while there are
// searches.
func SetThreads(n int) { runtime.GOMAXPROCS(n) }

// Yield lets the goroutines that are ready to run go first. It does not wait for any that
// is blocked.
//
// The writer of a journal calls it before it takes a batch: these goroutines add their
// entries to the batch and do not pay for the next one. Without it, a move takes 52 % more
// of the processor (deploy/decisions/0026). "mancala-bench --work full --journal sqlite"
// shows it.
func Yield() { runtime.Gosched() }

// Package histories plays games on three real instances with a real PostgreSQL and a real
// Redis while faults happen, in the manner of Jepsen, and checks what the clients asked and
// saw against the journal (cmd/internal/history).
//
// The number of a run decides everything but the timing: the faults with their victims and lengths,
// the moves, and how long players think. A failed test prints the number, the faults, and the file
// that holds the whole history. Repeat one of the long runs with
//
//	MANCALA_TEST_LONG=1 go test ./cmd/mancala/histories -run 'TestPromisesAreKeptUnderLongFaults/run_7$'
//
// The program is built with a clock that can be set. So a test can also stop the whole
// service for 30 hours.
package histories

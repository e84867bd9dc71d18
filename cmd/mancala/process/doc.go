// Package process tests the server's program as a process. It is started as people start
// it, and then killed, paused, restarted, or cut off from its database and from other
// instances while people play.
//
// The tests build the program once and run beside each other: each has a database and a
// Redis of its own. Runs with more faults need MANCALA_TEST_LONG=1.
package process

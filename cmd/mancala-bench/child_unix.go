//go:build unix

package main

import (
	"os"
	"strconv"
	"syscall"
)

// suspend stops the process where it is.
func (c *child) suspend() error { return c.Freeze() }

// resume continues a suspended process.
func (c *child) resume() error { return c.Signal(syscall.SIGCONT) }

// lowerPriority gives this process a lower priority than the servers, which run already, until it
// ends: real players have devices of their own. Linux has a priority for
// each thread; a new thread has that of the one that made it.
func lowerPriority() {
	const niceness = 15
	threads, _ := os.ReadDir("/proc/self/task")
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, niceness)
		}
	}
}

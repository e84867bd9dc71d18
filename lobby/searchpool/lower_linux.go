package searchpool

import (
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lowers says that a worker's thread can have a priority of its own.
const lowers = true

// niceness is how much a worker steps back: at 10 a thread gets about a tenth of
// what one of a room gets when both want the same processor. It is not lower still,
// since the garbage collector now and then waits for every thread.
const niceness = 10

// slice is for how long a worker would like to run at a time: a little longer than
// threads that say nothing, which is 2.8 ms at most. Since Linux 6.12 a thread that
// wakes up and has asked for less need not wait until the one that runs has had its
// slice (sched_setattr(2)). It is not longer still, since a worker may have to wait
// for ten times as long, and the garbage collector with it.
const slice = 4 * time.Millisecond

// lower ties the goroutine to a thread, lowers that thread's priority below what the
// process was started with, and asks for a slice that others may interrupt. Where
// that is forbidden, it is done as well as it can be: there are few workers.
func lower() {
	runtime.LockOSThread()
	if kernel, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err == nil { // 40 for a niceness of -20, 1 for 19
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), min(20-kernel+niceness, 19))
	}
	if a, err := unix.SchedGetAttr(0, 0); err == nil {
		a.Runtime = uint64(slice)
		_ = unix.SchedSetAttr(0, a, 0)
	}
}

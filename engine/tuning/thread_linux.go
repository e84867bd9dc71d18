package tuning

import (
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// CanLowerThread reports whether a thread can have a priority of its own here.
const CanLowerThread = true

// niceness is how much lower the thread's priority is. At 10 a thread gets about a tenth
// of the time of a room's thread when both want the same processor. A lower priority
// would hold up the garbage collector, which now and then waits for every thread.
const niceness = 10

// slice is the time that the thread asks to run at a stretch. It is a little longer than
// the default of other threads, which is 2.8 ms at most. Since Linux 6.12 a thread that
// wakes up with a shorter slice may interrupt a thread with a longer one
// (sched_setattr(2)). A much longer slice would make the thread wait up to ten times as
// long, and the garbage collector with it.
const slice = 4 * time.Millisecond

// LowerThread ties the goroutine to a thread, lowers the thread's priority below the one
// that the process was started with, and asks for a time slice that others may interrupt.
// Where the system forbids a step, LowerThread skips it.
//
// Moves are then as fast while bots think as without them. "mancala-bench --work bots"
// shows it.
func LowerThread() {
	runtime.LockOSThread()
	if kernel, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err == nil { // 40 for a niceness of -20, 1 for 19
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), min(20-kernel+niceness, 19))
	}
	if a, err := unix.SchedGetAttr(0, 0); err == nil {
		a.Runtime = uint64(slice)
		_ = unix.SchedSetAttr(0, a, 0)
	}
}

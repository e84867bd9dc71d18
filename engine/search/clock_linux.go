package search

import (
	"syscall"
	"time"
	"unsafe"
)

// threadTime returns the CPU time of the thread (clock_gettime(2)), which other
// processes do not affect. The caller must have locked the thread. getrusage is too
// coarse: it counts ticks of milliseconds.
func threadTime() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, e := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0); e != 0 {
		return wallTime()
	}
	return time.Duration(t.Nano())
}

package search

import (
	"syscall"
	"time"
	"unsafe"
)

// threadTime is the CPU time of the thread (clock_gettime(2)): what others do on the
// machine is not in it. The caller has locked the thread. (getrusage counts ticks of
// milliseconds, which is too coarse.)
func threadTime() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, e := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0); e != 0 {
		return wallTime()
	}
	return time.Duration(t.Nano())
}

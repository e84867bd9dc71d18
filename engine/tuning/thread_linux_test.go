package tuning

import (
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestThreadsPriorityIsLowerThanTheOneItStartedWith(t *testing.T) {
	nice := func() int {
		kernel, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0) // 40 for a niceness of -20, 1 for 19
		if err != nil {
			t.Error(err)
		}
		return 20 - kernel
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // the thread ends with the goroutine
		began := min(nice()+3, 19)
		if err := syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), began); err != nil {
			t.Error(err)
		}
		before, unknown := unix.SchedGetAttr(0, 0)
		LowerThread()
		if got := nice(); got != min(began+niceness, 19) {
			t.Errorf("the niceness is %d, was %d before", got, began)
		}
		if unknown != nil || before.Runtime == 0 {
			return // this kernel has no slices
		}
		if after, err := unix.SchedGetAttr(0, 0); err != nil || after.Runtime != uint64(slice) {
			t.Errorf("the slice is %+v, %v", after, err)
		}
	}()
	<-done
}

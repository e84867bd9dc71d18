//go:build !386

package tuning

import (
	"syscall"
	"unsafe"
)

// These calls do not block, so they bypass the runtime. The runtime would hand the
// processor to another thread whenever a call takes more than twenty microseconds.
// The calls are those for sockets, which skip the work common to all files. On 386
// they have no system call number of their own. BenchmarkSockets measures what they save for
// one call, and deploy/decisions/0023 states what they save for a move.

func send(fd int, p []byte) (int, error) {
	return call(syscall.SYS_SENDTO, fd, p, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
}

func receive(fd int, p []byte) (int, error) {
	return call(syscall.SYS_RECVFROM, fd, p, syscall.MSG_DONTWAIT)
}

func call(trap uintptr, fd int, p []byte, flags uintptr) (int, error) {
	n, _, err := syscall.RawSyscall6(trap, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), flags, 0, 0)
	if err != 0 {
		return 0, err
	}
	return int(n), nil
}

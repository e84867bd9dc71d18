//go:build !386

package socket

import (
	"syscall"
	"unsafe"
)

// The calls here do not wait, so the runtime is not told of them: it would take the
// processor away and give it to another thread whenever the system is busy with one
// for more than twenty microseconds. And they are those for sockets, which leave out
// what all files have in common; on 386 these have no number of their own.

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

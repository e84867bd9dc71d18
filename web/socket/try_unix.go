//go:build unix

package socket

import "syscall"

// canTry says that this system has a write that does not wait.
const canTry = true

// tryWrite is one write(2) on a descriptor that the runtime has made non-blocking.
func tryWrite(fd int, p []byte) (int, error) {
	for {
		n, err := syscall.Write(fd, p)
		switch err {
		case nil:
			return n, nil
		case syscall.EINTR:
		case syscall.EAGAIN:
			return 0, nil
		default:
			return 0, err
		}
	}
}

//go:build unix

package socket

import "syscall"

// canTry reports that this system has non-blocking calls on a connection.
const canTry = true

// tryWrite writes as much as a descriptor takes now, perhaps nothing.
func tryWrite(fd int, p []byte) (int, error) {
	for {
		n, err := send(fd, p)
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

// tryRead reads the bytes that a descriptor has now. come is false if there are none
// yet.
func tryRead(fd int, p []byte) (n int, come bool, err error) {
	for {
		n, err = receive(fd, p)
		switch err {
		case nil:
			return n, true, nil
		case syscall.EINTR:
		case syscall.EAGAIN:
			return 0, false, nil
		default:
			return 0, true, err
		}
	}
}

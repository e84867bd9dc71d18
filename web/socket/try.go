//go:build unix

package socket

import "syscall"

// canTry says that this system has calls on a connection that do not wait.
const canTry = true

// tryWrite writes what a descriptor takes now, perhaps nothing.
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

// tryRead reads what has come to a descriptor; come is false if nothing has yet.
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

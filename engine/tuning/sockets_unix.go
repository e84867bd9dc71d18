//go:build unix

package tuning

import "syscall"

// CanTry reports that this system has non-blocking calls on a connection.
const CanTry = true

// TryWrite writes as much as a descriptor takes now, perhaps nothing.
func TryWrite(fd int, p []byte) (int, error) {
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

// TryRead reads the bytes that a descriptor has now. come is false if there are none
// yet.
func TryRead(fd int, p []byte) (n int, come bool, err error) {
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

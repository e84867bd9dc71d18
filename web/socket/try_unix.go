//go:build unix

package socket

import "syscall"

// canTry says that this system has a write that does not wait.
const canTry = true

// try is one write(2) on a descriptor that the runtime has made non-blocking.
// It always reports true, which tells syscall.RawConn not to wait for the peer
// and not to call again.
func (c *Conn) try(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), c.p)
		switch {
		case err == syscall.EINTR:
			continue
		case err == syscall.EAGAIN:
		case err != nil:
			c.werr = err
		default:
			c.n = n
		}
		return true
	}
}

//go:build unix

package socket

import "syscall"

func tinyBuffer(fd uintptr) {
	syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 2048)
}

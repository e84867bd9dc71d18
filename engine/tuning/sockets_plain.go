//go:build unix && (!linux || 386)

package tuning

import "syscall"

// The runtime has made the descriptor non-blocking.

func send(fd int, p []byte) (int, error)    { return syscall.Write(fd, p) }
func receive(fd int, p []byte) (int, error) { return syscall.Read(fd, p) }

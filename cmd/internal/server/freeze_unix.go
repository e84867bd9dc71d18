//go:build unix && !linux

package server

import "syscall"

// Freeze stops the process where it is. Only on Linux does it wait until all threads have stopped.
func (p *Process) Freeze() error { return p.Signal(syscall.SIGSTOP) }

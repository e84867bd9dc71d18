//go:build unix

package main

import "syscall"

// suspend stops the process where it is.
func (c *child) suspend() error { return c.Signal(syscall.SIGSTOP) }

// resume continues a suspended process.
func (c *child) resume() error { return c.Signal(syscall.SIGCONT) }

//go:build unix

package main

import "syscall"

// halt stops the process where it is, and goOn lets it go on.
func (c *child) suspend() error { return c.cmd.Process.Signal(syscall.SIGSTOP) }

func (c *child) resume() error { return c.cmd.Process.Signal(syscall.SIGCONT) }

//go:build !unix

package daemon

import "syscall"

func apart() *syscall.SysProcAttr { return nil }

func give(string) error { return nil }

//go:build !unix

package testenv

import "syscall"

func serverAttributes() *syscall.SysProcAttr { return nil }

func giveToServer(string) error { return nil }

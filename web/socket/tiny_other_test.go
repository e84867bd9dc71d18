//go:build !unix

package socket

func tinyBuffer(uintptr) {}

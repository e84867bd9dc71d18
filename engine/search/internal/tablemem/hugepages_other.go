//go:build !linux

package tablemem

// HugePages does nothing on this system.
func HugePages[T any]([]T) {}

//go:build !linux

package tuning

// CanLowerThread reports whether a thread can have a priority of its own here.
const CanLowerThread = false

// LowerThread does nothing on this system.
func LowerThread() {}

// HugePages does nothing, because this system chooses the page size itself.
func HugePages[T any]([]T) {}

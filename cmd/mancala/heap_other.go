//go:build !linux

package main

// hugeHeap does nothing, because other systems choose the page size themselves.
func hugeHeap() {}

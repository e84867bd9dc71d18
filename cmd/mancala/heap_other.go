//go:build !linux

package main

// hugeHeap is for Linux: others decide by themselves.
func hugeHeap() {}

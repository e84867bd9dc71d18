//go:build !linux

package search

func hugePages([]kalahBucket) {}

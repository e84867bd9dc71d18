//go:build !linux

package search

func largePages([]kalahBucket) {}

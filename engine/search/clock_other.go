//go:build !linux

package search

import "time"

func threadTime() time.Duration { return wallTime() }

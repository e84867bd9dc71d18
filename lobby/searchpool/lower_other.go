//go:build !linux

package searchpool

const canLower = false

func lower() {}

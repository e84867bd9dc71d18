//go:build !linux

package searchpool

const lowers = false

func lower() {}

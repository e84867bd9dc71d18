//go:build !linux

package think

const lowers = false

func lower() {}

//go:build !race

package room

const slower = 1

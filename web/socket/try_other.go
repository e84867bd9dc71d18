//go:build !unix

package socket

// canTry is false where a write that does not wait is not to be had by a plain
// system call. Every write then goes through the flusher: correct, not cheap.
const canTry = false

func tryWrite(int, []byte) (int, error) { return 0, nil }

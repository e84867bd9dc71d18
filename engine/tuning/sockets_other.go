//go:build !unix

package tuning

// CanTry is false where no plain system call is non-blocking. Every write then goes
// through the flusher, which is correct but costs more.
const CanTry = false

// TryWrite and TryRead are not called where CanTry is false.
func TryWrite(int, []byte) (int, error)      { return 0, nil }
func TryRead(int, []byte) (int, bool, error) { return 0, false, nil }

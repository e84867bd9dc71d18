package sqljournal

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes the file's lock for as long as f is open. The system releases it when
// the process ends, in whatever way.
func tryLock(f *os.File) (held bool, err error) {
	// The locked byte lies far behind the text, so that other processes can read
	// which process holds the lock.
	at := windows.Overlapped{OffsetHigh: 1}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

package sqljournal

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// lockedByte is a byte that SQLite never locks: it locks those from 1 GiB on.
const lockedByte = 1 << 29

// tryLockContents takes a lock that goes with what is in the file, whatever path leads to
// it. A hard link in another folder has a lock file of its own. The lock belongs to f and
// not to the process, so it does not meet the locks of SQLite, and lasts until f is
// closed. Closing f drops the locks of SQLite in this process, so that f must be closed
// last. A file system without such locks counts as locked: the lock file is what is left.
func tryLockContents(f *os.File) (held bool, err error) {
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: lockedByte, Len: 1}
	for {
		err = unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &lock)
		switch {
		case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EACCES):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return true, nil
		}
	}
}

//go:build unix

package sqljournal

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the file's lock for as long as f is open. The kernel releases it when
// the process ends, in whatever way.
func tryLock(f *os.File) (held bool, err error) {
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

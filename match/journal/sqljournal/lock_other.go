//go:build !linux

package sqljournal

import "os"

// tryLockContents does nothing: this system has no lock on a file's contents that SQLite's
// own locks do not meet.
func tryLockContents(*os.File) (held bool, err error) { return true, nil }

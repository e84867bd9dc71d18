//go:build unix

package sqljournal

import (
	"os"
	"path/filepath"
	"testing"
)

// The database holds the keys that sign cookies.
func TestOnlyThisUserCanReadTheDatabase(t *testing.T) {
	path := file(t)
	db := reopen(t, Options{Path: path})
	newRoom(t, db, "r1")
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s has the mode %o", filepath.Base(name), mode)
		}
	}
}

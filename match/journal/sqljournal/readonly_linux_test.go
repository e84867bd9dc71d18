package sqljournal

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestReadOnlyFileFolderOrLockFileIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		freeze func(path string) error
	}{
		{"file", func(path string) error { return os.Chmod(path, 0o400) }},
		{"folder", func(path string) error { return os.Chmod(filepath.Dir(path), 0o500) }},
		{"lock file", func(path string) error { return os.Chmod(path+".lock", 0o400) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := file(t)
			fill(t, path)
			if tt.name == "folder" {
				if err := os.Remove(path + ".lock"); err != nil {
					t.Fatal(err)
				}
			}
			if err := tt.freeze(path); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(filepath.Dir(path), 0o700)
			var err error
			done := make(chan struct{})
			go func() {
				defer close(done)
				dropOverride(t)
				var db *DB
				if db, err = Open(t.Context(), Options{Path: path}); err == nil {
					_ = db.Close()
				}
			}()
			<-done
			if code(err) != CodeReadOnly {
				t.Errorf("got %v, want the code %s", err, CodeReadOnly)
			}
		})
	}
}

// dropOverride makes permissions count for this goroutine even if the process is
// root's. The goroutine keeps its thread, which ends with it.
func dropOverride(t *testing.T) {
	runtime.LockOSThread()
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	if err := unix.Capget(&head, &caps[0]); err != nil {
		t.Error(err)
		return
	}
	caps[0].Effective &^= 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH
	if err := unix.Capset(&head, &caps[0]); err != nil {
		t.Error(err)
	}
}

package process

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestReadOnlyDatabasesAreRefused(t *testing.T) {
	t.Parallel()
	for name, freeze := range map[string]func(file string) error{
		"file":   func(file string) error { return os.Chmod(file, 0o400) },
		"folder": func(file string) error { return os.Chmod(filepath.Dir(file), 0o500) },
	} {
		t.Run(name, func(t *testing.T) {
			file := database(t)
			if err := os.Remove(file + ".lock"); err != nil {
				t.Fatal(err)
			}
			if err := freeze(file); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(filepath.Dir(file), 0o700)
			asOrdinaryUser(t, func() { refuses(t, "database "+file+": read-only: ", serveFrom(file)...) })
		})
	}
}

// asOrdinaryUser runs f so that file permissions hold for the programs that it starts,
// also if the tests run as root.
func asOrdinaryUser(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // the thread is never unlocked, so it ends with the goroutine
		for _, right := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, right, 0, 0, 0); err != nil && os.Getuid() == 0 {
				t.Error(err)
			}
		}
		f()
	}()
	<-done
}

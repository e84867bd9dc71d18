package testenv

import (
	"errors"
	"os"
	"os/exec"
)

// TB is the part of testing.TB that this package needs. The benchmark program uses this
// package too, and must not link package testing.
type TB interface {
	Helper()
	Skip(args ...any)
	Fatal(args ...any)
}

// SkipOrFail ends a test that could not start a program. If the program is not installed,
// the test is skipped; with MANCALA_TEST_ALL=1 it fails. Every other error fails the test.
func SkipOrFail(t TB, err error) {
	t.Helper()
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("MANCALA_TEST_ALL") != "1" {
		t.Skip(err)
	}
	t.Fatal(err)
}

// Installed returns the path of a program that a test needs. If the program is not installed,
// it ends the test, see [SkipOrFail].
func Installed(t TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		SkipOrFail(t, err)
	}
	return path
}

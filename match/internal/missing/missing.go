// Package missing says what a test does for which a program is not installed.
package missing

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

// Program skips a test that needs a program which is not installed. With
// MANCALA_TEST_ALL=1 that is a failure, and anything else always is.
func Program(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("MANCALA_TEST_ALL") != "1" {
		t.Skip(err)
	}
	t.Fatal(err)
}

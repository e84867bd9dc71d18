package histories

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// program builds the program once for all tests and returns its path.
var program func() (string, error)

// TestMain runs the tests with one build of the program.
func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mancala-histories-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = sync.OnceValues(func() (string, error) { return buildServer(dir) })
	return m.Run()
}

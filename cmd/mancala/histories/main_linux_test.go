package histories

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"

	"mancala/cmd/internal/server"
	"mancala/match/testenv"
)

// program is the program of all tests, with a clock that can be set.
var program = server.Program{Flags: func(dir string) ([]string, error) {
	flag, err := withClock(dir)
	return []string{"-pgo=off", "-gcflags=all=", flag}, err
}}

func TestMain(m *testing.M) {
	if runtime.GOARCH != "amd64" {
		fmt.Println("not tested: testdata/clock has assembly for amd64 only")
		if os.Getenv("MANCALA_TEST_ALL") != "" {
			os.Exit(1)
		}
		return
	}
	testenv.AtOnce(3)
	_, _ = program.Path(context.Background()) // before any test's patience begins; the tests report an error
	code := m.Run()
	program.Remove()
	os.Exit(code)
}

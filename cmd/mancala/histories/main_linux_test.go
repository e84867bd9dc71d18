package histories

import (
	"os"
	"testing"

	"mancala/cmd/internal/server"
)

// program is the program of all tests, with a clock that can be set.
var program = server.Program{Flags: func(dir string) ([]string, error) {
	flag, err := overlay(dir)
	return []string{"-pgo=off", flag}, err
}}

func TestMain(m *testing.M) {
	code := m.Run()
	program.Remove()
	os.Exit(code)
}

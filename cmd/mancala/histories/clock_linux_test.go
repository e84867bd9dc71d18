package histories

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// withClock returns the flag of go build for a program whose wall clock a test can set, since
// the clock of one process cannot be set from outside. The files of testdata/clock become part
// of package main (go build -overlay); no other package is compiled again. It writes to dir.
func withClock(dir string) (flag string, err error) {
	module, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	main := filepath.Join(filepath.Dir(strings.TrimSpace(string(module))), "cmd", "mancala")
	replace := map[string]string{}
	for _, name := range []string{"clock.go", "clock_amd64.s"} {
		source, err := filepath.Abs(filepath.Join("testdata", "clock", name))
		if err != nil {
			return "", err
		}
		replace[filepath.Join(main, "tests_"+name)] = source
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return "-overlay=" + file, os.WriteFile(file, list, 0o600)
}

package engine_test

import (
	"os/exec"
	"strings"
	"testing"
)

func TestEngineImportsOnlyTheStandardLibrary(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.TrimSpace(string(out)); got != "mancala/engine" {
		t.Errorf("the engine needs\n%s", got)
	}
}

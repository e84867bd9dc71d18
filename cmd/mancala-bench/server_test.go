package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestServerIsTheGivenProgramOrTheOneBeside(t *testing.T) {
	beside, elsewhere := t.TempDir(), t.TempDir()
	for _, dir := range []string{beside, elsewhere} {
		if err := os.WriteFile(filepath.Join(dir, "mancala"), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ name, given, want, err string }{
		{"given", filepath.Join(elsewhere, "mancala"), filepath.Join(elsewhere, "mancala"), ""},
		{"beside", "", filepath.Join(beside, "mancala"), ""},
		{"given and missing", filepath.Join(elsewhere, "missing"), "", "--server: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &program{given: tt.given, beside: beside, errOut: io.Discard}
			defer p.remove()
			got, err := p.find(t.Context())
			if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
				t.Errorf("%q, %v, want %q, %q", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestServerIsBuiltOnceAndRemoved(t *testing.T) {
	t.Setenv("GOFLAGS", "-pgo=off") // shares the packages that other tests compile
	p := &program{beside: t.TempDir(), errOut: t.Output()}
	path, err := p.find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.find(t.Context()); again != path || err != nil {
		t.Errorf("the second time: %q, %v, want %q", again, err, path)
	}
	p.remove()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("%s is there after remove: %v", path, err)
	}
}

package process

import (
	"debug/elf"
	"strings"
	"testing"

	"mancala/cmd/internal/server"
)

// maxProgram is the size of the program without symbols, in bytes. One package that calls methods by name, as
// text/template does, makes the linker keep every method of every type, which costs a fifth of the size
// (deploy/decisions/0046).
const maxProgram = 45_000_000

func TestProgramIsSmall(t *testing.T) {
	t.Parallel()
	released := server.Program{Flags: func(string) ([]string, error) { return []string{"-pgo=off"}, nil }}
	t.Cleanup(released.Remove)
	path, err := released.Path(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	size := uint64(0)
	for _, s := range file.Sections {
		symbols := strings.HasPrefix(s.Name, ".debug_") || s.Name == ".symtab" || s.Name == ".strtab"
		if s.Type != elf.SHT_NOBITS && !symbols {
			size += s.FileSize
		}
	}
	t.Logf("%.1f MB without symbols", float64(size)/1e6)
	if size > maxProgram {
		t.Errorf("the program has %d bytes without symbols, more than %d", size, maxProgram)
	}
}

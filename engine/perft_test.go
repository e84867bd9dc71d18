package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mancala/engine"
)

// TestPerftCountsMatchTheReference counts the sequences of plies in testdata/perft. A
// file has blocks: a line "rules ...", a line "from ..." unless it is the first
// position, and a line for each depth.
func TestPerftCountsMatchTheReference(t *testing.T) {
	files, err := filepath.Glob("testdata/perft/*.txt")
	if err != nil || len(files) != len(engine.Systems) {
		t.Fatalf("%d files for %d systems, %v", len(files), len(engine.Systems), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
				got = append(got, perftBlock(t, block))
			}
			golden(t, file, strings.Join(got, "\n"))
		})
	}
}

// perftBlock counts a block again, to the same depth.
func perftBlock(t *testing.T, block string) string {
	lines := strings.Split(block, "\n")
	rules := strings.TrimPrefix(lines[0], "rules ")
	out := []string{lines[0]}
	g, from := game(t, rules), ""
	if text, ok := strings.CutPrefix(lines[1], "from "); ok {
		from = text
		out = append(out, lines[1])
	}
	depth := len(lines) - len(out)
	if testing.Short() {
		depth = min(depth, 4)
	}
	p := position(t, g, from)
	for d := 1; d <= depth; d++ {
		out = append(out, fmt.Sprintf("%d %d", d, g.Perft(&p, &engine.History{}, d)))
	}
	return strings.Join(append(out, lines[len(out):]...), "\n") + "\n"
}

package artifact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"hash"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// line is one line of sources.txt: a package, a module or a name below, and the hash or the
// version of what it was.
type line struct{ name, sum string }

// exact names the hash of everything that decides the bytes of the artifact: Go's version,
// and the sources with their comments, since a module has line numbers. It is no reason to
// build again.
const exact = "exact"

func format(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintln(&b, l.sum, l.name)
	}
	return b.String()
}

func parse(text string) (lines []line) {
	for row := range strings.Lines(text) {
		sum, name, _ := strings.Cut(strings.TrimSpace(row), " ")
		lines = append(lines, line{name, sum})
	}
	return lines
}

// compare returns what has changed, and whether a build now must give the same bytes.
func compare(was, now []line) (same bool, changed []string) {
	for _, l := range now {
		switch {
		case l.name == exact:
			same = slices.Contains(was, l)
		case !slices.Contains(was, l):
			changed = append(changed, l.name)
		}
	}
	for _, l := range was {
		if !slices.ContainsFunc(now, func(n line) bool { return n.name == l.name }) {
			changed = append(changed, l.name)
		}
	}
	return same, changed
}

// inputs returns what the module is built of: each package of this repository with a hash of
// its code, each other Go module with its version, and the flags.
func inputs(t *testing.T) []line {
	t.Helper()
	out, err := forBrowsers("list", "-deps", "-json=ImportPath,Dir,Standard,Module,GoFiles,SFiles,EmbedFiles", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	everything := sha256.New()
	fmt.Fprintln(everything, runtime.Version(), flags)
	lines := []line{{"flags", digest([]byte(strings.Join(flags, "\n")))}}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir             string
			Standard                    bool
			Module                      *struct{ Path, Version string }
			GoFiles, SFiles, EmbedFiles []string
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch {
		case p.Standard:
		case p.Module.Version != "":
			l := line{p.Module.Path, p.Module.Version}
			if !slices.Contains(lines, l) {
				lines = append(lines, l)
			}
			fmt.Fprintln(everything, l)
		default:
			code := sha256.New()
			for _, name := range slices.Concat(p.GoFiles, p.SFiles, p.EmbedFiles) {
				text, err := os.ReadFile(filepath.Join(p.Dir, name))
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(everything, "%s/%s %x\n", p.ImportPath, name, sha256.Sum256(text))
				fmt.Fprintln(code, name)
				if filepath.Ext(name) == ".go" {
					writeCode(code, text)
				} else {
					code.Write(text)
				}
			}
			lines = append(lines, line{p.ImportPath, sum(code)})
		}
	}
	return append(lines, line{exact, sum(everything)})
}

// writeCode writes the words of a Go file without its comments. Comments that the compiler
// reads stay.
func writeCode(w io.Writer, text []byte) {
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.COMMENT && !strings.HasPrefix(lit, "//go:"):
		case tok == token.SEMICOLON:
			fmt.Fprintln(w, tok)
		default:
			fmt.Fprintln(w, tok, lit)
		}
	}
}

func digest(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:16])
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:16]) }

// What makes the artifact stale, and what does not.
func TestStalenessFollowsTheCode(t *testing.T) {
	hashOf := func(text string) string {
		h := sha256.New()
		writeCode(h, []byte(text))
		return sum(h)
	}
	const text = "package p\n\n// F is a function.\nfunc F() int { return 1 }\n"
	for _, tt := range []struct {
		name, text string
		stale      bool
	}{
		{"a comment", "package p\n\n// F returns 1.\n// It is short.\nfunc F() int { return 1 }\n", false},
		{"a number", "package p\n\n// F is a function.\nfunc F() int { return 2 }\n", true},
		{"a name", "package p\n\n// F is a function.\nfunc G() int { return 1 }\n", true},
		{"a directive", "package p\n\n//go:noinline\nfunc F() int { return 1 }\n", true},
		{"a line break that ends a statement", "package p\n\n// F is a function.\nfunc F() int { return\n1 }\n", true},
	} {
		if stale := hashOf(tt.text) != hashOf(text); stale != tt.stale {
			t.Errorf("%s: stale is %v", tt.name, stale)
		}
	}
	old := []line{{"a", "1"}, {"b", "2"}, {exact, "3"}}
	for _, tt := range []struct {
		now     []line
		same    bool
		changed string
	}{
		{[]line{{"a", "1"}, {"b", "2"}, {exact, "3"}}, true, ""},
		{[]line{{"a", "1"}, {"b", "2"}, {exact, "4"}}, false, ""},
		{[]line{{"a", "1"}, {"c", "2"}, {exact, "4"}}, false, "c b"},
		{[]line{{"a", "2"}, {"b", "2"}, {exact, "4"}}, false, "a"},
	} {
		if same, changed := compare(old, tt.now); same != tt.same || strings.Join(changed, " ") != tt.changed {
			t.Errorf("%v: %v %v", tt.now, same, changed)
		}
	}
}

// Command testreport reads what go test -json writes. It prints what go test prints
// without -json: a line for each package, and the output of what failed. The last lines repeat
// the beginning of that output, since some places show only the end of a long log. It also
// adds the time of each test to a file, from which deploy/test.sh prints the slowest.
//
// Its exit status is 1 when a test or a build has failed.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	times := flag.String("times", "", "file that gets a line for each test: seconds, package, name")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *times); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, times string) error {
	var record io.Writer = io.Discard
	if times != "" {
		f, err := os.OpenFile(times, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer f.Close()
		record = f
	}
	r := report{out: out, times: record, said: map[test]*strings.Builder{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			r.line(line)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if len(r.failed) > 0 {
		return fmt.Errorf("these failed:\n%s", strings.Join(r.failed, ""))
	}
	return nil
}

// event is one line of go test -json (go doc test2json).
type event struct {
	Action     string
	Package    string
	ImportPath string // of a build
	Test       string
	Elapsed    float64 // seconds
	Output     string
}

// test is a test, or a package if its name is empty.
type test struct{ pkg, name string }

// report keeps the output of each test until the test has ended.
type report struct {
	out, times io.Writer
	said       map[test]*strings.Builder
	failed     []string // packages and tests with the beginning of what they said
}

// repeated is how many lines of each failed test the last lines repeat.
const repeated = 30

func (r *report) line(line []byte) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil || e.Action == "" {
		_, _ = r.out.Write(line)
		return
	}
	key := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		_, _ = io.WriteString(r.out, e.Output)
	case "output":
		if progress(e.Output) {
			return
		}
		if r.said[key] == nil {
			r.said[key] = new(strings.Builder)
		}
		r.said[key].WriteString(e.Output)
	case "pass", "skip":
		r.time(e)
		if e.Test == "" {
			r.print(key) // the line of the package
		}
		delete(r.said, key)
	case "fail":
		r.time(e)
		r.failed = append(r.failed, r.excerpt(key))
		if e.Test == "" {
			r.rest(e.Package)
		}
		r.print(key)
		delete(r.said, key)
	}
}

// progress reports whether a line of output tells only that a test begins or goes on.
func progress(line string) bool {
	for _, prefix := range []string{"=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME "} {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return line == "PASS\n"
}

// excerpt returns the name of what failed and, of a test, the beginning of what it said.
func (r *report) excerpt(key test) string {
	if key.name == "" {
		return "\t" + key.pkg + "\n"
	}
	text := "\t" + key.pkg + " " + key.name + "\n"
	if b := r.said[key]; b != nil {
		lines := strings.SplitAfter(b.String(), "\n")
		text += strings.Join(lines[:min(len(lines), repeated)], "")
	}
	return text
}

func (r *report) print(key test) {
	if b := r.said[key]; b != nil {
		_, _ = io.WriteString(r.out, b.String())
	}
}

// rest prints what the tests of a package said that have not ended: one of them has ended
// the process, or the time was over.
func (r *report) rest(pkg string) {
	var open []test
	for key := range r.said {
		if key.pkg == pkg && key.name != "" {
			open = append(open, key)
		}
	}
	slices.SortFunc(open, func(a, b test) int { return strings.Compare(a.name, b.name) })
	for _, key := range open {
		r.print(key)
		delete(r.said, key)
	}
}

// time records how long a test took. A subtest is a part of its test.
func (r *report) time(e event) {
	if e.Test != "" && !strings.Contains(e.Test, "/") {
		_, _ = fmt.Fprintf(r.times, "%8.2f %s %s\n", e.Elapsed, e.Package, e.Test)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The bounds for every package with more than fewReferences references between its files:
// the share of the references, in percent, that run against the best order of the files,
// and the share between files of which each refers to the other.
const (
	fewReferences = 100
	mostAgainst   = 10
	mostMutual    = 50
)

// bounds are the bounds of packages that keep to less, or whose files work closely with
// each other around one type.
var bounds = map[string]struct{ against, mutual int }{
	"mancala/match":      {6, 30},
	"mancala/match/room": {6, 30},
	"mancala/web/live":   {5, 20},
	"mancala/web/pages":  {6, 25},
	"mancala/web/site":   {6, 15},

	"mancala/engine/search":  {10, 70}, // the searcher and its table
	"mancala/lobby/analysis": {6, 75},  // the analyses and their rows
	"mancala/web/webtest":    {6, 80},  // the client
}

// TestFilesOfAPackageReferOneWay puts the files of each package into an order in which most
// references point from a file to a later one. With -v it prints the figures, and the
// references that point back.
func TestFilesOfAPackageReferOneWay(t *testing.T) {
	packages, exports := modulePackages(t)
	measured := 0
	for _, p := range packages {
		r := countReferences(t, p, exports)
		total := r.total()
		if total <= fewReferences {
			continue
		}
		measured++
		t.Run(p.ImportPath, func(t *testing.T) {
			order := r.order()
			most := bounds[p.ImportPath]
			if most.against == 0 {
				most.against, most.mutual = mostAgainst, mostMutual
			}
			against, mutual := 100*float64(r.against(order))/float64(total), 100*float64(r.mutual())/float64(total)
			t.Logf("%d files, %d references between them, %.1f %% against the order, %.1f %% mutual", len(r.files), total, against, mutual)
			for i, late := range order {
				for _, early := range order[:i] {
					if back, on := r.from[late][early], r.from[early][late]; back > 0 {
						t.Logf("\tagainst the order: %d from %s to %s, %d the other way", back, r.files[late], r.files[early], on)
					}
				}
			}
			if against > float64(most.against) {
				t.Errorf("%.1f %% of the references between files run against the best order, want at most %d %%", against, most.against)
			}
			if mutual > float64(most.mutual) {
				t.Errorf("%.1f %% of the references are between files that refer to each other, want at most %d %%", mutual, most.mutual)
			}
		})
	}
	if measured < 20 {
		t.Errorf("measured only %d packages", measured)
	}
}

// listedPackage is a package as the go tool lists it.
type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// modulePackages returns the packages of this module, and where the compiled form of every
// package is that they need.
func modulePackages(t *testing.T) (packages []listedPackage, exports map[string]string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-pgo=off", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export", "mancala/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	exports = map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p listedPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if layer(p.ImportPath) >= 0 {
			packages = append(packages, p)
		}
	}
	return packages, exports
}

// references counts how often the files of a package refer to each other.
type references struct {
	files []string
	from  [][]int // from[a][b]: uses in file a of names that file b declares
}

// countReferences reads a package without its tests. A reference is a use of a name that
// another file of the package declares: a package-level name, a method or a field.
func countReferences(t *testing.T, p listedPackage, exports map[string]string) *references {
	t.Helper()
	r := &references{files: p.GoFiles}
	fset := token.NewFileSet()
	var parsed []*ast.File
	index := map[string]int{}
	for i, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
		index[filepath.Join(p.Dir, name)] = i
		r.from = append(r.from, make([]int, len(p.GoFiles)))
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := config.Check(p.ImportPath, fset, parsed, info)
	if err != nil {
		t.Fatal(err)
	}
	for use, name := range info.Uses {
		if name.Pkg() != pkg || !sharedByFiles(name) {
			continue
		}
		a, b := index[fset.Position(use.Pos()).Filename], index[fset.Position(name.Pos()).Filename]
		if a != b {
			r.from[a][b]++
		}
	}
	return r
}

// sharedByFiles reports whether every file of its package can use a name.
func sharedByFiles(name types.Object) bool {
	switch name := name.(type) {
	case *types.Var:
		if name.IsField() {
			return true
		}
	case *types.Func:
		if name.Signature().Recv() != nil {
			return true
		}
	}
	return name.Parent() == name.Pkg().Scope()
}

// total counts the references between files.
func (r *references) total() (n int) {
	for _, to := range r.from {
		for _, k := range to {
			n += k
		}
	}
	return n
}

// mutual counts the references between files of which each refers to the other.
func (r *references) mutual() (n int) {
	for a := range r.files {
		for b := range r.files {
			if r.from[b][a] > 0 {
				n += r.from[a][b]
			}
		}
	}
	return n
}

// against counts the references from a file to an earlier one in an order.
func (r *references) against(order []int) (n int) {
	for i, earlier := range order {
		for _, later := range order[i+1:] {
			n += r.from[later][earlier]
		}
	}
	return n
}

// order looks for the order of the files with the fewest references to an earlier file.
// It begins with a greedy order after Eades, Lin and Smyth (1993), and then moves single
// files for as long as a move helps. The result may not be the best.
func (r *references) order() []int {
	order := r.greedyOrder()
	for better := true; better; {
		better = false
		for i := range order {
			better = r.moveFile(order, i) || better
		}
	}
	return order
}

// greedyOrder takes the file that refers most to the remaining files, less what they
// refer to it, again and again.
func (r *references) greedyOrder() (order []int) {
	taken := make([]bool, len(r.files))
	for range r.files {
		best, most := -1, 0
		for a := range r.files {
			if taken[a] {
				continue
			}
			surplus := 0
			for b := range r.files {
				if !taken[b] {
					surplus += r.from[a][b] - r.from[b][a]
				}
			}
			if best < 0 || surplus > most {
				best, most = a, surplus
			}
		}
		taken[best] = true
		order = append(order, best)
	}
	return order
}

// moveFile moves the file at i to the place where the fewest references point back. It
// reports whether that is another place.
func (r *references) moveFile(order []int, i int) bool {
	f := order[i]
	to, best := i, 0
	for j, change := i+1, 0; j < len(order); j++ { // f behind order[j]
		if change += r.from[f][order[j]] - r.from[order[j]][f]; change < best {
			to, best = j, change
		}
	}
	for j, change := i-1, 0; j >= 0; j-- { // f before order[j]
		if change += r.from[order[j]][f] - r.from[f][order[j]]; change < best {
			to, best = j, change
		}
	}
	for ; i < to; i++ {
		order[i], order[i+1] = order[i+1], order[i]
	}
	for ; i > to; i-- {
		order[i], order[i-1] = order[i-1], order[i]
	}
	return best < 0
}

func TestOrderOfFilesHasTheFewestReferencesBack(t *testing.T) {
	r := &references{files: []string{"a", "b", "c", "d"}, from: [][]int{
		{0, 0, 0, 1}, // a refers once to d
		{2, 0, 0, 0},
		{1, 3, 0, 0},
		{5, 0, 2, 0}, // d refers to a and c
	}}
	order := r.order() // d, c, b, a: only a's reference points back
	if got := r.against(order); got != 1 || r.total() != 14 || r.mutual() != 6 {
		t.Errorf("order %v: %d of %d references against it, %d mutual, want 1 of 14 and 6", order, got, r.total(), r.mutual())
	}
}

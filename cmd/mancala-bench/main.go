// Command mancala-bench loads servers over real sockets and measures what the load
// costs them. It starts the servers itself, or measures servers that run already.
//
// A workload is what clients do, for example games at full speed. Each workload runs on
// each server in turn. A driver plays the same games on every kind of server, so that
// the results can be divided. The smallest server is a bare hub: most results are also
// printed as a ratio to the hub's in the same run, because absolute numbers depend on
// the machine.
//
// The server is built with a processor profile (deploy/decisions/0017). For a fair ratio
// the hub needs the same profile, so deploy/measure.sh builds this program with it too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mancala/cmd/internal/cli"
)

func main() { cli.Main("mancala-bench", run) }

// run is the whole program: it reads the flags, measures and prints the results.
func run(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	if isChild, err := runAsChild(ctx, args, out); isChild {
		return err
	}
	p := plan{errOut: &sharedWriter{w: errOut}}
	fs := flag.NewFlagSet("mancala-bench", flag.ContinueOnError)
	p.register(fs)
	if slices.ContainsFunc(args, cli.AsksForHelp) {
		fmt.Fprint(out, "mancala-bench [--baseline] [--transport] [--json] ... loads servers over real sockets and measures them.\n\n")
		errOut = out
	}
	words, err := cli.ParseFlags(fs, args, errOut)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return fmt.Errorf("%w: mancala-bench takes no %.40q; see mancala-bench --help", cli.ErrUsage, words[0])
	}
	if err := p.checkSizes(); err != nil {
		return err
	}
	if p.workList == "year" {
		p.year.database = p.database
		return p.year.simulate(ctx, out)
	}
	if err := p.check(); err != nil {
		return err
	}
	names, err := p.servers()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p.program = &program{given: p.server, beside: filepath.Dir(self), errOut: p.errOut}
	defer p.program.remove()
	results, err := p.run(ctx, names)
	if err != nil && len(results) == 0 {
		return err
	}
	if p.json {
		return errors.Join(err, printJSON(out, results))
	}
	return errors.Join(err, printTable(out, results), printInstances(out, results), printFigures(out, results))
}

// run runs each workload on all servers, round by round. A slow moment of the machine
// then affects all servers alike.
func (p plan) run(ctx context.Context, names []string) ([]result, error) {
	var all []result
	for _, w := range p.workloads() {
		if w.needsInstances() && p.shared == nil && len(p.targets) == 0 && !p.single() {
			var err error
			if p.shared, err = openBackends(p.database, p.relay); err != nil {
				return all, err
			}
			defer p.shared.close()
		}
		rounds := map[string][]result{}
		on := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !w.fits(name, names) })
		for round := range min(p.rounds, w.rounds()) {
			// The first server may leave the machine warmer or colder, so the order
			// alternates.
			order := slices.Clone(on)
			if round%2 == 1 {
				slices.Reverse(order)
			}
			for _, name := range order {
				r, err := p.once(ctx, name, w)
				if err != nil {
					return all, fmt.Errorf("%s on %s: %w", w.name, name, err)
				}
				rounds[name] = append(rounds[name], r)
			}
		}
		for _, name := range on {
			all = append(all, sumUp(rounds[name]))
		}
	}
	return all, nil
}

// once runs one workload on a fresh server, so that no run pays for the heap that
// another run has left behind.
func (p plan) once(ctx context.Context, name string, w workload) (result, error) {
	if p.startsServer(name) { // before the timeout: building may take longer than measuring
		if _, err := p.program.find(ctx); err != nil {
			return result{}, err
		}
	}
	patience := p.length + 2*time.Minute
	if w.hasFaults() {
		patience = time.Hour + 3*p.away
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	t, err := p.start(ctx, name)
	if err != nil {
		return result{}, err
	}
	defer t.stop()
	r, err := w.do(ctx, t)
	r.Server, r.Work, r.Kind = name, w.name, w.kind
	return r, err
}

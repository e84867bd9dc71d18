// Command mancala-bench loads servers over real sockets and measures what that costs
// them. It starts the servers itself, or measures some that run already.
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

// run loads servers over real sockets and prints what that costs them: a
// running one, or ours as a child process with each kind of journal. The bare
// hub is the unit: every other figure is also given as a ratio to the hub's in
// the same run, because a figure of one machine says little on another.
func run(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	if len(args) > 0 && yardsticks[args[0]] != nil {
		return yardsticks[args[0]](ctx, out)
	}
	p := plan{errOut: &sharedWriter{w: errOut}}
	fs := flag.NewFlagSet("mancala-bench", flag.ContinueOnError)
	p.register(fs)
	if slices.ContainsFunc(args, cli.AsksForHelp) {
		fmt.Fprint(out, "mancala-bench [--baseline] [--transport] [--json] ... loads servers and compares them.\n\n")
		errOut = out
	}
	if _, err := cli.ParseFlags(fs, args, errOut); err != nil {
		return err
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

// run does every piece of work on every server in turn, round after round, so
// that a slow moment of the machine hits all of them alike.
func (p plan) run(ctx context.Context, names []string) ([]result, error) {
	var all []result
	for _, w := range p.pieces() {
		if w.needsInstances() && p.shared == nil && len(p.targets) == 0 {
			var err error
			if p.shared, err = openBackends(p.database, p.relay); err != nil {
				return all, err
			}
			defer p.shared.close()
		}
		rounds := map[string][]result{}
		on := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !w.fits(name, names) })
		for round := range min(p.rounds, w.rounds()) {
			// Whoever goes first may leave the machine warmer or colder.
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

// once does one piece of work on a fresh server: what one run leaves behind in
// a heap is not another's to pay for.
func (p plan) once(ctx context.Context, name string, w work) (result, error) {
	if p.startsServer(name) { // building it may take longer than measuring
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

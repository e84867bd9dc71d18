package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"mancala/cmd/internal/cli"
	"mancala/engine"
	"mancala/engine/search/review"
)

// runAnalyse reads game records from files or from standard input, and writes them with
// the loss of each move. A record that breaks the rules is reported on errOut. All other
// records are still written, and the exit status is 1.
func runAnalyse(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("analyse", flag.ContinueOnError)
	b := review.Budget{}
	fs.Uint64Var(&b.Nodes, "nodes", 200_000, "positions to search for each ply")
	fs.Int64Var(&b.Memory, "memory", 64, "size of the table of positions, in MB")
	files, err := cli.ParseFlags(fs, args, errOut)
	if err != nil {
		return err
	}
	if b.Nodes < 1 || b.Memory < 1 || b.Memory > 1<<20 {
		return fmt.Errorf("%w: --nodes must be at least 1, and --memory 1 to 1048576 MB", cli.ErrUsage)
	}
	b.Memory <<= 20
	a := analyser{budget: b, out: out, errOut: errOut}
	if len(files) == 0 {
		return errors.Join(a.all(ctx, "standard input", in), a.failed)
	}
	for _, name := range files {
		if err := a.file(ctx, name); err != nil {
			return err
		}
	}
	return a.failed
}

// analyser writes annotated records.
type analyser struct {
	budget      review.Budget
	out, errOut io.Writer
	written     int
	failed      error // not nil if a record was refused and reported
}

func (a *analyser) file(ctx context.Context, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return a.all(ctx, name, f)
}

func (a *analyser) all(ctx context.Context, name string, in io.Reader) error {
	records := newRecordScanner(in)
	for n := 1; ctx.Err() == nil && records.next(); n++ {
		rec, err := a.one(ctx, records)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.failed = cli.ErrSilent
			fmt.Fprintf(a.errOut, "%s, record %d: %v\n", name, n, err)
			continue
		}
		if a.written++; a.written > 1 {
			fmt.Fprintln(a.out)
		}
		if _, err := io.WriteString(a.out, rec.String()); err != nil {
			return err
		}
	}
	return errors.Join(records.err, ctx.Err())
}

// one analyses the current record of the scanner.
func (a *analyser) one(ctx context.Context, records *recordScanner) (*engine.Record, error) {
	rec, game, err := readRecord(records.text(), records.tooLong)
	if err != nil {
		return nil, err
	}
	r, err := review.Of(ctx, game, a.budget)
	if err != nil {
		return nil, err
	}
	review.Annotate(rec, r)
	return rec, nil
}

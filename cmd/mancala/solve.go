package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/engine"
	"mancala/engine/search"
)

// runSolve prints the value of a position and the best line, or what is known when a limit
// is reached.
func runSolve(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("solve", flag.ContinueOnError)
	from := fs.String("from", "", "position to solve; empty: the start of the game")
	memory := fs.Int64("memory", 256, "size of the table of positions, in MB")
	limits := search.Limits{Prove: true}
	fs.DurationVar(&limits.Time, "time", 0, "stop after this time; 0: never")
	fs.Uint64Var(&limits.Nodes, "nodes", 0, "stop after this number of positions; 0: never")
	words, err := cli.ParseFlags(fs, args, errOut)
	if err != nil {
		return err
	}
	g, _, err := gameFromWords(words)
	if err != nil {
		return err
	}
	if *memory < 1 || *memory > 1<<20 {
		return fmt.Errorf("%w: --memory must be 1 to 1048576 MB", cli.ErrUsage)
	}
	p := g.Start()
	if *from != "" {
		if p, err = g.Parse(*from); err != nil {
			return err
		}
	}
	printAnswer(out, &p, search.New(g, *memory<<20).Search(ctx, p, nil, limits))
	return ctx.Err()
}

// printAnswer prints the result of a search, one fact a line.
func printAnswer(out io.Writer, p *engine.Position, a search.Answer) {
	seat := p.Shape.SeatName(p.Seat)
	switch {
	case a.Exact:
		fmt.Fprintf(out, "value   %+g for %s, exactly\n", a.Value, seat)
	default:
		fmt.Fprintf(out, "value   about %+.1f for %s, proven: %+d to %+d\n", a.Value, seat, a.Low, a.High)
	}
	var line []string
	for _, m := range a.Line {
		line = append(line, m.String())
	}
	fmt.Fprintf(out, "line    %s\n", strings.Join(line, " "))
	fmt.Fprintf(out, "nodes   %d\n", a.Nodes)
	rate := float64(a.Nodes) / max(a.Time.Seconds(), 1e-9) / 1e6
	fmt.Fprintf(out, "time    %v (%.1f million nodes per second)\n", a.Time.Round(time.Millisecond), rate)
	fmt.Fprintf(out, "stopped %s\n", a.Stop)
}

package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"mancala/cmd/internal/cli"
	"mancala/engine"
)

// runPerft prints one line for each depth from 1: the depth and the number of sequences of
// exactly that many plies.
func runPerft(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("perft", flag.ContinueOnError)
	depth := fs.Int("depth", 6, "the largest number of plies")
	from := fs.String("from", "", "position to start from; empty: the start of the game")
	words, err := cli.ParseFlags(fs, args, errOut)
	if err != nil {
		return err
	}
	g, _, err := gameFromWords(words)
	if err != nil {
		return err
	}
	if *depth < 1 || *depth > 100 {
		return fmt.Errorf("%w: --depth must be 1 to 100", cli.ErrUsage)
	}
	p := g.Start()
	if *from != "" {
		if p, err = g.Parse(*from); err != nil {
			return err
		}
	}
	if p.Phase == engine.Setup {
		return fmt.Errorf("there are endless lay-outs to count; give a position after the lay-out with --from")
	}
	for d := 1; d <= *depth && ctx.Err() == nil; d++ {
		fmt.Fprintln(out, d, g.Perft(&p, &engine.History{}, d))
	}
	return ctx.Err()
}

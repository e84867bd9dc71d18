package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"mancala/cmd/internal/cli"
	"mancala/engine"
	"mancala/engine/search"
)

// tuningMemory is the size in bytes of each player's table: a move has few nodes.
const tuningMemory = 1 << 20

// runTune looks for better weights of the evaluation. It changes one weight at a time, by 8, 4, 2
// and 1 sixteenths of a seed, lets the changed player play the best one so far, and keeps a change that wins
// the sequential test. The same flags give the same games.
func runTune(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("tune", flag.ContinueOnError)
	nodes := fs.Uint64("nodes", 1000, "positions that each player looks at for a move")
	d := search.Duel{Sequential: true, Random: 4, Within: 3}
	fs.IntVar(&d.Openings, "openings", 300, "the most openings of a comparison, each played from both sides")
	fs.Uint64Var(&d.Number, "number", 1, "the same number gives the same openings")
	words, err := cli.ParseFlags(fs, args, errOut)
	if err != nil {
		return err
	}
	if d.Game, _, err = gameFromWords(words); err != nil {
		return err
	}
	if *nodes < 1 || d.Openings < 1 {
		return fmt.Errorf("%w: --nodes and --openings must be at least 1", cli.ErrUsage)
	}
	d.Drawn = d.NewOpenings()
	player := func(w search.Weights) search.Mover {
		s := search.New(d.Game, tuningMemory)
		s.Weigh(w)
		return search.Fixed{Searcher: s, Limits: search.Limits{Nodes: *nodes}}
	}
	best := search.WeightsOf(d.Game.Rules())
	fmt.Fprintf(out, "start    %s\n", weightsText(d.Game, best))
	better := func(w search.Weights) (bool, error) {
		d.Movers = [2]search.Mover{player(w), player(best)}
		t, err := d.Run(ctx, func(search.Tally) {})
		if err != nil {
			return false, err
		}
		points, games := t.Score()
		word := map[int]string{1: "better", 0: "unclear", -1: "no"}[t.Verdict()]
		fmt.Fprintf(out, "%-8s %s: %.3f ± %.3f in %d games\n", word, weightsText(d.Game, w), points/float64(games), t.Interval(), games)
		return t.Verdict() > 0, nil
	}
	for step := int32(8); step > 0; step /= 2 {
		if err := climb(&best, d.Game.Rules(), step, better); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "best     %s\n", weightsText(d.Game, best))
	return nil
}

// climb changes each weight up or down by step, as long as that is better.
func climb(best *search.Weights, r engine.Rules, step int32, better func(search.Weights) (bool, error)) error {
	for i := range best.Features(r) {
		for _, by := range []int32{step, -step} {
			climbed := false
			for {
				try := *best
				*try.Features(r)[i].Weight += by
				ok, err := better(try)
				if err != nil {
					return err
				}
				if !ok {
					break
				}
				*best, climbed = try, true
			}
			if climbed {
				break // the other way leads back
			}
		}
	}
	return nil
}

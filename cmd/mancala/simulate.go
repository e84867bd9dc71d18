package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"mancala/cmd/internal/cli"
	"mancala/lobby/tournament/simulation"
	"mancala/lobby/tournament/swiss"
	"mancala/lobby/tournament/trf"
)

// runSimulate writes the report file of a random tournament.
func runSimulate(_ context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("simulate", flag.ContinueOnError)
	var o simulation.Options
	fs.IntVar(&o.Players, "players", 24, "how many players take part")
	fs.IntVar(&o.Rounds, "rounds", 7, "how many rounds are announced")
	fs.Uint64Var(&o.Run, "seed", 1, "the same number gives the same tournament")
	fs.IntVar(&o.Withdrawals, "withdrawals", 0, "percent of the players who leave before the end")
	fs.IntVar(&o.Late, "late", 0, "percent of the players who come after round 1")
	fs.IntVar(&o.Byes, "byes", 0, "percent of the players who ask for a bye in one round")
	fs.IntVar(&o.Forfeits, "forfeits", 0, "percent of the pairings in which one of the players does not come")
	fs.IntVar(&o.Draws, "draws", 20, "percent of the games that are drawn")
	words, err := cli.ParseFlags(fs, args, errOut)
	if err != nil {
		return err
	}
	if len(words) != 1 || words[0] != "swiss" {
		return fmt.Errorf("%w: mancala simulate swiss [flags]", cli.ErrUsage)
	}
	if err := o.Check(); err != nil {
		return fmt.Errorf("%w: %w", cli.ErrUsage, err)
	}
	e, err := simulation.Swiss(o)
	if errors.Is(err, swiss.ErrNoPairing) {
		fmt.Fprintf(errOut, "mancala simulate: the tournament ends after round %d: %v\n", e.Paired(), err)
		err = nil
	}
	if err != nil {
		return err
	}
	return trf.Write(out, e)
}

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"mancala/cmd/internal/cli"
	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/swiss"
	"mancala/lobby/tournament/trf"
)

// runPair prints the pairings of the next round of a report file, or of the round that
// --round names: a line for each, with the starting numbers of the players who move first and second.
func runPair(_ context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("pair", flag.ContinueOnError)
	round := fs.Int("round", 0, "the round to pair, from the results of the rounds before it; 0: the next one")
	e, err := readReport(fs, "pair", args, in, errOut)
	if err != nil {
		return err
	}
	if err := isSwiss(e); err != nil {
		return err
	}
	if *round == 0 {
		*round = e.Paired() + 1
	}
	if *round < 1 || *round > e.Paired()+1 {
		return fmt.Errorf("%w: --round is 1 to %d: the round after the last that was paired", cli.ErrUsage, e.Paired()+1)
	}
	pairings, err := swiss.Pair(e.Before(*round), *round)
	if errors.Is(err, swiss.ErrNoPairing) {
		return fmt.Errorf("%w: %w", cli.ErrNoAnswer, err)
	}
	if err != nil {
		return err
	}
	for _, p := range pairings {
		fmt.Fprintln(out, p.First, p.Second)
	}
	return nil
}

// runCheck reports for each round of a report file whether its pairings are those of the
// system. It fails where they are not.
func runCheck(_ context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	e, err := readReport(fs, "check", args, in, errOut)
	if err != nil {
		return err
	}
	if err := isSwiss(e); err != nil {
		return err
	}
	differs := false
	for round := 1; round <= e.Paired(); round++ {
		missing, foreign, err := swiss.Check(e, round)
		switch {
		case err != nil:
			fmt.Fprintf(out, "Round %d: %v.\n", round, err)
		case len(missing)+len(foreign) == 0:
			fmt.Fprintf(out, "Round %d: the pairings are those of the system.\n", round)
			continue
		default:
			fmt.Fprintf(out, "Round %d: the system pairs %s; the file has %s.\n", round, inWords(missing), inWords(foreign))
		}
		differs = true
	}
	if differs {
		return cli.ErrSilent
	}
	return nil
}

// isSwiss returns an error for a file of another system, whose pairings do not follow from results.
func isSwiss(e *crosstable.Event) error {
	if e.System != crosstable.Swiss {
		return fmt.Errorf("the file is of a %s, and not of a Swiss", e.System)
	}
	return nil
}

// inWords lists pairings for a reader.
func inWords(pairings []swiss.Pairing) string {
	var words []string
	for _, p := range pairings {
		if p.Second == 0 {
			words = append(words, fmt.Sprintf("%d with nobody", p.First))
		} else {
			words = append(words, fmt.Sprintf("%d with %d", p.First, p.Second))
		}
	}
	if len(words) == 0 {
		return "nothing else"
	}
	return strings.Join(words, ", ")
}

// readReport parses the flags of a command and reads the report file that its one word names,
// or standard input for "-".
func readReport(fs *flag.FlagSet, name string, args []string, in io.Reader, errOut io.Writer) (*crosstable.Event, error) {
	words, err := cli.ParseFlags(fs, args, errOut)
	if err != nil {
		return nil, err
	}
	if len(words) != 1 {
		return nil, fmt.Errorf("%w: mancala %s FILE.trf; - is standard input", cli.ErrUsage, name)
	}
	if words[0] == "-" {
		return trf.Read(in)
	}
	f, err := os.Open(words[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return trf.Read(f)
}

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"mancala/cmd/internal/cli"
	"mancala/lobby/tournament/tiebreak"
)

// runStandings prints the standings of a report file, with how each tie-break comes about.
func runStandings(_ context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("standings", flag.ContinueOnError)
	list := fs.String("tiebreaks", "", "tie-breaks in their order: "+strings.Join(tiebreak.Codes(), ", ")+"; empty: those of the file, or "+tiebreak.Usual)
	e, err := readReport(fs, "standings", args, in, errOut)
	if err != nil {
		return err
	}
	if *list == "" {
		*list = tiebreak.Usual
		if len(e.TieBreaks) > 0 {
			*list = strings.Join(e.TieBreaks, ",")
		}
	}
	rules, err := tiebreak.Parse(*list)
	if err != nil {
		return fmt.Errorf("%w: %w", cli.ErrUsage, err)
	}
	for _, row := range tiebreak.Standings(e, rules) {
		fmt.Fprintf(out, "%d. %s (number %d): %d.%d\n", row.Place, e.Player(row.Number).Name, row.Number, row.Points/10, row.Points%10)
		for k, rule := range rules {
			fmt.Fprintf(out, "   %s, %s: %s\n", rule.Code, rule.Name, row.Values[k].Why)
		}
	}
	return nil
}

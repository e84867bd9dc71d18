package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"mancala/cmd/internal/cli"
	"mancala/engine"
	"mancala/engine/compose"
)

// runRules lists the systems and the named house rules. For one system with house rules it prints the options, the
// description, the canonical text and the hash, or why the combination is invalid.
func runRules(_ context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	words, err := cli.ParseFlags(flag.NewFlagSet("rules", flag.ContinueOnError), args, errOut)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		for _, row := range engine.Systems {
			fmt.Fprintf(out, "%-18s %s (%s)\n", row.Name, row.Title, row.Source)
		}
		fmt.Fprint(out, "\nHouse rules that have a name:\n")
		for _, k := range compose.KnownRules {
			fmt.Fprintf(out, "  %-34s %s\n", k.Title, k.Text())
		}
		return nil
	}
	g, base, err := gameFromWords(words)
	if err != nil {
		return err
	}
	r := g.Rules()
	group := ""
	for _, o := range engine.Options() {
		if o.Group != group {
			group = o.Group
			fmt.Fprintf(out, "%s\n", group)
		}
		fmt.Fprintf(out, "  %-16s %-24s %s\n", o.Name, o.Get(r), o.What)
	}
	fmt.Fprintf(out, "\n%s\n\n", r.Describe())
	if differences := engine.Differences(r, base); len(differences) > 0 {
		fmt.Fprintf(out, "Unlike the system:\n")
		for _, d := range differences {
			fmt.Fprintf(out, "  %s\n", d)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "canonical %s\nhash %s\n", r, r.Hash())
	return nil
}

// gameFromWords compiles the words NAME [key=value ...]. base is the system without house
// rules.
func gameFromWords(words []string) (g *engine.Game, base engine.Rules, err error) {
	text := strings.Join(words, " ")
	if text == "" {
		return nil, base, fmt.Errorf("%w: name a system; mancala rules lists them", cli.ErrUsage)
	}
	name, _, _ := strings.Cut(text, " ")
	base, ok := engine.System(name)
	if !ok {
		return nil, base, fmt.Errorf("there is no system %.40q; mancala rules lists them", name)
	}
	r, err := engine.ParseRules(text)
	if err != nil {
		return nil, base, err
	}
	g, err = engine.Compile(r)
	return g, base, err
}

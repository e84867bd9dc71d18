// Command mancala is the whole product in one binary.
//
// Without a sub-command it serves. Each sub-command is one file with its flags, the
// wiring and a run function that tests call too. The rules of games are in engine, rooms
// in match, pages in web.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"mancala/cmd/internal/cli"
)

// A command is one sub-command.
type command struct {
	name, args, what string
	run              cli.Run
}

var commands = []command{
	{"serve", "[--addr :8080] [--database mancala.db] ...", "serve the whole product, also without a command; serve --help lists the flags", runServe},
	{"db", "backup FILE | copy postgres://… | stats [--database mancala.db]", "copy the database into a new file, also while a server uses it; copy its contents into PostgreSQL; or print the size of each table", runDB},
	{"rules", "[NAME [key=value ...]]", "list the systems, or explain one with its house rules", runRules},
	{"replay", "< FILE", "read game records on standard input and print a JSON object for each", runReplay},
	{"gif", "< FILE > FILE.gif", "read a game record on standard input and write the game as a moving picture (GIF)", runGif},
	{"perft", "NAME [key=value ...] --depth N [--from POSITION]", "count the sequences of plies", runPerft},
	{"solve", "NAME [key=value ...] [--from POSITION] [--memory MB]", "print the value of a position and the best line", runSolve},
	{"analyse", "[FILE ...] [--nodes N] [--memory MB]", "read game records and write them with the loss of each move", runAnalyse},
	{"duel", "A B [--rules \"NAME key=value ...\"] [--openings N]", "play games between two levels or settings from random openings", runDuel},
	{"tune", "NAME [key=value ...] [--nodes N] [--openings N]", "look for better weights of the evaluation by self-play", runTune},
	{"pair", "FILE.trf [--round N]", "pair the next round of a Swiss tournament; prints FIRST SECOND for each board, 0 for the bye", runPair},
	{"check", "FILE.trf", "report for each round of a Swiss tournament whether its pairings follow the Dutch system", runCheck},
	{"standings", "FILE.trf [--tiebreaks LIST]", "print the standings of a tournament, with how each tie-break comes about", runStandings},
	{"simulate", "swiss [--players N] [--rounds N] [--seed N] ...", "write the report file of a random tournament", runSimulate},
	{"play", "NAME [key=value ...]", "play in the terminal, with all players at one keyboard", runPlay},
}

func main() { cli.Main("mancala", run) }

// run runs the sub-command that args names.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	if len(args) > 1 && args[0] == "help" {
		args = []string{args[1], "--help"}
	}
	if len(args) > 0 && (args[0] == "help" || args[0] == "--help" || args[0] == "-h") {
		usage(out)
		return nil
	}
	if len(args) > 0 && (args[0] == "version" || args[0] == "--version") {
		fmt.Fprintln(out, "mancala", version())
		return nil
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return runServe(ctx, args, in, out, errOut)
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		if c.name != "serve" && slices.ContainsFunc(args, cli.AsksForHelp) {
			c.explain(out)
			errOut = out
		}
		return c.run(ctx, args[1:], in, out, errOut)
	}
	if args[0] == "bench" {
		return fmt.Errorf("%w: there is no command \"bench\": to measure servers, run mancala-bench (mancala-bench --help explains it)", cli.ErrUsage)
	}
	return fmt.Errorf("%w: there is no command %.40q; see mancala --help", cli.ErrUsage, args[0])
}

// explain prints the words and the purpose of a sub-command.
func (c *command) explain(w io.Writer) {
	fmt.Fprintf(w, "  mancala %s\n      %s\n", strings.TrimSpace(c.name+" "+c.args), c.what)
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "mancala plays every game of the mancala family.")
	fmt.Fprintln(w)
	for _, c := range commands {
		c.explain(w)
	}
	fmt.Fprintf(w, "  mancala --version\n      print the release\n")
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	new(serveFlags).register(fs)
	fmt.Fprintln(w, "\nFlags of serve. Each can also be set as an environment variable (--public-url as MANCALA_PUBLIC_URL):")
	cli.PrintFlags(w, fs)
}

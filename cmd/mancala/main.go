// Command mancala is the whole product in one binary.
//
// Without a sub-command it serves. Each sub-command is one file: its flags, the
// wiring, and a run function that tests call too. What the rules of a game are,
// how a room works, what a page looks like is decided elsewhere.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// A command is one sub-command. run gets the words after its name; what it
// returns is printed, and the exit status is 1, or 2 for [errUsage].
type command struct {
	name, args, what string
	run              func(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error
}

var commands = []command{
	{"serve", "[--addr :8080] [--database mancala.db] ...", "serve the whole product (this is what happens without a command); serve --help lists the flags", runServe},
	{"db", "backup FILE | copy postgres://… [--database mancala.db]", "copy the database into a new file, also while a server serves from it; or all it holds into PostgreSQL", runDB},
	{"bench", "[--baseline] [--transport] [--json] ...", "load servers and compare them", runBench},
	{"rules", "[NAME [key=value ...]]", "list the systems, or explain one with its house rules", runRules},
	{"replay", "", "read game records on standard input, print a JSON object for each", runReplay},
	{"perft", "NAME [key=value ...] --depth N [--from POSITION]", "count the sequences of plies", runPerft},
	{"solve", "NAME [key=value ...] [--from POSITION] [--memory MB]", "what a position is worth, and the best line", runSolve},
	{"analyse", "[FILE ...] [--nodes N] [--memory MB]", "read game records, write them with what each move lost", runAnalyse},
	{"duel", "A B [--rules \"NAME key=value ...\"] [--openings N]", "let two levels or settings play each other from random openings", runDuel},
	{"play", "NAME [key=value ...]", "play in the terminal, two at one keyboard", runPlay},
}

var (
	// errUsage means that the command line cannot be understood.
	errUsage = errors.New("usage")
	// errSilent means that everything has been said already.
	errSilent = errors.New("failed")
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends what does not listen to the first
	switch err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errSilent):
		os.Exit(1)
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, "mancala:", err)
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "mancala:", err)
		os.Exit(1)
	}
}

// run finds the sub-command and runs it.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
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
		if c.name != "serve" && slices.ContainsFunc(args, asksForHelp) {
			c.explain(out)
			errOut = out
		}
		return c.run(ctx, args[1:], in, out, errOut)
	}
	return fmt.Errorf("%w: there is no command %.40q; see mancala --help", errUsage, args[0])
}

func asksForHelp(arg string) bool { return arg == "--help" || arg == "-help" || arg == "-h" }

func (c *command) explain(w io.Writer) {
	fmt.Fprintf(w, "  mancala %s\n      %s\n", strings.TrimSpace(c.name+" "+c.args), c.what)
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "mancala plays every game of the mancala family.")
	fmt.Fprintln(w)
	for _, c := range commands {
		c.explain(w)
	}
	fmt.Fprintf(w, "  mancala --version\n      say which release this is\n")
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	new(serveFlags).register(fs)
	fmt.Fprintln(w, "\nFlags of serve, each also a variable of the environment (--public-url is MANCALA_PUBLIC_URL):")
	printFlags(w, fs)
}

// printFlags explains flags the way they are written everywhere here: with two
// dashes.
func printFlags(w io.Writer, fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		value, what := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "false" {
			what += " (" + f.DefValue + ")"
		}
		fmt.Fprintf(w, "  --%s\n      %s\n", strings.TrimSpace(f.Name+" "+value), what)
	})
}

// parseFlags parses flags that may stand before, between or after the other
// words, and returns those words.
func parseFlags(fs *flag.FlagSet, args []string, errOut io.Writer) ([]string, error) {
	fs.SetOutput(errOut)
	fs.Usage = func() { printFlags(errOut, fs) }
	var words []string
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, fmt.Errorf("%w: %w", errUsage, err)
		}
		if fs.NArg() == 0 {
			return words, nil
		}
		words, args = append(words, fs.Arg(0)), fs.Args()[1:]
	}
}

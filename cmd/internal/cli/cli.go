// Package cli has what the commands of this module share: how they read flags, print
// errors, wait and exit.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

var (
	// ErrUsage means that the command line cannot be understood.
	ErrUsage = errors.New("usage")
	// ErrSilent means that the error has been printed already.
	ErrSilent = errors.New("failed")
	// ErrNoAnswer means that the question was understood and has no answer.
	ErrNoAnswer = errors.New("no answer")
)

// Run runs a command with the words after its name.
type Run func(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error

// Main runs a program. It prints the error of run after the program's name. It exits
// with status 1 after an error, 2 after [ErrUsage], or 3 after [ErrNoAnswer]. The first interrupt or SIGTERM
// ends ctx; the second ends the process.
func Main(name string, run Run) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	switch err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, ErrSilent):
		os.Exit(1)
	case errors.Is(err, ErrUsage):
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(2)
	case errors.Is(err, ErrNoAnswer):
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(3)
	default:
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// AsksForHelp reports whether arg is the flag that asks for help.
func AsksForHelp(arg string) bool { return arg == "--help" || arg == "-help" || arg == "-h" }

// ParseFlags parses args, in which flags may stand before, between and after the other
// words, and returns those words. The error is [flag.ErrHelp] or wraps [ErrUsage].
func ParseFlags(fs *flag.FlagSet, args []string, errOut io.Writer) ([]string, error) {
	fs.SetOutput(errOut)
	fs.Usage = func() { PrintFlags(errOut, fs) }
	var words []string
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUsage, err)
		}
		if fs.NArg() == 0 {
			return words, nil
		}
		words, args = append(words, fs.Arg(0)), fs.Args()[1:]
	}
}

// PrintFlags explains each flag. It writes flags with two dashes, as every text of
// this module does.
func PrintFlags(w io.Writer, fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		value, what := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "false" {
			what += " (" + f.DefValue + ")"
		}
		fmt.Fprintf(w, "  --%s\n      %s\n", strings.TrimSpace(f.Name+" "+value), what)
	})
}

// Pause waits for d or until ctx ends.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return ctx.Err()
}

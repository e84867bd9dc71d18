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
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/sqljournal"
)

// runDB copies a database file, or prints what a database holds. The server may use the
// database meanwhile, except for "copy".
func runDB(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("db", flag.ContinueOnError)
	database := fs.String("database", defaultDatabase, "file to copy; or, for stats, a file or postgres://…; without the flag, what MANCALA_DATABASE names")
	if err := fromEnvironment(fs, os.LookupEnv); err != nil {
		return err
	}
	words, err := cli.ParseFlags(fs, args, errOut)
	if err != nil {
		return err
	}
	if len(words) == 1 && words[0] == "stats" {
		return printStats(ctx, *database, out)
	}
	if len(words) != 2 || words[0] != "backup" && words[0] != "copy" || words[0] == "copy" && !isPostgres(words[1]) {
		return fmt.Errorf("%w: mancala db backup FILE, mancala db copy postgres://… or mancala db stats [--database mancala.db]", cli.ErrUsage)
	}
	if *database == inMemory || strings.Contains(*database, "://") {
		return fmt.Errorf("%w: only a database file can be copied", cli.ErrUsage)
	}
	if words[0] == "copy" {
		return copyDatabase(ctx, *database, words[1], out)
	}
	if err := sqljournal.Backup(ctx, *database, words[1]); err != nil {
		return explain(err, "copy of "+*database+" to "+words[1])
	}
	info, err := os.Stat(words[1])
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s holds a checked copy of %s, %d KiB\n", words[1], *database, (info.Size()+1023)>>10)
	return nil
}

// explain returns err as one line for a person: what failed, a code to search for, and
// why. Errors that are not from a database are returned unchanged.
func explain(err error, what string) error {
	var file *sqljournal.Error
	var server *pgjournal.Error
	switch {
	case errors.As(err, &file):
		return &databaseError{fmt.Sprintf("%s: %s: %s", what, file.Code, oneLine(file.Err)), err}
	case errors.As(err, &server):
		return &databaseError{fmt.Sprintf("%s: %s: %s", what, server.Code, oneLine(server.Err)), err}
	}
	return err
}

// oneLine returns the text of err without line breaks.
func oneLine(err error) string {
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' })
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "; ")
}

// databaseError is an error with a text for people.
type databaseError struct {
	text string
	err  error
}

func (e *databaseError) Error() string { return e.text }
func (e *databaseError) Unwrap() error { return e.err }

package pgjournal

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"mancala/match/internal/breaker"
	"mancala/match/journal"
)

// Code is the kind of a database's failure. Its text is stable: logs, metrics and
// tests compare it.
type Code string

const (
	CodeAddress Code = "bad-address" // the URL is not an address of a PostgreSQL server
	CodeConnect Code = "cannot-connect"
	CodeDenied  Code = "denied"      // wrong user or password, or missing permissions
	CodeNone    Code = "no-database" // the server has no database of this name
	CodeNewer   Code = "newer"       // written by a newer version of this program
	CodeFull    Code = "full"        // no space, memory or connections left
	CodeClosed  Code = "closed"      // used after Close
	CodeOther   Code = "other"
)

// Error reports a failed operation of the database. If the database was running, the
// error wraps [journal.ErrUnavailable] or [journal.ErrUnknown] too.
type Error struct {
	Code  Code
	Op    string
	Where string
	Err   error
}

func (e *Error) Error() string {
	return fmt.Sprintf("pgjournal: %s %s: %s: %v", e.Op, e.Where, e.Code, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

var errClosed = errors.New("the database is closed")

// SQLSTATEs after which the operation is tried again: nothing was written.
const (
	serialization = "40001"
	deadlock      = "40P01"
	// Another transaction has added the same line since this one looked, and the
	// database noticed that before the conflict of the transactions. Or the statement
	// adds the line twice whenever it is run.
	duplicate = "23505"
)

func sqlState(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}

func isCode(err error, state string) bool { return err != nil && sqlState(err) == state }

// codeOf returns the code that an error stands for.
func codeOf(err error) Code {
	var own *Error
	var connect *pgconn.ConnectError
	var open *breaker.OpenError
	state := sqlState(err)
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.As(err, &open):
		return codeOf(open.Last)
	case errors.Is(err, errClosed), errors.Is(err, sql.ErrConnDone), errors.Is(err, sql.ErrTxDone):
		return CodeClosed
	case strings.HasPrefix(state, "28"), state == "42501":
		return CodeDenied
	case state == "3D000":
		return CodeNone
	case strings.HasPrefix(state, "53"):
		return CodeFull
	case errors.As(err, &connect), state == "57P03":
		return CodeConnect
	}
	return CodeOther
}

// wrap turns the error of an operation into an [*Error], once.
func (db *DB) wrap(op string, err error) error {
	var own *Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	return &Error{Code: codeOf(err), Op: op, Where: db.where, Err: err}
}

// unavailable returns an error for an operation that wrote nothing and may be
// repeated.
func (db *DB) unavailable(op string, err error) error {
	return fmt.Errorf("%w: %w", journal.ErrUnavailable, db.wrap(op, err))
}

// outcome returns the error of a failed statement. The outcome is known if the
// database refused the statement or if the statement was never sent.
func (db *DB) outcome(op string, err error) error {
	var connect *pgconn.ConnectError
	state := sqlState(err)
	ended := strings.HasPrefix(state, "57P") || strings.HasPrefix(state, "08") || strings.HasPrefix(state, "XX") // the server itself fails
	if state != "" && !ended || errors.As(err, &connect) || pgconn.SafeToRetry(err) || errors.Is(err, sql.ErrConnDone) {
		return db.unavailable(op, err)
	}
	return fmt.Errorf("%w: %w", journal.ErrUnknown, db.wrap(op, err))
}

// connectionLost reports whether the connection failed, and not the statement.
func connectionLost(err error) bool {
	var connect *pgconn.ConnectError
	var open *breaker.OpenError
	state := sqlState(err)
	return errors.As(err, &connect) || errors.As(err, &open) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		strings.HasPrefix(state, "57P") || strings.HasPrefix(state, "08") || state == "" && pgconn.Timeout(err)
}

// reads lists the operations that write nothing.
var reads = map[string]bool{"read": true, "room": true, "seqs": true, "due": true, "dead": true, "read checkpoint": true, "all read": true}

// statementError returns the error of a failed statement, caused by ctx or by the
// database.
func (db *DB) statementError(ctx context.Context, op, id string, err error) error {
	err = db.outcome(op, err)
	if ended := ctx.Err(); ended != nil {
		sort := journal.ErrUnknown
		if errors.Is(err, journal.ErrUnavailable) || reads[op] {
			sort = journal.ErrUnavailable
		}
		return contextError(op, id, sort, ended)
	}
	if reads[op] {
		return db.unavailable(op, err)
	}
	return err
}

func fail(op, id string, err error) error { return fmt.Errorf("pgjournal: %s %.64q: %w", op, id, err) }

// contextError reports that ctx ended; sort is the journal's error for what that
// leaves behind.
func contextError(op, id string, sort, ended error) error {
	return fmt.Errorf("pgjournal: %s %.64q: %w: %w", op, id, sort, ended)
}

func ms(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

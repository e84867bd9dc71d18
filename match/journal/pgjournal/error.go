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

// Code says what is the matter with a database. Its text is stable: logs, metrics
// and tests compare it.
type Code string

const (
	CodeAddress Code = "bad-address" // not an address of a PostgreSQL
	CodeConnect Code = "cannot-connect"
	CodeDenied  Code = "denied"      // the user or the password, or what he may do
	CodeNone    Code = "no-database" // the server has no database of this name
	CodeNewer   Code = "newer"       // written by a newer version of this program
	CodeFull    Code = "full"        // no space, memory or connections left
	CodeClosed  Code = "closed"      // used after Close
	CodeOther   Code = "other"
)

// Error is what a database cannot do, and why. An error while running wraps
// [journal.ErrUnavailable] or [journal.ErrUnknown] as well.
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

// SQLSTATEs that ask for another attempt: nothing was written.
const (
	serialization = "40001"
	deadlock      = "40P01"
	// Somebody has added the same line since the transaction looked, and the
	// database noticed that before it noticed who was in whose way; or else the
	// statement would add it twice whenever it is run.
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

// codeOf finds out which code an error stands for.
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

// wrap makes an [*Error] of what an operation met, once.
func (db *DB) wrap(op string, err error) error {
	var own *Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	return &Error{Code: codeOf(err), Op: op, Where: db.where, Err: err}
}

// unavailable says that an operation wrote nothing and may be tried again.
func (db *DB) unavailable(op string, err error) error {
	return fmt.Errorf("%w: %w", journal.ErrUnavailable, db.wrap(op, err))
}

// outcome says what became of a statement that failed: the database has refused
// it, or it was never sent; or else nobody knows.
func (db *DB) outcome(op string, err error) error {
	var connect *pgconn.ConnectError
	state := sqlState(err)
	ended := strings.HasPrefix(state, "57P") || strings.HasPrefix(state, "08") || strings.HasPrefix(state, "XX") // the server itself is in trouble
	if state != "" && !ended || errors.As(err, &connect) || pgconn.SafeToRetry(err) || errors.Is(err, sql.ErrConnDone) {
		return db.unavailable(op, err)
	}
	return fmt.Errorf("%w: %w", journal.ErrUnknown, db.wrap(op, err))
}

// connectionLost says whether an error is the connection's, not the statement's.
func connectionLost(err error) bool {
	var connect *pgconn.ConnectError
	var open *breaker.OpenError
	state := sqlState(err)
	return errors.As(err, &connect) || errors.As(err, &open) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		strings.HasPrefix(state, "57P") || strings.HasPrefix(state, "08") || state == "" && pgconn.Timeout(err)
}

// reads are the operations that have nothing to write.
var reads = map[string]bool{"read": true, "room": true, "seqs": true, "due": true, "dead": true}

// met is a statement that failed: ctx's doing or the database's.
func (db *DB) met(ctx context.Context, op, id string, err error) error {
	err = db.outcome(op, err)
	if ended := ctx.Err(); ended != nil {
		sort := journal.ErrUnknown
		if errors.Is(err, journal.ErrUnavailable) || reads[op] {
			sort = journal.ErrUnavailable
		}
		return over(op, id, sort, ended)
	}
	if reads[op] {
		return db.unavailable(op, err)
	}
	return err
}

func fail(op, id string, err error) error { return fmt.Errorf("pgjournal: %s %.64q: %w", op, id, err) }

// over says that ctx ended, and what that leaves.
func over(op, id string, sort, ended error) error {
	return fmt.Errorf("pgjournal: %s %.64q: %w: %w", op, id, sort, ended)
}

func ms(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

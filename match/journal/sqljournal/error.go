package sqljournal

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"mancala/match/journal"
)

// Code is the kind of a database's failure. Its text is stable: logs, metrics and
// tests compare it.
type Code string

const (
	CodeCannotOpen Code = "cannot-open" // the folder does not exist, the path is a folder, or the file may not be read
	CodeReadOnly   Code = "read-only"   // the file or its folder cannot be written
	CodeInUse      Code = "in-use"      // another server serves from this file
	CodeLocked     Code = "locked"      // another program holds SQLite's lock for too long
	CodeForeign    Code = "foreign"     // a file that is not a database, or another program's database
	CodeNewer      Code = "newer"       // written by a newer version of this program
	CodeCorrupt    Code = "corrupt"     // broken: restore a backup
	CodeFull       Code = "full"        // no space left
	CodeIO         Code = "io"          // the disk reports errors
	CodeLost       Code = "lost"        // another server has taken the database over: this process must stop
	CodeClosed     Code = "closed"      // used after Close
	CodeExists     Code = "exists"      // a backup does not overwrite a file
	CodeOther      Code = "other"
)

// Error reports a failed operation of the database. If the database was running, the
// error wraps [journal.ErrUnavailable] too: nothing was written.
type Error struct {
	Code Code
	Op   string
	Path string
	Err  error
}

func (e *Error) Error() string {
	return fmt.Sprintf("sqljournal: %s %s: %s: %v", e.Op, e.Path, e.Code, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// codeOf returns the code that an error stands for.
func codeOf(err error) Code {
	var own *Error
	var lite *sqlite.Error
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.As(err, &lite):
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
			return CodeCannotOpen
		case sqlite3.SQLITE_READONLY:
			return CodeReadOnly
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
			return CodeLocked
		case sqlite3.SQLITE_NOTADB:
			return CodeForeign
		case sqlite3.SQLITE_CORRUPT:
			return CodeCorrupt
		case sqlite3.SQLITE_FULL:
			return CodeFull
		case sqlite3.SQLITE_IOERR:
			return CodeIO
		}
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return CodeReadOnly
	case errors.Is(err, syscall.ENOSPC):
		return CodeFull
	case errors.Is(err, os.ErrNotExist):
		return CodeCannotOpen
	case errors.Is(err, sql.ErrConnDone), errors.Is(err, sql.ErrTxDone):
		return CodeClosed
	}
	return CodeOther
}

// wrap turns the error of an operation into an [*Error], once.
func (db *DB) wrap(op string, err error) error {
	var own *Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	return &Error{Code: codeOf(err), Op: op, Path: db.path, Err: err}
}

// unavailable returns an error for an operation that wrote nothing and may be
// repeated.
func (db *DB) unavailable(op string, err error) error {
	if errors.Is(err, journal.ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", journal.ErrUnavailable, db.wrap(op, err))
}

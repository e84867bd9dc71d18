package lobby

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"

	"mancala/match/journal"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Away reports whether err means that the database cannot be reached now, or not yet.
// The request was valid, and another try may succeed. Away also recognises the errors of
// the network and of the driver, because packages read tables through [DB.Reader].
func Away(err error) bool {
	var state interface{ SQLState() string }
	if errors.As(err, &state) {
		switch s := state.SQLState(); {
		case strings.HasPrefix(s, "08"), strings.HasPrefix(s, "53"), strings.HasPrefix(s, "57P"): // connection, resources, shutdown
			return true
		}
		return false
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, journal.ErrUnavailable) || errors.Is(err, journal.ErrUnknown) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
}

// CodeOf returns the stable code of err. An error that is not a refusal is a fault of
// the server: its code is "unavailable" if another try may succeed, and "internal"
// otherwise.
func CodeOf(err error) refusal.Code {
	switch code, refused := refusal.Of(err); {
	case refused:
		return code
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), Away(err):
		return room.CodeUnavailable
	}
	return "internal"
}

// Warn logs a failure that a request can go on without. args are pairs of keys and
// values, as in package slog. It logs at debug level if the client cancelled the
// request.
func Warn(log *slog.Logger, what string, err error, args ...any) {
	level := slog.LevelWarn
	if errors.Is(err, context.Canceled) {
		level = slog.LevelDebug
	}
	log.Log(context.Background(), level, what, append(args, "err", err)...)
}

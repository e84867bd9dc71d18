package lobby

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"mancala/match/journal"
)

// Away says whether an error means that the database cannot be reached now, or
// not yet again: nobody has done anything wrong, and it is worth another try. It
// knows what the network and the driver say, since packages read tables by way of
// [DB.Reader].
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

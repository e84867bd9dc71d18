package lobby

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
)

// stated is an error of a PostgreSQL.
type stated string

func (s stated) Error() string    { return "refused" }
func (s stated) SQLState() string { return string(s) }

func TestAway(t *testing.T) {
	for _, tt := range []struct {
		err  error
		away bool
	}{
		{&net.OpError{Op: "dial", Err: errors.New("connection refused")}, true},
		{io.ErrUnexpectedEOF, true},
		{stated("57P03"), true}, // it is starting up
		{stated("53300"), true}, // too many connections
		{stated("42P01"), false},
		{stated("23505"), false},
		{sql.ErrNoRows, false},
		{errors.New("a mistake of ours"), false},
	} {
		if got := Away(fmt.Errorf("circle: list: %w", tt.err)); got != tt.away {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
}

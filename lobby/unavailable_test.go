package lobby

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"mancala/match/journal/pgjournal"
	"mancala/match/journal/pgtest"
)

// stated is an error with an SQLSTATE, as PostgreSQL returns it.
type stated string

func (s stated) Error() string    { return "refused" }
func (s stated) SQLState() string { return string(s) }

func TestAwayRecognisesADatabaseThatDoesNotAnswer(t *testing.T) {
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
		if got := Away(fmt.Errorf("social: list: %w", tt.err)); got != tt.away {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
}

// TestAwayRecognisesAStoppedPostgres: without a server, each read and each write returns an
// error that Away recognises, also when the driver makes no new connection for it.
func TestAwayRecognisesAStoppedPostgres(t *testing.T) {
	pgtest.Open(t) // skips or fails the test where there is no PostgreSQL
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Remove)
	db, err := pgjournal.Open(t.Context(), pgjournal.Options{URL: server.URL("postgres")})
	if err != nil {
		t.Fatal(err)
	}
	closing(t, db.Close)
	server.Stop()
	for range 20 {
		if err := db.Reader().PingContext(t.Context()); !Away(err) {
			t.Errorf("without a server: %v", err)
		}
		if err := db.Write(t.Context(), func(*pgjournal.Tx) error { return nil }); !Away(err) {
			t.Errorf("writing without a server: %v", err)
		}
	}
}

package pgjournal

import (
	"context"
	"database/sql/driver"

	"mancala/match/internal/breaker"
)

// dialler makes the connections of a pool. All pools have one gate: it is the same
// server that is away.
type dialler struct {
	driver.Connector
	breaker *breaker.Breaker
	free    bool // does not ask: for signs of life, which come seldom and find out first
}

// Connect implements [driver.Connector]. What counts is a connection that can be
// used: a server that starts, or a network in between, accepts and then closes it.
func (d dialler) Connect(ctx context.Context) (driver.Conn, error) {
	if !d.free {
		if err := d.breaker.Allow(ctx); err != nil {
			return nil, err
		}
	}
	conn, err := d.Connector.Connect(ctx)
	d.breaker.Report(err)
	return conn, err
}

package pgjournal

import (
	"context"
	"database/sql/driver"

	"mancala/match/internal/breaker"
)

// guardedConnector makes the connections of a pool. All pools share one breaker,
// because they connect to the same server.
type guardedConnector struct {
	driver.Connector
	breaker   *breaker.Breaker
	unguarded bool // does not ask the breaker: for signs of life, which are rare and notice a failure first
}

// Connect implements [driver.Connector]. Only a connection that can be used counts as
// a success: a server that is starting, or a network in between, accepts a connection
// and then closes it.
func (d guardedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if !d.unguarded {
		if err := d.breaker.Allow(ctx); err != nil {
			return nil, err
		}
	}
	conn, err := d.Connector.Connect(ctx)
	d.breaker.Report(err)
	return conn, err
}

// Package sqlite opens SQLite databases whose connections reuse their prepared
// statements.
//
// Parsing a statement takes longer than running a typical one here, and database/sql closes
// a statement that it prepared for a single call. Here a closed statement stays in its
// connection until the same text comes again, so callers do not have to keep statements.
// The package knows no tables; the packages that use it do.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// maxKept is the number of statements that a connection keeps. The program uses few
// texts. The bound is for lists of placeholders, which can have any length.
const maxKept = 128

// Open returns a pool of connections to a database; name is a data source name of
// [modernc.org/sqlite]. It does not connect yet.
func Open(name string) (*sql.DB, error) {
	c, err := sqlite.NewConnector(name)
	if err != nil {
		return nil, fmt.Errorf("sqlite: open: %w", err)
	}
	return sql.OpenDB(connector{c}), nil
}

type connector struct{ driver.Connector }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{made.(connection), make(map[string]statement)}, nil
}

// connection is the part of a driver connection that this package passes on. The
// driver can also run a text without preparing it. That is left out, so database/sql
// prepares every text.
type connection interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// statement is the part of a driver statement that this package passes on.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// conn is used by one goroutine at a time, which database/sql ensures.
type conn struct {
	connection
	kept map[string]statement // prepared statements that are not in use
}

func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if s, ok := c.kept[query]; ok {
		delete(c.kept, query) // a second use of the same text at the same time prepares another statement
		return &lent{s, c, query}, nil
	}
	s, err := c.connection.PrepareContext(ctx, steady(query))
	if err != nil {
		return nil, err
	}
	return &lent{s.(statement), c, query}, nil
}

// steady makes SQLite keep its plan for a text. SQLite looks at the value of a bare
// LIMIT $n when it plans, so it would plan again whenever a value is bound.
func steady(query string) string { return strings.ReplaceAll(query, "LIMIT $", "LIMIT 0+$") }

func (c *conn) Close() error {
	var errs []error
	for _, s := range c.kept {
		errs = append(errs, s.Close())
	}
	c.kept = nil
	return errors.Join(append(errs, c.connection.Close())...)
}

// lent is a statement in use.
type lent struct {
	statement
	conn  *conn
	query string
}

// Close gives the statement back to its connection. The driver has reset it when its
// rows were closed.
func (l *lent) Close() error {
	if l.conn.kept != nil && len(l.conn.kept) < maxKept && l.conn.kept[l.query] == nil {
		l.conn.kept[l.query] = l.statement
		return nil
	}
	return l.statement.Close()
}

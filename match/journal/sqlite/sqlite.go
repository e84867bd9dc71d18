// Package sqlite opens SQLite databases whose connections keep their statements.
//
// To parse a statement takes longer than to run one of ours, and database/sql
// closes what it has prepared for a single call. Here a closed statement waits
// in its connection until its text comes again, so that nobody above has to keep
// statements himself. It knows no table: those are its users'.
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

// maxKept is how many statements a connection keeps. Texts are written by us and
// few; a list of placeholders of every length must not fill the memory.
const maxKept = 128

// Open gives a pool of connections to what a name of [modernc.org/sqlite] says.
// No connection is made yet.
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

// connection is what the driver's connections can do. They can also run a text at
// once: since that is left out, database/sql prepares it.
type connection interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// statement is what the driver's statements can do.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// conn is used by one goroutine at a time: database/sql sees to that.
type conn struct {
	connection
	kept map[string]statement // those that nobody uses now
}

func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if s, ok := c.kept[query]; ok {
		delete(c.kept, query) // whoever asks for the same text meanwhile gets another
		return &lent{s, c, query}, nil
	}
	s, err := c.connection.PrepareContext(ctx, steady(query))
	if err != nil {
		return nil, err
	}
	return &lent{s.(statement), c, query}, nil
}

// steady makes SQLite keep how it carries out a text. It looks at the value of a
// bare LIMIT $n when it plans, and so plans anew whenever a value is bound.
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

// Close gives it back. The driver has reset it when its rows were closed.
func (l *lent) Close() error {
	if l.conn.kept != nil && len(l.conn.kept) < maxKept && l.conn.kept[l.query] == nil {
		l.conn.kept[l.query] = l.statement
		return nil
	}
	return l.statement.Close()
}

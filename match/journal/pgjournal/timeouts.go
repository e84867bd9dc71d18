package pgjournal

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// A path to the server may be lost without an error: for minutes nothing arrives. A
// caller that waits for an answer over such a connection would wait as long and
// occupy a place in the pool. So two things have a bound. One is the time for an
// answer, which is longer than the server's own limit for a statement. The other is
// the time in which an idle connection must prove that it works before it is used.
const (
	timeoutSlack = time.Second     // from the server's limit to ours
	checkTimeout = 2 * time.Second // for the proof of an idle connection
	checkAfter   = time.Second     // idle time after which a connection is checked
)

// timeoutConn is a connection whose reads end with an error when nothing has arrived
// for the time most. Deadlines that its user sets hold too.
type timeoutConn struct {
	net.Conn
	most time.Duration

	mu    sync.Mutex
	until time.Time // deadline set by the user; zero if none
}

func (c *timeoutConn) Read(b []byte) (int, error) {
	c.mu.Lock()
	until := time.Now().Add(c.most)
	if !c.until.IsZero() && c.until.Before(until) {
		until = c.until
	}
	err := c.Conn.SetReadDeadline(until)
	c.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

func (c *timeoutConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = t
	if t.IsZero() {
		return nil // a waiting read has its own deadline
	}
	return c.Conn.SetReadDeadline(t)
}

func (c *timeoutConn) SetDeadline(t time.Time) error {
	if err := c.Conn.SetWriteDeadline(t); err != nil {
		return err
	}
	return c.SetReadDeadline(t)
}

// limitReads makes connections wait for an answer at most for the given time.
func limitReads(config *pgx.ConnConfig, most time.Duration) {
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &timeoutConn{Conn: c, most: most}, nil
	}
}

// livenessCheck checks the idle connections of a pool before they are used. If one
// does not answer, the other idle connections were probably lost with it, and the
// pool drops them: trying one after the other would take a time-out for each.
type livenessCheck struct {
	pool *sql.DB // set before the pool is used
	size int
}

func (p *livenessCheck) options() []stdlib.OptionOpenDB {
	return []stdlib.OptionOpenDB{stdlib.OptionShouldPing(p.check), stdlib.OptionResetSession(p.reset)}
}

// check replaces pgx's own ping, which waits as long as its context.
func (p *livenessCheck) check(ctx context.Context, c stdlib.ShouldPingParams) bool {
	if c.IdleDuration < checkAfter {
		return false
	}
	soon, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if err := c.Conn.Ping(soon); err != nil && ctx.Err() == nil {
		p.pool.SetMaxIdleConns(0)
		p.pool.SetMaxIdleConns(p.size)
	}
	return false
}

func (p *livenessCheck) reset(_ context.Context, c *pgx.Conn) error {
	if c.IsClosed() { // a failed ping closed it
		return driver.ErrBadConn
	}
	return nil
}

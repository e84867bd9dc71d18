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

// A path to the server may be lost without a word: nothing arrives any more, and
// no error either, for minutes. Whoever waits for an answer over such a connection
// would wait as long, with a place of the pool in hand. So two things are bounded:
// how long an answer takes, since the server itself ends a statement before, and
// how long an idle connection takes to show that it lives before it is used.
const (
	slack        = time.Second     // between the server's bound and ours
	proofTimeout = 2 * time.Second // for an idle connection's proof
	proofAfter   = time.Second     // of rest
)

// bounded is a connection whose reads end with an error when nothing has come for
// so long. Deadlines that its user sets hold as well.
type bounded struct {
	net.Conn
	most time.Duration

	mu    sync.Mutex
	until time.Time // what the user has set; zero: nothing
}

func (c *bounded) Read(b []byte) (int, error) {
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

func (c *bounded) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = t
	if t.IsZero() {
		return nil // a read that waits has its own
	}
	return c.Conn.SetReadDeadline(t)
}

func (c *bounded) SetDeadline(t time.Time) error {
	if err := c.Conn.SetWriteDeadline(t); err != nil {
		return err
	}
	return c.SetReadDeadline(t)
}

// bound makes connections wait so long for an answer at most.
func bound(config *pgx.ConnConfig, most time.Duration) {
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &bounded{Conn: c, most: most}, nil
	}
}

// proof is what a pool asks of a connection that has rested. If one does not
// answer, the others that rest have probably been lost with it, and are dropped:
// to try them one after the other would take their number of time-outs.
type proof struct {
	pool *sql.DB // set before the pool is used
	size int
}

func (p *proof) options() []stdlib.OptionOpenDB {
	return []stdlib.OptionOpenDB{stdlib.OptionShouldPing(p.ask), stdlib.OptionResetSession(p.given)}
}

// ask is in the place of pgx's own ping, which waits as long as its context.
func (p *proof) ask(ctx context.Context, c stdlib.ShouldPingParams) bool {
	if c.IdleDuration < proofAfter {
		return false
	}
	soon, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	if err := c.Conn.Ping(soon); err != nil && ctx.Err() == nil {
		p.pool.SetMaxIdleConns(0)
		p.pool.SetMaxIdleConns(p.size)
	}
	return false
}

func (p *proof) given(_ context.Context, c *pgx.Conn) error {
	if c.IsClosed() { // by a ping that failed
		return driver.ErrBadConn
	}
	return nil
}

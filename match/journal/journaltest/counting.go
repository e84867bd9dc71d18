package journaltest

import (
	"context"
	"sync/atomic"

	"mancala/match/journal"
)

// Counting is a journal that counts the rows that are read, for tests that expect few.
type Counting struct {
	journal.Journal
	Rows atomic.Int64
}

// Read implements [journal.Journal].
func (c *Counting) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	rows, err := c.Journal.Read(ctx, id, after, limit)
	c.Rows.Add(int64(len(rows)))
	return rows, err
}

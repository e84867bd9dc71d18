package pgjournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"mancala/match/journal"
	"mancala/match/journal/fold"
)

// ErrNotEmpty means that a database already holds games or players.
var ErrNotEmpty = errors.New("there are games or people in it already")

// Import fills a database in one transaction: afterwards it holds everything or
// nothing. No server may use it meanwhile. It must hold no games. Other content (an
// empty lobby, the keys of a server that was started once) is replaced.
func (db *DB) Import(ctx context.Context, fill func(*Importer) error) error {
	conn, err := db.tools.Conn(ctx)
	if err != nil {
		return db.wrap("import", err)
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		tx, err := c.(*stdlib.Conn).Conn().Begin(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // it does nothing after a commit
		var entries int
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM (SELECT room FROM entries UNION ALL SELECT room FROM folded LIMIT 1) AS one").Scan(&entries); err != nil {
			return err
		}
		if entries > 0 {
			return ErrNotEmpty
		}
		if _, err := tx.Exec(ctx, "DELETE FROM rooms"); err != nil {
			return err
		}
		if err := fill(&Importer{ctx, tx}); err != nil {
			return err
		}
		return tx.Commit(ctx)
	})
	return db.wrap("import", err)
}

// Importer receives the content of a database.
type Importer struct {
	ctx context.Context
	tx  pgx.Tx
}

// Room adds a room without an owner, with its entries. It folds a room that sleeps for good.
func (im *Importer) Room(r journal.Room, rows []journal.Row) error {
	var num int64
	err := im.tx.QueryRow(im.ctx, "INSERT INTO rooms (id, kind, epoch, seq, wake_at) VALUES ($1, $2, $3, $4, $5) RETURNING num",
		r.ID, r.Kind, int64(r.Epoch), int64(len(rows)), journal.ToMS(r.Wake)).Scan(&num)
	if err != nil {
		return fmt.Errorf("room %s: %w", r.ID, err)
	}
	if r.Wake.IsZero() && len(rows) > 0 && fold.Fits(rows) {
		packed, err := fold.Pack(rows)
		if err == nil {
			_, err = im.tx.Exec(im.ctx, "INSERT INTO folded (room, seq, data) VALUES ($1, $2, $3)", num, int64(len(rows)), packed)
		}
		if err != nil {
			return fmt.Errorf("entries of room %s: %w", r.ID, err)
		}
		return nil
	}
	_, err = im.tx.CopyFrom(im.ctx, pgx.Identifier{"entries"}, []string{"room", "seq", "epoch", "key", "data"},
		pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
			return []any{num, int64(rows[i].Seq), int64(rows[i].Epoch), []byte(rows[i].Key), append([]byte{}, rows[i].Data...)}, nil
		}))
	if err != nil {
		return fmt.Errorf("entries of room %s: %w", r.ID, err)
	}
	return nil
}

// Table replaces the content of another package's table.
func (im *Importer) Table(name string, columns []string, rows *sql.Rows) error {
	if _, err := im.tx.Exec(im.ctx, "DELETE FROM "+pgx.Identifier{name}.Sanitize()); err != nil {
		return err
	}
	_, err := im.tx.CopyFrom(im.ctx, pgx.Identifier{name}, columns, &source{rows, len(columns), nil, nil})
	if err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	return nil
}

// source reads rows of any table.
type source struct {
	rows   *sql.Rows
	width  int
	values []any
	err    error
}

func (s *source) Next() bool {
	if !s.rows.Next() {
		s.err = s.rows.Err()
		return false
	}
	s.values = make([]any, s.width)
	into := make([]any, s.width)
	for i := range into {
		into[i] = &s.values[i]
	}
	s.err = s.rows.Scan(into...)
	return s.err == nil
}

func (s *source) Values() ([]any, error) { return s.values, s.err }
func (s *source) Err() error             { return s.err }

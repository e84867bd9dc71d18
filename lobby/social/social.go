// Package social keeps whom people follow, and whom they want to have nothing to
// do with.
//
// Guests may do both. What ties somebody to a guest goes when the guest does.
package social

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/match/machine"
)

// How many somebody may follow, and block.
const (
	MaxFollowed = 200
	MaxBlocked  = 500
)

// Codes of refusals. Their texts are stable.
const (
	CodeNobody     machine.Code = "nobody"      // there is no such person
	CodeYourself   machine.Code = "yourself"    // nobody follows or blocks himself
	CodeCircleFull machine.Code = "circle-full" // as many as one may have
	CodeApart      machine.Code = "apart"       // one of the two has blocked the other
)

// ErrNobody means that there is no such person.
var ErrNobody = refuse(CodeNobody)

func refuse(code machine.Code) error { return &machine.Error{Code: code} }

const (
	fresh  = 5 * time.Second // how long a block may go unnoticed that another instance does not tell of
	cached = 8192            // people whose blocks are known without asking
	most   = 10_000          // people who block one: more are not looked at
)

// schema is the package's set of migrations. A step that a release has carried is
// never changed; a new one is added. Times are ms since 1970.
var schema = []string{`
CREATE TABLE ties (
	player TEXT NOT NULL,
	kind   TEXT NOT NULL,  -- follow or block
	other  TEXT NOT NULL,
	since  BIGINT NOT NULL,
	PRIMARY KEY (player, kind, other)
);
CREATE INDEX ties_other ON ties (other, kind);
`}

const (
	follow = "follow"
	block  = "block"
)

// Graph is all people's ties. Its methods are safe from any goroutine.
type Graph struct {
	db  lobby.DB
	now func() time.Time

	mu     sync.Mutex
	blocks map[string]*blocks
}

// blocks are the blocks that concern one person.
type blocks struct {
	of, by []string // whom he blocks; who blocks him
	read   time.Time
}

// Open brings the tables up to date, and has them emptied of people who are no
// more. Call it before people come.
func Open(ctx context.Context, db lobby.DB, people *lobby.People) (*Graph, error) {
	if err := db.Migrate(ctx, "circle", schema); err != nil {
		return nil, fmt.Errorf("social: open: %w", err)
	}
	people.WhenForgotten("DELETE FROM ties WHERE player = $1", "DELETE FROM ties WHERE other = $1")
	return &Graph{db: db, now: time.Now, blocks: map[string]*blocks{}}, nil
}

// Follow lets a player follow another one. It refuses with [CodeYourself],
// [CodeApart], [CodeCircleFull] and [CodeNobody].
func (c *Graph) Follow(ctx context.Context, player, other string) error {
	apart, err := c.Apart(ctx, player, other)
	if err != nil {
		return err
	}
	if apart {
		return refuse(CodeApart)
	}
	return c.add(ctx, player, follow, other, MaxFollowed)
}

// Unfollow ends that.
func (c *Graph) Unfollow(ctx context.Context, player, other string) error {
	return c.write(ctx, "unfollow "+other, func(tx lobby.Tx) error {
		_, err := tx.Exec("DELETE FROM ties WHERE player = $1 AND kind = $2 AND other = $3", player, follow, other)
		return err
	})
}

// Block keeps two people apart, and ends that one follows the other. It refuses
// with [CodeYourself], [CodeCircleFull] and [CodeNobody].
func (c *Graph) Block(ctx context.Context, player, other string) error {
	defer c.Drop(player, other) // also after an error: what was written may not be known
	if err := c.add(ctx, player, block, other, MaxBlocked); err != nil {
		return err
	}
	return c.write(ctx, "block "+other, func(tx lobby.Tx) error {
		_, err := tx.Exec(`DELETE FROM ties WHERE kind = $1 AND (player = $2 AND other = $3 OR player = $3 AND other = $2)`, follow, player, other)
		return err
	})
}

// Unblock ends that a player blocks another one.
func (c *Graph) Unblock(ctx context.Context, player, other string) error {
	defer c.Drop(player, other)
	return c.write(ctx, "unblock "+other, func(tx lobby.Tx) error {
		_, err := tx.Exec("DELETE FROM ties WHERE player = $1 AND kind = $2 AND other = $3", player, block, other)
		return err
	})
}

// add ties a player to another one, unless he is tied to too many. The same again
// changes nothing.
func (c *Graph) add(ctx context.Context, player, kind, other string, most int) error {
	if player == other {
		return refuse(CodeYourself)
	}
	return c.write(ctx, kind+" "+other, func(tx lobby.Tx) error {
		var there, many, tied int
		err := tx.Scan(`SELECT (SELECT COUNT(*) FROM players WHERE id = $3), COUNT(*), COALESCE(SUM(CASE WHEN other = $3 THEN 1 ELSE 0 END), 0)
			FROM ties WHERE player = $1 AND kind = $2`, []any{player, kind, other}, &there, &many, &tied)
		if err != nil {
			return err
		}
		switch {
		case there == 0:
			return ErrNobody
		case tied > 0:
			return nil
		case many >= most:
			return refuse(CodeCircleFull)
		}
		_, err = tx.Exec(`INSERT INTO ties (player, kind, other, since) VALUES ($1, $2, $3, $4)
			ON CONFLICT (player, kind, other) DO NOTHING`, player, kind, other, c.now().UnixMilli())
		return err
	})
}

func (c *Graph) write(ctx context.Context, what string, fn func(lobby.Tx) error) error {
	if err := c.db.Write(ctx, fn); err != nil {
		return fmt.Errorf("social: %s: %w", what, err)
	}
	return nil
}

// Followed are whom a player follows, the latest first.
func (c *Graph) Followed(ctx context.Context, player string) ([]string, error) {
	return c.list(ctx, "SELECT other FROM ties WHERE player = $1 AND kind = $2 ORDER BY since DESC, other", player, follow)
}

// Blocked are whom a player blocks, the latest first.
func (c *Graph) Blocked(ctx context.Context, player string) ([]string, error) {
	return c.list(ctx, "SELECT other FROM ties WHERE player = $1 AND kind = $2 ORDER BY since DESC, other", player, block)
}

func (c *Graph) list(ctx context.Context, query string, args ...any) (people []string, err error) {
	rows, err := c.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("social: list: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("social: list: %w", err)
		}
		people = append(people, id)
	}
	return people, rows.Err()
}

// Apart says whether one of two people blocks the other.
func (c *Graph) Apart(ctx context.Context, a, b string) (bool, error) {
	set, err := c.ApartFrom(ctx, a)
	return slices.Contains(set, b), err
}

// ApartFrom are the people whom somebody never meets: whom he blocks, and who
// block him. It is cheap: what was asked lately is known.
func (c *Graph) ApartFrom(ctx context.Context, player string) ([]string, error) {
	b, err := c.of(ctx, player)
	if err != nil || len(b.of)+len(b.by) == 0 {
		return nil, err
	}
	return slices.Concat(b.of, b.by), nil
}

// BlockedBy are those who block somebody. It is as cheap.
func (c *Graph) BlockedBy(ctx context.Context, player string) ([]string, error) {
	b, err := c.of(ctx, player)
	if err != nil {
		return nil, err
	}
	return b.by, nil
}

// of gives the blocks that concern somebody; they are not to be changed.
func (c *Graph) of(ctx context.Context, player string) (*blocks, error) {
	now := c.now()
	c.mu.Lock()
	known := c.blocks[player]
	c.mu.Unlock()
	if known != nil && now.Sub(known.read) < fresh {
		return known, nil
	}
	b := &blocks{read: now}
	var err error
	if b.of, err = c.Blocked(ctx, player); err != nil {
		return nil, err
	}
	if b.by, err = c.list(ctx, "SELECT player FROM ties WHERE other = $1 AND kind = $2 LIMIT $3", player, block, most); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.blocks) >= cached {
		clear(c.blocks) // seldom, and all of it is asked again within seconds anyway
	}
	if c.blocks[player] == known { // else somebody has dropped or read it meanwhile
		c.blocks[player] = b
	}
	return b, nil
}

// Drop forgets what is known of people whose blocks have changed, here or on
// another instance. That a reader of before may not bring it back, something that
// is out of date takes its place.
func (c *Graph) Drop(players ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range players {
		c.blocks[id] = &blocks{}
	}
}

// Package social stores which players follow and which block each other.
//
// Guests may follow and block too. The relations to a guest are deleted with the guest.
package social

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// How many players one player may follow and block.
const (
	MaxFollowed = 200
	MaxBlocked  = 500
)

// Codes of refusals. Their texts are stable.
const (
	CodeNobody   refusal.Code = "nobody"      // there is no such player
	CodeYourself refusal.Code = "yourself"    // players cannot follow or block themselves
	CodeFull     refusal.Code = "circle-full" // the player follows or blocks the maximum
	CodeApart    refusal.Code = "apart"       // one of the two has blocked the other
)

// ErrNobody means that there is no such player.
var ErrNobody = refusal.New(CodeNobody)

const (
	fresh       = 5 * time.Second // how long a cached list of blocks is used; also the delay if another instance's message is lost
	maxCached   = 8192            // players whose blocks are cached
	maxBlockers = 10_000          // blockers of one player that are read
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

// Graph holds the relations of all players. Its methods are safe from any goroutine.
type Graph struct {
	db  lobby.DB
	now func() time.Time

	mu     sync.Mutex
	blocks map[string]*blocks
}

// blocks are the blocks that concern one player.
type blocks struct {
	of, by []string // the players they block, and the players who block them
	read   time.Time
}

// Open migrates the tables, and registers them with people for the removal of deleted
// players. Call it before serving.
func Open(ctx context.Context, db lobby.DB, people *lobby.People) (*Graph, error) {
	if err := db.Migrate(ctx, "circle", schema); err != nil {
		return nil, fmt.Errorf("social: open: %w", err)
	}
	people.WhenForgotten(lobby.DeleteSome("ties", "player, kind, other", "player = $1"), lobby.DeleteSome("ties", "player, kind, other", "other = $1"))
	return &Graph{db: db, now: time.Now, blocks: map[string]*blocks{}}, nil
}

// Follow makes player follow other. It refuses with [CodeYourself], [CodeApart],
// [CodeFull] and [CodeNobody].
func (g *Graph) Follow(ctx context.Context, player, other string) error {
	apart, err := g.Apart(ctx, player, other)
	if err != nil {
		return err
	}
	if apart {
		return refusal.New(CodeApart)
	}
	return g.add(ctx, player, follow, other, MaxFollowed)
}

// Unfollow makes player stop following other.
func (g *Graph) Unfollow(ctx context.Context, player, other string) error {
	return g.write(ctx, "unfollow "+other, func(tx lobby.Tx) error {
		_, err := tx.Exec("DELETE FROM ties WHERE player = $1 AND kind = $2 AND other = $3", player, follow, other)
		return err
	})
}

// Block makes player block other. Neither follows the other any more. It refuses with
// [CodeYourself], [CodeFull] and [CodeNobody].
func (g *Graph) Block(ctx context.Context, player, other string) error {
	defer g.Drop(player, other) // also after an error, because the write may have happened
	if err := g.add(ctx, player, block, other, MaxBlocked); err != nil {
		return err
	}
	return g.write(ctx, "block "+other, func(tx lobby.Tx) error {
		_, err := tx.Exec(`DELETE FROM ties WHERE kind = $1 AND (player = $2 AND other = $3 OR player = $3 AND other = $2)`, follow, player, other)
		return err
	})
}

// Unblock makes player stop blocking other.
func (g *Graph) Unblock(ctx context.Context, player, other string) error {
	defer g.Drop(player, other)
	return g.write(ctx, "unblock "+other, func(tx lobby.Tx) error {
		_, err := tx.Exec("DELETE FROM ties WHERE player = $1 AND kind = $2 AND other = $3", player, block, other)
		return err
	})
}

// add adds a relation unless player has the maximum of its kind. A repeat changes nothing.
func (g *Graph) add(ctx context.Context, player, kind, other string, most int) error {
	if player == other {
		return refusal.New(CodeYourself)
	}
	return g.write(ctx, kind+" "+other, func(tx lobby.Tx) error {
		var there, many, same int
		err := tx.Scan(`SELECT (SELECT COUNT(*) FROM players WHERE id = $3), COUNT(*), COALESCE(SUM(CASE WHEN other = $3 THEN 1 ELSE 0 END), 0)
			FROM ties WHERE player = $1 AND kind = $2`, []any{player, kind, other}, &there, &many, &same)
		if err != nil {
			return err
		}
		switch {
		case there == 0:
			return ErrNobody
		case same > 0:
			return nil
		case many >= most:
			return refusal.New(CodeFull)
		}
		_, err = tx.Exec(`INSERT INTO ties (player, kind, other, since) VALUES ($1, $2, $3, $4)
			ON CONFLICT (player, kind, other) DO NOTHING`, player, kind, other, g.now().UnixMilli())
		return err
	})
}

func (g *Graph) write(ctx context.Context, what string, fn func(lobby.Tx) error) error {
	if err := g.db.Write(ctx, fn); err != nil {
		return fmt.Errorf("social: %s: %w", what, err)
	}
	return nil
}

// Followed returns the players whom player follows, the latest first.
func (g *Graph) Followed(ctx context.Context, player string) ([]string, error) {
	return g.list(ctx, "SELECT other FROM ties WHERE player = $1 AND kind = $2 ORDER BY since DESC, other", player, follow)
}

// Blocked returns the players whom player blocks, the latest first.
func (g *Graph) Blocked(ctx context.Context, player string) ([]string, error) {
	return g.list(ctx, "SELECT other FROM ties WHERE player = $1 AND kind = $2 ORDER BY since DESC, other", player, block)
}

func (g *Graph) list(ctx context.Context, query string, args ...any) (people []string, err error) {
	if people, err = lobby.Column(ctx, g.db, query, args...); err != nil {
		return nil, fmt.Errorf("social: list: %w", err)
	}
	return people, nil
}

// Apart reports whether one of two players blocks the other.
func (g *Graph) Apart(ctx context.Context, a, b string) (bool, error) {
	set, err := g.ApartFrom(ctx, a)
	return slices.Contains(set, b), err
}

// ApartFrom returns the players whom player blocks and those who block player. It is
// cheap, because recent answers are cached.
func (g *Graph) ApartFrom(ctx context.Context, player string) ([]string, error) {
	b, err := g.of(ctx, player)
	if err != nil || len(b.of)+len(b.by) == 0 {
		return nil, err
	}
	return slices.Concat(b.of, b.by), nil
}

// BlockedBy returns the players who block player. It uses the same cache.
func (g *Graph) BlockedBy(ctx context.Context, player string) ([]string, error) {
	b, err := g.of(ctx, player)
	if err != nil {
		return nil, err
	}
	return b.by, nil
}

// of returns the blocks that concern player. The caller must not change them.
func (g *Graph) of(ctx context.Context, player string) (*blocks, error) {
	now := g.now()
	g.mu.Lock()
	known := g.blocks[player]
	g.mu.Unlock()
	if known != nil && now.Sub(known.read) < fresh {
		return known, nil
	}
	b := &blocks{read: now}
	var err error
	if b.of, err = g.Blocked(ctx, player); err != nil {
		return nil, err
	}
	if b.by, err = g.list(ctx, "SELECT player FROM ties WHERE other = $1 AND kind = $2 LIMIT $3", player, block, maxBlockers); err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.blocks) >= maxCached {
		clear(g.blocks) // rare; every entry would be read again within seconds anyway
	}
	if g.blocks[player] == known { // otherwise it was dropped or read meanwhile
		g.blocks[player] = b
	}
	return b, nil
}

// Drop drops the cached blocks of players whose blocks have changed, here or on another
// instance. It puts an outdated entry in their place, so that a read that began earlier
// cannot restore them.
func (g *Graph) Drop(players ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range players {
		g.blocks[id] = &blocks{}
	}
}

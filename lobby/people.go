package lobby

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"time"

	"mancala/lobby/bot"
	"mancala/match/gather"
	"mancala/match/refusal"
)

// Player is a person who plays: a guest, or the owner of an account.
type Player struct {
	ID      string
	Name    string
	Created time.Time
	Seen    time.Time // when the player was last active, up to an hour old
	Account time.Time // when the account was made; zero for a guest
}

// Guest reports whether p has no account.
func (p Player) Guest() bool { return p.Account.IsZero() }

// DeletedName is the name of a deleted player in records, frames and the API. No player can take
// it. Pages show a text in the reader's language instead, see [CallDeleted].
const DeletedName = "Deleted player"

const (
	seenEvery = time.Hour        // how often a player's activity is recorded
	nameFresh = 30 * time.Second // how long a renaming on another instance may go unnoticed
	cached    = 16384            // players in each cache
	chunk     = 100              // players in one query
	swept     = 500              // idle guests read at a time

	namesTimeout = 10 * time.Second // for a query of names
)

// People are all players. Its methods are safe from any goroutine.
type People struct {
	db  DB
	opt Options

	mu      sync.Mutex
	names   recent[string, cachedName]
	reads   gather.Gather[[]string, map[string]string] // of names that are not cached
	renamed uint64                                     // counts the changes that made cached names stale
	seen    recent[string, time.Time]                  // when a player's activity was last written, or read
	guests  recent[string, cachedGuest]

	forgetting []string
	tell       []func(player string) // registered by WhenRenamed
}

type cachedName struct {
	name    string
	deleted bool
	read    time.Time
}

func newPeople(db DB, opt Options) *People {
	p := &People{
		db: db, opt: opt,
		names: newRecent[string, cachedName](cached),
		seen:  newRecent[string, time.Time](cached),

		guests: newRecent[string, cachedGuest](cached),
	}
	p.reads = gather.New(gather.Config[[]string, map[string]string]{Ask: p.readNames, Calls: 2, Fits: fitsNames})
	return p
}

// Guest makes a guest with a friendly name. It tries several names to find one that no
// account has.
func (p *People) Guest(ctx context.Context) (Player, error) {
	now := time.UnixMilli(p.opt.now().UnixMilli())
	for {
		g := Player{ID: newPlayerID(), Created: now, Seen: now}
		var made int64
		err := p.db.Write(ctx, func(tx Tx) error {
			for range 9 {
				g.Name = FriendlyName()
				if err := p.freeHandle(tx, g.ID, g.Name); err == nil {
					break
				} else if _, refused := refusal.Of(err); !refused {
					return err
				}
			}
			var err error
			made, err = tx.Exec(`INSERT INTO players (id, name, created, seen) VALUES ($1, $2, $3, $3)
				ON CONFLICT (id) DO NOTHING`, g.ID, g.Name, now.UnixMilli())
			return err
		})
		if err != nil {
			return Player{}, wrap(err, "make a guest")
		}
		if made == 1 { // otherwise another player has the ID, which is very improbable
			return g, nil
		}
	}
}

// Player returns a player. It refuses with [CodeNoPlayer] if the player does not exist.
func (p *People) Player(ctx context.Context, id string) (Player, error) {
	var created, seen, account int64
	pl := Player{ID: id}
	err := p.db.Reader().QueryRowContext(ctx, "SELECT name, created, seen, account FROM players WHERE id = $1", id).
		Scan(&pl.Name, &created, &seen, &account)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Player{}, refusal.New(CodeNoPlayer)
	case err != nil:
		return Player{}, wrap(err, "read player %s", id)
	}
	pl.Created, pl.Seen = time.UnixMilli(created), time.UnixMilli(seen)
	if account != 0 {
		pl.Account = time.UnixMilli(account)
	}
	return pl, nil
}

// Rename gives a player another name, cleaned by [CleanName], and returns it. It refuses
// with [CodeNameTaken] a name that another account has or gave up within [NameKept]. It
// refuses with [CodeNamesMany] an account that changes its name too often.
func (p *People) Rename(ctx context.Context, id, name string) (string, error) {
	name, err := p.rename(ctx, id, name, p.mayGiveUp)
	if err == nil {
		p.tellRenamed(id)
	}
	return name, err
}

// WhenRenamed registers f, which is called with each player who has taken another name on
// this instance, with their account too, or was deleted on it. Call it before the first request is served.
func (p *People) WhenRenamed(f func(player string)) { p.tell = append(p.tell, f) }

func (p *People) tellRenamed(id string) {
	for _, tell := range p.tell {
		tell(id)
	}
}

// RenameByOperator is [People.Rename] without a bound on how often, so that an operator
// can always replace an offensive name. Every instance learns of it from the operators' log.
func (p *People) RenameByOperator(ctx context.Context, id, name string) (string, error) {
	return p.rename(ctx, id, name, func(Tx, string, string) error { return nil })
}

// rename calls may before it gives another name to an account. It does not call may for
// a guest.
func (p *People) rename(ctx context.Context, id, name string, may func(tx Tx, id, name string) error) (string, error) {
	name, err := CleanName(name)
	if err != nil {
		return "", err
	}
	err = p.db.Write(ctx, func(tx Tx) error {
		var account int64
		err := tx.Scan("SELECT account FROM players WHERE id = $1", []any{id}, &account)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return refusal.New(CodeNoPlayer)
		case err != nil:
			return err
		case account == 0:
			err = p.freeHandle(tx, id, name)
		default:
			if _, err = AccountName(name); err == nil {
				err = may(tx, id, name)
			}
			if err == nil {
				err = p.takeHandle(tx, id, name)
			}
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec("UPDATE players SET name = $2 WHERE id = $1", id, name)
		return err
	})
	p.renamedNow(id)
	if err != nil {
		return "", wrap(err, "rename player %s", id)
	}
	return name, nil
}

// Names returns the names of players, by ID. The answer has every requested ID; a
// deleted player has [DeletedName]. A renaming on another instance may show only after
// half a minute.
func (p *People) Names(ctx context.Context, ids []string) (map[string]string, error) {
	names, _, err := p.NamesAndDeleted(ctx, ids)
	return names, err
}

// NamesAndDeleted is [People.Names] that also returns the deleted players among ids, each once, in
// their order.
func (p *People) NamesAndDeleted(ctx context.Context, ids []string) (names map[string]string, deleted []string, err error) {
	out := make(map[string]string, len(ids))
	now := p.opt.now()
	var missing []string
	gone := map[string]bool{} // the deleted players; true: not in deleted yet
	p.mu.Lock()
	renamed := p.renamed
	for _, id := range ids {
		if _, ok := out[id]; ok {
			continue
		}
		if name, ok := bot.Name(id); ok {
			out[id] = name
			continue
		}
		c, ok := p.names.get(id)
		if !ok || now.Sub(c.read) >= nameFresh {
			c.name, c.deleted = DeletedName, true
			if IsText(id) { // otherwise PostgreSQL would refuse the whole query, in which others ask as well
				missing = append(missing, id)
			}
		}
		if out[id] = c.name; c.deleted {
			gone[id] = true
		}
	}
	p.mu.Unlock()
	for ids := range slices.Chunk(missing, chunk) {
		read, err := p.reads.Do(ctx, ids)
		if err != nil {
			return nil, nil, wrap(err, "read names")
		}
		for _, id := range ids {
			if name, ok := read[id]; ok {
				out[id] = name
				delete(gone, id)
			}
		}
	}
	for _, id := range ids {
		if gone[id] {
			deleted, gone[id] = append(deleted, id), false
		}
	}
	if len(missing) == 0 {
		return out, deleted, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if renamed == p.renamed { // otherwise the names that were read may be stale
		for _, id := range missing {
			_, isGone := gone[id]
			p.names.put(id, cachedName{out[id], isGone, now})
		}
	}
	return out, deleted, nil
}

// CallDeleted replaces the names of deleted players by a text. Several of them in one game or
// tournament are numbered, as [Distinct] does.
func CallDeleted(names map[string]string, deleted []string, text string) {
	for i, name := range Distinct(slices.Repeat([]string{text}, len(deleted))) {
		names[deleted[i]] = name
	}
}

// fitsNames reports whether more names may be read together with others, in one query.
func fitsNames(together [][]string, more []string) bool {
	n := len(more)
	for _, ids := range together {
		n += len(ids)
	}
	return n <= chunk
}

// readNames reads the names of all these players, for each who asks. All games of a round begin at
// once, and each asks for the names of its players.
func (p *People) readNames(asked [][]string) ([]map[string]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), namesTimeout)
	defer cancel()
	places, args := Among(1, slices.Concat(asked...))
	rows, err := p.db.Reader().QueryContext(ctx, "SELECT id, name FROM players WHERE id IN ("+places+")", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names := map[string]string{}
	for rows.Next() {
		var id, name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, err
		}
		names[id] = name
	}
	return slices.Repeat([]map[string]string{names}, len(asked)), rows.Err()
}

// Seen records that a player is active, at most once an hour. Calls in between cost no
// query. Seen refuses with [CodeNoPlayer] a player that does not exist: a cookie can
// outlive its guest.
func (p *People) Seen(ctx context.Context, id string) error {
	now := p.opt.now()
	p.mu.Lock()
	last, ok := p.seen.get(id)
	p.mu.Unlock()
	if ok && now.Sub(last) < seenEvery {
		return nil
	}
	pl, err := p.Player(ctx, id)
	if err != nil {
		return err
	}
	last = pl.Seen
	if now.Sub(last) >= seenEvery {
		last = now
		err = p.db.Write(ctx, func(tx Tx) error {
			n, err := tx.Exec("UPDATE players SET seen = $2 WHERE id = $1", id, now.UnixMilli())
			if err == nil && n == 0 {
				err = refusal.New(CodeNoPlayer)
			}
			return err
		})
		if err != nil {
			return wrap(err, "note player %s", id)
		}
	}
	p.mu.Lock()
	p.seen.put(id, last)
	p.mu.Unlock()
	return nil
}

// Sweep deletes guests who have been away for too long, with their lists of games, and
// returns how many. Accounts stay, and so do guests in a game that is not over; see also
// [People.Keep]. It deletes a few guests in each transaction, so that rooms never wait long
// for the database.
func (p *People) Sweep(ctx context.Context) (total int, err error) {
	defer func() {
		if total > 0 {
			p.dropNames()
		}
	}()
	before := p.opt.now().Add(-p.opt.GuestIdle).UnixMilli()
	var last idleGuest
	for {
		list, err := p.idle(ctx, before, last)
		if err != nil || len(list) == 0 {
			return total, err
		}
		last = list[len(list)-1]
		n, err := inTurns(ctx, p.db, p.opt.timer, list, func(tx Tx, g idleGuest) (bool, error) { return p.sweepGuest(tx, g.id, before) })
		if total += n; err != nil {
			return total, wrap(err, "sweep players")
		}
	}
}

// sweepGuest deletes a guest, and reports whether it did. A guest who has returned meanwhile stays.
func (p *People) sweepGuest(tx Tx, id string, before int64) (deleted bool, err error) {
	still := 0
	err = tx.Scan("SELECT COUNT(*) FROM players WHERE "+isIdleGuest+" AND id = $2", []any{before, id}, &still)
	if err != nil || still == 0 {
		return false, err
	}
	more, err := p.remove(tx, id)
	if err == nil && more {
		err = remember(tx, id, false)
	}
	return true, err
}

// dropNames empties the caches.
func (p *People) dropNames() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names.clear()
	p.seen.clear()
	p.guests.clear()
	p.renamed++
}

// isIdleGuest selects the guests that a sweep deletes; $1 is the latest time at which they
// were last active.
const isIdleGuest = `account = 0 AND seen < $1
	AND NOT EXISTS (SELECT 1 FROM games WHERE games.player = players.id AND games.ended = 0)`

// idleGuest is a guest whom a sweep may delete.
type idleGuest struct {
	id   string
	seen int64
}

// idleGuests selects guests after the one of $2 and $3, at most $4.
const idleGuests = "SELECT id, seen FROM players WHERE " + isIdleGuest + " AND seen >= $2 AND (seen > $2 OR id > $3) ORDER BY seen, id LIMIT $4"

// idle returns the next guests to delete after one of them, the least recently seen first.
func (p *People) idle(ctx context.Context, before int64, after idleGuest) (list []idleGuest, err error) {
	rows, err := p.db.Reader().QueryContext(ctx, idleGuests, before, after.seen, after.id, swept)
	if err != nil {
		return nil, wrap(err, "list idle guests")
	}
	defer rows.Close()
	for rows.Next() {
		var g idleGuest
		if err := rows.Scan(&g.id, &g.seen); err != nil {
			return nil, wrap(err, "list idle guests")
		}
		list = append(list, g)
	}
	return list, wrap(rows.Err(), "list idle guests")
}

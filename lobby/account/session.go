package account

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// Session is one device on which a player has signed in.
type Session struct {
	ID      string
	Player  string
	Device  string // a description, from what its browser sent
	Created time.Time
	Seen    time.Time // when the session was last used, up to ten minutes old
	Fresh   bool      // the player has signed in within [sessionFresh]
}

const (
	maxSessions  = 30               // of one account; a new one ends the one that was used least recently
	maxDevice    = 60               // bytes of a device's description
	sessionFresh = 10 * time.Minute // how long a sign-in counts as fresh, and how often the use of a session is recorded
	sessionRead  = 10 * time.Second // how long a cached session is trusted without word from other instances
	sessionCache = 16384
)

// sessions caches valid sessions, so that a request needs no query. It also remembers
// what has ended.
type sessions struct {
	mu     sync.Mutex
	known  map[string]knownSession
	heard  map[string]int64 // by ID: when it ended, in ms since 1970
	polled int64            // when the last poll that succeeded began, in ms since 1970; at first, the start
	tell   []func(ids []string)
}

type knownSession struct {
	Session
	read time.Time
}

func newSessions(now time.Time) *sessions {
	return &sessions{known: map[string]knownSession{}, heard: map[string]int64{}, polled: now.UnixMilli()}
}

// ValidSessionID reports whether id has the form of a session's ID.
func ValidSessionID(id string) bool { return len(id) == 27 && id[0] == 's' }

// Begin starts a session of a player who has just signed in.
func (a *Accounts) Begin(ctx context.Context, player, device string) (Session, error) {
	now := a.opt.Now()
	if len(device) > maxDevice {
		device = strings.ToValidUTF8(device[:maxDevice], "")
	}
	s := Session{ID: "s" + strings.ToLower(rand.Text()), Player: player, Device: device, Created: now, Seen: now, Fresh: true}
	var oldest []string
	err := a.db.Write(ctx, func(tx lobby.Tx) error {
		oldest = nil // a conflict may have rolled an attempt back
		for {
			n, id := 0, ""
			if err := tx.Scan("SELECT COUNT(*) FROM sessions WHERE player = $1", []any{player}, &n); err != nil || n < maxSessions {
				if err != nil {
					return err
				}
				break
			}
			if err := tx.Scan("SELECT id FROM sessions WHERE player = $1 ORDER BY seen, id LIMIT 1", []any{player}, &id); err != nil {
				return err
			}
			if err := a.endOne(tx, id); err != nil {
				return err
			}
			oldest = append(oldest, id)
		}
		_, err := tx.Exec("INSERT INTO sessions (id, player, device, created, seen) VALUES ($1, $2, $3, $4, $4)", s.ID, player, device, now.UnixMilli())
		return err
	})
	if err == nil {
		a.ended(oldest)
	}
	return s, wrap(err, "begin a session")
}

// Session returns the session with this ID if it is the player's, and records that it is
// in use. It refuses with [CodeNoSession] a session that has ended: on this instance at
// once, on other instances within seconds.
func (a *Accounts) Session(ctx context.Context, id, player string) (Session, error) {
	now := a.opt.Now()
	a.open.mu.Lock()
	k, ok := a.open.known[id]
	a.open.mu.Unlock()
	if !ok || now.Sub(k.read) >= sessionRead {
		s, err := a.readSession(ctx, id)
		switch _, refused := refusal.Of(err); {
		case err == nil:
			k = knownSession{s, now}
			a.remember(k)
		case !ok || refused:
			return Session{}, err
		} // otherwise the cached session is trusted while the database is unavailable
	}
	if k.Player != player {
		return Session{}, refusal.New(CodeNoSession)
	}
	k.Fresh = now.Sub(k.Created) < sessionFresh
	if now.Sub(k.Seen) < sessionFresh {
		return k.Session, nil
	}
	k.Seen = now
	err := a.db.Write(ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec("UPDATE sessions SET seen = $2 WHERE id = $1", id, now.UnixMilli())
		return err
	})
	if err == nil {
		a.remember(k)
	}
	return k.Session, nil // a failure to record the use is no reason to refuse the request
}

// remember caches a session, unless it has ended meanwhile.
func (a *Accounts) remember(k knownSession) {
	a.open.mu.Lock()
	defer a.open.mu.Unlock()
	if _, gone := a.open.heard[k.ID]; gone {
		return
	}
	if len(a.open.known) >= sessionCache {
		clear(a.open.known)
	}
	a.open.known[k.ID] = k
}

func (a *Accounts) readSession(ctx context.Context, id string) (Session, error) {
	list, err := a.sessions(ctx, "id", id)
	if err == nil && len(list) == 0 {
		err = refusal.New(CodeNoSession)
	}
	if err != nil {
		return Session{}, err
	}
	return list[0], nil
}

// Sessions lists a player's sessions, the latest used first.
func (a *Accounts) Sessions(ctx context.Context, player string) ([]Session, error) {
	return a.sessions(ctx, "player", player)
}

func (a *Accounts) sessions(ctx context.Context, column, value string) (list []Session, err error) {
	rows, err := a.db.Reader().QueryContext(ctx, "SELECT id, player, device, created, seen FROM sessions WHERE "+column+" = $1 ORDER BY seen DESC, id", value)
	if err != nil {
		return nil, wrap(err, "read sessions")
	}
	defer rows.Close()
	for rows.Next() {
		var s Session
		var created, seen int64
		if err := rows.Scan(&s.ID, &s.Player, &s.Device, &created, &seen); err != nil {
			return nil, wrap(err, "read sessions")
		}
		s.Created, s.Seen = time.UnixMilli(created), time.UnixMilli(seen)
		list = append(list, s)
	}
	return list, wrap(rows.Err(), "read sessions")
}

// End ends one of a player's sessions. It ignores an ID of another player's session, or
// of none.
func (a *Accounts) End(ctx context.Context, player, id string) error {
	return a.end(ctx, player, id, "")
}

// Replace ends a session whose player has signed in again on its device. The functions of
// [Accounts.WhenEnded] also get the session's [Renewed], on every instance.
func (a *Accounts) Replace(ctx context.Context, s Session) error {
	return a.end(ctx, s.Player, s.ID, "", Renewed(s.ID))
}

// Renewed returns what is told beside the ID of a session that was replaced: the pages of
// its device go on with the cookie of the next session. The ID is told too, for instances
// of a release that knows no other word.
func Renewed(session string) string { return "renewed-" + session }

// EndOthers ends all sessions of the player except s, and the pending hand-over to another
// device.
func (a *Accounts) EndOthers(ctx context.Context, s Session) error {
	return a.end(ctx, s.Player, "", s.ID)
}

// end ends the session onlyID. If onlyID is empty, it ends all sessions except exceptID, and the
// pending hand-over: the device that made it is no longer signed in. The functions of
// [Accounts.WhenEnded] get the IDs of the ended sessions, and alsoTold.
func (a *Accounts) end(ctx context.Context, player, onlyID, exceptID string, alsoTold ...string) error {
	list, err := a.Sessions(ctx, player)
	if err != nil {
		return err
	}
	var ids []string
	err = a.db.Write(ctx, func(tx lobby.Tx) error {
		ids = nil
		for _, s := range list {
			if s.ID == exceptID || onlyID != "" && s.ID != onlyID {
				continue
			}
			if err := a.endOne(tx, s.ID); err != nil {
				return err
			}
			ids = append(ids, s.ID)
		}
		for _, id := range alsoTold {
			if err := a.tellEnded(tx, id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		if onlyID == "" {
			return endHandover(tx, player)
		}
		return nil
	})
	if err == nil { // after an unknown outcome the next poll tells what has ended
		a.ended(ids)
	}
	return wrap(err, "end sessions")
}

func (a *Accounts) endOne(tx lobby.Tx, id string) error {
	if _, err := tx.Exec("DELETE FROM sessions WHERE id = $1", id); err != nil {
		return err
	}
	return a.tellEnded(tx, id)
}

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

// Session is one device on which somebody has signed in.
type Session struct {
	ID      string
	Player  string
	Device  string // in words, as its browser told
	Created time.Time
	Seen    time.Time // the last sign of life, up to ten minutes old
	Fresh   bool      // he has shown who he is a moment ago
}

const (
	maxSessions  = 30               // of one account; the one that was used least recently ends for a new one
	maxDevice    = 60               // bytes of a device's description
	sessionFresh = 10 * time.Minute // how long signing in counts as just now, and how often a sign of life is noted
	sessionRead  = 10 * time.Second // how long what was read of one is believed without word from other instances
	sessionCache = 16384
)

// sessions remembers sessions that are good, so that a visit costs no query, and
// what has ended.
type sessions struct {
	mu    sync.Mutex
	known map[string]knownSession
	heard map[string]int64 // what ended lately, and when
	tell  []func(ids []string)
}

type knownSession struct {
	Session
	read time.Time
}

func newSessions() *sessions {
	return &sessions{known: map[string]knownSession{}, heard: map[string]int64{}}
}

// ValidSessionID says whether id looks like a session's.
func ValidSessionID(id string) bool { return len(id) == 27 && id[0] == 's' }

// Begin starts a session of somebody who has shown who he is.
func (a *Accounts) Begin(ctx context.Context, player, device string) (Session, error) {
	now := a.opt.Now()
	if len(device) > maxDevice {
		device = strings.ToValidUTF8(device[:maxDevice], "")
	}
	s := Session{ID: "s" + strings.ToLower(rand.Text()), Player: player, Device: device, Created: now, Seen: now, Fresh: true}
	var oldest []string
	err := a.db.Write(ctx, func(tx lobby.Tx) error {
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

// Session is the one of this ID, if it is this player's, and notes the sign of
// life. It refuses with [CodeNoSession] what has ended, here at once and on other
// instances within seconds.
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
		} // otherwise what was read before is believed while the database is away
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
	return k.Session, nil // that a sign of life is not noted is nothing to refuse somebody for
}

// remember keeps what was read of a session, unless it has ended meanwhile.
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

// Sessions lists where somebody is signed in, the latest first.
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

// End ends one of a player's sessions; another's, or none, it leaves alone.
func (a *Accounts) End(ctx context.Context, player, id string) error {
	return a.end(ctx, player, id, "")
}

// EndOthers ends all sessions of a player but this one.
func (a *Accounts) EndOthers(ctx context.Context, s Session) error {
	return a.end(ctx, s.Player, "", s.ID)
}

// EndAll ends all sessions of a player.
func (a *Accounts) EndAll(ctx context.Context, player string) error {
	return a.end(ctx, player, "", "")
}

// end ends the session only, or all but one.
func (a *Accounts) end(ctx context.Context, player, only, but string) error {
	list, err := a.Sessions(ctx, player)
	if err != nil {
		return err
	}
	var ids []string
	err = a.db.Write(ctx, func(tx lobby.Tx) error {
		ids = nil
		for _, s := range list {
			if s.ID == but || only != "" && s.ID != only {
				continue
			}
			if err := a.endOne(tx, s.ID); err != nil {
				return err
			}
			ids = append(ids, s.ID)
		}
		return nil
	})
	a.ended(ids)
	return wrap(err, "end sessions")
}

func (a *Accounts) endOne(tx lobby.Tx, id string) error {
	if _, err := tx.Exec("DELETE FROM sessions WHERE id = $1", id); err != nil {
		return err
	}
	return a.tellEnded(tx, id)
}

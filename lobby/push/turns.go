package push

import (
	"context"
	"time"

	"mancala/lobby"
	"mancala/match/machine"
)

const (
	maxNotes = 4096 // turns that wait to be stored
	maxSaved = 100  // turns in one transaction
	maxTaken = 32   // due turns that an instance takes at once

	afterMove        = 5 * time.Second // a page that was just closed may come back
	secondLook       = 2 * time.Minute // after a look that found the player present: a phone may have fallen asleep
	lease            = 2 * time.Minute // after which another instance takes over what was claimed
	shortestReminded = 2 * time.Hour   // shorter turns get no reminder
	remindBefore     = 24 * time.Hour  // a reminder comes at most so long before the end of a turn
	keptAfterEnd     = 7 * 24 * time.Hour
)

// The steps of a turn. Each ends when the player was told, or needs not be told.
const (
	stepSoon   = iota // the turn has just begun
	stepLater         // the player was present then
	stepRemind        // a quarter of the time is left, at most a day
)

// note is a turn on its way to the table.
type note struct {
	room string
	seq  uint64
	machine.Awaited
}

// turn is a row that this instance has claimed.
type turn struct {
	room, player, turn string
	ends, remind, due  int64
	step, tries        int
}

// Note stores that a room waits for a player. It never waits: the turn is stored soon, or
// dropped if too many wait already. A repeat changes nothing, except that the reminder moves with
// the end of the turn.
func (p *Push) Note(room string, seq uint64, a machine.Awaited) {
	select {
	case p.notes <- note{room, seq, a}:
	default:
		p.counted(Dropped)
	}
}

// waiting takes notes that wait, at most maxSaved with those in list.
func (p *Push) waiting(list []note) []note {
	for len(list) < maxSaved {
		select {
		case n := <-p.notes:
			list = append(list, n)
		default:
			return list
		}
	}
	return list
}

// save stores the turns of players who have a device.
func (p *Push) save(ctx context.Context, list []note) error {
	told, err := p.haveDevices(ctx, list)
	if err != nil || len(told) == 0 {
		return err
	}
	return wrap(p.db.Write(ctx, func(tx lobby.Tx) error {
		for _, n := range list {
			if !told[n.Player] {
				continue
			}
			if err := p.put(tx, n); err != nil {
				return err
			}
		}
		return nil
	}), "note turns")
}

// put stores a turn, or the time to which the end of a stored turn has moved. Another instance
// may have stored the turn already, or a later one. The number of the entry tells which turn is
// the later one.
func (p *Push) put(tx lobby.Tx, n note) error {
	now := p.opt.Now()
	ends, remind := int64(0), int64(0)
	expires := now.Add(keptAfterEnd)
	if left := n.Until.Sub(now); !n.Until.IsZero() {
		ends, expires = n.Until.UnixMilli(), n.Until.Add(keptAfterEnd)
		if left >= shortestReminded {
			remind = n.Until.Add(-min(left/4, remindBefore)).UnixMilli()
		}
	}
	begun, err := tx.Exec(`INSERT INTO push_turns (room, player, turn, seq, ends, remind, step, tries, due, expires)
		VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7, $8)
		ON CONFLICT (room) DO UPDATE SET player = excluded.player, turn = excluded.turn, seq = excluded.seq, ends = excluded.ends,
			remind = excluded.remind, step = 0, tries = 0, due = excluded.due, expires = excluded.expires
		WHERE excluded.seq > push_turns.seq AND (excluded.player <> push_turns.player OR excluded.turn <> push_turns.turn)`,
		n.room, n.Player, n.Turn, int64(n.seq), ends, remind, now.Add(p.opt.Settle).UnixMilli(), expires.UnixMilli())
	if err != nil || begun > 0 || ends == 0 {
		return err
	}
	_, err = tx.Exec(`UPDATE push_turns SET seq = $4, ends = $5, expires = $6,
			remind = CASE WHEN remind > 0 THEN remind + $5 - ends ELSE 0 END,
			due = CASE WHEN step = $7 AND due > 0 THEN remind + $5 - ends ELSE due END
		WHERE room = $1 AND player = $2 AND turn = $3 AND seq < $4 AND ends > 0 AND ends <> $5`,
		n.room, n.Player, n.Turn, int64(n.seq), ends, expires.UnixMilli(), stepRemind)
	return err
}

// haveDevices returns the players of these turns who have a device.
func (p *Push) haveDevices(ctx context.Context, list []note) (map[string]bool, error) {
	asked := make([]string, len(list))
	for i, n := range list {
		asked[i] = n.Player
	}
	places, args := lobby.Among(1, asked)
	players, err := lobby.Column(ctx, p.db, "SELECT DISTINCT player FROM push_subscriptions WHERE player IN ("+places+")", args...)
	if err != nil {
		return nil, wrap(err, "ask who has devices")
	}
	told := make(map[string]bool, len(players))
	for _, player := range players {
		told[player] = true
	}
	return told, nil
}

// claim takes turns that are due. Until the lease has passed, no other instance takes them.
func (p *Push) claim(ctx context.Context) (mine []turn, err error) {
	list, err := p.due(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	until := p.opt.Now().Add(lease).UnixMilli()
	err = p.db.Write(ctx, func(tx lobby.Tx) error {
		mine = nil
		for _, t := range list {
			n, err := tx.Exec("UPDATE push_turns SET due = $4 WHERE room = $1 AND turn = $2 AND due = $3", t.room, t.turn, t.due, until)
			if err != nil {
				return err
			}
			if n == 1 {
				t.due = until
				mine = append(mine, t)
			}
		}
		return nil
	})
	return mine, wrap(err, "claim turns")
}

// dueTurns selects the turns that are due at $1, at most $2.
const dueTurns = "SELECT room, player, turn, ends, remind, step, tries, due FROM push_turns WHERE due > 0 AND due <= $1 ORDER BY due LIMIT $2"

func (p *Push) due(ctx context.Context) (list []turn, err error) {
	rows, err := p.db.Reader().QueryContext(ctx, dueTurns, p.opt.Now().UnixMilli(), maxTaken)
	if err != nil {
		return nil, wrap(err, "read turns that are due")
	}
	defer rows.Close()
	for rows.Next() {
		var t turn
		if err := rows.Scan(&t.room, &t.player, &t.turn, &t.ends, &t.remind, &t.step, &t.tries, &t.due); err != nil {
			return nil, wrap(err, "read turns that are due")
		}
		list = append(list, t)
	}
	return list, wrap(rows.Err(), "read turns that are due")
}

// set stores what is to be done next about a claimed turn. It changes nothing if another
// turn has begun meanwhile, or if another instance has taken over.
func (p *Push) set(ctx context.Context, t turn, step, tries int, due int64) error {
	return wrap(p.exec(ctx, "UPDATE push_turns SET step = $4, tries = $5, due = $6 WHERE room = $1 AND turn = $2 AND due = $3",
		t.room, t.turn, t.due, step, tries, due), "note what is done about a turn")
}

package pgjournal

import (
	"context"
	"fmt"

	"mancala/match/journal"
)

// isDead is an SQL expression. It is true if line i of the instances counts as dead, or if there is
// no line.
//
// When a process ends in any way, the kernel closes its connections, and the server
// process that its signs of life came through ends with them. That alone is no proof:
// a connection may be lost while its process lives. Such a process signs over another
// connection long before it counts as gone. A server that has just started has lost
// all connections.
var isDead = fmt.Sprintf(`CASE
	WHEN i.id IS NULL OR i.alive_at <= now_ms() - %d THEN true
	WHEN i.alive_at > now_ms() - %d OR i.backend = 0 THEN false
	WHEN pg_postmaster_start_time() > clock_timestamp() - interval '2 s' THEN false
	ELSE NOT EXISTS (SELECT FROM pg_stat_get_activity(i.backend))
END`, journal.DeadAfter.Milliseconds(), journal.GoneAfter.Milliseconds())

// Dead implements [journal.Journal].
func (db *DB) Dead(ctx context.Context) ([]string, error) {
	rows, err := db.rooms.QueryContext(ctx, `
		SELECT i.id FROM instances i
		WHERE i.alive_at BETWEEN now_ms() - $1 AND now_ms() - $2 AND `+isDead,
		journal.DeadListedFor.Milliseconds(), journal.GoneAfter.Milliseconds())
	if err != nil {
		return nil, db.statementError(ctx, "dead", "", err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, db.statementError(ctx, "dead", "", err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return nil, db.statementError(ctx, "dead", "", err)
	}
	return names, nil
}

// Leave removes the line of an instance that has ended properly, so that it is not
// listed as dead. While the instance has rooms the line stays, so that the rooms are
// found.
func (db *DB) Leave(ctx context.Context, self string) error {
	return db.exec(ctx, "leave", self, "DELETE FROM instances i WHERE i.id = $1 AND NOT EXISTS (SELECT FROM rooms r WHERE r.owner = i.id)", self)
}

// forgetDead removes instances that died long ago and own no rooms.
func (db *DB) forgetDead(ctx context.Context) error {
	_, err := db.rooms.ExecContext(ctx, `
		DELETE FROM instances i
		WHERE i.alive_at < now_ms() - $1 AND NOT EXISTS (SELECT FROM rooms r WHERE r.owner = i.id)`,
		forgetAfter.Milliseconds())
	return err
}

package hosting

import (
	"context"
	"time"

	"mancala/lobby"
	"mancala/lobby/tournament"
)

// A Mine is a tournament in which a person is a host or a player.
type Mine struct {
	Row
	Host bool
}

// Mine returns at most limit tournaments of a person, the latest one that they have made or joined
// first. A tournament whose row [Index.Put] has still to fill in is not among them.
func (x *Index) Mine(ctx context.Context, player string, limit int) (list []Mine, err error) {
	rows, err := x.db.Reader().QueryContext(ctx, `SELECT t.id, t.name, t.format, t.rules, t.house, t.clock, t.rated, t.listed, t.stage, t.starts, t.changed, p.host
		FROM tournament_people p JOIN tournaments t ON t.id = p.tournament WHERE p.player = $1 AND t.stage <> '' ORDER BY p.since DESC, t.id LIMIT $2`, player, limit)
	if err != nil {
		return nil, wrap(err, "list a person's tournaments")
	}
	defer rows.Close()
	for rows.Next() {
		var m Mine
		var house, rated, listed, host int
		var changed int64
		if err := rows.Scan(&m.ID, &m.Name, &m.Format, &m.Rules, &house, &m.Clock, &rated, &listed, &m.Stage, &m.Starts, &changed, &host); err != nil {
			return nil, wrap(err, "list a person's tournaments")
		}
		m.House, m.Rated, m.Listed, m.Changed, m.Host = house == 1, rated == 1, listed == 1, time.UnixMilli(changed), host == 1
		list = append(list, m)
	}
	return list, wrap(rows.Err(), "list a person's tournaments")
}

// open returns the tournaments of a person that are not over, the latest one that they have made or joined first.
func (x *Index) open(ctx context.Context, player string) (ids []string, err error) {
	ids, err = lobby.Column(ctx, x.db, `SELECT t.id FROM tournament_people p JOIN tournaments t ON t.id = p.tournament
		WHERE p.player = $1 AND t.stage <> $2 ORDER BY p.since DESC, t.id`, player, string(tournament.Over))
	return ids, wrap(err, "list a person's open tournaments")
}

// note keeps that a person is a host or a player of a tournament. A host stays one. It keeps nothing of
// a person or a tournament that has been deleted meanwhile.
func (x *Index) note(ctx context.Context, id, player string, host bool) error {
	return x.write(ctx, "note a person", func(tx lobby.Tx) error {
		_, err := tx.Exec(`INSERT INTO tournament_people (player, tournament, host, since) SELECT $1, $2, $3, $4
			WHERE EXISTS (SELECT 1 FROM players WHERE id = $1) AND EXISTS (SELECT 1 FROM tournaments WHERE id = $2)
			ON CONFLICT (player, tournament) DO UPDATE SET host = CASE WHEN excluded.host = 1 THEN 1 ELSE tournament_people.host END`,
			player, id, lobby.Number(host), x.now().UnixMilli())
		return err
	})
}

package rating

import (
	"context"
	"slices"
	"time"
)

// A pair of accounts looks arranged if, within pairsWithin, it has played pairGames rated
// games or more, one of the two took nine tenths of the points, and these games are three
// quarters of all rated games of that player. Siblings and school classes show the same
// pattern, so the list alone proves nothing.
const (
	pairsWithin = 30 * 24 * time.Hour
	pairGames   = 10
	maxPairs    = 100 // listed
)

// Pair is two accounts whose rated games with each other look arranged.
type Pair struct {
	Winner, Loser string
	Games         int
	Points        float64 // of the winner, of at most Games
	Gained        float64 // the change of the winner's ratings by these games
	All           int     // rated games of the winner in the same time
	Last          time.Time
}

// Arranged lists the pairs that look arranged in the last thirty days, the pairs with the
// most games first.
func (r *Ratings) Arranged(ctx context.Context) (list []Pair, err error) {
	since := r.now().Add(-pairsWithin).UnixMilli()
	rows, err := r.db.Reader().QueryContext(ctx, `
		SELECT pair.winner, pair.loser, pair.games, pair.halves, pair.gained, pair.latest,
			(SELECT COUNT(*) FROM rated_games w WHERE w.player = pair.winner AND w.at >= $1)
		FROM (SELECT a.player AS winner, b.player AS loser, COUNT(*) AS games, SUM(a.halves) AS halves,
				SUM(a.value - a.value_before) AS gained, MAX(a.at) AS latest
			FROM rated_games a JOIN rated_games b ON b.room = a.room AND b.player <> a.player
			WHERE a.at >= $1 GROUP BY a.player, b.player
			HAVING COUNT(*) >= $2 AND 10 * SUM(a.halves) >= 18 * COUNT(*)) pair
		ORDER BY pair.games DESC, pair.winner, pair.loser`, since, pairGames)
	if err != nil {
		return nil, wrap(err, "list pairs")
	}
	defer rows.Close()
	for rows.Next() {
		var p Pair
		var halves int
		var last int64
		if err := rows.Scan(&p.Winner, &p.Loser, &p.Games, &halves, &p.Gained, &last, &p.All); err != nil {
			return nil, wrap(err, "list pairs")
		}
		p.Points, p.Last = float64(halves)/2, time.UnixMilli(last)
		list = append(list, p)
	}
	list = slices.DeleteFunc(list, func(p Pair) bool { return 4*p.Games < 3*p.All })
	return list[:min(len(list), maxPairs)], wrap(rows.Err(), "list pairs")
}

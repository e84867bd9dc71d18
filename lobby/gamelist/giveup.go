package gamelist

import (
	"context"
	"crypto/rand"
	"encoding/json"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
)

// GiveUp ends a player's part in their open games, so that no opponent waits for them.
// In each game it tries to abort, then to leave the seat, then to resign. A game that
// refuses all three stays as it is.
func (l *List) GiveUp(ctx context.Context, player string) {
	l.Flush() // the list must include games that have just begun
	var place lobby.Place
	for {
		games, err := l.Games.Going(ctx, player, place, 100)
		if err != nil {
			lobby.Warn(l.Log, "gamelist: games not listed", err)
		}
		if len(games) == 0 {
			return
		}
		l.giveUpIn(ctx, player, games)
		last := games[len(games)-1]
		place = lobby.Place{At: last.Updated, Room: last.Room}
	}
}

func (l *List) giveUpIn(ctx context.Context, player string, games []lobby.Game) {
	for _, g := range games {
		for _, c := range []machine.Command{
			{Kind: match.KindAbort}, {Kind: match.KindStand}, {Kind: match.KindResign, Body: json.RawMessage(`{"what":"match"}`)},
		} {
			c.ID, c.By = c.Kind+"-"+rand.Text(), player
			if _, err := l.Rooms.Do(ctx, g.Room, c); err == nil {
				break
			}
		}
	}
}

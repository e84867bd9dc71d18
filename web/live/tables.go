package live

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/workers"
	"mancala/web/site"
)

// tablesEvery is the shortest time between two frames with rows of the standings.
const tablesEvery = time.Second

// tableFrame is rows of the standings. Those who have the standings after the entry From, or a
// later one up to Seq, have those after Seq when they have replaced these rows.
type tableFrame struct {
	T    string          `json:"t"`
	Room string          `json:"room"`
	From uint64          `json:"from"`
	Seq  uint64          `json:"seq"`
	Rows []site.TableRow `json:"rows"`
	Gone []int           `json:"gone,omitempty"` // numbers of players who are not in the standings any more
}

// warnUnread logs that the standings of a tournament could not be read. A tournament that was deleted has none:
// that is no failure.
func warnUnread(log *slog.Logger, err error, id string) {
	if lobby.CodeOf(err) != hosting.CodeNoTournament {
		lobby.Warn(log, "web: standings not read", err, "room", id)
	}
}

// tell sends the rows that have changed since the last time. The first time there is nothing to
// compare with.
func (e *eventHub) tell() {
	ctx, cancel := context.WithTimeout(e.hub.server.Workers.Context(), workers.Timeout)
	defer cancel()
	table, err := e.hub.server.Hosting.Standings(ctx, e.hub.id)
	if err != nil {
		warnUnread(e.hub.server.Log, err, e.hub.id) // the next result sends these rows as well
		return
	}
	f := tableFrame{T: "table", Room: e.hub.id, Seq: table.Seq, Rows: []site.TableRow{}}
	before, now := e.rows, make(map[int]site.TableRow, len(table.Rows))
	for _, row := range site.RowsAlone(table) {
		now[row.Number] = row
		if old, known := before[row.Number]; !known || old.Place != row.Place || old.Points != row.Points || !slices.Equal(old.Breaks, row.Breaks) {
			f.Rows = append(f.Rows, row)
		}
	}
	for _, number := range slices.Sorted(maps.Keys(before)) {
		if _, here := now[number]; !here {
			f.Gone = append(f.Gone, number)
		}
	}
	e.rows = now
	e.hub.mu.Lock()
	defer e.hub.mu.Unlock()
	e.players = table.Players
	switch f.From = e.since; {
	case e.since == 0: // no socket relies on a frame yet
		f.From, f.Rows, f.Gone = f.Seq, f.Rows[:0], nil
	case len(f.Rows)+len(f.Gone) == 0:
		return
	}
	e.since = f.Seq
	e.hub.toWatchers(message(f))
}

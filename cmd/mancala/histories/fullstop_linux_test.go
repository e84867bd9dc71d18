package histories

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	_ "modernc.org/sqlite" // "sqlite" for database/sql

	"mancala/cmd/internal/history"
	"mancala/cmd/internal/ledger"
	"mancala/match/journal/pgtest"
	"mancala/match/testenv"
	"mancala/web/webtest"
)

// The whole service stops for minutes and for more than a day, in order and by a crash. No
// game is lost on time by that, and the player on move is charged at most for the time in
// which the service ran. The stop is long by the clocks of the service and of the database,
// which are set while nothing runs.
func TestFullStopOfTheServiceEndsNoGame(t *testing.T) {
	for _, database := range []string{"SQLite", "PostgreSQL"} {
		for _, tt := range []struct {
			name string
			away time.Duration
			end  func(*instance) error
		}{
			{"10 minutes", 10 * time.Minute, (*instance).stop},
			{"30 hours", 30 * time.Hour, (*instance).stop},
			{"30 hours after a crash", 30 * time.Hour, func(x *instance) error { x.kill(); return nil }},
		} {
			t.Run(database+" "+tt.name, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				x := &single{instance: &instance{addr: testenv.Addr(t), admin: testenv.Addr(t), clock: filepath.Join(t.TempDir(), "clock")}}
				if database == "SQLite" {
					x.driver, x.database = "sqlite", filepath.Join(t.TempDir(), "mancala.db")
				} else {
					x.driver, x.database = "pgx", pgtest.Open(t)
				}
				x.args = append([]string{"--addr", x.addr, "--admin", x.admin, "--database", x.database}, fast...)
				x.endsWith(t)
				if err := x.start(); err != nil {
					t.Fatal(err)
				}
				testFullStop(ctx, t, x, tt.away, tt.end)
			})
		}
	}
}

func testFullStop(ctx context.Context, t *testing.T, x *single, away time.Duration, end func(*instance) error) {
	// In the first game the players leave, and its room sleeps. In the others they stay connected. The shortest
	// clock runs for the shortest time: it is begun last and looked at first.
	games := []*stopped{{clock: "1/move"}, {clock: "1/move", here: true}, {clock: "5+3", here: true}, {clock: "3+0", here: true}}
	for _, g := range games {
		if err := g.begin(ctx, t, x); err != nil {
			t.Fatal(err)
		}
		for owner := "?"; !g.here && owner != ""; {
			think(ctx, 50*time.Millisecond)
			var err error
			if owner, err = x.owner(ctx, g.room); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, g := range games {
		seen, err := view(http.DefaultClient, x.addr, g.room)
		if err != nil {
			t.Fatal(err)
		}
		g.left, g.seen = left(seen), time.Now()
	}
	if err := end(x.instance); err != nil {
		t.Fatal(err)
	}
	gone := time.Now()
	if err := x.setClocks(away); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	if err := x.start(); err != nil {
		t.Fatal(err)
	}
	for _, g := range slices.Backward(games) {
		if !g.here && away > 24*time.Hour { // the service opens the room by itself, since its deadline has passed
			for owner := ""; owner == ""; {
				think(ctx, 50*time.Millisecond)
				var err error
				if owner, err = x.owner(ctx, g.room); err != nil {
					t.Fatal(err)
				}
			}
		}
		g.enter()
		for _, c := range g.clients {
			if err := c.Ready(ctx); err != nil {
				t.Fatal(err)
			}
		}
		seen, err := view(http.DefaultClient, x.addr, g.room)
		if err != nil {
			t.Fatal(err)
		}
		ran := gone.Sub(g.seen) + time.Since(back)
		const rounding = 10 * time.Millisecond // clocks count in ms, and are moved a few times
		if charged := g.left - left(seen); seen.Over || charged > ran+rounding {
			t.Errorf("%s: the game is over: %v, the player was charged %v; the service ran for %v", g.clock, seen.Over, charged, ran)
			continue
		}
		if err := g.clients[0].Must(ctx, "move", map[string]any{"ply": 4, "move": "c"}); err != nil {
			t.Errorf("%s: %v", g.clock, err)
		}
	}
}

// stopped is a game that goes on after a stop of the service.
type stopped struct {
	clock string
	here  bool // its players stay connected

	room    string
	people  []*webtest.Person
	clients []*webtest.Client
	left    time.Duration // what the clock of the player on move had before the stop,
	seen    time.Time     // at this moment
}

// begin makes four plies, so that the clock of the first player runs.
func (g *stopped) begin(ctx context.Context, t *testing.T, x *single) error {
	g.people = []*webtest.Person{webtest.NewPerson("http://" + x.addr), webtest.NewPerson("http://" + x.addr)}
	t.Cleanup(func() {
		g.leave()
		ledger.Leave(g.people)
	})
	room, err := g.people[0].Make(ctx, url.Values{"rules": {"oware"}, "clock": {g.clock}, "start": {"creator"}})
	if err == nil {
		g.room, err = room, g.people[1].Sit(ctx, room)
	}
	if err != nil {
		return err
	}
	g.enter()
	for ply, move := range []string{"a", "a", "b", "b"} {
		c := g.clients[ply%2]
		err := c.Until(ctx, "the turn", func(g *webtest.Game) bool { return g.Number("ply") == ply && g.Number("turn") == g.As })
		if err == nil {
			err = c.Must(ctx, "move", map[string]any{"ply": ply, "move": move})
		}
		if err != nil {
			return fmt.Errorf("%s, ply %d: %w", g.clock, ply, err)
		}
	}
	if !g.here {
		g.leave()
	}
	return nil
}

// enter opens the game for its players, unless they have it open.
func (g *stopped) enter() {
	for i := len(g.clients); i < len(g.people); i++ {
		g.clients = append(g.clients, g.people[i].Open(g.room))
	}
}

func (g *stopped) leave() {
	for _, c := range g.clients {
		c.Close()
	}
	g.clients = nil
}

// left returns what the clock of the first player has, who is on move.
func left(seen history.Seen) time.Duration {
	ms := seen.Clock[0]
	if seen.Run > 0 {
		ms -= max(0, seen.Now-seen.Run)
	}
	return time.Duration(ms) * time.Millisecond
}

// single is a service of one instance.
type single struct {
	*instance
	driver, database string // of package sql
}

// exec runs a statement on the database.
func (x *single) exec(statement string) error {
	db, err := sql.Open(x.driver, x.database)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

// owner returns the name of the instance that owns a room; empty: none.
func (x *single) owner(ctx context.Context, room string) (owner string, err error) {
	db, err := sql.Open(x.driver, x.database)
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, "SELECT owner FROM rooms WHERE id = $1", room).Scan(&owner)
	return owner, err
}

// setClocks sets the clocks of the service and of the database ahead. The journal in
// PostgreSQL takes the time from the function now_ms.
func (x *single) setClocks(ahead time.Duration) error {
	if err := os.WriteFile(x.clock, []byte(fmt.Sprint(int64(ahead/time.Second))), 0o600); err != nil {
		return err
	}
	if x.driver == "sqlite" {
		return nil
	}
	return x.exec(fmt.Sprintf(`CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
		AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + %d'`, ahead.Milliseconds()))
}

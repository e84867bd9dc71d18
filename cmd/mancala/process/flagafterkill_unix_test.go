//go:build unix

package process

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // "pgx" for database/sql

	"mancala/cmd/internal/ledger"
	"mancala/web/webtest"
)

// The owner of several games is killed shortly before a flag falls in each. Each flag falls
// on another instance, once and not too early, and both players are told.
func TestFlagFallsOnceAfterItsOwnerIsKilled(t *testing.T) {
	t.Parallel()
	instances := startInstances(t, 3)
	victim, near, far := instances[0], instances[1], instances[2]
	const games, clock = 3, 30 * time.Second
	var rooms []string
	var clients [games][2]*webtest.Client
	var ran [games]time.Time // when the clock that runs out began to run, at the earliest
	for i := range games {
		people := []*webtest.Person{webtest.NewPerson(near.base()), webtest.NewPerson(far.base())}
		maker := webtest.NewPerson(victim.base()) // the same person as the first one
		maker.HTTP.Jar = people[0].HTTP.Jar
		defer ledger.Leave(append(people, maker))
		room, err := maker.Make(near.ctx, url.Values{"rules": {"oware"}, "clock": {"0.5+0"}, "start": {"creator"}})
		if err != nil {
			t.Fatal(err)
		}
		first := maker.Open(room) // now the victim owns the room
		defer first.Close()
		if err := first.Ready(near.ctx); err != nil {
			t.Fatal(err)
		}
		if err := people[1].Sit(near.ctx, room); err != nil {
			t.Fatal(err)
		}
		for k, p := range people {
			clients[i][k] = p.Open(room)
			defer clients[i][k].Close()
		}
		for ply, c := range clients[i] {
			if err := c.Until(near.ctx, "the turn", func(g *webtest.Game) bool { return g.Number("ply") == ply && g.Number("turn") == g.As }); err != nil {
				t.Fatal(err)
			}
			ran[i] = time.Now()
			if err := c.Must(near.ctx, "move", map[string]any{"ply": ply, "move": "a"}); err != nil {
				t.Fatal(err)
			}
		}
		rooms = append(rooms, room)
	}
	owners := map[string]bool{}
	for _, room := range rooms {
		owner, err := ownerOf(near.ctx, victim.file, room)
		if err != nil {
			t.Fatal(err)
		}
		owners[owner] = true
	}
	linger(t, clock-2*time.Second-time.Since(ran[0]))
	victim.kill()
	killed := time.Now()
	var late durations
	seqs := map[string]uint64{}
	for i, room := range rooms {
		for _, c := range clients[i] {
			err := c.Until(near.ctx, "the flag", func(g *webtest.Game) bool {
				result, _ := g.State["result"].(map[string]any)
				seqs[room] = g.Seq
				return g.Over() && result["reason"] == "time"
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		fell := time.Since(ran[i])
		if fell < clock {
			t.Errorf("%s: the flag fell after %v, want at least %v", room, fell, clock)
		}
		late.add(fell - clock)
	}
	for owner := range owners { // only the victim
		await(t, near.ctx, func() bool {
			return strings.Contains(near.log.String(), "another instance has died\" instance="+owner)
		})
	}
	linger(t, 2*time.Second) // time for a second flag, which would be wrong
	for _, room := range rooms {
		for _, p := range []*program{near, far} {
			if state, seq := p.stateOf(room); state != "over" || seq != seqs[room] {
				t.Errorf("%s is %s and has %d entries, want over and the %d entries of when the flag fell", room, state, seq, seqs[room])
			}
		}
	}
	t.Logf("the owner was killed %v before the first flag; delays of %d flags: %s", (clock - killed.Sub(ran[0])).Round(time.Millisecond), games, &late)
}

// ownerOf returns the name of the instance that owns a room.
func ownerOf(ctx context.Context, database, room string) (owner string, err error) {
	db, err := sql.Open("pgx", database)
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, "SELECT owner FROM rooms WHERE id = $1", room).Scan(&owner)
	return owner, err
}

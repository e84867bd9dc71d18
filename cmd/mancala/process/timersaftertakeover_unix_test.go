//go:build unix

package process

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"mancala/cmd/mancala/proxytest"
	"mancala/match/journal"
	"mancala/match/journal/pgtest"
	"mancala/web/webtest"
)

// The owner of rooms without clients is killed, or shuts down, shortly before their timers.
// Each timer fires once, on another instance.
func TestTimersFireOnceAfterTheirInstanceIsGone(t *testing.T) {
	t.Parallel()
	const games, expire = 5, 4 * time.Second
	for _, tt := range []struct {
		name string
		end  func(*program)
	}{
		{"killed", (*program).kill},
		{"left", func(p *program) { p.stop() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			flags := append([]string{"--redis", ownRedis(t), "--never-started", expire.String()}, fast...)
			database := pgtest.Open(t)
			victim, other := startProgram(t, database, flags...), startProgram(t, database, flags...)
			ada := webtest.NewPerson(victim.base())
			defer ada.Leave()
			var rooms []string
			for range games {
				room, err := ada.Make(victim.ctx, nil)
				if err != nil {
					t.Fatal(err)
				}
				c := ada.Open(room) // now the victim owns the room
				err = c.Ready(victim.ctx)
				c.Close()
				if err != nil {
					t.Fatal(err)
				}
				rooms = append(rooms, room)
			}
			due := time.Now().Add(expire) // at the latest
			linger(t, expire-time.Second)
			tt.end(victim)
			var late durations
			seqs := map[string]uint64{}
			for _, room := range rooms {
				await(t, other.ctx, func() bool {
					state, seq := other.stateOf(room)
					seqs[room] = seq
					return state == "over"
				})
				late.add(time.Since(due))
			}
			linger(t, 2*time.Second) // time for a second firing, which would be wrong
			for room, seq := range seqs {
				if _, again := other.stateOf(room); again != seq || seq != seqs[rooms[0]] {
					t.Errorf("%s has %d entries, want the %d of when it was over", room, again, seq)
				}
			}
			if tt.name == "left" && strings.Contains(other.log.String(), "another instance has died") {
				t.Errorf("no instance has died, but the log is\n%s", other.log)
			}
			t.Logf("delays of %d timers: %s", games, &late)
		})
	}
}

// stateOf returns the state of a game and the number of its entries.
func (p *program) stateOf(room string) (state string, seq uint64) {
	p.Helper()
	var api struct {
		Seq  uint64
		Snap struct{ State string }
	}
	if err := json.Unmarshal([]byte(p.get("/api/v1/games/"+room)), &api); err != nil {
		p.Fatal(err)
	}
	return api.Snap.State, api.Seq
}

// The database is away while a player thinks. Both players are told, each on their own
// instance. The player is charged at most for the time in which the database answered.
func TestClocksArePausedWithoutADatabase(t *testing.T) {
	t.Parallel()
	away := journal.DeadAfter + 3*time.Second
	if long() {
		away = time.Minute
	}
	places := startServers(t).start(t, 2)
	p := places[0]
	a, b, began := beginClocked(t, p.program, places[1].program)
	before := runningClock(p.program, a)
	each := func(do func(*proxytest.Proxy)) {
		for _, x := range places {
			do(x.postgres)
		}
	}
	each((*proxytest.Proxy).Cut)
	cut := time.Now()
	for _, c := range []*webtest.Client{a, b} {
		if _, err := c.Expect(p.ctx, "the note of the outage", func(f webtest.Frame) bool { return f.T == "note" && f.Kind == "unavailable" }); err != nil {
			t.Fatal(err)
		}
	}
	linger(t, away-time.Since(cut))
	gone := time.Since(cut)
	each((*proxytest.Proxy).Heal)
	charged := movesCharged(p.program, a, before)
	running := time.Since(began) - gone
	if charged > running+2*time.Millisecond {
		t.Errorf("charged %v; the database was there for %v and away for %v", charged, running, gone)
	}
}

package process

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"

	"mancala/cmd/internal/ledger"
	"mancala/match/bus/redistest"
	"mancala/match/journal/pgtest"
	"mancala/web/webtest"
)

// TestRollingRestart asks one instance after the other to leave, and starts it
// again, while people on different ones play. Nothing is lost, and nobody has
// anything to complain of.
func TestRollingRestart(t *testing.T) {
	instances := startInstances(t, 3)
	var pulse atomic.Int64
	var ending atomic.Bool
	var games ledger.Ledger
	var group sync.WaitGroup
	for i, rules := range []string{"kalah", "oware", "giuthi"} {
		group.Go(func() {
			people, err := gather(instances, i, rules)
			if err != nil {
				t.Error(err)
				return
			}
			defer ledger.Leave(people)
			for n := uint64(0); !ending.Load(); n++ {
				g, err := ledger.Play(instances[0].ctx, people, rules, rand.New(rand.NewPCG(uint64(i), n)), &pulse)
				if err != nil {
					t.Error(err)
					return
				}
				games.Add(g)
			}
		})
	}
	for _, p := range instances {
		more := pulse.Load() + 200
		await(t, p.ctx, func() bool { return pulse.Load() >= more })
		if code := p.stop(); code != 0 {
			t.Errorf("ended with %d\n%s", code, p.log)
		}
		if strings.Contains(p.log.String(), "level=ERROR") {
			t.Errorf("it logged\n%s", p.log)
		}
		p.start()
	}
	ending.Store(true)
	group.Wait()
	for _, g := range games.Games() {
		for _, p := range instances {
			checkOn(t, p, g)
		}
	}
}

// TestLobbyAcrossInstances: a seek of somebody on one instance is seen and taken
// by somebody on another, and both are sent to their game.
func TestLobbyAcrossInstances(t *testing.T) {
	instances := startInstances(t, 2)
	ada, ben := enter(t, instances[0]), enter(t, instances[1])
	ada.hear("snap", "")
	ben.hear("snap", "")
	ada.say(`{"t":"cmd","room":"lobby","id":"s1","kind":"seek","key":"k","rules":"kalah","clock":"5+3"}`)
	var said struct{ Wait struct{ Seek string } }
	if err := json.Unmarshal([]byte(ada.hear("wait", "")), &said); err != nil {
		t.Fatal(err)
	}
	seek := said.Wait.Seek
	ben.hear("seeks", seek)
	ben.say(fmt.Sprintf(`{"t":"cmd","room":"lobby","id":"a1","kind":"accept","seek":%q}`, seek))
	ada.hear("go", seek)
	ben.hear("go", seek)
	for _, p := range instances {
		p.get("/" + seek)
	}
}

// TestChatAcrossInstances: who is connected elsewhere hears what is said.
func TestChatAcrossInstances(t *testing.T) {
	instances := startInstances(t, 3)
	ada, ben, cyd := enter(t, instances[0]), enter(t, instances[1]), enter(t, instances[2])
	people := []*visitor{ada, ben, cyd}
	for _, v := range people {
		v.say(fmt.Sprintf(`{"t":"sub","room":%q}`, ada.room))
		v.hear("snap", ada.room)
		v.hear("names", "") // what comes with it
	}
	for i, v := range people {
		v.say(fmt.Sprintf(`{"t":"chat","room":%q,"preset":"well-played","id":"c%d"}`, ada.room, i))
	}
	// ada plays and hears nobody else; the others watch and hear each other.
	for _, v := range people[1:] {
		// A line that is said just then may come with the last lines, too.
		for heard := map[string]bool{}; len(heard) < 2; {
			heard[v.hear("chat", "well-played")] = true
		}
	}
}

// visitor is somebody in the lobby, with a bare socket.
type visitor struct {
	*program
	person *webtest.Person
	conn   *websocket.Conn
	room   string // his own game
}

func enter(t *testing.T, p *program) *visitor {
	t.Helper()
	person := webtest.NewPerson(p.base())
	t.Cleanup(person.Leave)
	room, err := person.Make(p.ctx, nil) // so that he has a name
	if err != nil {
		t.Fatal(err)
	}
	conn, err := person.Dial(p.ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	v := &visitor{p, person, conn, room}
	v.say(`{"t":"sub","room":"lobby"}`)
	return v
}

func (v *visitor) say(text string) {
	v.Helper()
	if err := v.conn.Write(v.ctx, websocket.MessageText, []byte(text)); err != nil {
		v.Fatal(err)
	}
}

// hear waits for a frame of a kind that has a word in it.
func (v *visitor) hear(kind, word string) string {
	v.Helper()
	for {
		_, msg, err := v.conn.Read(v.ctx)
		if err != nil {
			v.Fatalf("waiting for %s: %v", kind, err)
		}
		if strings.HasPrefix(string(msg), `{"t":"`+kind+`"`) && strings.Contains(string(msg), word) {
			return string(msg)
		}
		if strings.HasPrefix(string(msg), `{"t":"err"`) {
			v.Fatalf("waiting for %s: %s", kind, msg)
		}
	}
}

// readiness is what /readyz answers.
func readiness(t *testing.T, admin string) int {
	t.Helper()
	r, err := http.Get("http://" + admin + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	return r.StatusCode
}

// TestReadyNeedsMessages: an instance that others cannot reach is not ready, and
// is again when they can. Its metrics say the same, and all that is asked for.
func TestReadyNeedsMessages(t *testing.T) {
	database := pgtest.Open(t)
	redistest.Open(t) // skips
	redis, err := redistest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(redis.Remove)
	p := startProgram(t, database, append([]string{"--redis", redis.URL()}, fast...)...)
	ready := func() int { return readiness(t, p.admin) }
	arrive := func() string {
		metrics := body(t, "http://"+p.admin+"/metrics")
		seesAll(t, metrics, ofSeveral)
		return regexp.MustCompile(`(?m)^mancala_messages_arrive \d`).FindString(metrics)
	}
	await(t, p.ctx, func() bool { return ready() == http.StatusOK })
	await(t, p.ctx, func() bool { return arrive() == "mancala_messages_arrive 1" })
	redis.Stop()
	await(t, p.ctx, func() bool { return ready() == http.StatusServiceUnavailable })
	await(t, p.ctx, func() bool { return arrive() == "mancala_messages_arrive 0" })
	if err := redis.Restart(); err != nil {
		t.Fatal(err)
	}
	await(t, p.ctx, func() bool { return ready() == http.StatusOK })
}

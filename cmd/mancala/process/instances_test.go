package process

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"mancala/match/bus/redistest"
	"mancala/match/journal/pgtest"
	"mancala/web/webtest"
)

// One instance after the other is shut down and started again while people on different
// instances play.
func TestRollingRestartLosesNothingAndLogsNoError(t *testing.T) {
	t.Parallel()
	instances := startInstances(t, 3)
	all := playOn(t, instances, 0, []string{"kalah", "oware", "giuthi"})
	for _, p := range instances {
		all.looks(200)
		if code := p.stop(); code != 0 {
			t.Errorf("exit status %d\n%s", code, p.log)
		}
		if strings.Contains(p.log.String(), "level=ERROR") {
			t.Errorf("the log has errors:\n%s", p.log)
		}
		p.start()
	}
	for _, g := range all.stop() {
		for _, p := range instances {
			checkOn(t, p, g)
		}
	}
}

func TestSeekIsSeenAndTakenOnAnotherInstance(t *testing.T) {
	t.Parallel()
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

func TestChatReachesClientsOfOtherInstances(t *testing.T) {
	t.Parallel()
	instances := startInstances(t, 3)
	ada, ben, cyd := enter(t, instances[0]), enter(t, instances[1]), enter(t, instances[2])
	people := []*visitor{ada, ben, cyd}
	for _, v := range people {
		v.say(fmt.Sprintf(`{"t":"sub","room":%q}`, ada.room))
		v.hear("snap", ada.room)
		v.hear("names", "") // comes with the snapshot
	}
	for i, v := range people {
		v.say(fmt.Sprintf(`{"t":"chat","room":%q,"preset":"well-played","id":"c%d"}`, ada.room, i))
	}
	// Ada plays, so Ada does not get the chat of the watchers. The watchers get each
	// other's.
	for _, v := range people[1:] {
		// A line that is sent at this moment may also come with the last lines.
		for heard := map[string]bool{}; len(heard) < 2; {
			heard[v.hear("chat", "well-played")] = true
		}
	}
}

// visitor is a person in the lobby with a socket of raw frames.
type visitor struct {
	*program
	person *webtest.Person
	conn   *websocket.Conn
	room   string            // their own game
	said   map[string]string // frames by ID
}

// enter returns a new visitor who is connected to p.
func enter(t *testing.T, p *program) *visitor {
	t.Helper()
	person := webtest.NewPerson(p.base())
	t.Cleanup(person.Leave)
	room, err := person.Make(p.ctx, nil) // gives the person a name
	if err != nil {
		t.Fatal(err)
	}
	conn, err := person.Dial(p.ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	v := &visitor{p, person, conn, room, map[string]string{}}
	v.say(`{"t":"sub","room":"lobby"}`)
	return v
}

// say sends a frame.
func (v *visitor) say(text string) {
	v.Helper()
	var f struct{ ID string }
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		v.Fatal(err)
	}
	v.said[f.ID] = text
	if err := v.conn.Write(v.ctx, websocket.MessageText, []byte(text)); err != nil {
		v.Fatal(err)
	}
}

// hear waits for a frame of this kind that contains word, and returns it. It repeats what an instance was too busy
// for, as every client does.
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
		if !strings.HasPrefix(string(msg), `{"t":"err"`) {
			continue
		}
		var refused struct{ ID, Code string }
		if err := json.Unmarshal(msg, &refused); err != nil {
			v.Fatal(err)
		}
		said, known := v.said[refused.ID]
		if !known || refused.ID == "" || refused.Code != "busy" && refused.Code != "unavailable" {
			v.Fatalf("waiting for %s: %s", kind, msg)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-v.ctx.Done():
		}
		v.say(said)
	}
}

// readiness returns the status of /readyz.
func readiness(t *testing.T, admin string) int {
	t.Helper()
	r, err := http.Get("http://" + admin + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	return r.StatusCode
}

// The metrics of messages must agree, and have every name that alerts and documents use.
func TestInstanceIsReadyOnlyWhileMessagesArrive(t *testing.T) {
	t.Parallel()
	database := pgtest.Open(t)
	redistest.Open(t) // skips the test without Redis
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
		showsAll(t, metrics)
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

package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/lobby/tournament"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/live"
	"mancala/web/protocoltest"
	"mancala/web/webtest"
)

// The examples of PROTOCOL.md are fixtures. The tests send the client examples
// to a server, and look for the server examples among the frames that a server
// sends.

const (
	roomInDocument       = "k3v9qa2mx1"
	tournamentInDocument = "k3v9qa2mx9" // of the client's examples
)

func document(t *testing.T) string { return protocoltest.Document(t, "PROTOCOL.md") }

// examples returns the lines of all blocks of a kind, "client" or "server".
func examples(t *testing.T, kind string) (lines []string) {
	t.Helper()
	for _, block := range strings.Split(document(t), "```json "+kind+"\n")[1:] {
		body, _, _ := strings.Cut(block, "\n```")
		lines = append(lines, strings.Split(body, "\n")...)
	}
	if len(lines) < 10 {
		t.Fatalf("PROTOCOL.md has only %d examples of a %s", len(lines), kind)
	}
	return lines
}

// The test sends each example to a room that allows it.
func TestServerAcceptsEveryClientExample(t *testing.T) {
	for _, line := range examples(t, "client") {
		t.Run(line, func(t *testing.T) {
			s := serve(t)
			var q struct{ T, ID, Kind, What, Text, Preset, Room string }
			s.must(json.Unmarshal([]byte(line), &q))
			if q.Room == "people" {
				c := s.talk(s.bare(s.guest(), nil))
				c.say("%s", line)
				c.say(`{"t":"sub","room":"people"}`)
				c.hear("snap")
				return
			}
			if q.Room == "lobby" {
				s.inLobby(line, q.T, q.Kind)
				return
			}
			if q.Room == tournamentInDocument {
				s.inTournament(line, q.Kind)
				return
			}
			id, by, code := s.stateFor(q.Kind, q.What)
			talk := s.talk(s.bare(by, nil))
			line := strings.ReplaceAll(line, roomInDocument, id)
			if q.T != "sub" {
				talk.say(`{"t":"sub","room":%q}`, id)
				talk.hear("sync")
			}
			talk.say("%s", line)
			switch {
			case q.T == "sub":
				talk.hear("sync")
			case q.T == "unsub":
				talk.say(`{"t":"cmd","room":%q,"id":"x","kind":"resign"}`, id)
				talk.refused("not-following")
			case q.T == "note":
				talk.hear("note")
			case q.T == "ping":
				talk.hear("pong")
			case q.T == "ask":
				talk.hear("legal")
			case q.T == "chat":
				if f := talk.hear("chat", "err"); f.T == "err" || !strings.Contains(f.Raw, q.Preset+q.Text) {
					t.Errorf("answered with %s", f.Raw)
				}
			default:
				for {
					f := talk.hear("ev", "ack", "err")
					if f.ID != q.ID {
						continue
					}
					if f.Code != code {
						t.Errorf("answered with %s, want %q", f.Raw, code)
					}
					return
				}
			}
		})
	}
}

// inLobby sends an example to a lobby that allows it.
func (s *service) inLobby(line, t, kind string) {
	s.Helper()
	other := s.guest()
	o, seek := s.seekerOf(other, "k0")
	mine := s.member("Mia")
	me, _ := s.seekerOf(mine, "k9")
	switch {
	case kind == "challenge":
		line = strings.ReplaceAll(line, "pabcdefghij23", s.id(other))
	case kind == "decline":
		seek = o.asks(s.id(mine))
	case kind == "leave" && strings.Contains(line, "seek"):
		seek = me.asks(s.id(other))
	}
	switch t {
	case "sub":
		me.say("%s", line)
		me.hear("snap")
	case "unsub":
		me.say("%s", line)
		me.say(`{"t":"cmd","room":"lobby","id":"x","kind":"leave"}`)
		me.refused("not-following")
	default:
		me.say("%s", strings.ReplaceAll(line, roomInDocument, seek))
		if f := me.hear("ack", "err"); f.T != "ack" {
			s.Errorf("answered with %s", f.Raw)
		}
		if kind == "accept" {
			me.hear("go")
		}
	}
}

// inTournament sends an example to a tournament that allows it. Two of its four players have a device,
// and play on board 1 of round 1.
func (s *service) inTournament(line, kind string) {
	s.Helper()
	settings := tournament.Settings{Rounds: 3, Days: 2}
	if kind == "wait" {
		settings = tournament.Settings{Rounds: 3, Pause: 60}
	}
	c := s.club(settings)
	ada, ben := s.guest(), s.guest()
	if kind != "wait" {
		s.must(s.Hosting.Join(s.ctx, c.ID, s.id(ada), "Ada"))
		s.must(s.Hosting.Join(s.ctx, c.ID, s.id(ben), "Ben"))
	}
	for _, name := range []string{"Cleo", "Dan"} {
		_, err := s.Hosting.Add(s.ctx, c.ID, s.id(c.host), name)
		s.must(err)
	}
	switch kind {
	case "return":
		c.order("leave", tournament.Order{Player: s.id(ada)})
	case "allow", "undo":
		c.order("forbid", tournament.Order{Player: s.id(ada), Other: s.id(ben)})
	case "wait":
		c.order("start", tournament.Order{Round: 1})
		c.order("result", tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn})
	case "result", "extend", "arbiter":
		c.order("start", tournament.Order{Round: 1, Pairings: [][2]int{{1, 2}, {3, 4}}})
		c.eventually("the game of board 1", func() bool { return c.state().Rounds[0][0].Games[0].Opened })
		if strings.Contains(line, `"result":""`) {
			c.order("result", tournament.Order{Round: 1, Board: 2, Result: tournament.Drawn})
		}
	}
	by := c.host
	if slices.Contains([]string{"here", "leave", "bye"}, kind) && !strings.Contains(line, `"player"`) {
		by = ada
	}
	talk := c.follow(by)
	talk.say("%s", strings.NewReplacer(
		tournamentInDocument, c.ID, "pabcdefghij23", s.id(ada), "pabcdefghij24", s.id(ben),
		"1795338400000", fmt.Sprint(time.Now().Add(72*time.Hour).UnixMilli()),
	).Replace(line))
	if f := talk.hear("ack", "err"); f.T != "ack" || f.Seq == 0 {
		s.Errorf("answered with %s", f.Raw)
	}
}

// stateFor makes a room that allows a command, and returns a person who may
// give it. If the command needs more time than a test has, it is refused with
// code.
func (s *service) stateFor(kind, what string) (id string, by *webtest.Person, code string) {
	s.Helper()
	switch {
	case kind == "settings", kind == "stand", kind == "sit", kind == "youngest":
		ada, ben := s.member("Ada"), s.person() // a rated game needs an account
		id, err := ada.Make(s.ctx, url.Values{"start": {map[bool]string{true: "youngest"}[kind == "youngest"]}})
		s.must(err)
		if kind != "sit" {
			return id, ada, ""
		}
		_, err = ben.Make(s.ctx, nil)
		s.must(err)
		return id, ben, ""
	case kind == "filling", kind == "next", what == "round":
		id, seats := s.game("rules=ignorant&options=target=200")
		if kind == "next" {
			s.must(seats[1].Must(s.ctx, "resign", map[string]any{"what": "round"}))
		}
		return id, s.people[0], ""
	}
	id, seats := s.game("rules=kalah")
	switch {
	case kind == "accept", kind == "decline":
		s.must(seats[1].Must(s.ctx, "offer", map[string]any{"what": what}))
	case what == "takeback":
		s.move(seats[0], "a")
	case kind == "claim":
		code = "no-claim" // a claim needs an opponent who has been away for a minute
	}
	return id, s.people[0], code
}

// The test plays a game that sends every kind of frame. For each example some
// frame must have exactly its fields. Every kind of frame must have an example,
// and every field of a frame must be in the document's tables.
func TestServerSendsEveryExample(t *testing.T) {
	s := serve(t)
	shapes := map[string]bool{}
	kinds := map[string]bool{}
	all := protocoltest.Sections(t, "PROTOCOL.md")
	for _, raw := range s.recorded() {
		seen := shape(t, raw)
		shapes[seen] = true
		// On a faster machine the entry comes within the time that a player is given back, and no clock changes.
		shapes[strings.Replace(seen, " .ev.set.clock", "", 1)] = true
		kinds[title(t, raw)] = false
		protocoltest.CheckFields(t, all, raw)
	}
	for _, line := range examples(t, "server") {
		if !shapes[shape(t, line)] {
			t.Errorf("the server sends no frame with the fields of\n%s", line)
			for other := range shapes {
				if strings.HasPrefix(other, title(t, line)+" ") {
					t.Log("it sends", other)
				}
			}
		}
		kinds[title(t, line)] = true
	}
	for kind, shown := range kinds {
		if !shown && !strings.HasPrefix(kind, "ev") {
			t.Errorf("the server sends %s, and the document has no example", kind)
		}
	}
}

// recorded returns the frames that all clients received in a few games.
// Together they have every kind of frame.
func (s *service) recorded() (raw []string) {
	s.Helper()
	id, seats := s.game("rules=kalah&clock=5+3")
	watcher := s.open(s.person(), id)
	s.open(s.people[0], id) // another tab
	seats[0].Take(s.ctx)
	_, err := seats[0].ExpectNth(s.ctx, "to have taken over", 2, func(f webtest.Frame) bool { return f.T == "sync" })
	s.must(err)
	for _, line := range []string{`"preset":"good-luck"`, `"text":"Nice!"`} {
		seats[0].Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h1",%s}`, id, line))
		s.says(seats[1], line)
	}
	s.live.Moderated(moderation.Action{What: moderation.Erase, Room: id, Stream: lobby.StreamPlayers, Line: 2})
	s.open(newContract(s).member("Cleo who looks"), id)
	_, err = watcher.Expect(s.ctx, "who watches", func(f webtest.Frame) bool { return strings.Contains(f.Raw, `"who":["Cleo`) })
	s.must(err)
	s.move(seats[0], "c")
	s.refused(seats[0], "empty-pit", "move", map[string]any{"ply": 1, "move": "c"})
	s.move(seats[0], "a")
	s.move(seats[1], "a")
	s.refused(seats[0], "stale", "move", map[string]any{"ply": 0, "move": "c"})
	watcher.Send(s.ctx, fmt.Sprintf(`{"t":"ask","room":%q,"what":"legal"}`, id))
	_, err = watcher.Expect(s.ctx, "the legal moves", func(f webtest.Frame) bool { return f.T == "legal" })
	s.must(err)
	s.must(seats[0].Must(s.ctx, "offer", map[string]any{"what": "draw"}))
	s.must(seats[1].Must(s.ctx, "accept", map[string]any{"what": "draw"}))

	again := s.talk(s.bare(s.people[1], nil))
	again.say(`nonsense`)
	raw = append(raw, again.hear("err").Raw)
	again.say(`{"t":"sub","room":%q}`, id)
	again.hear("sync")
	for range 2 {
		again.say(`{"t":"cmd","room":%q,"id":"twice","kind":"offer","what":"rematch"}`, id)
	}
	raw = append(raw, again.hear("ack").Raw)

	presence := func(c *webtest.Client, here string) {
		_, err := c.Expect(s.ctx, "who is here", func(f webtest.Frame) bool {
			return f.Kind == "presence" && strings.Contains(f.Raw, `"here":`+here)
		})
		s.must(err)
	}
	lay, laying := s.game("rules=ignorant")
	laying[0].Send(s.ctx, fmt.Sprintf(`{"t":"note","room":%q,"kind":"filling","n":54,"of":72,"pits":[9,9,9,9,9,9,0,0,0,0,0,0]}`, lay))
	_, err = laying[1].Expect(s.ctx, "the filling", func(f webtest.Frame) bool { return f.Kind == "filling" })
	s.must(err)
	laying[1].Close()
	presence(laying[0], "false")
	s.open(s.people[len(s.people)-1], lay)
	presence(laying[0], "true")

	gone, mourners := s.game("rules=kalah")
	s.post(s.people[len(s.people)-1], "/settings/forget", "sure=yes")
	_, err = mourners[0].Expect(s.ctx, "who is deleted in "+gone, func(f webtest.Frame) bool { return f.T == "names" && strings.Contains(f.Raw, `"deleted"`) })
	s.must(err)

	waiting := s.person()
	id, err = waiting.Make(s.ctx, nil)
	s.must(err)
	idle := s.talk(s.bare(waiting, nil))
	idle.say(`{"t":"sub","room":%q}`, id)
	idle.hear("sync")
	idle.say(`{"t":"cmd","room":%q,"id":"same","kind":"settings","rules":"kalah"}`, id) // the settings that it already has
	raw = append(raw, idle.hear("ack").Raw)
	idle.say(`{"t":"ping"}`)
	raw = append(raw, idle.hear("pong").Raw)
	for _, n := range []room.Note{{Kind: room.NoteUnavailable}, {Kind: room.NoteUnavailable, Over: true}, {Kind: room.NoteQuarantined}} {
		f, ok := live.NoteFrame(id, n, machine.Watchers) // only an outage or a defect causes these notes
		if !ok {
			s.Fatalf("no frame for %+v", n)
		}
		raw = append(raw, string(f.Payload()))
	}

	raw = append(raw, s.recordedLobby()...)
	raw = append(raw, s.recordedPeople()...)
	raw = append(raw, s.recordedTournament()...)
	raw = append(raw, s.recordedArbiter())

	s.must(s.rooms.Drain(s.ctx, nil))
	_, err = watcher.Expect(s.ctx, "the end of the room", func(f webtest.Frame) bool { return f.T == "gone" })
	s.must(err)
	for _, c := range s.tabs {
		for _, f := range c.Frames() {
			raw = append(raw, f.Raw)
		}
	}
	return raw
}

// title returns the kind of a frame: "ev move", "note presence", "err".
func title(t *testing.T, raw string) string {
	t.Helper()
	var f struct {
		T, Kind, Code string
		Ev            struct{ K string }
	}
	if err := json.Unmarshal([]byte(raw), &f); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if f.T == "err" || f.T == "gone" {
		f.Code = "" // an example stands for all codes
	}
	return strings.Join(slices.DeleteFunc([]string{f.T, f.Kind, f.Ev.K}, func(s string) bool { return s == "" }), " ")
}

// shape returns the fields of a frame and of the objects in it, without their
// values.
func shape(t *testing.T, raw string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	paths := map[string]bool{}
	collect("", v, paths)
	list := make([]string, 0, len(paths))
	for p := range paths {
		list = append(list, p)
	}
	slices.Sort(list)
	return title(t, raw) + " " + strings.Join(list, " ")
}

func collect(path string, v any, paths map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if path == ".names" {
				name = "*" // an ID
			}
			// Whether a legal move ends the turn depends on the position.
			if path != ".you.legal" && path != ".legal" || name == "m" || name == "trace" {
				paths[path+"."+name] = true
				collect(path+"."+name, value, paths)
			}
		}
	case []any:
		for _, value := range v {
			collect(path, value, paths)
		}
	}
}

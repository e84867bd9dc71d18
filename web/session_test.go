package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/socket"
	"mancala/web/webtest"
)

func ply(c *webtest.Client) (n int) {
	c.Look(func(g *webtest.Game) { n = g.Number("ply") })
	return n
}

func TestResumeGivesWhatWasMissed(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	s.move(seats[0], "c") // the last seed falls into the store, so South plays again
	s.move(seats[0], "a")
	seats[0].Drop()
	_, err := seats[0].ExpectNth(s.ctx, "an answer over a new connection", 2, func(f webtest.Frame) bool { return f.T == "sync" })
	s.must(err)
	for _, f := range seats[0].Frames()[1:] {
		if f.T == "snap" {
			t.Errorf("a client that had missed nothing got %s", f.Raw)
		}
	}

	conn := s.bare(s.people[0], nil)
	talk := s.talk(conn)
	talk.say(`{"t":"sub","room":%q,"since":%d}`, id, 3)
	if f := talk.hear("ev", "snap"); f.T != "ev" || f.Seq != 4 {
		t.Errorf("after 3 came %s", f.Raw)
	}
	if f := talk.hear("sync"); f.Seq == 0 || *f.As != 0 || *f.Me == "" {
		t.Errorf("it ended with %s", f.Raw)
	}
	talk.say(`{"t":"sub","room":%q}`, id)
	if f := talk.hear("ev", "snap"); f.T != "snap" {
		t.Errorf("without since came %s", f.Raw)
	}
	talk.say(`{"t":"sub","room":%q,"since":1000000}`, id)
	if f := talk.hear("snap"); f.Seq > 100 {
		t.Errorf("after a number from the future came %s", f.Raw)
	}
}

// Another instance tells this one, which does not reach the database, that it counts as
// dead. A client that subscribes now to a room that does not run here must reconnect, so that
// a load balancer can choose another instance. Without that message it must stay.
func TestClientOfARoomThatOnlyOthersCanOpenIsSentElsewhere(t *testing.T) {
	s := serve(t)
	ada := s.person()
	_, err := ada.Make(s.ctx, url.Values{"rules": {"kalah"}}) // it makes her a guest
	s.must(err)
	id := lobby.NewRoomID()
	creation := match.Creation{Settings: match.Settings{Rules: "kalah"}, Creator: "somebody"}
	s.must(s.rooms.Create(s.ctx, id, match.Kind, creation.Command("create")))
	s.rows.away.Store(true)
	s.eventually("a sign of life that fails", func() bool { return s.rooms.Stats().Failing })
	talk := s.talk(s.bare(ada, nil))
	talk.say(`{"t":"sub","room":%q}`, id)
	if f := talk.hear("err", "snap"); f.Code != "unavailable" {
		t.Errorf("while all instances may be cut off came %s", f.Raw)
	}
	s.rooms.Hear("other", room.Message{Kind: "dead"})
	if s.rooms.Stats().Healthy {
		t.Error("the load balancer would send more clients here")
	}
	tab := ada.Open(id)
	s.tabs = append(s.tabs, tab)
	s.eventually("a close of the socket", func() bool { return len(tab.Closes()) > 0 })
	if code := tab.Closes()[0]; code != websocket.StatusCode(socket.Restarting) {
		t.Errorf("closed with %d", code)
	}
	s.rows.away.Store(false)
	s.must(tab.Ready(s.ctx))
	if !s.rooms.Stats().Healthy {
		t.Error("the instance reaches the database and takes no clients")
	}
}

// A client may claim an entry that does not exist. The server looks for it in
// the database once for each socket and room, and every answer is a snapshot.
func TestSocketIsBelievedOnce(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=kalah")
	claim := func(talk *talk, since int, want int64) {
		t.Helper()
		talk.say(`{"t":"sub","room":%q,"since":%d}`, id, since)
		if f := talk.hear("ev", "snap", "err"); f.T != "snap" || f.Seq == 0 || f.Seq > 100 {
			t.Errorf("after %d came %s", since, f.Raw)
		}
		talk.hear("sync")
		if got := s.rows.few.Load(); got != want {
			t.Errorf("%d reads after the claim of %d, want %d", got, since, want)
		}
	}
	first := s.talk(s.bare(s.people[0], nil))
	claim(first, 1_000_000, 1)
	claim(first, 2_000_000, 1)
	first.say(`{"t":"unsub","room":%q}`, id)
	claim(first, 1_000_000, 1)
	claim(s.talk(s.bare(s.people[1], nil)), 1_000_000, 2)
}

// lag makes the server believe that the person's sockets have lagged, and have read the rest.
func (s *service) lag(p *webtest.Person) {
	s.Helper()
	var me struct{ ID string }
	s.must(json.Unmarshal([]byte(s.me(p)), &me))
	for _, device := range s.Presence.Devices(me.ID) {
		device.(socket.Handler).Drained()
	}
}

// Any frame may be among those that a lagging reader was not sent.
func TestReaderThatLaggedIsToldEverythingOnceMore(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=kalah")
	talk := s.talk(s.bare(s.people[0], nil))
	talk.say(`{"t":"sub","room":%q}`, id)
	talk.hear("sync")
	for _, preset := range []string{"hello", "oops"} {
		talk.say(`{"t":"chat","room":%q,"preset":%q}`, id, preset)
		for talk.hear("chat").Room != id {
		}
	}
	_, err := s.Lobby.Lines.Erase(s.ctx, id, lobby.StreamPlayers, 1)
	s.must(err)
	s.Chat.Erased(id, lobby.StreamPlayers, 1)
	talk.hear("erased")
	talk.say(`{"t":"sub","room":"people"}`)
	talk.hear("snap")
	s.lag(s.people[0])
	want := map[string]bool{"snap people": true, "snap " + id: true, "names " + id: true, "chat " + id: true, "erased " + id: true}
	for len(want) > 0 {
		f, err := talk.next()
		if err != nil {
			t.Fatalf("%v never came: %v", want, err)
		}
		delete(want, f.T+" "+f.Room)
	}
}

func TestRepeatIsAnsweredAsTheFirstWas(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	talk := s.talk(s.bare(s.people[0], nil))
	talk.say(`{"t":"sub","room":%q}`, id)
	talk.hear("sync")
	talk.say(`{"t":"cmd","room":%q,"id":"m1","kind":"move","ply":0,"move":"c"}`, id)
	first := talk.hear("ev")
	if first.ID != "m1" || first.You == nil {
		t.Errorf("the author's frame is %s", first.Raw)
	}
	talk.say(`{"t":"cmd","room":%q,"id":"m1","kind":"move","ply":0,"move":"c"}`, id)
	if f := talk.hear("ack", "err"); f.T != "ack" || f.ID != "m1" || f.Seq != first.Seq {
		t.Errorf("the repeat was answered with %s, want an ack of %d", f.Raw, first.Seq)
	}
	s.must(seats[1].Until(s.ctx, "the move", func(g *webtest.Game) bool { return g.Number("ply") == 1 }))
}

func TestInvalidCommandsAreRefusedAndChangeNothing(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	watcher := s.open(s.person(), id)
	other := s.person()
	_, err := other.Make(s.ctx, nil) // gives them an identity
	s.must(err)
	passer := s.open(other, id)
	s.refused(seats[1], "not-your-turn", "move", map[string]any{"ply": 0, "move": "a"})
	s.refused(seats[0], "stale", "move", map[string]any{"ply": 7, "move": "a"})
	s.refused(seats[0], "bad-move", "move", map[string]any{"ply": 0, "move": "no move"})
	s.refused(seats[0], "bad-command", "move", map[string]any{"ply": 0})
	s.refused(seats[0], "bad-command", "fly", nil)
	s.refused(seats[0], "bad-command", "move", map[string]any{"ply": 0, "move": strings.Repeat("a", 5000)})
	s.refused(seats[0], "reserved", "wake", nil)
	s.refused(seats[0], "reserved", "gone", nil)
	s.refused(seats[0], "bad-command", "create", nil)
	s.refused(seats[0], "no-offer", "accept", map[string]any{"what": "draw"})
	s.refused(seats[0], "no-claim", "claim", map[string]any{"what": "win"})
	s.refused(seats[0], "not-waiting", "settings", map[string]any{"rules": "oware"})
	s.refused(passer, "not-playing", "move", map[string]any{"ply": 0, "move": "a"})
	s.refused(passer, "no-seat", "sit", nil)
	s.refused(watcher, "no-identity", "move", map[string]any{"ply": 0, "move": "a"})
	s.move(seats[0], "c")
	f, err := seats[0].Do(s.ctx, "move", map[string]any{"ply": 1, "move": "c"})
	s.must(err)
	if f.Code != "empty-pit" || !strings.Contains(f.Raw, `"pit":3`) || !strings.Contains(f.Raw, `"legal":["a"`) || !strings.Contains(f.Raw, "Pit 3") {
		t.Errorf("an empty pit was answered with %s", f.Raw)
	}
	if got := ply(seats[0]); got != 1 {
		t.Errorf("%d plies were played, want 1", got)
	}
	s.sameEverywhere(id, append(seats, watcher, passer))
}

func TestNewestTabPlays(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	older := seats[0]
	newer := s.open(s.people[0], id)
	superseded := func(f webtest.Frame) bool { return f.T == "note" && f.Kind == "superseded" }
	_, err := older.Expect(s.ctx, "that a newer tab plays", superseded)
	s.must(err)
	s.refused(older, "superseded", "move", map[string]any{"ply": 0, "move": "c"})
	s.move(newer, "c")
	s.must(older.Until(s.ctx, "the newer tab's move", func(g *webtest.Game) bool { return g.Number("ply") == 1 }))

	older.Take(s.ctx)
	_, err = newer.Expect(s.ctx, "that the older tab took over", superseded)
	s.must(err)
	s.move(older, "a")
	s.refused(newer, "superseded", "resign", nil)

	// A request for a snapshot does not take over. The tab is told again that
	// it only reads.
	newer.Send(s.ctx, fmt.Sprintf(`{"t":"sub","room":%q}`, id))
	_, err = newer.ExpectNth(s.ctx, "that it still only reads", 2, superseded)
	s.must(err)
	s.refused(newer, "superseded", "resign", nil)
}

// After a restart the tab that was used last plays, even if another tab
// reconnects last.
func TestTabsSayWhichOfThemPlayed(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	played := seats[0]
	reads := s.talk(s.bare(s.people[0], nil))
	reads.say(`{"t":"sub","room":%q,"reads":true}`, id)
	for f := reads.hear("note"); f.Kind != "superseded"; {
		f = reads.hear("note")
	}
	reads.say(`{"t":"cmd","room":%q,"id":"x","kind":"resign"}`, id)
	reads.refused("superseded")
	s.move(played, "c")
}

// A player who waits for a friend in two tabs can play in only one of them.
func TestOnlyTheNewerWaitingTabPlays(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.person()
	id, err := ada.Make(s.ctx, url.Values{"start": {"creator"}})
	s.must(err)
	first, second := s.open(ada, id), s.open(ada, id)
	s.must(ben.Sit(s.ctx, id))
	_, err = first.Expect(s.ctx, "that the newer tab plays", func(f webtest.Frame) bool { return f.Kind == "superseded" })
	s.must(err)
	s.refused(first, "superseded", "move", map[string]any{"ply": 0, "move": "c"})
	s.move(second, "c")
}

func TestSettingsChangeUntilTheGameBegins(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.person()
	id, err := ada.Make(s.ctx, nil)
	s.must(err)
	_, err = ben.Make(s.ctx, nil)
	s.must(err)
	a, b := s.open(ada, id), s.open(ben, id)
	s.must(a.Must(s.ctx, "settings", map[string]any{"rules": "oware", "clock": "5+3", "start": "friend"}))
	s.must(b.Until(s.ctx, "the settings", func(g *webtest.Game) bool { return g.Text("rules") == "oware" && g.Text("clockText") == "5+3" }))
	s.refused(b, "not-creator", "settings", map[string]any{"rules": "kalah"})
	s.refused(a, "bad-clock", "settings", map[string]any{"clock": "9999+1"})
	s.refused(a, "bad-rules", "settings", map[string]any{"rules": "chess"})
	s.refused(a, "already-seated", "sit", nil)
	s.must(a.Must(s.ctx, "stand", nil))
	s.must(a.Must(s.ctx, "sit", nil))
	s.must(b.Must(s.ctx, "sit", nil))
	seats := s.bySeat([]*webtest.Client{a, b})
	if seats[0] != b {
		t.Error("the friend should begin")
	}
	s.must(seats[0].Until(s.ctx, "both names", func(g *webtest.Game) bool { return len(g.Names) == 2 }))
	s.must(seats[1].Must(s.ctx, "abort", nil))
	s.must(b.Until(s.ctx, "the end", func(g *webtest.Game) bool {
		return g.Over() && strings.Contains(fmt.Sprint(g.State["result"]), "aborted")
	}))
}

func TestOffersAreSentAndAnswered(t *testing.T) {
	s := serve(t)
	_, seats := s.game("rules=kalah")
	a, b := seats[0], seats[1]
	s.move(a, "a")
	s.move(b, "a")
	s.must(a.Must(s.ctx, "offer", map[string]any{"what": "takeback", "ply": 2}))
	s.must(b.Until(s.ctx, "the offer", func(g *webtest.Game) bool { return strings.Contains(fmt.Sprint(g.State["offers"]), "takeback") }))
	s.must(b.Must(s.ctx, "accept", map[string]any{"what": "takeback"}))
	s.must(a.Until(s.ctx, "the ply back", func(g *webtest.Game) bool { return g.Number("ply") == 0 && len(g.Legal) == 6 }))
	s.must(a.Must(s.ctx, "offer", map[string]any{"what": "draw"}))
	s.refused(a, "offer-again", "offer", map[string]any{"what": "draw"})
	s.must(b.Must(s.ctx, "decline", map[string]any{"what": "draw"}))
	s.must(b.Must(s.ctx, "offer", map[string]any{"what": "draw"}))
	s.must(a.Must(s.ctx, "accept", map[string]any{"what": "draw"}))
	s.must(b.Until(s.ctx, "the draw", (*webtest.Game).Over))
	s.refused(a, "not-live", "resign", nil)
}

func TestRematchIsANewRoomOfTheSamePeople(t *testing.T) {
	s := serve(t)
	_, seats := s.game("rules=kalah&clock=3+2")
	s.must(seats[0].Must(s.ctx, "resign", nil))
	s.must(seats[1].Must(s.ctx, "offer", map[string]any{"what": "rematch"}))
	s.must(seats[0].Must(s.ctx, "accept", map[string]any{"what": "rematch"}))
	var next string
	var before []string
	s.must(seats[1].Until(s.ctx, "the next room", func(g *webtest.Game) bool {
		next, before = g.Text("rematch"), g.Texts("seats")
		return next != ""
	}))
	again := s.open(s.people[0], next)
	again.Look(func(g *webtest.Game) {
		after := g.Texts("seats")
		if len(after) != 2 || after[0] != before[1] || after[1] != before[0] || g.Text("clockText") != "3+2" {
			t.Errorf("the rematch has %v at %s, the game had %v", after, g.Text("clockText"), before)
		}
	})
}

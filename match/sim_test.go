package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"mancala/engine"
	"mancala/match/machine"
)

// TestRandomGamesKeepTheirInvariants plays random games of all systems and of random house
// rules. The players offer, resign, leave, return, send invalid commands and come too late.
// After every entry the test checks all that must always hold. A failure names the number of the game.
func TestRandomGamesKeepTheirInvariants(t *testing.T) {
	games := 60
	if os.Getenv("MANCALA_TEST_LONG") != "" {
		games = 500
	}
	for run := range uint64(games) {
		t.Run(fmt.Sprint(run), func(t *testing.T) { simulate(t, run, nil) })
	}
}

// sim is one simulated match.
type sim struct {
	*table
	r      *rand.Rand
	seen   observers
	people []string
	away   string // does not move until they are back
}

func simulate(t *testing.T, run uint64, collect func(*sim)) {
	r := rand.New(rand.NewPCG(run, 1))
	rules, options := randomRules(r, run)
	s := &sim{r: r, people: []string{"p0", "p1", "p2", "p3", "p4"}}
	clock := []string{"none", "5+3", "0.5+0", "1d2", "3/move", "15+10"}[r.IntN(6)]
	c := Creation{Settings: Settings{Rules: rules, Options: options, Clock: clock, Start: startNames[r.IntN(len(startNames))], ForOthers: r.IntN(6) == 0},
		Creator: "p0", Secret: secretWord}
	if c.Rated = r.IntN(4) == 0; c.Check() != nil {
		c.Rated = false
	}
	set, err := newRuleset(rules, options)
	if err != nil {
		t.Fatal(err)
	}
	if r.IntN(4) == 0 {
		c.Seats = s.people[:set.game.Seats()]
	}
	if run%5 == 4 && set.game.Seats() == 2 { // a game of a tournament
		c.Seats, c.Event = s.people[:2], &Event{"k3v9qa2mx9", 1 + r.IntN(9), 1 + r.IntN(200), 1 + r.IntN(2)}
		c.NoShow = []time.Duration{0, 20 * time.Second, 2 * time.Minute}[r.IntN(3)]
	}
	s.table = newTable(t, c)
	s.check()
	polite := r.IntN(3) > 0 // so that many games are played to their end
	for n := 0; n < 600 && (s.m.stage != over || r.IntN(8) > 0); n++ {
		s.step(polite)
	}
	s.replayed()
	if collect != nil {
		collect(s)
	}
}

const secretWord = "hush-hush-hush"

// step performs one random action.
func (s *sim) step(polite bool) {
	s.t.Helper()
	if s.r.IntN(3) > 0 {
		s.at += s.r.Int64N(2500)
	}
	if s.r.IntN(60) == 0 {
		s.at += s.r.Int64N(70_000)
	}
	if s.r.IntN(2000) == 0 {
		s.at += 3 * day
	}
	if s.m.event != nil && s.r.IntN(12) == 0 {
		s.try(s.arbiter())
		return
	}
	if w := s.m.wake(); w > 0 && s.at >= w && s.r.IntN(4) > 0 {
		s.try(machine.Command{ID: "w", Kind: machine.KindWake})
		return
	}
	who := s.people[s.r.IntN(len(s.people))]
	if len(s.m.offers) > 0 && s.r.IntN(5) == 0 {
		o := s.m.offers[0]
		kind := []string{KindAccept, KindDecline}[s.r.IntN(4)/3]
		if polite && o.what == draw && s.r.IntN(4) > 0 {
			kind = KindDecline
		}
		s.try(machine.Command{ID: "y", Kind: kind, By: who, Body: json.RawMessage(fmt.Sprintf(`{"what":%q}`, o.what))})
		return
	}
	if s.m.playing() && s.m.seats[s.m.onTurn()] == s.away && s.r.IntN(8) > 0 {
		if _, until := s.m.countdown(); until > 0 && s.r.IntN(3) == 0 {
			s.at = max(s.at, until-5000+s.r.Int64N(10_000))
			s.try(machine.Command{ID: "c", Kind: KindClaim, By: who, Body: json.RawMessage(`{"what":"` + []string{"win", "draw"}[s.r.IntN(2)] + `"}`)})
		}
		return
	}
	if s.m.playing() && s.r.IntN(20) > 0 {
		s.moveOne()
		return
	}
	switch s.r.IntN(14) {
	case 0, 1:
		s.try(machine.Command{ID: "s", Kind: KindSit, By: who})
		if s.m.stage == waiting && s.r.IntN(4) == 0 {
			s.try(machine.Command{ID: "z", Kind: KindYoungest, By: who})
		}
	case 2:
		s.away = who
		s.try(machine.Command{ID: "g", Kind: machine.KindGone, By: who})
	case 3:
		s.away = ""
		s.try(machine.Command{ID: "b", Kind: machine.KindBack, By: who})
	case 4:
		if s.r.IntN(3) > 0 {
			return
		}
		body := fmt.Sprintf(`{"from":%d}`, s.at-s.r.Int64N(40_000))
		s.try(machine.Command{ID: "o", Kind: machine.KindOutage, Body: json.RawMessage(body)})
	case 5, 6:
		w := whatNames[s.r.IntN(len(whatNames))]
		body := fmt.Sprintf(`{"what":%q}`, w)
		if w == "takeback" {
			body = fmt.Sprintf(`{"what":%q,"ply":%d}`, w, s.m.pos.Ply)
		}
		s.try(machine.Command{ID: "f", Kind: KindOffer, By: who, Body: json.RawMessage(body)})
	case 7, 8:
		w := whatNames[s.r.IntN(len(whatNames))]
		if polite && w == "draw" {
			return
		}
		s.try(machine.Command{ID: "y", Kind: KindAccept, By: who, Body: json.RawMessage(fmt.Sprintf(`{"what":%q}`, w))})
	case 9:
		s.try(machine.Command{ID: "n", Kind: KindDecline, By: who, Body: json.RawMessage(fmt.Sprintf(`{"what":%q}`, whatNames[s.r.IntN(len(whatNames))]))})
	case 10:
		s.try(machine.Command{ID: "c", Kind: KindClaim, By: who, Body: json.RawMessage(`{"what":"` + []string{"win", "draw"}[s.r.IntN(2)] + `"}`)})
	case 11:
		if s.m.stage == waiting {
			kind := []string{KindStand, KindSettings}[s.r.IntN(2)]
			body := ""
			if kind == KindSettings {
				rules, options := randomRules(s.r, s.r.Uint64N(1000))
				assists := s.r.IntN(2) == 0
				b, _ := json.Marshal(Settings{Rules: rules, Options: options, Clock: "5+3", Start: "random", Assists: &assists, Chat: chatNames[s.r.IntN(len(chatNames))]})
				body = string(b)
			}
			s.try(machine.Command{ID: "t", Kind: kind, By: who, Body: json.RawMessage(body)})
		}
	case 12:
		if polite && s.m.stage != between && s.r.IntN(6) > 0 {
			return
		}
		kind := []string{KindResign, KindAbort, KindNext}[s.r.IntN(3)]
		body := ""
		if kind == KindResign && s.m.rules.rules.Match == engine.MatchDifference {
			body = []string{`{"what":"round"}`, `{"what":"match"}`}[s.r.IntN(8)/7]
		}
		s.try(machine.Command{ID: "r", Kind: kind, By: who, Body: json.RawMessage(body)})
	case 13:
		body := []string{`{"task":"rematch","room":"k3v9qa2mx2"}`, `{"task":"rate"}`, `{"task":"rate","ratings":[{"before":1500,"after":1510},{"before":1500,"after":1490,"provisional":true}]}`}[s.r.IntN(3)]
		s.try(machine.Command{ID: "d", Kind: machine.KindDone, Body: json.RawMessage(body)})
	}
}

// arbiter returns a random order of an arbiter, or a result that has been reported.
func (s *sim) arbiter() machine.Command {
	if s.m.stage == over {
		return machine.Command{ID: "d", Kind: machine.KindDone, Body: json.RawMessage(`{"task":"report"}`)}
	}
	act := []string{ActPause, ActResume, ActResume, ActResume, ActAdd, ActReplace, ActEnd}[s.r.IntN(7)]
	if act == ActEnd && s.r.IntN(10) > 0 {
		act = ActResume
	}
	body, _ := json.Marshal(Order{act, s.r.IntN(2), s.r.Int64N(60_000), s.people[s.r.IntN(len(s.people))]})
	return machine.Command{ID: "x", Kind: KindArbiter, By: "host", Server: s.r.IntN(20) > 0, Body: body}
}

// moveOne plays a random legal ply, sometimes for the wrong seat or ply.
func (s *sim) moveOne() {
	m := s.m
	seat := m.onTurn()
	if m.out(seat) {
		s.try(machine.Command{ID: "w", Kind: machine.KindWake})
		return
	}
	var text string
	if m.pos.Phase == engine.Setup {
		text = randomLayout(s.r, m.rules.game)
	} else {
		legal := m.rules.game.Legal(&m.pos)
		text = legal.At(s.r.IntN(legal.Len())).String()
	}
	ply := int(m.pos.Ply)
	if s.r.IntN(15) == 0 {
		seat = s.r.IntN(len(m.seats))
	}
	if s.r.IntN(25) == 0 {
		ply += s.r.IntN(3) - 1
	}
	body := fmt.Sprintf(`{"ply":%d,"move":%q}`, max(0, ply), text)
	if s.r.IntN(15) == 0 {
		body = fmt.Sprintf(`{"ply":%d,"move":%q}`, max(0, ply), string(rune('a'+s.r.IntN(26))))
	}
	s.try(machine.Command{ID: "m", Kind: KindMove, By: m.seats[seat], Lag: time.Duration(s.r.IntN(900)) * time.Millisecond, Body: json.RawMessage(body)})
}

// try decides a command. If it became an entry, try checks everything.
func (s *sim) try(c machine.Command) {
	s.t.Helper()
	before := s.m.Snapshot(machine.Watchers)
	e, err := s.m.Decide(c, time.UnixMilli(s.at))
	if !bytes.Equal(before, s.m.Snapshot(machine.Watchers)) {
		s.t.Fatalf("deciding %s changed the state", c.Kind)
	}
	if err != nil {
		return
	}
	s.take(e, c)
	s.check()
}

// check checks what must hold after every entry.
func (s *sim) check() {
	s.t.Helper()
	e := s.entries[len(s.entries)-1]
	s.seen.see(s.t, s.m, e)
	for _, a := range audiences {
		shown := s.m.AppendPublic(nil, e, a)
		if !bytes.Equal(shown, New().AppendPublic(nil, e, a)) {
			s.t.Fatal("Encode reads the state")
		}
		for _, data := range [][]byte{shown, s.m.Snapshot(a), s.m.AppendPrivate(nil, a)} {
			for _, secret := range []string{secretWord, `"~"`, `"lag"`, `"secret"`, `"hold"`, `"contest"`} {
				if bytes.Contains(data, []byte(secret)) {
					s.t.Fatalf("audience %d sees %s in %s", a, secret, data)
				}
			}
		}
		if s.m.AppendPrivate(nil, a) != nil && int(a) != s.m.onTurn() {
			s.t.Fatalf("seat %d sees what is private to seat %d", a, s.m.onTurn())
		}
	}
	if s.m.event != nil {
		s.checkEvent()
	}
	if w := s.m.wake(); s.m.playing() && s.m.control.kind != noClock && w == 0 {
		s.t.Fatalf("a game with a clock in which nothing is due: %s", s.m.Snapshot(machine.Watchers))
	}
}

// checkEvent checks what must hold in a game of a tournament.
func (s *sim) checkEvent() {
	s.t.Helper()
	m := s.m
	tasks, reported := 0, false
	for _, e := range s.entries {
		reported = reported || e.Kind == kindReport
	}
	for _, task := range m.Tasks() {
		if task.Kind == TaskReport {
			tasks++
		}
	}
	switch {
	case m.paused() && (m.run != 0 || m.due != 0 || m.hold.on() || m.stage == over):
		s.t.Fatalf("something runs in a pause: %s", m.Snapshot(machine.Watchers))
	case (tasks == 1) != (m.stage == over && !reported):
		s.t.Fatalf("%d reports are due, one was reported: %t, %s", tasks, reported, m.Snapshot(machine.Watchers))
	case m.rematches, m.result != nil && m.result.Reason == byAbort && m.made != [maxSeats]int32{}:
		s.t.Fatalf("players have decided for the tournament: %s", m.Snapshot(machine.Watchers))
	case m.result != nil && m.result.Reason == engine.ByNoShow && m.allMoved():
		s.t.Fatalf("both players came: %s", m.Snapshot(machine.Watchers))
	case m.playing() && m.wake() == 0 && m.idleAt() == 0:
		s.t.Fatalf("nothing ends this game: %s", m.Snapshot(machine.Watchers))
	}
}

// replayed compares the state with that of a machine that has only the journal.
func (s *sim) replayed() {
	s.t.Helper()
	m := New()
	for i, e := range s.entries {
		e.Body = bytes.Clone(e.Body)
		if err := m.Apply(e); err != nil {
			s.t.Fatalf("replay of entry %d %s %s: %v", i+1, e.Kind, e.Body, err)
		}
	}
	for _, a := range audiences {
		if got, want := m.Snapshot(a), s.m.Snapshot(a); !bytes.Equal(got, want) {
			s.t.Fatalf("audience %d\nreplayed %s\nlive     %s", a, got, want)
		}
		if got, want := m.AppendPrivate(nil, a), s.m.AppendPrivate(nil, a); !bytes.Equal(got, want) {
			s.t.Fatalf("audience %d\nreplayed %s\nlive     %s", a, got, want)
		}
	}
	if m.wake() != s.m.wake() || fmt.Sprint(m.Tasks()) != fmt.Sprint(s.m.Tasks()) {
		s.t.Fatal("replay wakes at another time or wants other tasks")
	}
	if s.m.began > 0 {
		s.told()
	}
	a, b := m.state, s.m.state
	if fmt.Sprint(a.hist, a.pos, a.made, a.drawn, a.asked, a.gone, a.hold, a.lag, a.standing, a.left, a.past) !=
		fmt.Sprint(b.hist, b.pos, b.made, b.drawn, b.asked, b.gone, b.hold, b.lag, b.standing, b.left, b.past) {
		s.t.Fatalf("the replay differs in hidden fields:\n%+v\n%+v", a, b)
	}
}

// told compares the records and the story with what happened.
func (s *sim) told() {
	s.t.Helper()
	recs := plainRecords(s.t, s.m.Record(func(p string) string { return p }))
	story, err := StoryOf(s.entries)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(recs) != s.m.round || len(story.Rounds) != s.m.round {
		s.t.Fatalf("%d records, %d chapters of %d rounds", len(recs), len(story.Rounds), s.m.round)
	}
	for i, c := range story.Rounds {
		var moves []string
		for _, step := range c.Steps {
			moves = append(moves, step.Move)
		}
		if got := strings.Join(recs[i].Moves, " "); got != strings.Join(moves, " ") {
			s.t.Fatalf("round %d: the record has %s, the story %v", i+1, got, moves)
		}
	}
}

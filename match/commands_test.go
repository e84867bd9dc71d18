package match

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
)

const someLayout = "=7.6.5.8.6.4/6.5.8.4.9.4"

// stages brings a match into each of its states. p0 and p1 play; p0 created the
// match.
var stages = []struct {
	name string
	make func(t *testing.T) *table
}{
	{"waiting", func(t *testing.T) *table {
		return newTable(t, Creation{Settings: Settings{Rules: "oware-abapa", Start: "creator"}, Creator: "p0"})
	}},
	{"setup", func(t *testing.T) *table { return seated(t, "ignorant", "target=100", "none") }},
	{"live", func(t *testing.T) *table { return seated(t, "oware-abapa", "", "none") }},
	{"pause", func(t *testing.T) *table {
		tb := seated(t, "ignorant", "target=100", "none")
		tb.play(someLayout, "keep")
		tb.must("p1", KindResign, `{"what":"round"}`)
		return tb
	}},
	{"over", func(t *testing.T) *table {
		tb := seated(t, "oware-abapa", "", "none")
		tb.must("p1", KindResign, "")
		return tb
	}},
}

// TestCommandsAreRefusedByState lists every command of a player in every state, with the code
// that refuses it, or "" if it is carried out.
func TestCommandsAreRefusedByState(t *testing.T) {
	offers := slices.Clone(whatNames[:]) // those without a row
	for _, tt := range []struct {
		by, kind, body string
		want           map[string]refusal.Code
	}{
		{"p0", KindSettings, `{"clock":"5+3"}`, map[string]refusal.Code{"waiting": "", "setup": CodeNotWaiting, "live": CodeNotWaiting, "pause": CodeNotWaiting, "over": CodeNotWaiting}},
		{"p1", KindSettings, `{"clock":"5+3"}`, map[string]refusal.Code{"waiting": CodeNotCreator, "setup": CodeNotWaiting, "live": CodeNotWaiting, "pause": CodeNotWaiting, "over": CodeNotWaiting}},
		{"p1", KindSit, "", map[string]refusal.Code{"waiting": "", "setup": CodeAlreadySeated, "live": CodeAlreadySeated, "pause": CodeAlreadySeated, "over": CodeAlreadySeated}},
		{"p9", KindSit, "", map[string]refusal.Code{"waiting": "", "setup": CodeNoSeat, "live": CodeNoSeat, "pause": CodeNoSeat, "over": CodeNoSeat}},
		{"p0", KindSit, "", map[string]refusal.Code{"waiting": CodeAlreadySeated, "setup": CodeAlreadySeated, "live": CodeAlreadySeated, "pause": CodeAlreadySeated, "over": CodeAlreadySeated}},
		{"p0", KindStand, "", map[string]refusal.Code{"waiting": "", "setup": CodeNotWaiting, "live": CodeNotWaiting, "pause": CodeNotWaiting, "over": CodeNotWaiting}},
		{"p1", KindStand, "", map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNotWaiting, "live": CodeNotWaiting, "pause": CodeNotWaiting, "over": CodeNotWaiting}},
		{"p0", KindMove, `{"ply":0,"move":"c"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": "wrong-phase", "live": "", "pause": CodeNotLive, "over": CodeNotLive}},
		{"p0", KindMove, `{"ply":0,"move":"` + someLayout + `"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": "", "live": "wrong-phase", "pause": CodeNotLive, "over": CodeNotLive}},
		{"p1", KindMove, `{"ply":0,"move":"c"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNotYourTurn, "live": CodeNotYourTurn, "pause": CodeNotLive, "over": CodeNotLive}},
		{"p0", KindMove, `{"ply":7,"move":"c"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeStale, "live": CodeStale, "pause": CodeNotLive, "over": CodeNotLive}},
		{"p7", KindMove, `{"ply":0,"move":"c"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNotPlaying, "live": CodeNotPlaying, "pause": CodeNotPlaying, "over": CodeNotPlaying}},
		{"p0", KindMove, `{"ply":0,"move":"zz"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeBadMove, "live": CodeBadMove, "pause": CodeNotLive, "over": CodeNotLive}},
		{"p0", KindResign, ``, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeBadCommand, "live": "", "pause": CodeBadCommand, "over": CodeNotLive}},
		{"p0", KindResign, `{"what":"match"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": "", "live": "", "pause": "", "over": CodeNotLive}},
		{"p0", KindResign, `{"what":"round"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": "", "live": CodeBadCommand, "pause": CodeNotLive, "over": CodeBadCommand}},
		{"p7", KindResign, ``, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNotPlaying, "live": CodeNotPlaying, "pause": CodeNotPlaying, "over": CodeNotPlaying}},
		{"p0", KindAbort, ``, map[string]refusal.Code{"waiting": "", "setup": "", "live": "", "pause": CodeNotLive, "over": CodeNotLive}},
		{"p7", KindAbort, ``, map[string]refusal.Code{"waiting": CodeNotCreator, "setup": CodeNotPlaying, "live": CodeNotPlaying, "pause": CodeNotPlaying, "over": CodeNotPlaying}},
		{"p0", KindOffer, `{"what":"draw"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNotLive, "live": "", "pause": CodeNotLive, "over": CodeNotLive}},
		{"p0", KindOffer, `{"what":"takeback","ply":0}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNoTakeback, "live": CodeNoTakeback, "pause": CodeNotLive, "over": CodeNotLive}},
		{"p0", KindOffer, `{"what":"rematch"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNotLive, "live": CodeNotLive, "pause": CodeNotLive, "over": ""}},
		{"p7", KindOffer, `{"what":"rematch"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNotPlaying, "live": CodeNotPlaying, "pause": CodeNotPlaying, "over": CodeNotPlaying}},
		{"p0", KindAccept, `{"what":"draw"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNoOffer, "live": CodeNoOffer, "pause": CodeNoOffer, "over": CodeNoOffer}},
		{"p0", KindDecline, `{"what":"rematch"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNoOffer, "live": CodeNoOffer, "pause": CodeNoOffer, "over": CodeNoOffer}},
		{"p0", KindClaim, `{"what":"win"}`, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNoClaim, "live": CodeNoClaim, "pause": CodeNoClaim, "over": CodeNotLive}},
		{"p0", KindNext, ``, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNotLive, "live": CodeNotLive, "pause": "", "over": CodeNotLive}},
		{"p0", "dance", ``, map[string]refusal.Code{"waiting": CodeBadCommand, "setup": CodeBadCommand, "live": CodeBadCommand, "pause": CodeBadCommand, "over": CodeBadCommand}},
		{"p0", KindCreate, `{}`, map[string]refusal.Code{"waiting": CodeBadCommand, "setup": CodeBadCommand, "live": CodeBadCommand, "pause": CodeBadCommand, "over": CodeBadCommand}},
		{"", KindResign, ``, map[string]refusal.Code{"waiting": CodeNotPlaying, "setup": CodeNotPlaying, "live": CodeNotPlaying, "pause": CodeNotPlaying, "over": CodeNotPlaying}},
		{"", machine.KindWake, ``, map[string]refusal.Code{"waiting": "nothing", "setup": "nothing", "live": "nothing", "pause": "nothing", "over": "nothing"}},
		{"p0", machine.KindGone, ``, map[string]refusal.Code{"waiting": "nothing", "setup": "nothing", "live": "nothing", "pause": "nothing", "over": "nothing"}},
		{"p0", machine.KindBack, ``, map[string]refusal.Code{"waiting": "nothing", "setup": "nothing", "live": "nothing", "pause": "nothing", "over": "nothing"}},
		{"", machine.KindDone, `{"task":"rematch","room":"x"}`, map[string]refusal.Code{"waiting": "nothing", "setup": "nothing", "live": "nothing", "pause": "nothing", "over": "nothing"}},
	} {
		if tt.kind == KindOffer {
			offers = slices.DeleteFunc(offers, func(name string) bool { return strings.Contains(tt.body, `"`+name+`"`) })
		}
		for _, st := range stages {
			t.Run(fmt.Sprintf("%s %s %s/%s", tt.by, tt.kind, tt.body, st.name), func(t *testing.T) {
				tb := st.make(t)
				if got := tb.m.State(); got != st.name {
					t.Fatalf("the match is %q", got)
				}
				want, ok := tt.want[st.name]
				if got := code(tb.do(machine.Command{ID: "x", Kind: tt.kind, By: tt.by, Body: json.RawMessage(tt.body)})); got != want || !ok {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
	if len(offers) > 0 {
		t.Errorf("no row offers %v", offers)
	}
}

func TestBadCommandBodiesAreRefused(t *testing.T) {
	for _, tt := range []struct{ kind, body string }{
		{KindMove, ``}, {KindMove, `{}`}, {KindMove, `[]`}, {KindMove, `{"ply":0}`}, {KindMove, `{"move":"c"}`},
		{KindMove, `{"ply":"0","move":"c"}`}, {KindMove, `{"ply":0,"move":3}`}, {KindMove, `{"ply":-1,"move":"c"}`},
		{KindMove, `{"ply":1e0,"move":"c"}`}, {KindMove, `{"ply":0.5,"move":"c"}`}, {KindMove, `{"ply":99999999999999999999,"move":"c"}`},
		{KindMove, `{"ply":0,"move":"c","extra":1}`}, {KindMove, `{"ply":0,"ply":0,"move":"c"}`}, {KindMove, `{"ply":0,"move":"c"`},
		{KindMove, `{"ply":0,"move":"c"}}`}, {KindMove, `{"ply":0,"move":"c"} x`}, {KindMove, `{"ply":0,"move":"\ud800` + "\x01" + `"}`},
		{KindMove, `{"ply":0,"move":"c","what":"draw"}`}, {KindMove, `{"ply":0,,"move":"c"}`}, {KindMove, `{"ply":0,"move":"c",}`},
		{KindMove, strings.Repeat(`[`, 3000)}, {KindMove, `{"ply":0,"move":"` + strings.Repeat("c", 5000) + `"}`},
		{KindMove, "{\"ply\":0,\"move\":\"c\xff\"}x"}, {KindResign, `{"what":1}`}, {KindResign, `{"what":"all"}`}, {KindResign, `null`},
		{KindOffer, `{"what":"gift"}`}, {KindOffer, `{}`}, {KindOffer, `{"what":"draw","ply":0}`}, {KindOffer, `{"what":"takeback"}`},
		{KindClaim, `{"what":"lose"}`}, {KindSit, `{"seat":1}`}, {KindAbort, `{"what":"x"}`}, {KindAccept, `{"what":"everything"}`},
		{machine.KindDone, `{"task":1}`}, {machine.KindOutage, `{"from":"x"}`}, {machine.KindOutage, `{"from":1,"x":}`},
	} {
		tb := seated(t, "oware-abapa", "", "none")
		if got := code(tb.do(machine.Command{ID: "x", Kind: tt.kind, By: "p0", Body: json.RawMessage(tt.body)})); got != CodeBadCommand {
			t.Errorf("%s %.60s: %q", tt.kind, tt.body, got)
		}
	}
	// An instance of the release before passes on the members of a frame, with spaces and escapes.
	tb := seated(t, "oware-abapa", "", "none")
	tb.must("p0", KindMove, " {\"t\":\"cmd\", \"room\":\"k3v9qa2mx1\",\n\"id\":\"a\\\"1\",\"kind\":\"move\" , \"ply\" : 0, \"move\":\"\\u0063\"} ")
	if tb.m.last.move != "c" {
		t.Errorf("played %q", tb.m.last.move)
	}
}

func TestIllegalMovesAreRefusedWithAReason(t *testing.T) {
	tb := seated(t, "kalah", "", "none")
	tb.play("c")
	err := tb.cmd("p0", KindMove, `{"ply":1,"move":"c"}`)
	refused := err.(*refusal.Error)
	if got, _ := json.Marshal(refused.Detail); refused.Code != "empty-pit" || string(got) != `{"pit":3,"legal":["a","b","d","e","f"]}` {
		t.Errorf("%s %s", refused.Code, got)
	}
	if got := code(tb.move("c>", 0)); got != "empty-pit" {
		t.Errorf("got %q", got)
	}
	if got := code(tb.move("a>", 0)); got != "no-direction" {
		t.Errorf("got %q", got)
	}
	if got := code(tb.move("-", 0)); got != "no-pass" {
		t.Errorf("got %q", got)
	}
	tb = seated(t, "ignorant", "", "none")
	refused = tb.move("=6.6.6.6.6.6/6.6.6.6.6.6", 0).(*refusal.Error)
	if d := refused.Detail.(MoveDetail); refused.Code != "not-a-layout" || !strings.Contains(d.Why, "even") {
		t.Errorf("%s %+v", refused.Code, d)
	}
}

func TestInvalidSettingsAreRefused(t *testing.T) {
	for _, tt := range []struct {
		s    Settings
		want refusal.Code
	}{
		{Settings{}, ""},
		{Settings{Rules: "kalah", Options: "seeds=6", Clock: "0.5+0", Start: "friend"}, ""},
		{Settings{Clock: "180d180"}, ""}, {Settings{Clock: "14/move"}, ""}, {Settings{Clock: "2.5+1"}, ""},
		{Settings{Rules: "chess"}, CodeBadRules},
		{Settings{Options: "pits=14"}, CodeBadRules},
		{Settings{Options: "pits"}, CodeBadRules},
		{Settings{Options: "seeds=21"}, CodeBadRules}, // 252 seeds
		{Settings{Rules: "oware", Options: "no_progress=0"}, CodeBadRules},
		{Settings{Rules: "oware", Options: "no_progress=1001"}, CodeBadRules},
		{Settings{Rules: "kalah", Options: "no_progress=0"}, ""},
		{Settings{Rules: "bao"}, ""},
		{Settings{Rules: "bao-kujifunza", Options: "block=true"}, ""},
		{Settings{Options: strings.Repeat("x", 2000)}, CodeBadSettings},
		{Settings{Start: "youngest", Chat: "presets"}, ""}, {Settings{Start: "oldest"}, CodeBadSettings}, {Settings{Chat: "loud"}, CodeBadSettings},
		{Settings{Clock: "0+3"}, CodeBadClock}, {Settings{Clock: "0.5"}, CodeBadClock}, {Settings{Clock: "181+0"}, CodeBadClock},
		{Settings{Clock: "180.5+0"}, CodeBadClock}, {Settings{Clock: "5+181"}, CodeBadClock}, {Settings{Clock: "05+3"}, CodeBadClock},
		{Settings{Clock: "5+-3"}, CodeBadClock}, {Settings{Clock: "5+3 "}, CodeBadClock}, {Settings{Clock: "0/move"}, CodeBadClock},
		{Settings{Clock: "15/move"}, CodeBadClock}, {Settings{Clock: "5.25+3"}, CodeBadClock}, {Settings{Clock: ".5+3"}, CodeBadClock},
		{Settings{Clock: "5+3+1"}, CodeBadClock}, {Settings{Clock: "٥+3"}, CodeBadClock},
	} {
		if got := code(tt.s.Check()); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.s, got, tt.want)
		}
	}
	err := Settings{Rules: "oware", Options: "capture=none"}.Check()
	if d, ok := err.(*refusal.Error).Detail.(RulesDetail); !ok || d.Control == "" || d.Reason == "" {
		t.Errorf("%+v", err)
	}
}

func TestChangedSettingsAskSeatedPlayersAgain(t *testing.T) {
	tb := newTable(t, Creation{Settings: Settings{Rules: "basic-four"}, Creator: "p0"})
	tb.must("p1", KindSit, "")
	tb.must("p0", KindSettings, `{"clock":"5+3"}`)
	if !slices.Equal(tb.m.sitters, []string{"p0"}) || tb.m.rules.system != "basic-four" {
		t.Errorf("%v sit at %s", tb.m.sitters, tb.m.rules.system)
	}
	if got := code(tb.cmd("p0", KindSettings, `{"clock":"5+3"}`)); got != "nothing" {
		t.Errorf("the same again: %q", got)
	}
	tb.must("p0", KindSettings, `{"rules":"oware","options":"seeds=5"}`)
	tb.must("p0", KindSettings, `{"rules":"kalah"}`)
	if tb.m.rules.options != "" {
		t.Errorf("kept options %q", tb.m.rules.options)
	}
	tb.must("p0", KindSettings, `{"forOthers":true}`)
	if len(tb.m.sitters) != 0 || code(tb.cmd("p0", KindSit, "")) != CodeNoSeat {
		t.Errorf("%v sit at a game for others", tb.m.sitters)
	}
	if got := tb.m.Players(); !slices.Equal(got, []string{"p0"}) {
		t.Errorf("players %v", got)
	}
	tb.must("p1", KindSit, "")
	tb.must("p0", KindSettings, `{"forOthers":false}`)
	if !slices.Equal(tb.m.sitters, []string{"p0"}) {
		t.Errorf("%v sit", tb.m.sitters)
	}
	if got := code(tb.cmd("p0", KindSettings, `{"rules":"oware","options":"no_progress=0"}`)); got != CodeBadRules {
		t.Errorf("got %q", got)
	}
}

// A game that is loaded has a rule set of its own if the cache has forgotten it. The same settings
// again ask nobody to sit down again.
func TestSettingsOfALoadedGameAreTheSameAgain(t *testing.T) {
	newTable(t, Creation{Settings: Settings{Rules: "basic-four"}, Creator: "p0"})
	for pits := 2; pits <= 13; pits++ { // more rule sets than the cache holds
		for seeds := range 30 {
			for _, system := range []string{"kalah", "oware-abapa"} {
				_, _, _ = Game(system, fmt.Sprintf("pits=%d seeds=%d", pits, seeds+1)) // some have too many seeds
			}
		}
	}
	tb := newTable(t, Creation{Settings: Settings{Rules: "basic-four"}, Creator: "p0"})
	tb.must("p1", KindSit, "")
	again := machine.Command{ID: "c", Kind: KindSettings, By: "p0", Body: json.RawMessage(`{"rules":"basic-four"}`)}
	if _, err := tb.loaded.Decide(again, time.UnixMilli(tb.at)); code(err) != "nothing" {
		t.Errorf("the same settings again: %q", code(err))
	}
}

func TestFirstPlayerIsAsChosenOrDrawnFairly(t *testing.T) {
	sit := func(c Creation, others ...string) []string {
		tb := newTable(t, c)
		for _, p := range others {
			tb.must(p, KindSit, "")
		}
		return tb.m.seats
	}
	first := map[string]int{}
	for n := range 200 {
		first[sit(Creation{Creator: "p0", Secret: fmt.Sprint(n)}, "p1")[0]]++
	}
	if first["p0"] < 60 || first["p1"] < 60 {
		t.Errorf("chance is not fair: %v", first)
	}
	for _, tt := range []struct {
		c      Creation
		others []string
		want   string
	}{
		{Creation{Settings: Settings{Start: "creator"}, Creator: "p0"}, []string{"p1"}, "p0 p1"},
		{Creation{Settings: Settings{Start: "friend"}, Creator: "p0"}, []string{"p1"}, "p1 p0"},
		{Creation{Settings: Settings{Start: "creator", ForOthers: true}, Creator: "p0"}, []string{"p1", "p2"}, "p1 p2"},
		{Creation{Settings: Settings{Start: "friend", ForOthers: true}, Creator: "p0"}, []string{"p1", "p2"}, "p2 p1"},
		{Creation{Settings: Settings{Rules: "basic-four", Start: "creator"}, Creator: "p0"}, []string{"p3", "p1", "p2"}, "p0 p3 p1 p2"},
		{Creation{Settings: Settings{Rules: "basic-teams", Start: "friend"}, Creator: "p0"}, []string{"p3", "p1", "p2"}, "p3 p1 p2 p0"},
	} {
		if got := strings.Join(sit(tt.c, tt.others...), " "); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.c, got, tt.want)
		}
	}
	if _, err := New().Decide(Creation{Seats: []string{"p0", "p0"}}.Command("x"), time.UnixMilli(t0)); code(err) != CodeBadSettings {
		t.Errorf("one person in two seats: %v", err)
	}
	if _, err := New().Decide(Creation{}.Command("x"), time.UnixMilli(t0)); code(err) != CodeBadSettings {
		t.Errorf("a game without players: %v", err)
	}
}

func TestCreatedGamesHaveDifferentSecrets(t *testing.T) {
	a, b := Creation{Creator: "p0"}.Command("x"), Creation{Creator: "p0"}.Command("x")
	if string(a.Body) == string(b.Body) {
		t.Error("two games with the same secret")
	}
}

func TestUnknownEntriesAreRefusedWithoutAChange(t *testing.T) {
	tb := seated(t, "kalah", "", "none")
	before := string(tb.m.Snapshot(0))
	for _, e := range []machine.Entry{
		{Kind: "dance"}, {Kind: KindMove, Version: 1}, {Kind: KindMove, Version: -1}, {Kind: KindCreate}, {Kind: KindMove, Body: []byte(`{}`)},
		{Kind: KindMove, Body: []byte(`{"seat":0,"move":"c","ply":1,"sum":"00000000"}`)},
		{Kind: KindMove, Body: []byte(`{"seat":1,"move":"c","ply":1,"sum":"df88d303"}`)},
		{Kind: KindMove, Body: []byte(`{"seat":0,"move":"c","ply":1,"sum":"df88d303","hue":1}`)},
		{Kind: KindSit, Body: []byte(`{"set":{"colour":"red"}}`)}, {Kind: KindSit, Body: []byte(`{"set":{"secret":"x"}}`)},
		{Kind: KindSit, Body: []byte(`{"seat":0,"~":{"state":"over"}}`)}, {Kind: KindSit, Body: []byte(`{"set":{"state":"asleep"}}`)},
		{Kind: KindSit, Body: []byte(`{"~":{"expires":1}}`)}, {Kind: KindSit, Body: []byte(`{"set":{"pits":[1,2]}}`)}, {Kind: KindSit, Body: []byte(`{"set":{"sum":"00000000"}}`)},
		{Kind: KindSit, Body: []byte(`{"set":{"moves":["f","f","f"]}}`)}, {Kind: KindSit, Body: []byte(`{"set":{"moves":["?"]}}`)},
		{Kind: KindSit, Body: []byte(`{"set":{"canonical":"pits=99"}}`)}, {Kind: KindSit, Body: []byte(`{"set":{"seats":["a"]}}`)},
	} {
		if err := tb.m.Apply(e); err == nil {
			t.Errorf("%s %d %s was applied", e.Kind, e.Version, e.Body)
		}
		if e.Version == 0 && e.Kind != "dance" {
			continue
		}
		if got := tb.m.AppendPublic(nil, e, 0); got != nil {
			t.Errorf("%s %d is shown as %s", e.Kind, e.Version, got)
		}
	}
	if string(tb.m.Snapshot(0)) != before {
		t.Error("what was refused has changed the state")
	}
	if err := New().Apply(machine.Entry{Kind: KindMove}); err == nil {
		t.Error("a match that begins with a move")
	}
	if _, err := New().Decide(machine.Command{Kind: KindSit, By: "p0"}, time.UnixMilli(t0)); code(err) != CodeNotLive {
		t.Errorf("a command before the first entry: %v", err)
	}
}

func TestCacheOfRulesIsBounded(t *testing.T) {
	c := cache{max: 3}
	for seeds := range 6 {
		text := fmt.Sprintf("seeds=%d store=true capture=cross", seeds+1)
		if _, err := c.get("kalah", "", "Kalah", text); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.byKey) != 3 || c.order.Len() != 3 {
		t.Errorf("%d and %d kept", len(c.byKey), c.order.Len())
	}
	a, _ := c.get("kalah", "", "Kalah", "seeds=6 store=true capture=cross")
	b, _ := c.get("kalah", "", "Kalah", "seeds=6 store=true capture=cross")
	if a != b {
		t.Error("compiled twice")
	}
	if _, err := c.get("kalah", "", "Kalah", "seeds=x"); err == nil {
		t.Error("nonsense was compiled")
	}
}

// A journal has a bound: the rules bound the moves of a round, maxRounds the rounds, and
// maxExtras all else. Beyond these bounds only what ends the game is possible.
func TestEntriesWithoutAMoveAreBounded(t *testing.T) {
	// bounded checks a journal whose game begins after an entry begun.
	bounded := func(t *testing.T, tb *table, begun int) {
		t.Helper()
		bytes := 0
		for _, e := range tb.entries {
			bytes += len(e.Body)
		}
		if n := len(tb.entries); n > 2*maxExtras+begun || bytes > 1<<20 {
			t.Errorf("%d entries of %d bytes", n, bytes)
		}
	}
	t.Run("settings", func(t *testing.T) {
		tb := newTable(t, Creation{Creator: "p0"})
		var err error
		for i := 0; err == nil; i++ {
			err = tb.cmd("p0", KindSettings, fmt.Sprintf(`{"options":"seeds=%d"}`, 3+i%2))
		}
		if code(err) != CodeTooLong || len(tb.entries) != maxExtras {
			t.Errorf("after %d entries: %v", len(tb.entries), err)
		}
		if got := code(tb.cmd("p1", KindSit, "")); got != CodeTooLong {
			t.Errorf("a seat: %q", got)
		}
		tb.must("p0", KindAbort, "")
		bounded(t, tb, 0)
	})
	t.Run("takebacks against the computer, and people who come and go", func(t *testing.T) {
		tb := against(t, Settings{}, "bot3")
		begun := len(tb.entries)
		var err error
		for err == nil {
			tb.play("a")
			err = tb.cmd("p0", KindOffer, `{"what":"takeback","ply":1}`)
		}
		if code(err) != CodeTooLong {
			t.Errorf("after %d entries: %v", len(tb.entries), err)
		}
		if got := tb.room(machine.KindGone, "p0", ""); got != "nothing" {
			t.Errorf("gone: %q", got)
		}
		if tb.m.extras != maxExtras {
			t.Errorf("%d entries that are no moves", tb.m.extras)
		}
		bounded(t, tb, begun)
		id, _ := tb.asked()
		tb.must("bot3", KindMove, `{"ply":1,"move":"a"}`)
		tb.play("c")
		if again, _ := tb.asked(); again == id {
			t.Error("the computer is not asked again")
		}
		tb.must("p0", KindResign, "")
	})
	t.Run("rounds", func(t *testing.T) {
		for _, options := range []string{"match=difference target=1000000000", "match=difference target=1000000000 max_rounds=1000000000"} {
			tb := seated(t, "kalah", options, "none")
			for n := 1; tb.m.stage != over && n <= 2*maxRounds; n++ {
				tb.must([]string{"p0", "p1"}[n%2], KindResign, `{"what":"round"}`)
				if tb.m.stage == between {
					tb.must("p0", KindNext, "")
				}
			}
			tb.over(0, byMaxRounds, 0, 1)
			if n := len(tb.m.rounds); n != maxRounds {
				t.Errorf("%s: %d rounds", options, n)
			}
			bounded(t, tb, 1)
		}
	})
	t.Run("rounds after settings", func(t *testing.T) {
		tb := newTable(t, Creation{Creator: "p0", Settings: Settings{Options: "match=difference target=1000000000"}})
		for i := range maxExtras - 7 {
			tb.must("p0", KindSettings, fmt.Sprintf(`{"assists":%t}`, i%2 == 1))
		}
		tb.must("p1", KindSit, "")
		var err error
		for err == nil {
			if err = tb.cmd("p0", KindResign, `{"what":"round"}`); err == nil {
				tb.must("p0", KindNext, "")
			}
		}
		if code(err) != CodeTooLong || len(tb.entries) > maxExtras+1 {
			t.Errorf("after %d entries: %v", len(tb.entries), err)
		}
		tb.must("p0", KindResign, `{"what":"match"}`)
		tb.over(0, engine.ByResign, 1-tb.m.seatOf("p0"))
	})
	t.Run("people who come and go, with a clock", func(t *testing.T) {
		tb := seated(t, "kalah", "", "5+3")
		tb.play("a", "a")
		begun := len(tb.entries)
		if got := tb.m.PresenceTimeout(); got != goneAfter {
			t.Errorf("a player counts as gone after %v", got)
		}
		for range 2 * maxExtras {
			tb.room(machine.KindGone, "p0", "")
			tb.room(machine.KindBack, "p0", "")
		}
		bounded(t, tb, begun)
		if got := tb.m.PresenceTimeout(); got != goneAfterMany {
			t.Errorf("a player who came and went often counts as gone after %v", got)
		}
		tb.later(10 * minute)
		if tb.m.stage != over || tb.m.result.Reason != engine.ByTime {
			t.Error("no flag ends a game whose players came and went too often")
		}
	})
}

package match

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// examples returns the server's messages of this kind in web/PROTOCOL.md.
func examples(t *testing.T, kind string) []map[string]any {
	t.Helper()
	text, err := os.ReadFile("../web/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	for _, block := range strings.Split(string(text), "```json server\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			if m := decode(t, []byte(line)); m["t"] == kind {
				out = append(out, m)
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("web/PROTOCOL.md has no example of %q", kind)
	}
	return out
}

// invited returns the game of the examples: p1 invites and begins, p2 sits down.
func invited(t *testing.T) *table {
	t.Helper()
	tb := newTable(t, Creation{Settings: Settings{Clock: "5+3", Start: "creator"}, Creator: "p1"})
	tb.must("p2", KindSit, "")
	return tb
}

// TestExamplesOfTheProtocolArePlayed plays the examples of web/PROTOCOL.md: snapshot, moves and
// offer must equal those in the document.
func TestExamplesOfTheProtocolArePlayed(t *testing.T) {
	tb := invited(t)
	snap := examples(t, "snap")[0]
	if got := tb.shownRaw(); !reflect.DeepEqual(got, snap["snap"]) {
		t.Errorf("snapshot\n got %v\nwant %v", got, snap["snap"])
	}
	tb.holdsLegal(examples(t, "sync")[0]["you"])
	tb.at = t0 + 4123
	evs := examples(t, "ev")
	tb.play("c")
	for _, ev := range evs[:2] {
		if got := decode(t, []byte(tb.public())); !reflect.DeepEqual(got, ev["ev"]) {
			t.Errorf("move\n got %v\nwant %v", got, ev["ev"])
		}
	}
	tb.holdsLegal(evs[1]["you"])
	tb.at = t0 + 6000
	tb.must("p1", KindOffer, `{"what":"draw"}`)
	if got := decode(t, []byte(tb.public())); !reflect.DeepEqual(got, evs[2]["ev"]) {
		t.Errorf("offer\n got %v\nwant %v", got, evs[2]["ev"])
	}
}

// TestExampleOfAnArbitersOrderIsPlayed pauses a game of a tournament as in web/PROTOCOL.md.
func TestExampleOfAnArbitersOrderIsPlayed(t *testing.T) {
	e := someEvent
	tb := newTable(t, Creation{Settings: Settings{Clock: "5+3"}, Seats: []string{"p1", "p2"}, Event: &e, NoShow: 2 * time.Minute})
	tb.play("a", "a")
	tb.at = t0 + 20_000
	tb.order(`{"act":"pause"}`)
	evs := examples(t, "ev")
	i := slices.IndexFunc(evs, func(ev map[string]any) bool { return ev["ev"].(map[string]any)["k"] == KindArbiter })
	if i < 0 {
		t.Fatal("there is no example of an order")
	}
	if got, want := decode(t, []byte(tb.public())), evs[i]["ev"]; !reflect.DeepEqual(got, want) {
		t.Errorf("the order\n got %s\nwant %v", tb.public(), want)
	}
}

func (tb *table) shownRaw() map[string]any {
	return decode(tb.t, tb.m.Snapshot(machine.Watchers))
}

// holdsLegal checks that the legal moves of an example are among the real ones.
func (tb *table) holdsLegal(you any) {
	tb.t.Helper()
	real := decode(tb.t, tb.m.AppendPrivate(nil, machine.Audience(tb.m.onTurn())))["legal"].([]any)
	for _, want := range you.(map[string]any)["legal"].([]any) {
		found := false
		for _, got := range real {
			found = found || reflect.DeepEqual(got, want)
		}
		if !found {
			tb.t.Errorf("the example's move %v is not among %v", want, real)
		}
	}
}

// TestProtocolNamesEveryFieldAndCode checks that the document has every field that a match shows,
// and every code that it refuses commands with.
func TestProtocolNamesEveryFieldAndCode(t *testing.T) {
	text, err := os.ReadFile("../web/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fields {
		if f.kind != private && !strings.Contains(string(text), "`"+f.name+"`") && !strings.Contains(string(text), `"`+f.name+`"`) {
			t.Errorf("web/PROTOCOL.md does not know the field %s", f.name)
		}
	}
	for _, c := range []refusal.Code{CodeNotYourTurn, CodeStale, CodeNotPlaying, CodeNotLive, CodeNotWaiting, CodeNoSeat, CodeAlreadySeated,
		CodeNotCreator, CodeBadSettings, CodeBadClock, CodeBadRules, CodeBadCommand, CodeBadMove, CodeNoOffer, CodeOfferAgain, CodeNoTakeback, CodeNoClaim, CodeTooLate, CodeNotAsked, CodeNotRateable, CodeNoAssists, CodeTooLong, CodePaused, CodeOfTournament} {
		if !strings.Contains(string(text), "`"+string(c)+"`") {
			t.Errorf("web/PROTOCOL.md does not know the code %s", c)
		}
	}
	for _, name := range []string{"winners", "receipt", "measured", "given", "left", "countdown", "outage", "until", "legal", "laps", "sown", "took", "control", "why", "yes"} {
		if !strings.Contains(string(text), "`"+name+"`") && !strings.Contains(string(text), `"`+name+`"`) {
			t.Errorf("web/PROTOCOL.md does not know %s", name)
		}
	}
}

// TestEveryOfferIsDescribedAndHasWords: an offer that only the machine knows is of no use to a page.
func TestEveryOfferIsDescribedAndHasWords(t *testing.T) {
	text, err := os.ReadFile("../web/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	words, err := os.ReadFile("../web/messages/en.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range whatNames {
		for _, kind := range []string{KindOffer, KindAccept, KindDecline} {
			_, section, _ := strings.Cut(string(text), "\n### `cmd` `"+kind+"`\n")
			section, _, _ = strings.Cut(section, "\n### ")
			if !strings.Contains(section, "`"+name+"`") {
				t.Errorf("web/PROTOCOL.md: the command %s does not list the offer %s", kind, name)
			}
		}
		for _, key := range []string{"action." + name, "offer." + name + ".you", "offer." + name + ".other"} {
			if !strings.Contains(string(words), `"`+key+`": "`) {
				t.Errorf("web/messages/en.json has no %s", key)
			}
		}
	}
}

// TestMoveStaysSmallOnTheWire: a move of Kalah stays small on the wire, even with a clock.
func TestMoveStaysSmallOnTheWire(t *testing.T) {
	longest := ""
	for run := range uint64(30) {
		tb := seated(t, "kalah", "", "180+180")
		for tb.m.stage == live {
			legal := tb.m.rules.game.Legal(&tb.m.pos)
			tb.at += 1500
			tb.play(legal.At(int(run) % legal.Len()).String())
			if s := tb.public(); len(s) > len(longest) && tb.m.stage == live {
				longest = s
			}
		}
	}
	if len(longest) >= 250 {
		t.Errorf("%d bytes: %s", len(longest), longest)
	}
	t.Logf("longest: %d bytes", len(longest))
}

// TestLongMoveIsSentAsASummary: a long move is sent as a summary in numbers before it is played.
func TestLongMoveIsSentAsASummary(t *testing.T) {
	for run := range uint64(400) {
		m := middleOf(t, "avalanche", "pits=13 seeds=8", int(run%10), run)
		you := m.AppendPrivate(nil, machine.Audience(m.onTurn()))
		if !strings.Contains(string(you), `"sum"`) {
			continue
		}
		var v struct {
			Legal []struct {
				M     string
				Trace []any
				Sum   *struct{ Laps, Sown, Took int }
			}
		}
		if err := json.Unmarshal(you, &v); err != nil {
			t.Fatal(err)
		}
		for _, l := range v.Legal {
			if (l.Trace == nil) == (l.Sum == nil) {
				t.Fatalf("%s has a trace and a summary, or neither", l.M)
			}
			if l.Sum != nil && (l.Sum.Laps < 2 || l.Sum.Laps+l.Sum.Sown+l.Sum.Took <= longTrace-2) {
				t.Fatalf("%s is summed up although it is short: %+v", l.M, *l.Sum)
			}
		}
		return
	}
	t.Error("no long move was found")
}

// TestSowingOfAHundredLapsStaysSmallOnTheWire: a ply of Bao with 102 laps drops 501 seeds and captures none. Before it is
// played, it is sent as a summary; afterwards whole, in runs of pits.
func TestSowingOfAHundredLapsStaysSmallOnTheWire(t *testing.T) {
	const most = 4000 // bytes of the whole trace
	g := engine.MustCompile("bao")
	p, err := g.Parse("0,1,4,1,0,2,0,1,0,1,0,0,0,1,1,1/4,6,2,3,2,4,5,2,1,0,1,7,1,6,1,6 0/0 N play 1 55")
	if err != nil {
		t.Fatal(err)
	}
	var legal []struct {
		M     string
		Trace []any
		Sum   *struct{ Laps, Sown, Took int }
	}
	if err := json.Unmarshal(AppendLegal(nil, g, p, engine.History{}), &legal); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, l := range legal {
		if l.M != "p>" {
			continue
		}
		if found = true; l.Trace != nil || l.Sum == nil || l.Sum.Laps != 102 || l.Sum.Sown != 501 || l.Sum.Took != 0 {
			t.Errorf("p> has the trace %v and the summary %+v", l.Trace, l.Sum)
		}
	}
	if !found {
		t.Fatalf("p> is not legal: %+v", legal)
	}
	m, _ := engine.ParseMove("p>")
	trace := &engine.Trace{}
	if err := g.Play(&p, nil, m, trace); err != nil {
		t.Fatal(err)
	}
	whole := AppendTrace(nil, trace, g.Shape())
	var steps []any
	if err := json.Unmarshal(whole, &steps); err != nil {
		t.Fatal(err)
	}
	if len(trace.Events) < 600 || len(steps) >= len(trace.Events)/2 || len(whole) > most {
		t.Errorf("%d events in %d steps and %d bytes", len(trace.Events), len(steps), len(whole))
	}
	t.Logf("%d events in %d steps and %d bytes", len(trace.Events), len(steps), len(whole))
}

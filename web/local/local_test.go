package local

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mancala/engine"
	"mancala/engine/search"
	"mancala/lobby/bot"
	"mancala/match"
	"mancala/match/refusal"
)

// page is a page that plays: it folds nothing, and keeps what it is told to keep.
type page struct {
	t    *testing.T
	at   *table
	now  int64
	kept Kept
}

func newPage(t *testing.T) *page {
	return &page{t: t, at: new(table), now: 1_700_000_000_000}
}

// try sends a request and returns its answer.
func (p *page) try(fields map[string]any) (r Reply) {
	p.t.Helper()
	p.now += 1000
	fields["now"] = p.now
	q, err := json.Marshal(fields)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := json.Unmarshal(p.at.answer(q), &r); err != nil {
		p.t.Fatal(err)
	}
	if r.Game != nil {
		p.kept = Kept{Game: *r.Game}
	}
	p.kept.Steps = append(p.kept.Steps, r.Add...)
	return r
}

// ask sends a request that is granted.
func (p *page) ask(fields map[string]any) Reply {
	p.t.Helper()
	r := p.try(fields)
	if r.Error != nil {
		p.t.Fatalf("%v: refused: %+v", fields, r.Error)
	}
	return r
}

func (p *page) begin(fields map[string]any) Reply {
	p.t.Helper()
	if fields["id"] == nil {
		fields["id"] = "test"
	}
	return p.ask(map[string]any{"do": "begin", "game": fields})
}

// command sends a command of the player on turn.
func (p *page) command(kind string, body map[string]any) Reply {
	p.t.Helper()
	seat := int(p.at.match.Question().Position.Seat)
	fields := map[string]any{"do": "cmd", "id": "c", "kind": kind, "body": body}
	if p.at.match.Players()[seat] != Me && p.at.game.Level == 0 {
		fields["as"] = seat
	}
	return p.ask(fields)
}

// turn makes the next ply, of a bot or of a person, for whom the weakest level chooses.
func (p *page) turn() {
	p.t.Helper()
	if p.at.match.State() == "pause" {
		if len(p.kept.Steps)%2 == 0 {
			p.ask(map[string]any{"do": "cmd", "id": "n", "kind": "next"})
			return
		}
		p.now = p.ask(map[string]any{"do": "read"}).Wake
		p.ask(map[string]any{"do": "wake"})
		return
	}
	if p.ask(map[string]any{"do": "read"}).Bot {
		if r := p.ask(map[string]any{"do": "think"}); !r.Bot || r.Pause <= 0 {
			p.t.Fatalf("after thinking: %+v", r)
		}
		p.ask(map[string]any{"do": "bot"})
		return
	}
	q := p.at.match.Question()
	m, _ := search.Levels[0].Player(q.Game).Move(context.Background(), q.Position, &q.History, uint64(q.Position.Ply))
	p.command("move", map[string]any{"ply": q.Position.Ply, "move": m.String()})
}

// again continues the kept game at another table, and compares it with this one.
func (p *page) again() {
	p.t.Helper()
	q, err := json.Marshal(map[string]any{"do": "continue", "kept": p.kept, "now": p.now})
	if err != nil {
		p.t.Fatal(err)
	}
	var r Reply
	other := new(table)
	if err := json.Unmarshal(other.answer(q), &r); err != nil || r.Error != nil {
		p.t.Fatalf("the kept game was not continued: %+v, %v", r.Error, err)
	}
	if got, want := other.match.Snapshot(0), p.at.match.Snapshot(0); !bytes.Equal(got, want) {
		p.t.Fatalf("continued as\n%s\nwant\n%s", got, want)
	}
}

func TestGameOfEverySystemIsPlayedAgainstABotAndContinued(t *testing.T) {
	for i, row := range engine.Systems {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t)
			p.begin(map[string]any{"rules": row.Name, "level": 1 + i%2, "start": "friend", "names": []string{"Ada"}})
			for n := 0; p.at.match.State() != "over"; n++ {
				if n > 6000 {
					t.Fatalf("the game is not over: %v", p.at.match.Position())
				}
				p.turn()
				if n == 5 {
					p.again()
				}
			}
			p.again()
			for _, text := range strings.Split(p.ask(map[string]any{"do": "record"}).Text, "\n\n[") {
				if !strings.Contains(text, "[South ") && !strings.Contains(text, "South") || !strings.Contains(text, "Ada") {
					t.Errorf("the record has no players: %s", text)
				}
			}
			var told match.ReplayJSON
			if err := json.Unmarshal(p.ask(map[string]any{"do": "replay"}).JSON, &told); err != nil || len(told.Plies) == 0 {
				t.Errorf("the replay has %d plies, %v", len(told.Plies), err)
			}
		})
	}
}

func TestTwoPeopleAtOneScreenPlayAndPlayAgain(t *testing.T) {
	p := newPage(t)
	p.begin(map[string]any{"rules": "oware", "start": "creator", "names": []string{" Ada ", "Ben"}})
	players := p.at.match.Players()
	if players[0] != Me || !match.PlaysFor(Me, players[1]) {
		t.Fatalf("the players are %q", players)
	}
	p.turn()
	p.turn()
	p.command("offer", map[string]any{"what": "takeback", "ply": 2})
	if n := p.at.match.Question().Position.Ply; n >= 2 {
		t.Errorf("after the takeback there are %d plies", n)
	}
	p.again()
	for p.at.match.State() != "over" {
		p.turn()
	}
	r := p.ask(map[string]any{"do": "cmd", "id": "r", "kind": "offer", "body": map[string]any{"what": "rematch"}})
	if r.Game == nil || len(r.Frames) != 1 || p.at.match.State() != "live" {
		t.Fatalf("after the rematch: %+v", r)
	}
	if now := p.at.match.Players(); now[0] != players[1] || now[1] != players[0] {
		t.Errorf("the seats were not changed: %q", now)
	}
	if p.at.game.nameOf(players[0]) != "Ada" || p.at.game.nameOf(players[1]) != "Ben" {
		t.Errorf("the names are %q and %q", p.at.game.nameOf(players[0]), p.at.game.nameOf(players[1]))
	}
	p.turn() // the seatmate has the first seat now, whose number is 0
	p.again()
}

func TestBotDropsItsAnswerWhenTheGameGoesAnotherWay(t *testing.T) {
	p := newPage(t)
	p.begin(map[string]any{"rules": "kalah", "level": 4, "start": "creator"})
	p.command("move", map[string]any{"ply": 0, "move": "a"})
	p.ask(map[string]any{"do": "think"})
	p.ask(map[string]any{"do": "cmd", "id": "u", "kind": "offer", "body": map[string]any{"what": "takeback", "ply": 1}})
	r := p.ask(map[string]any{"do": "bot"})
	if len(r.Frames) > 0 || r.Bot || p.at.match.Question().Position.Ply != 0 {
		t.Errorf("the bot moved after the takeback: %+v", r)
	}
}

func TestNextGameUsesTheBotsOfTheOneBefore(t *testing.T) { // their tables are megabytes on a phone
	p := newPage(t)
	p.begin(map[string]any{"rules": "kalah", "level": 1, "start": "friend"})
	p.ask(map[string]any{"do": "think"})
	bots := p.at.bots
	if bots == (bot.Alone{}) {
		t.Fatal("no bot has thought")
	}
	p.begin(map[string]any{"rules": "kalah", "level": 1, "start": "friend"})
	p.ask(map[string]any{"do": "think"})
	if p.at.bots != bots {
		t.Error("a new game makes new bots")
	}
	p.ask(map[string]any{"do": "continue", "kept": p.kept})
	if p.at.bots != bots {
		t.Error("a game that is continued makes new bots")
	}
}

func TestHintsAreGivenAgainstBotsAlone(t *testing.T) {
	p := newPage(t)
	p.begin(map[string]any{"rules": "kalah", "level": 2, "start": "creator"})
	if r := p.ask(map[string]any{"do": "hint"}); string(r.JSON) != `{"move":"c","ply":0}` {
		t.Errorf("the hint is %s", r.JSON)
	}
	p.begin(map[string]any{"rules": "kalah"})
	if r := p.try(map[string]any{"do": "hint"}); r.Error == nil {
		t.Errorf("two people at one screen got the hint %s", r.JSON)
	}
}

func TestRequestsThatNoPageSendsAreRefused(t *testing.T) {
	fine := map[string]any{"id": "x", "rules": "kalah", "level": 1, "start": "creator"}
	with := func(name string, value any) map[string]any {
		g := map[string]any{}
		for k, v := range fine {
			g[k] = v
		}
		g[name] = value
		return map[string]any{"do": "begin", "game": g}
	}
	for _, tt := range []struct {
		ask  map[string]any
		code refusal.Code
	}{
		{map[string]any{"do": "read"}, CodeNoGame},
		{map[string]any{"do": "begin"}, CodeBadRequest},
		{map[string]any{"do": "continue"}, CodeBadGame},
		{with("level", 7), match.CodeBadSettings},
		{with("level", -1), match.CodeBadSettings},
		{with("id", strings.Repeat("x", 65)), match.CodeBadSettings},
		{with("turn", 2), match.CodeBadSettings},
		{with("start", "lot"), match.CodeBadSettings},
		{with("rules", "chess"), "bad-rules"},
		{with("options", "pits=99"), "bad-rules"},
	} {
		p := newPage(t)
		if r := p.try(tt.ask); r.Error == nil || r.Error.Code != tt.code {
			t.Errorf("%v: %+v, want %s", tt.ask, r.Error, tt.code)
		}
	}
	p := newPage(t)
	p.ask(map[string]any{"do": "begin", "game": fine})
	for _, kind := range []string{"done", "wake", "create", "settings", "arbiter", "sit", ""} {
		if r := p.try(map[string]any{"do": "cmd", "kind": kind, "body": map[string]any{"task": "rate"}}); r.Error == nil {
			t.Errorf("a command %q was carried out", kind)
		}
	}
	for _, seat := range []int{1, 2, -1} { // the bot's, and none
		if r := p.try(map[string]any{"do": "cmd", "kind": "resign", "as": seat}); r.Error == nil || r.Error.Code != match.CodeNotPlaying {
			t.Errorf("seat %d resigned: %+v", seat, r.Error)
		}
	}
	for _, text := range []string{"", "{", "null", `[]`, `{"now":-1}`, `{"now":1e30}`, strings.Repeat(" ", MaxRequest+1)} {
		if got := string(new(table).answer([]byte(text))); !strings.Contains(got, `"error"`) {
			t.Errorf("%.20q is answered with %s", text, got)
		}
	}
}

func TestBrokenStoreIsRefusedAndLeavesTheGame(t *testing.T) {
	p := newPage(t)
	p.begin(map[string]any{"rules": "kalah", "level": 1, "start": "creator"})
	p.turn()
	p.turn()
	before := p.at.match.Snapshot(0)
	for name, change := range map[string]func(*Kept){
		"another system":   func(k *Kept) { k.Game.Rules = "chess" },
		"no ID":            func(k *Kept) { k.Game.ID = "" },
		"a seat of nobody": func(k *Kept) { k.Steps[0].Seat = 7 },
		"another seat":     func(k *Kept) { k.Steps[0].Seat = 1 - k.Steps[0].Seat },
		"a kind of rooms":  func(k *Kept) { k.Steps[0].Kind = "done" },
		"a move twice":     func(k *Kept) { k.Steps = append(k.Steps, k.Steps[0]) },
		"no move":          func(k *Kept) { k.Steps[0].Body = json.RawMessage(`{"ply":0,"move":"z"}`) },
		"no JSON":          func(k *Kept) { k.Steps[0].Body = json.RawMessage(`[1]`) },
		"time runs off":    func(k *Kept) { k.Steps[0].At = 1 << 60 },
		"a round too soon": func(k *Kept) { k.Steps = append(k.Steps, Step{Kind: "wake", At: p.now}) },
	} {
		k := p.kept
		k.Steps = append([]Step(nil), p.kept.Steps...)
		change(&k)
		if r := p.try(map[string]any{"do": "continue", "kept": k}); r.Error == nil || r.Error.Code != CodeBadGame {
			t.Errorf("%s: %+v, want %s", name, r.Error, CodeBadGame)
		}
		if after := p.at.match.Snapshot(0); !bytes.Equal(before, after) {
			t.Fatalf("%s: the game has changed", name)
		}
	}
}

func TestPanicIsAFaultThatNamesItsReason(t *testing.T) {
	t.Cleanup(func() { screen = table{} })
	ask := func(request string) (r Reply) {
		t.Helper()
		if err := json.Unmarshal(Answer([]byte(request)), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, request := range []string{
		`{"do":"begin","now":1000,"game":{"id":"x","rules":"kalah"}}`,
		`{"do":"cmd","now":2000,"id":"c1","kind":"resign"}`,
	} {
		if r := ask(request); r.Error != nil {
			t.Fatalf("%s: %+v", request, r.Error)
		}
	}
	screen.game.Turn = nil // a rematch reads it
	r := ask(`{"do":"cmd","now":3000,"id":"c2","kind":"offer","body":{"what":"rematch"}}`)
	if r.Error == nil || r.Error.Code != CodeBroken || !strings.Contains(fmt.Sprint(r.Error.Detail), "nil pointer") {
		t.Errorf("a panic is answered with %+v", r.Error)
	}
	if r := ask(`{"do":"read"}`); r.Error == nil || r.Error.Code != CodeNoGame {
		t.Errorf("after the panic: %+v", r)
	}
}

func TestNamesHaveNoInvisibleCharacters(t *testing.T) {
	for text, want := range map[string]string{
		" Ada \t\n Lovelace ":           "Ada Lovelace",
		"Ben\u0000\u001b[2J":            "Ben[2J",
		"\u202eevE\u202c \u2066x\ufeff": "evE x",
		"a \u200b b":                    "a b",
		"\xffZoé":                       "Zoé",
		"أَمَل":                         "أَمَل",
		strings.Repeat("é", 30):         strings.Repeat("é", maxName),
		"\u200f":                        "",
	} {
		if got := nameFrom(text); got != want {
			t.Errorf("%q gives the name %q, want %q", text, got, want)
		}
	}
}

func TestEveryLevelOfTheDocumentPlays(t *testing.T) {
	for level := 1; level <= Levels; level++ {
		p := newPage(t)
		p.begin(map[string]any{"rules": "kalah", "level": level, "start": "friend", "id": fmt.Sprint(level)})
		p.turn()
		if n := p.at.match.Question().Position.Ply; n != 1 {
			t.Errorf("level %d has played %d plies", level, n)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(`{"do":"begin","game":{"id":"x","rules":"kalah","level":1}}`, `{"do":"think"}`, `{"do":"bot"}`)
	f.Add(`{"do":"continue","kept":{"game":{"id":"x","rules":"oware","turn":0},"steps":[{"k":"move","at":1,"b":{"ply":0,"move":"a"}}]}}`,
		`{"do":"cmd","kind":"offer","as":1,"body":{"what":"takeback","ply":1}}`, `{"do":"record"}`)
	f.Add(`{"do":"begin","game":{"id":"x","rules":"wise","options":"target=4","names":["A","B"]}}`, `{"do":"wake"}`, `{"do":"replay"}`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		var at table // not [Answer], which hides panics
		for _, q := range []string{a, b, c, `{"do":"read"}`} {
			if answer := at.answer([]byte(q)); !json.Valid(answer) {
				t.Errorf("%q is answered with %q", q, answer)
			}
		}
	})
}

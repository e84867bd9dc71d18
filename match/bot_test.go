package match

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// against returns a game of p0 against bots that has begun. p0 moves first unless s
// names another start.
func against(t *testing.T, s Settings, bots ...string) *table {
	t.Helper()
	if s.Start == "" {
		s.Start = "creator"
	}
	return newTable(t, Creation{Settings: s, Creator: "p0", Bots: bots})
}

// asked returns the open question to a bot, or nil if there is none.
func (tb *table) asked() (id string, a *Asked) {
	tb.t.Helper()
	for _, task := range tb.m.Tasks() {
		if task.Kind == TaskBot {
			a = new(Asked)
			if err := json.Unmarshal(task.Body, a); err != nil || id != "" {
				tb.t.Fatalf("task %s: %v", task.Body, err)
			}
			id = task.ID
		}
	}
	return id, a
}

func TestBotIDsHaveALevelAndANumber(t *testing.T) {
	for _, tt := range []struct {
		id         string
		level, nth int
	}{
		{"bot1", 1, 1}, {"bot8", 8, 1}, {"bot3.2", 3, 2}, {"bot3.3", 3, 3}, {"bot12", 12, 1},
		{"bot3.1", 0, 0}, {"bot3.4", 0, 0}, {"bot", 0, 0}, {"bot0", 0, 0}, {"bot03", 0, 0}, {"bot3.", 0, 0}, {"bot-1", 0, 0},
		{"p0", 0, 0}, {"", 0, 0}, {"robot3", 0, 0}, {"bot3x", 0, 0}, {"bot100", 0, 0},
	} {
		level, nth, ok := Bot(tt.id)
		if level != tt.level || nth != tt.nth || ok != (tt.level > 0) {
			t.Errorf("%q is bot %d of level %d (%v)", tt.id, nth, level, ok)
		}
	}
}

// TestGameAgainstBotsBeginsAtOnce: a game against bots begins at once, with the seats as chosen. It
// cannot be rated.
func TestGameAgainstBotsBeginsAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name  string
		s     Settings
		bots  []string
		seats []string
		code  refusal.Code
	}{
		{"I begin", Settings{Start: "creator"}, []string{"bot3"}, []string{"p0", "bot3"}, ""},
		{"the bot begins", Settings{Start: "friend"}, []string{"bot3"}, []string{"bot3", "p0"}, ""},
		{"four", Settings{Rules: "basic-four", Start: "creator"}, []string{"bot3", "bot3.2", "bot5"}, []string{"p0", "bot3", "bot3.2", "bot5"}, ""},
		{"too few", Settings{Rules: "basic-four", Start: "creator"}, []string{"bot3"}, nil, CodeBadSettings},
		{"too many", Settings{}, []string{"bot3", "bot4"}, nil, CodeBadSettings},
		{"the same twice", Settings{Rules: "basic-four"}, []string{"bot3", "bot3", "bot4"}, nil, CodeBadSettings},
		{"a person", Settings{}, []string{"p1"}, nil, CodeBadSettings},
		{"no one is younger than a bot", Settings{Start: "youngest"}, []string{"bot3"}, nil, CodeBadSettings},
		{"for others", Settings{ForOthers: true}, []string{"bot3"}, nil, CodeBadSettings},
		{"rated", Settings{Rated: true, Clock: "5+3"}, []string{"bot3"}, nil, CodeNotRateable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := &table{t: t, m: New(), replica: New(), loaded: New(), at: t0}
			err := tb.do(Creation{Settings: tt.s, Creator: "p0", Bots: tt.bots, Secret: "secret"}.Command("create"))
			if code(err) != tt.code || !slices.Equal(tb.m.seats, tt.seats) {
				t.Errorf("%q, seats %v; want %q, %v", code(err), tb.m.seats, tt.code, tt.seats)
			}
		})
	}
	err := (&table{t: t, m: New(), replica: New(), loaded: New()}).do(Creation{Settings: Settings{Rated: true, Clock: "5+3"}, Seats: []string{"p0", "bot1"}}.Command("create"))
	if code(err) != CodeNotRateable {
		t.Errorf("rated, with all seats given: %q", code(err))
	}
}

// TestBotOnTurnIsAskedForAMove: on its turn a bot is asked with all that it needs to know, and its
// move is the answer.
func TestBotOnTurnIsAskedForAMove(t *testing.T) {
	tb := against(t, Settings{}, "bot3")
	if id, _ := tb.asked(); id != "" {
		t.Errorf("asked %s although p0 is on turn", id)
	}
	tb.play("c") // the last seed falls into the store, so p0 moves again
	if id, _ := tb.asked(); id != "" {
		t.Errorf("asked %s although p0 is on turn again", id)
	}
	tb.play("a")
	id, a := tb.asked()
	if a == nil || a.Player != "bot3" || a.What != "move" || a.Ply != 2 || a.For != "p0" {
		t.Fatalf("asked %s %+v", id, a)
	}
	q, err := a.Read()
	if err != nil || q.Position != tb.m.pos || q.Sown != 4 {
		t.Errorf("read %v, %d seeds sown: %v; the board is %v", q.Position, q.Sown, err, tb.m.pos)
	}
	tb.must("bot3", KindMove, `{"ply":2,"move":"a"}`)
	if id, _ := tb.asked(); id != "" {
		t.Errorf("asked %s after it has moved", id)
	}
}

// TestBotIsAskedInEveryPhase: a bot is asked to lay out the board, to choose a side
// and to move.
func TestBotIsAskedInEveryPhase(t *testing.T) {
	tb := against(t, Settings{Rules: "wise", Start: "friend"}, "bot3")
	random := rand.New(rand.NewPCG(1, 0))
	asked := map[engine.Phase]bool{}
	for range 12 {
		player := tb.m.seats[tb.m.onTurn()]
		id, a := tb.asked()
		if (a != nil) != (player == "bot3") {
			t.Fatalf("%v: %s is on turn, asked %q", tb.m.pos, player, id)
		}
		if a != nil {
			asked[tb.m.pos.Phase] = true
			if q, err := a.Read(); err != nil || q.Position != tb.m.pos {
				t.Fatalf("read %v of %v: %v", q.Position, tb.m.pos, err)
			}
		}
		if tb.m.pos.Phase == engine.Setup {
			tb.play(tb.m.rules.game.RandomLayOut(random).String())
		} else {
			tb.play(tb.legal())
		}
	}
	if !asked[engine.Setup] || !asked[engine.Play] {
		t.Errorf("asked in %v", asked)
	}
	tb = against(t, Settings{Rules: "wise"}, "bot3")
	tb.play(tb.m.rules.game.RandomLayOut(random).String())
	if _, a := tb.asked(); tb.m.pos.Phase != engine.Swapping || a == nil {
		t.Errorf("not asked in %v", tb.m.pos)
	}
}

// TestBotGrantsEveryTakeback: against a bot a takeback needs no consent and has no limit. It is
// possible back to the first move, and while the bot computes. The bot is never
// asked the same question twice.
func TestBotGrantsEveryTakeback(t *testing.T) {
	tb := against(t, Settings{}, "bot3")
	seen := map[string]bool{}
	answer := func(move string) {
		t.Helper()
		id, a := tb.asked()
		if id == "" || seen[id] {
			t.Fatalf("asked %q again", id)
		}
		seen[id] = true
		if move != "" {
			tb.must("bot3", KindMove, `{"ply":`+string('0'+byte(a.Ply))+`,"move":"`+move+`"}`)
		}
	}
	undo := func(ply byte) error { return tb.cmd("p0", KindOffer, `{"what":"takeback","ply":`+string('0'+ply)+`}`) }
	start := tb.m.pos
	tb.play("a")
	answer("")
	if err := undo(1); err != nil || tb.m.pos != start {
		t.Fatalf("while it thinks: %v, %v", err, tb.m.pos)
	}
	if id, _ := tb.asked(); id != "" {
		t.Errorf("still asked %s", id)
	}
	if e := tb.entries[len(tb.entries)-1]; e.Kind != KindAccept {
		t.Errorf("the entry is %s %s", e.Kind, e.Body)
	}
	tb.play("a")
	answer("a")
	tb.play("c")
	answer("c")
	for _, ply := range []byte{4, 2} {
		if err := undo(ply); err != nil {
			t.Fatalf("at ply %d: %v", ply, err)
		}
	}
	if tb.m.pos != start {
		t.Errorf("back at %v", tb.m.pos)
	}
	if err := undo(0); code(err) != CodeNoTakeback {
		t.Errorf("before the first move: %v", err)
	}
	tb.play("a")
	answer("a")
}

// TestTakebackNeedsTheConsentOfPeople: if another person plays too, a takeback needs their consent.
func TestTakebackNeedsTheConsentOfPeople(t *testing.T) {
	tb := newTable(t, Creation{Settings: Settings{Rules: "basic-four"}, Seats: []string{"p0", "p1", "bot1", "bot2"}})
	tb.play(tb.legal())
	tb.must("p0", KindOffer, `{"what":"takeback","ply":1}`)
	if len(tb.m.offers) != 1 || tb.m.pos.Ply != 1 {
		t.Fatalf("offers %+v at ply %d", tb.m.offers, tb.m.pos.Ply)
	}
	tb.must("p1", KindAccept, `{"what":"takeback"}`)
	if len(tb.m.offers) != 0 || tb.m.pos.Ply != 0 {
		t.Errorf("offers %+v at ply %d", tb.m.offers, tb.m.pos.Ply)
	}
}

// legal returns the first legal move of the seat on turn.
func (tb *table) legal() string {
	list := tb.m.rules.game.Legal(&tb.m.pos)
	return list.At(0).String()
}

// TestBotAnswersADrawOfferBeforeItMoves: a bot is asked about a draw before it moves, and
// its answer closes the question.
func TestBotAnswersADrawOfferBeforeItMoves(t *testing.T) {
	for _, kind := range []string{KindAccept, KindDecline} {
		tb := against(t, Settings{}, "bot3")
		tb.play("a")
		tb.must("p0", KindOffer, `{"what":"draw"}`)
		id, a := tb.asked()
		if a == nil || a.What != "draw" || a.Player != "bot3" {
			t.Fatalf("asked %s %+v", id, a)
		}
		tb.must("bot3", kind, `{"what":"draw"}`)
		id, a = tb.asked()
		if over := tb.m.stage == over; over != (kind == KindAccept) || !over && (a == nil || a.What != "move") {
			t.Errorf("%s: over %v, asked %s %+v", kind, over, id, a)
		}
	}
}

// TestBotAgreesToARematchAtOnce: a bot agrees at once, and then the other seat begins.
func TestBotAgreesToARematchAtOnce(t *testing.T) {
	tb := against(t, Settings{}, "bot3")
	tb.must("p0", KindResign, "")
	tb.must("p0", KindOffer, `{"what":"rematch"}`)
	tasks := tb.m.Tasks()
	if len(tasks) != 1 || tasks[0].Kind != TaskRematch {
		t.Fatalf("tasks %+v", tasks)
	}
	next := &table{t: t, m: New(), replica: New(), loaded: New(), at: tb.at}
	if err := next.do(machine.Command{ID: "c", Kind: KindCreate, By: "p0", Body: tasks[0].Body}); err != nil {
		t.Fatal(err)
	}
	if id, a := next.asked(); a == nil || !slices.Equal(next.m.seats, []string{"bot3", "p0"}) {
		t.Errorf("seats %v, asked %q", next.m.seats, id)
	}
}

// TestBotsDoNotPlayForThemselves: a game is over when no person is left. A game that
// a bot has begun and to which no person came expires like any other.
func TestBotsDoNotPlayForThemselves(t *testing.T) {
	tb := against(t, Settings{Rules: "basic-four"}, "bot1", "bot2", "bot3")
	tb.must("p0", KindResign, "")
	if tb.m.stage != over || slices.Contains(tb.m.result.Winners, 0) {
		t.Errorf("after p0 has left: %s, %+v", stageNames[tb.m.stage], tb.m.result)
	}
	tb = against(t, Settings{Start: "friend"}, "bot3")
	tb.must("bot3", KindMove, `{"ply":0,"move":"a"}`)
	tb.later(defaultExpiry.Milliseconds())
	if tb.m.stage != over {
		t.Errorf("no player came, and the state is %s", stageNames[tb.m.stage])
	}
}

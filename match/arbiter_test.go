package match

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
)

func arbiterOrder(body string) machine.Command {
	return machine.Command{ID: "o", Kind: KindArbiter, By: "host", Server: true, Body: json.RawMessage(body)}
}

// order gives an arbiter's order, which must be taken.
func (tb *table) order(body string) {
	tb.t.Helper()
	if err := tb.do(arbiterOrder(body)); err != nil {
		tb.t.Fatalf("%s: %v", body, err)
	}
}

func TestArbitersOrdersAreRefused(t *testing.T) {
	event := func(moves ...string) *table {
		tb := eventGame(t, "kalah", "5+3", time.Minute)
		tb.play(moves...)
		return tb
	}
	over := event("a")
	over.must("p0", KindResign, "")
	paused := event("a", "a")
	paused.order(`{"act":"pause"}`)
	for _, tt := range []struct {
		name string
		on   *table
		body string
		want refusal.Code
	}{
		{"no act", event(), `{}`, CodeBadCommand},
		{"an unknown act", event(), `{"act":"sing"}`, CodeBadCommand},
		{"an unknown field", event(), `{"act":"pause","why":1}`, CodeBadCommand},
		{"a game outside tournaments", seated(t, "kalah", "", "5+3"), `{"act":"pause"}`, CodeBadCommand},
		{"pause twice", paused, `{"act":"pause"}`, "nothing"},
		{"resume a game that goes on", event(), `{"act":"resume"}`, "nothing"},
		{"pause a game that is over", over, `{"act":"pause"}`, CodeNotLive},
		{"end a game that is over", over, `{"act":"end"}`, CodeNotLive},
		{"add to a game that is over", over, `{"act":"add","seat":0,"ms":1}`, CodeNotLive},
		{"add nothing", event(), `{"act":"add","seat":0,"ms":0}`, CodeBadCommand},
		{"add too much", event(), fmt.Sprintf(`{"act":"add","seat":0,"ms":%d}`, MaxAdded+1), CodeBadCommand},
		{"take time away", event(), `{"act":"add","seat":0,"ms":-5}`, CodeBadCommand},
		{"add to no seat", event(), `{"act":"add","ms":5}`, CodeBadCommand},
		{"add to the third seat", event(), `{"act":"add","seat":2,"ms":5}`, CodeBadCommand},
		{"replace by nobody", event(), `{"act":"replace","seat":0}`, CodeBadCommand},
		{"replace by a bot", event(), `{"act":"replace","seat":0,"player":"bot3"}`, CodeBadCommand},
		{"replace by the opponent", event(), `{"act":"replace","seat":0,"player":"p1"}`, CodeAlreadySeated},
		{"replace by the same player", event(), `{"act":"replace","seat":0,"player":"p0"}`, "nothing"},
		{"replace when it is over", over, `{"act":"replace","seat":0,"player":"p2"}`, CodeNotLive},
	} {
		if got := code(tt.on.do(arbiterOrder(tt.body))); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	late := event()
	late.at = late.m.due
	if got := code(late.do(arbiterOrder(`{"act":"pause"}`))); got != CodeTooLate {
		t.Errorf("pause after the deadline: %s", got)
	}
	c := arbiterOrder(`{"act":"pause"}`)
	c.Server = false
	if got := code(event().do(c)); got != CodeBadCommand {
		t.Errorf("from a client: %s", got)
	}
}

func TestPauseStopsTheClockAndTheDeadline(t *testing.T) {
	for _, tt := range []struct {
		name, clock string
		noShow      time.Duration
		moves       []string
		until       int64 // ms after the last move: the pause begins
	}{
		{"a running clock", "5+3", time.Minute, []string{"a", "a"}, 20_000},
		{"a clock that does not run yet", "5d3", time.Minute, []string{"a", "a"}, 100},
		{"days for a move", "3/move", time.Minute, []string{"a", "a"}, 20_000},
		{"the deadline for the first ply", "none", time.Minute, nil, 20_000},
		{"the deadline with a clock", "5+3", time.Minute, []string{"a"}, 20_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := eventGame(t, "kalah", tt.clock, tt.noShow)
			tb.play(tt.moves...)
			tb.at += tt.until
			left := tb.m.wake() - tb.at
			tb.order(`{"act":"pause"}`)
			if tb.m.run != 0 || tb.m.due != 0 || tb.shown()["paused"] != float64(tb.at) {
				t.Errorf("paused, run is %d, due %d, and it shows %v", tb.m.run, tb.m.due, tb.shown()["paused"])
			}
			if got := tb.public(); !strings.Contains(got, `"k":"arbiter"`) || !strings.Contains(got, `"what":"pause","by":"host"`) {
				t.Errorf("the entry is shown as %s", got)
			}
			for _, c := range []machine.Command{
				{Kind: KindMove, By: tb.m.seats[tb.m.onTurn()], Body: fmt.Appendf(nil, `{"ply":%d,"move":"b"}`, tb.m.pos.Ply)},
				{Kind: KindOffer, By: "p0", Body: []byte(`{"what":"draw"}`)}, {Kind: KindClaim, By: "p0", Body: []byte(`{"what":"win"}`)},
			} {
				if got := code(tb.do(c)); got != CodePaused {
					t.Errorf("%s: %s", c.Kind, got)
				}
			}
			tb.later(3 * 24 * 3_600_000)
			for _, body := range []string{`{"from":1795252010000}`, `{"lost":10000}`} {
				if got := code(tb.do(machine.Command{Kind: machine.KindOutage, Body: json.RawMessage(body)})); got != "nothing" {
					t.Errorf("an outage in the pause: %s", got)
				}
			}
			for _, kind := range []string{machine.KindGone, machine.KindBack, machine.KindWake} {
				_ = tb.do(machine.Command{Kind: kind, By: "p0"})
			}
			if tb.m.run != 0 || tb.m.due != 0 {
				t.Fatal("the pause has ended by itself")
			}
			tb.order(`{"act":"resume"}`)
			if got := tb.m.wake() - tb.at; got != left || tb.m.paused() {
				t.Errorf("%d ms are left after the pause, and were %d before it", got, left)
			}
			tb.play("b")
		})
	}
}

func TestPauseEndsTheHoldAfterAnOutage(t *testing.T) {
	tb := eventGame(t, "kalah", "5+3", time.Minute)
	tb.play("a", "a")
	tb.at += 20_000
	if err := tb.do(machine.Command{Kind: machine.KindOutage, Body: fmt.Appendf(nil, `{"from":%d}`, tb.at-10_000)}); err != nil || !tb.m.hold.on() {
		t.Fatalf("no hold: %v", err)
	}
	tb.at += 5_000
	clock := tb.m.clock
	tb.order(`{"act":"pause"}`)
	tb.at += 60_000
	tb.order(`{"act":"resume"}`)
	if tb.m.hold.on() || tb.m.clock != clock || tb.m.run != tb.at {
		t.Errorf("the clock has %v of %v, run is %d ms away", tb.m.clock, clock, tb.m.run-tb.at)
	}
}

// The opponent of a player who is away waits as long as without the pause.
func TestCountdownOfAPlayerWhoIsAwayStopsInAPause(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after int64 // ms from when the player leaves until the pause, and the other way round
		left          int64 // ms of the countdown when the game goes on
	}{
		{"they leave before the pause", 20_000, 0, shortWait - 20_000},
		{"they leave in the pause", 0, 20_000, shortWait},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := eventGame(t, "kalah", "5+3", time.Minute)
			tb.play("a", "a")
			if tt.before > 0 {
				tb.leave("p1")
				tb.at += tt.before
			}
			tb.order(`{"act":"pause"}`)
			if tt.after > 0 {
				tb.at += tt.after
				tb.leave("p1")
			}
			tb.at += 10 * minute
			tb.order(`{"act":"resume"}`)
			if seat, until := tb.m.countdown(); seat != 1 || until-tb.at != tt.left {
				t.Errorf("seat %d is counted down for %d ms, want %d", seat, until-tb.at, tt.left)
			}
		})
	}
}

func TestPauseBetweenTwoRounds(t *testing.T) {
	tb := eventGame(t, "wise", "5+3", time.Minute)
	r := rand.New(rand.NewPCG(1, 1))
	for tb.m.playing() {
		move := ""
		if tb.m.pos.Phase == engine.Setup {
			move = randomLayout(r, tb.m.rules.game)
		} else {
			move = tb.m.rules.game.Legal(&tb.m.pos).At(0).String()
		}
		tb.at += 1000
		tb.play(move)
	}
	if tb.m.stage != between {
		t.Fatalf("the stage is %s", tb.m.State())
	}
	tb.order(`{"act":"pause"}`)
	tb.later(10 * 60_000)
	if got := code(tb.cmd("p0", KindNext, "")); tb.m.stage != between || got != CodePaused {
		t.Fatalf("the next round has begun, or may: %s", got)
	}
	tb.order(`{"act":"resume"}`)
	tb.later(pauseTime)
	if tb.m.round != 2 {
		t.Errorf("this is round %d", tb.m.round)
	}
}

// Guests in a game that never ends could not be deleted.
func TestPauseThatIsForgottenEndsTheGame(t *testing.T) {
	tb := eventGame(t, "kalah", "none", time.Minute)
	tb.play("a", "a")
	tb.order(`{"act":"pause"}`)
	tb.later(30*day - 1)
	if tb.m.stage == over {
		t.Fatal("it is over too early")
	}
	tb.later(1)
	tb.wantResult(byArbiter)
}

func TestPlayerMayResignInAPause(t *testing.T) {
	tb := eventGame(t, "kalah", "5+3", time.Minute)
	tb.play("a", "a")
	tb.order(`{"act":"pause"}`)
	tb.must("p0", KindResign, "")
	tb.wantResult(engine.ByResign, 1)
	if tb.m.paused() || len(tb.m.Tasks()) != 1 {
		t.Errorf("after the end it is paused: %t, with the tasks %v", tb.m.paused(), tb.m.Tasks())
	}
}

func TestBotDoesNotAnswerInAPause(t *testing.T) {
	e := someEvent
	tb := newTable(t, Creation{Settings: Settings{Clock: "5+3"}, Seats: []string{"p0", "bot3"}, Event: &e, NoShow: time.Minute})
	tb.play("a")
	if len(tb.m.Tasks()) != 1 {
		t.Fatal("the bot is not asked")
	}
	tb.order(`{"act":"pause"}`)
	if tasks := tb.m.Tasks(); len(tasks) != 0 {
		t.Errorf("the tasks are %v", tasks)
	}
	if got := code(tb.do(arbiterOrder(`{"act":"replace","seat":1,"player":"p2"}`))); got != CodeBadCommand {
		t.Errorf("replace a bot: %s", got)
	}
	tb.order(`{"act":"resume"}`)
	if len(tb.m.Tasks()) != 1 {
		t.Error("the bot is not asked after the pause")
	}
}

func TestArbiterAddsTime(t *testing.T) {
	for _, paused := range []bool{false, true} {
		for _, tt := range []struct {
			name, clock string
			moves       []string
			seat        int
			clocks      [2]int64 // ms more on the clocks
			wakes       int64    // ms by which the next deadline is later
		}{
			{"to a clock that runs", "5+3", []string{"a", "a"}, 0, [2]int64{5000, 0}, 5000},
			{"to the other clock", "5+3", []string{"a", "a"}, 1, [2]int64{0, 5000}, 0},
			{"to the deadline of the first ply", "none", nil, 0, [2]int64{}, 5000},
			{"to the deadline and the clock", "5+3", []string{"a"}, 1, [2]int64{0, 5000}, 5000},
		} {
			t.Run(fmt.Sprint(tt.name, " paused ", paused), func(t *testing.T) {
				tb := eventGame(t, "kalah", tt.clock, time.Minute)
				tb.play(tt.moves...)
				wake, clock := tb.m.wake(), tb.m.clock
				if paused {
					tb.order(`{"act":"pause"}`)
				}
				tb.order(fmt.Sprintf(`{"act":"add","seat":%d,"ms":5000}`, tt.seat))
				if got := tb.public(); !strings.Contains(got, fmt.Sprintf(`"seat":%d,"what":"add","by":"host"`, tt.seat)) {
					t.Errorf("the entry is shown as %s", got)
				}
				if paused {
					tb.order(`{"act":"resume"}`)
				}
				got := [2]int64{tb.m.clock[0] - clock[0], tb.m.clock[1] - clock[1]}
				if got != tt.clocks || tb.m.wake()-wake != tt.wakes {
					t.Errorf("the clocks have %v more, and the deadline is %d ms later", got, tb.m.wake()-wake)
				}
			})
		}
	}
	tb := eventGame(t, "kalah", "none", 0)
	if got := code(tb.do(arbiterOrder(`{"act":"add","seat":0,"ms":5}`))); got != "nothing" {
		t.Errorf("there is nothing to add to: %s", got)
	}
}

func TestArbiterEndsAGameWithoutAWinner(t *testing.T) {
	tb := eventGame(t, "kalah", "5+3", time.Minute)
	tb.play("a")
	tb.order(`{"act":"end"}`)
	tb.wantResult(byArbiter)
	if got := code(tb.do(arbiterOrder(`{"act":"end"}`))); got != "nothing" {
		t.Errorf("again: %s", got)
	}
}

// At the end of its round a game is lost by the player who has not come. A game in which both have moved
// goes on. A pause of the host is no move.
func TestGameWithoutAMoveEndsWithItsRound(t *testing.T) {
	for _, tt := range []struct {
		moves   []string
		winners []int
	}{{nil, nil}, {[]string{"a"}, []int{0}}} {
		for _, paused := range []bool{false, true} {
			tb := eventGame(t, "kalah", "5+3", 0)
			tb.play(tt.moves...)
			if paused {
				tb.order(`{"act":"pause"}`)
			}
			tb.order(`{"act":"close"}`)
			tb.wantResult(engine.ByNoShow, tt.winners...)
			if r := tb.m.reported().Report; r.Played || !slices.Equal(r.Winners, tt.winners) {
				t.Errorf("after %v the report is %+v", tt.moves, r)
			}
			if got := code(tb.do(arbiterOrder(`{"act":"close"}`))); got != CodeNotLive {
				t.Errorf("again: %s", got)
			}
		}
	}
	both := eventGame(t, "kalah", "5+3", 0)
	both.play("a", "a")
	if got := code(both.do(arbiterOrder(`{"act":"close"}`))); got != "nothing" {
		t.Errorf("a game in which both have moved: %s", got)
	}
}

func TestSubstituteTakesASeat(t *testing.T) {
	tb := eventGame(t, "kalah", "5+3", time.Minute)
	tb.play("a", "a")
	tb.must("p1", KindOffer, `{"what":"draw"}`)
	tb.leave("p1")
	tb.order(`{"act":"replace","seat":1,"player":"p7"}`)
	if got := tb.m.Players(); !slices.Equal(got, []string{"p0", "p7"}) {
		t.Errorf("the players are %v", got)
	}
	if a, b := tb.m.Audience("p1"), tb.m.Audience("p7"); a != machine.Watchers || b != 1 {
		t.Errorf("p1 is %d, p7 is %d", a, b)
	}
	if seat, _ := tb.m.countdown(); seat >= 0 || len(tb.m.offers) != 0 {
		t.Errorf("seat %d is counted down, and there are the offers %v", seat, tb.m.offers)
	}
	tb.play("c")
	if got := code(tb.cmd("p1", KindMove, `{"ply":3,"move":"c"}`)); got != CodeNotPlaying {
		t.Errorf("a move of the player who has left: %s", got)
	}
	tb.must("p7", KindMove, `{"ply":3,"move":"c"}`)
}

// The room tells only of players who go, so a substitute counts as present.
func TestAbsentSubstituteLoses(t *testing.T) {
	tb := eventGame(t, "kalah", "none", time.Minute)
	tb.order(`{"act":"replace","seat":1,"player":"p7"}`)
	tb.later(60_000)
	tb.wantResult(engine.ByNoShow, 1)
	tb = eventGame(t, "kalah", "none", time.Minute)
	tb.order(`{"act":"replace","seat":1,"player":"p7"}`)
	tb.leave("p7")
	tb.later(60_000)
	tb.wantResult(engine.ByNoShow)
}

func TestSubstituteDoesNotPayForTheirPredecessorsNetwork(t *testing.T) {
	tb := eventGame(t, "kalah", "5+3", time.Minute)
	tb.play("a", "a")
	for range 2 {
		tb.at += 2000
		if err := tb.move("c", time.Second); err != nil {
			t.Fatal(err)
		}
	}
	other := tb.m.lag[0]
	tb.order(`{"act":"replace","seat":1,"player":"p7"}`)
	if unused := newBucket(tb.m.control); tb.m.lag[1] != unused || tb.m.lag[0] != other || other == unused {
		t.Errorf("the delay of the seats is counted as %+v", tb.m.lag[:2])
	}
}

func TestGameWithASubstituteIsRatedOnlyIfTheirPredecessorMadeNoPly(t *testing.T) {
	for _, tt := range []struct {
		moves []string
		rated bool
	}{{nil, true}, {[]string{"a"}, false}} {
		e := someEvent
		tb := newTable(t, Creation{Settings: Settings{Clock: "5+3", Rated: true}, Seats: []string{"p0", "p1"}, Event: &e, NoShow: time.Minute})
		tb.play(tt.moves...)
		tb.order(`{"act":"replace","seat":0,"player":"p7"}`)
		if tb.m.rated != tt.rated {
			t.Errorf("after %d plies rated is %t", len(tt.moves), tb.m.rated)
		}
	}
}

func TestOrdersDoNotFillTheJournal(t *testing.T) {
	tb := eventGame(t, "kalah", "5+3", time.Hour)
	for range maxExtras / 2 {
		tb.order(`{"act":"pause"}`)
		tb.order(`{"act":"resume"}`)
	}
	for _, body := range []string{`{"act":"pause"}`, `{"act":"add","seat":0,"ms":5}`, `{"act":"replace","seat":0,"player":"p7"}`} {
		if got := code(tb.do(arbiterOrder(body))); got != CodeTooLong {
			t.Errorf("%s: %s", body, got)
		}
	}
	tb.order(`{"act":"end"}`)
}

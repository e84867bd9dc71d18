package learn

import (
	"slices"
	"strings"
	"testing"

	"mancala/engine"
)

// drops returns where the seeds fall, in order.
func (e *Example) drops() (slots []int) {
	for _, ev := range e.Events {
		if ev.Kind == engine.EventDrop {
			slots = append(slots, int(ev.Slot))
		}
	}
	return slots
}

// at returns the index of the nth event of a kind, or -1.
func (e *Example) at(kind engine.EventKind, nth int) int {
	for i, ev := range e.Events {
		if ev.Kind == kind {
			if nth--; nth < 0 {
				return i
			}
		}
	}
	return -1
}

// until returns the position before event n.
func (e *Example) until(n int) engine.Position {
	p := e.Before
	(&engine.Trace{Events: e.Events[:n]}).Apply(&p)
	return p
}

// beforeLast returns how many seeds are in the last pit before the last seed falls.
func (e *Example) beforeLast() int {
	n := len(e.drops())
	return int(e.until(e.at(engine.EventDrop, n-1)).Slots[e.last()])
}

// beforeSweep returns the position in which the game ends, before seeds that are left are shared out.
func (e *Example) beforeSweep() engine.Position {
	if n := e.at(engine.EventSweep, 0); n >= 0 {
		return e.until(n)
	}
	return e.After
}

func sumOf(g *engine.Game, p engine.Position, side int) (n int) {
	for i := range int(g.Shape().Pits) {
		n += int(p.Slots[g.Shape().Slot(side, i)])
	}
	return n
}

// across returns the pit opposite a pit of South: the inner one, where sides have two rows.
func across(g *engine.Game, slot int) int {
	s := g.Shape()
	row, rows := int(s.Pits), g.Rules().Rows
	cols := row / rows
	return int(s.Sides)/2*row + (rows-1)*cols + cols - 1 - slot%cols
}

// step returns the way from one slot of South to another, round South's pits: 1 or -1, or 0.
func step(g *engine.Game, from, to int) int {
	n := int(g.Shape().Pits)
	switch (to - from + n) % n {
	case 1:
		return 1
	case n - 1:
		return -1
	}
	return 0
}

// claim checks what a sentence says about the solution of a step.
type claim func(g *engine.Game, s *Step, e *Example) bool

func liftsAll(_ *engine.Game, _ *Step, e *Example) bool {
	ev := e.Events[0]
	return ev.Kind == engine.EventLift && ev.Slot == e.Move.Pit && ev.Seeds == e.Before.Slots[ev.Slot]
}

// goes checks the first step of the sowing.
func goes(way int) claim {
	return func(g *engine.Game, _ *Step, e *Example) bool {
		slots := e.drops()
		if g.Rules().KeepFirst {
			slots = slots[1:]
		}
		from := int(e.Events[e.at(engine.EventLift, 0)].Slot)
		return step(g, from, slots[0]) == way
	}
}

func bothWays(_ *engine.Game, s *Step, _ *Example) bool {
	goes := map[engine.Way]bool{}
	for _, a := range s.Answers {
		goes[a.Move.Way] = true
	}
	return goes[engine.CW] && goes[engine.CCW]
}

// takesAcross checks a capture from the pit opposite, after a last seed in a pit of the row before it.
func takesAcross(occupied bool) claim {
	return func(g *engine.Game, _ *Step, e *Example) bool {
		seize := slices.IndexFunc(e.Events, func(ev engine.Event) bool {
			return ev.Kind == engine.EventCapture && ev.Slot != uint8(e.last()) || ev.Kind == engine.EventSeize
		})
		last := -1
		for _, ev := range e.Events[:seize] {
			if ev.Kind == engine.EventDrop {
				last = int(ev.Slot)
			}
			if ev.Kind == engine.EventEnter {
				last = int(ev.Slot)
			}
		}
		own := last >= 0 && last < int(g.Shape().Pits) && rowOf(g, last) == g.Rules().Rows-1
		before := e.until(seize).Slots[last]
		return own && int(e.Events[seize].Slot) == across(g, last) && (before > 1) == occupied
	}
}

func takesLast(fits func(r engine.Rules, n int) bool, anywhere bool) claim {
	return func(g *engine.Game, _ *Step, e *Example) bool {
		i := slices.IndexFunc(e.Events, func(ev engine.Event) bool { return ev.Kind == engine.EventCapture && int(ev.Slot) == e.last() })
		return i >= 0 && fits(g.Rules(), int(e.Events[i].Seeds)) && (anywhere || e.last() >= int(g.Shape().Pits))
	}
}

func counted(r engine.Rules, n int) bool {
	return slices.Contains(r.Counts, n) || r.CountEven && n%2 == 0
}

func ends(by ...engine.End) claim {
	return func(_ *engine.Game, _ *Step, e *Example) bool {
		return e.After.Phase == engine.Over && slices.Contains(by, e.After.End)
	}
}

func both(a, b claim) claim {
	return func(g *engine.Game, s *Step, e *Example) bool { return a(g, s, e) && b(g, s, e) }
}

// claims has a check for each sentence that a lesson can say about its rule.
var claims = map[string]claim{
	"learn.lift.any":       liftsAll,
	"learn.lift.two":       both(liftsAll, func(_ *engine.Game, _ *Step, e *Example) bool { return e.Events[0].Seeds > 1 }),
	"learn.lift.two-first": both(liftsAll, func(_ *engine.Game, _ *Step, e *Example) bool { return e.Events[0].Seeds > 1 }),
	"learn.enter": func(g *engine.Game, _ *Step, e *Example) bool {
		enter, lift := e.Events[0], e.Events[1]
		inner := int(enter.Slot) >= int(g.Shape().Pits)/2 && int(enter.Slot) < int(g.Shape().Pits)
		return enter.Kind == engine.EventEnter && inner && e.Before.Slots[enter.Slot] > 0 &&
			lift.Kind == engine.EventLift && lift.Slot == enter.Slot && lift.Seeds == e.Before.Slots[enter.Slot]+1
	},
	"learn.way.ccw":               goes(1),
	"learn.way.cw":                goes(-1),
	"learn.way.choice":            bothWays,
	"learn.direction.ccw.rows":    goes(1),
	"learn.direction.cw.rows":     goes(-1),
	"learn.direction.choice.rows": bothWays,
	"learn.sow.each": func(_ *engine.Game, _ *Step, e *Example) bool {
		return len(e.drops()) == int(e.Events[e.at(engine.EventLift, 0)].Seeds)
	},
	"learn.sow.keep": func(_ *engine.Game, _ *Step, e *Example) bool { return e.drops()[0] == int(e.Move.Pit) },
	"learn.round.store": func(g *engine.Game, _ *Step, e *Example) bool {
		slots, store := e.drops(), g.Shape().Store(0)
		i := slices.Index(slots, store)
		return i >= 0 && i+1 < len(slots) && !slices.Contains(slots[i+1:], store) && slots[i+1]/int(g.Shape().Pits) != 0
	},
	"learn.round.row": func(g *engine.Game, _ *Step, e *Example) bool {
		return e.last() >= int(g.Shape().Pits) && e.last() < g.Shape().Store(0)
	},
	"learn.round.own": func(g *engine.Game, _ *Step, e *Example) bool {
		return slices.Max(e.drops()) < int(g.Shape().Pits) && rowOf(g, e.last()) != rowOf(g, int(e.Move.Pit))
	},
	"learn.again.store":   func(g *engine.Game, _ *Step, e *Example) bool { return e.last() == g.Shape().Store(0) },
	"learn.again.capture": func(g *engine.Game, _ *Step, e *Example) bool { return e.wins(g) > 0 },
	"learn.again.home": func(g *engine.Game, _ *Step, e *Example) bool {
		return e.beforeLast() == 0 && slices.Max(e.drops()) < int(g.Shape().Pits)
	},
	"learn.relay.same":    relays(func(g *engine.Game, last, lifted int) bool { return lifted == last }),
	"learn.relay.reverse": relays(func(g *engine.Game, last, lifted int) bool { return lifted == last }),
	"learn.relay.next": relays(func(g *engine.Game, last, lifted int) bool {
		return lifted == (last+1)%(int(g.Shape().Sides)*int(g.Shape().Pits))
	}),
	"learn.capture.cross":               takesAcross(false),
	"learn.capture.cross.rows.any":      takesAcross(false),
	"learn.capture.cross.rows.full":     takesAcross(false),
	"learn.capture.cross.rows.inner":    takesAcross(false),
	"learn.capture.occupied":            takesAcross(true),
	"learn.capture.occupied.rows.any":   takesAcross(true),
	"learn.capture.occupied.rows.full":  takesAcross(true),
	"learn.capture.occupied.rows.inner": takesAcross(true),
	"learn.capture.count":               takesLast(counted, false),
	"learn.capture.count.any":           takesLast(counted, true),
	"learn.capture.single":              takesLast(func(_ engine.Rules, n int) bool { return n == 1 }, false),
	"learn.capture.single.any":          takesLast(func(_ engine.Rules, n int) bool { return n == 1 }, true),
	"learn.capture.gap": func(g *engine.Game, _ *Step, e *Example) bool {
		i, pits := e.at(engine.EventCapture, 0), g.Shape().Store(0)
		p := e.until(i)
		return p.Slots[(e.last()+1)%pits] == 0 && int(e.Events[i].Slot) == (e.last()+2)%pits
	},
	"learn.capture.passing.owner": takesPassing,
	"learn.capture.passing.mover": takesPassing,
	"learn.seized": func(g *engine.Game, _ *Step, e *Example) bool {
		i := e.at(engine.EventSeize, 0)
		next := slices.IndexFunc(e.Events[i:], func(ev engine.Event) bool { return ev.Kind == engine.EventDrop })
		return i >= 0 && next > 0 && int(e.Events[i+next].Slot) < int(g.Shape().Pits)
	},
	"learn.feed.must": func(g *engine.Game, _ *Step, e *Example) bool {
		return sideEmpty(g, e.Before, 1) && slices.ContainsFunc(e.drops(), func(slot int) bool { return slot/int(g.Shape().Pits) == 1 })
	},
	"learn.feed.give": func(g *engine.Game, _ *Step, e *Example) bool {
		ev := e.Events[0]
		return sideEmpty(g, e.Before, 1) && ev.Kind == engine.EventGift && int(ev.To) == int(g.Shape().Pits) && e.Before.Slots[ev.Slot] > 1
	},
	"learn.end.side-empty": both(ends(engine.EndSideEmpty), func(g *engine.Game, _ *Step, e *Example) bool {
		p := e.beforeSweep()
		return slices.ContainsFunc([]int{0, 1, 2, 3}[:g.Shape().Sides], func(side int) bool { return sideEmpty(g, p, side) })
	}),
	"learn.end.lone-seed": both(ends(engine.EndLoneSeed), func(g *engine.Game, _ *Step, e *Example) bool {
		p := e.beforeSweep()
		return sumOf(g, p, 0)+sumOf(g, p, 1) == 1
	}),
	"learn.end.few-left": both(ends(engine.EndFewLeft), func(g *engine.Game, _ *Step, e *Example) bool {
		p := e.beforeSweep()
		return sumOf(g, p, 0)+sumOf(g, p, 1) <= g.Rules().EndTotal
	}),
	"learn.end.at-most": both(ends(engine.EndSideAtMost), func(g *engine.Game, _ *Step, e *Example) bool {
		p := e.beforeSweep()
		return min(sumOf(g, p, 0), sumOf(g, p, 1)) <= g.Rules().EndAtMost
	}),
	"learn.end.majority": both(ends(engine.EndMajority), func(g *engine.Game, _ *Step, e *Example) bool {
		return 2*e.After.Score(0) > e.After.Score(0)+e.After.Score(1)+sumOf(g, e.After, 0)+sumOf(g, e.After, 1)
	}),
	"learn.end.row-empty": both(ends(engine.EndRowEmpty), func(g *engine.Game, _ *Step, e *Example) bool {
		half, p := int(g.Shape().Pits)/2, e.beforeSweep()
		return slices.Max(p.Slots[half:2*half]) == 0 || slices.Max(p.Slots[3*half:4*half]) == 0
	}),
	"learn.end.board-empty": both(ends(engine.EndBoardEmpty), func(g *engine.Game, _ *Step, e *Example) bool {
		return sumOf(g, e.After, 0)+sumOf(g, e.After, 1) == 0
	}),
	"learn.end.only.end":  ends(engine.EndStuck),
	"learn.end.only.pass": ends(engine.EndAllStuck),
}

// relays checks where the second lift is.
func relays(fits func(g *engine.Game, last, lifted int) bool) claim {
	return func(g *engine.Game, _ *Step, e *Example) bool {
		second := e.at(engine.EventLift, 1)
		last := -1
		for _, ev := range e.Events[:max(0, second)] {
			if ev.Kind == engine.EventDrop {
				last = int(ev.Slot)
			}
		}
		lifted := e.Events[second]
		if !fits(g, last, int(lifted.Slot)) || lifted.Seeds == 0 {
			return false
		}
		way := func(at int) int { // of the sowing that begins with this lift, where it stays on South's side
			first := slices.IndexFunc(e.Events[at:], func(ev engine.Event) bool { return ev.Kind == engine.EventDrop })
			return step(g, int(e.Events[at].Slot), int(e.Events[at+first].Slot))
		}
		first, then := way(e.at(engine.EventLift, 0)), way(second)
		switch {
		case first == 0 || then == 0 || int(lifted.Slot) >= int(g.Shape().Pits):
			return g.Rules().Relay != engine.RelayReverse
		case g.Rules().Relay == engine.RelayReverse:
			return first == -then
		}
		return first == then
	}
}

func takesPassing(g *engine.Game, _ *Step, e *Example) bool {
	return slices.ContainsFunc(e.Events, func(ev engine.Event) bool {
		return ev.Kind == engine.EventCapture && slices.Contains(g.Rules().SowCounts, int(ev.Seeds)) && int(ev.To) == g.Shape().Store(0)
	})
}

func gameOf(system string) *engine.Game {
	rules, _ := engine.System(system)
	return engine.MustCompile(rules.String())
}

func TestLessonsTeachWhatTheirGamesHave(t *testing.T) {
	for _, row := range engine.Systems {
		g, lesson := gameOf(row.Name), Lesson(row.Name)
		var kinds, want []string
		for _, s := range lesson {
			kinds = append(kinds, s.Kind)
		}
		for _, kind := range StepKinds {
			if has[kind](g.Rules()) {
				want = append(want, kind)
			}
		}
		if !slices.Equal(kinds, want) {
			t.Errorf("the lesson of %s has %v, the game has %v", row.Name, kinds, want)
		}
	}
}

// Each step can be solved in one way or two, and can be missed. Some games end only by the last move that there
// is.
func TestEachStepHasRightAndWrongAnswers(t *testing.T) {
	for _, row := range engine.Systems {
		for _, s := range Lesson(row.Name) {
			right, wrong := 0, 0
			for _, a := range s.Answers {
				if a.Right {
					right++
				} else {
					wrong++
				}
				if len(a.Events) > 150 {
					t.Errorf("%s, %s: %s has %d events, too many for a page", row.Name, s.Kind, a.Move, len(a.Events))
				}
			}
			for pit := range s.Refused {
				if s.Start.Slots[pit] > 0 {
					wrong++
				}
			}
			if right == 0 || wrong == 0 && s.Kind != "end" || right > 2 {
				t.Errorf("%s, %s: %d right answers and %d wrong ones", row.Name, s.Kind, right, wrong)
			}
		}
	}
}

// What a lesson says about a rule is what the engine does in its solution.
func TestEachSentenceOfALessonHolds(t *testing.T) {
	asKeys := func(key string, _ ...any) string { return key }
	said := map[string]bool{}
	for _, row := range engine.Systems {
		g := gameOf(row.Name)
		for _, s := range Lesson(row.Name) {
			for _, a := range s.Answers {
				if !a.Right {
					continue
				}
				about := s.About(g, asKeys)
				if len(about) == 0 {
					t.Errorf("%s, %s: nothing is said", row.Name, s.Kind)
				}
				for _, key := range about {
					said[key] = true
					if check := claims[key]; check == nil {
						t.Errorf("%s, %s: nothing checks %q", row.Name, s.Kind, key)
					} else if !check(g, &s, s.solution()) {
						t.Errorf("%s, %s: %q does not hold for %s in %s: %v", row.Name, s.Kind, key, s.solution().Move, s.Start, s.solution().Events)
					}
				}
			}
		}
	}
	t.Logf("%d sentences: %v", len(said), said)
}

// A verdict is right about what the engine does: a wrong move is never called right, and what it misses is
// missing.
func TestEachVerdictHolds(t *testing.T) {
	for _, row := range engine.Systems {
		g := gameOf(row.Name)
		for _, s := range Lesson(row.Name) {
			for _, a := range s.Answers {
				after := s.Start
				var trace engine.Trace
				if err := g.Play(&after, nil, a.Move, &trace); err != nil || after != a.After {
					t.Fatalf("%s, %s: %s: %v", row.Name, s.Kind, a.Move, err)
				}
				e := a.Example
				does := map[string]bool{
					"sow": e.last() == s.Target, "round": e.last() == s.Target, "again": after.Seat == 0 && after.Phase == engine.Play,
					"relay": e.at(engine.EventLift, 1) > 0, "capture": e.wins(g) > 0, "end": after.Phase == engine.Over,
					"feed": after.Phase == engine.Play && sumOf(g, after, 1) > 0,
				}[s.Kind]
				if does != a.Right {
					t.Errorf("%s, %s: %s is right: %t, but does it: %t", row.Name, s.Kind, a.Move, a.Right, does)
				}
				if s.Kind == "feed" && !a.Right && sumOf(g, after, 1) > 0 {
					t.Errorf("%s: after %s the other player has seeds", row.Name, a.Move)
				}
			}
		}
	}
}

// A sign points where the player sees the seeds go: an inner row runs back.
func TestSignsOfWrittenMovesFollowTheRow(t *testing.T) {
	for _, tt := range []struct{ rules, move, want string }{
		{"bao", "j>", "10<"}, {"bao", "l<*", "12>*"}, {"bao", "c>", "3>"}, {"omweso", "o<", "15>"}, {"omweso", "o", "15"}, {"giuthi", "f<", "6<"},
	} {
		r, _ := engine.System(tt.rules)
		m, ok := engine.ParseMove(tt.move)
		if got := Named(r, m); !ok || got != tt.want {
			t.Errorf("%s of %s is written %s, want %s", tt.move, tt.rules, got, tt.want)
		}
	}
}

func TestLessonsAreSaidInWholeSentences(t *testing.T) {
	text := catalog(t)
	for _, row := range engine.Systems {
		g := gameOf(row.Name)
		for _, s := range Lesson(row.Name) {
			said := append(s.About(g, text), s.Task(g, text), text("learn."+s.Kind))
			for _, a := range s.Answers {
				said = append(said, s.Verdict(g, a, text))
			}
			for pit := range s.Refused {
				said = append(said, s.Refusal(g, pit, text))
			}
			for _, sentence := range said {
				if sentence == "" || strings.ContainsAny(sentence, "{}") || strings.Contains(sentence, "learn.") {
					t.Errorf("%s, %s: %q", row.Name, s.Kind, sentence)
				}
			}
			if !slices.Contains(Anchors, s.Section()) {
				t.Errorf("%s, %s: there is no section %q", row.Name, s.Kind, s.Section())
			}
		}
	}
}

func TestWrongLinesOfLessonsAreRefused(t *testing.T) {
	const start = "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"
	for _, line := range []string{
		"kalah sow 4", "kalah dance - " + start, "kalah sow x " + start, "kalah sow 4 1,2", "kalah sow 4 " + strings.Replace(start, "S", "N", 1),
	} {
		if _, err := readLesson(line, "kalah"); err == nil {
			t.Errorf("%q is read", line)
		}
	}
	if steps, err := readLesson("kalah sow 4 "+start, "kalah"); err != nil || len(steps) != 1 {
		t.Errorf("%v, %v", steps, err)
	}
	for line := range strings.Lines(lessonLines) {
		if system, _, _ := strings.Cut(line, " "); len(Lesson(system)) == 0 {
			t.Errorf("there is no system for %q", line)
		}
	}
	if !HasStep("kalah", "again") || HasStep("kalah", "feed") || HasStep("kalah", "") || HasStep("chess", "sow") || HasStep("", "") {
		t.Error("a step is where there is none")
	}
}

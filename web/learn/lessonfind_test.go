package learn

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
)

var update = flag.Bool("update", false, "write lessons.txt anew")

// has reports whether a game has what a kind of step teaches.
var has = map[string]func(engine.Rules) bool{
	"sow":   func(engine.Rules) bool { return true },
	"round": func(engine.Rules) bool { return true },
	"again": func(r engine.Rules) bool { return len(r.Again) > 0 },
	"relay": func(r engine.Rules) bool { return r.Relay != engine.RelayNone },
	"capture": func(r engine.Rules) bool {
		return r.Capture != engine.CaptureNone || len(r.SowCounts) > 0
	},
	"feed": func(r engine.Rules) bool { return r.Feed != engine.FeedNone },
	"end":  func(engine.Rules) bool { return true },
}

// told are the ways to end a game that a lesson can explain.
var told = []engine.End{
	engine.EndSideEmpty, engine.EndFewLeft, engine.EndLoneSeed, engine.EndMajority, engine.EndRowEmpty, engine.EndSideAtMost, engine.EndStuck, engine.EndAllStuck, engine.EndBoardEmpty,
}

// suits scores a position for a step; 0 means not at all. A good one has one right answer that is short and
// clear, and a few wrong ones.
func suits(g *engine.Game, s *Step) int {
	right, wrong, worst := []*Example{}, len(s.Refused), 0
	for pit := range s.Refused {
		if s.Start.Slots[pit] == 0 {
			wrong-- // nobody tries an empty pit
		}
	}
	for _, a := range s.Answers {
		worst = max(worst, len(a.Events))
		if a.Right {
			right = append(right, a.Example)
		} else {
			wrong++
		}
	}
	if len(right) == 0 || wrong == 0 && s.Kind != "end" || worst > 120 {
		return 0
	}
	e := right[0]
	score := 1000 - 150*(len(right)-1) - 4*len(e.Events) - worst/2 - 15*max(0, len(s.Answers)-6) - int(s.Start.Ply)
	if wrong < 2 {
		score -= 100 * (3 - 2*wrong) // some games end only by the last move that there is
	}
	extras := e.captures + e.swept + max(0, e.lifts()-1)
	switch s.Kind {
	case "sow":
		if e.sown < 2 || extras > 0 || s.Target/int(g.Shape().Pits) != 0 || s.Target >= int(g.Shape().Sides)*int(g.Shape().Pits) || rowOf(g, s.Target) != rowOf(g, int(e.Move.Pit)) {
			return 0
		}
		if g.Rules().Rows == 2 && rowOf(g, s.Target) != 0 {
			score -= 100
		}
		score -= 10*distance(e.sown, 3) + 10*int(s.Start.Ply)
	case "round":
		if extras > 0 || e.sown > 8 || s.Target >= int(g.Shape().Sides)*int(g.Shape().Pits) || rowOf(g, s.Target) == rowOf(g, int(e.Move.Pit)) {
			return 0
		}
		if int(e.Move.Pit) >= int(g.Shape().Pits)/g.Rules().Rows {
			return 0
		}
		score -= 10*distance(e.sown, 4) + 10*int(s.Start.Ply)
	case "again":
		score -= 100 * (e.lifts() - 1)
	case "relay":
		if e.lifts() > 4 || e.captures > 0 && e.laps > 3 {
			return 0
		}
		score -= 40*(e.lifts()-2) + 60*e.captures
	case "capture":
		if e.wins(g) < 2 && g.Rules().Capture != engine.CaptureGap || e.swept > 0 || slices.ContainsFunc(e.Events, func(ev engine.Event) bool { return ev.Kind == engine.EventClaim }) {
			return 0
		}
		score -= 80*(e.laps-1) - 5*min(e.wins(g), 10)
		if e.capturesInPassing() && g.Rules().Capture != engine.CaptureNone {
			score -= 300
		}
	case "feed":
		if !sideEmpty(g, s.Start, 1) {
			return 0
		}
	case "end":
		if !slices.Contains(told, e.After.End) {
			return 0
		}
		score -= 20 * e.captures
	}
	return max(1, score)
}

// rowOf returns the number of a slot's row: two for each side where a side has two.
func rowOf(g *engine.Game, slot int) int { return slot / (int(g.Shape().Pits) / g.Rules().Rows) }

// find returns the best position for each kind of step, from random games that are the same every time.
func find(t *testing.T, system string) []Step {
	t.Helper()
	rules, _ := engine.System(system)
	g := engine.MustCompile(rules.String())
	random := rand.New(rand.NewPCG(24, 8))
	best, score := map[string]Step{}, map[string]int{}
	for range 400 {
		p := begin(g, random)
		for range 150 {
			moves := g.LegalMoves(&p, nil)
			if p.Phase != engine.Play || len(moves) == 0 {
				break
			}
			if p.Seat == 0 {
				for _, kind := range StepKinds {
					if !has[kind](rules) || kind == "feed" && !sideEmpty(g, p, 1) {
						continue
					}
					for _, target := range targets(g, kind, p, moves) {
						s, err := newStep(g, kind, target, p)
						if err != nil {
							continue
						}
						if n := suits(g, &s); n > score[kind] {
							best[kind], score[kind] = s, n
						}
					}
				}
			}
			if g.Play(&p, nil, moves[random.IntN(len(moves))], nil) != nil {
				break
			}
		}
	}
	var steps []Step
	for _, kind := range StepKinds {
		if s, ok := best[kind]; ok {
			steps = append(steps, s)
		} else if has[kind](rules) {
			t.Logf("%s: no position for %s", system, kind)
		}
	}
	return steps
}

// targets returns the slots at which a move of the position ends, for the steps that name one.
func targets(g *engine.Game, kind string, p engine.Position, moves []engine.Move) []int {
	if kind != "sow" && kind != "round" {
		return []int{-1}
	}
	var list []int
	for _, m := range moves {
		if e, ok := try(g, p, m); ok && e.last() >= 0 && !slices.Contains(list, e.last()) {
			list = append(list, e.last())
		}
	}
	return list
}

// TestPositionsOfLessonsAreFound adds with -update the steps that lessons.txt does not have yet. Those that it
// has stay: people have looked at them, and other tests check them. To find another position for a step, remove
// its line first. A step that its game no longer has is removed.
func TestPositionsOfLessonsAreFound(t *testing.T) {
	if !*update {
		t.Skip("writes lessons.txt with -update")
	}
	const file = "lessons.txt"
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kept := map[[2]string]string{} // by system and kind: the line
	for line := range strings.Lines(string(old)) {
		system, rest, _ := strings.Cut(line, " ")
		kind, _, _ := strings.Cut(rest, " ")
		kept[[2]string{system, kind}] = line
	}
	var lines strings.Builder
	for _, row := range engine.Systems {
		rules, _ := engine.System(row.Name)
		var found map[string]string // by kind: the line; nil: not searched yet
		for _, kind := range StepKinds {
			if !has[kind](rules) {
				continue
			}
			line, ok := kept[[2]string{row.Name, kind}]
			if !ok {
				if found == nil {
					found = map[string]string{}
					for _, s := range find(t, row.Name) {
						found[s.Kind] = lineOf(row.Name, s)
					}
				}
				line = found[kind]
			}
			lines.WriteString(line)
		}
	}
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// lineOf returns the line of a step in lessons.txt.
func lineOf(system string, s Step) string {
	target := "-"
	if s.Target >= 0 {
		target = fmt.Sprint(s.Target)
	}
	return fmt.Sprintln(system, s.Kind, target, s.Start)
}

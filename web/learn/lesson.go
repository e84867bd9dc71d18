package learn

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
)

// Step is one board of a lesson, or a puzzle, with one task. The reader solves it by making a move.
type Step struct {
	Kind    string          // what it teaches, one of StepKinds; "puzzle" of a puzzle
	Start   engine.Position // South is on turn
	Target  int             // the slot into which the last seed must fall; -1 if the task names none
	Answers []Answer        // every legal move
	Refused map[int]error   // why a pit of South cannot be played, by pit; always a [*engine.MoveError]
}

// Answer is a move that the reader can make in a step.
type Answer struct {
	*Example
	Right bool // the move does what the task asks for
}

// StepKinds are what steps can teach, in the order in which a lesson has them. A lesson has those that its
// game has.
var StepKinds = []string{"sow", "round", "again", "relay", "capture", "feed", "end"}

// solves reports whether a move does what a step of this kind asks for.
var solves = map[string]func(*Step, *engine.Game, *Example) bool{
	"sow":   endsAtTarget,
	"round": endsAtTarget,
	"again": func(_ *Step, _ *engine.Game, e *Example) bool {
		return e.After.Phase == engine.Play && e.After.Seat == e.Before.Seat
	},
	"relay":   func(_ *Step, _ *engine.Game, e *Example) bool { return e.lifts() > 1 },
	"capture": func(_ *Step, g *engine.Game, e *Example) bool { return e.wins(g) > 0 },
	"feed": func(_ *Step, g *engine.Game, e *Example) bool {
		return e.After.Phase == engine.Play && !sideEmpty(g, e.After, 1)
	},
	"end": func(_ *Step, _ *engine.Game, e *Example) bool { return e.After.Phase == engine.Over },
}

func endsAtTarget(s *Step, _ *engine.Game, e *Example) bool { return e.last() == s.Target }

// lifts returns how often seeds of a pit are taken up to be sown.
func (e *Example) lifts() int {
	n := 0
	for _, ev := range e.Events {
		if ev.Kind == engine.EventLift {
			n++
		}
	}
	return n
}

// wins returns how many seeds South captures, also those that are sown on at once.
func (e *Example) wins(g *engine.Game) int {
	n := 0
	for _, ev := range e.Events {
		if ev.Kind == engine.EventSeize || ev.Kind == engine.EventCapture && ev.To == uint8(g.Shape().Store(0)) {
			n += int(ev.Seeds)
		}
	}
	return n
}

// sideEmpty reports whether the pits of a side hold no seeds.
func sideEmpty(g *engine.Game, p engine.Position, side int) bool {
	for i := range int(g.Shape().Pits) {
		if p.Slots[g.Shape().Slot(side, i)] > 0 {
			return false
		}
	}
	return true
}

// newStep returns a step with the answers that the engine gives.
func newStep(g *engine.Game, kind string, target int, start engine.Position) (Step, error) {
	judge := solves[kind]
	if judge == nil {
		return Step{}, fmt.Errorf("learn: there is no step %q", kind)
	}
	return judged(g, kind, target, start, judge)
}

// Puzzle returns a step in which one move is right.
func Puzzle(g *engine.Game, start engine.Position, solution string) (Step, error) {
	return judged(g, "puzzle", -1, start, func(_ *Step, _ *engine.Game, e *Example) bool { return e.Move.String() == solution })
}

func judged(
	g *engine.Game, kind string, target int, start engine.Position, judge func(*Step, *engine.Game, *Example) bool,
) (Step, error) {
	s := Step{Kind: kind, Start: start, Target: target, Refused: map[int]error{}}
	if start.Seat != 0 || start.Phase != engine.Play {
		return s, fmt.Errorf("learn: there is no step %q in %s", kind, start)
	}
	playable := map[int]bool{}
	for _, m := range g.LegalMoves(&start, nil) {
		e, ok := try(g, start, m)
		if !ok || m.Kind != engine.MoveLift && m.Kind != engine.MoveGift {
			return s, fmt.Errorf("learn: the step %q has the move %s", kind, m)
		}
		playable[int(m.Pit)] = true
		s.Answers = append(s.Answers, Answer{e, judge(&s, g, e)})
	}
	for pit := range int(g.Shape().Pits) {
		if !playable[pit] {
			s.Refused[pit] = refused(g, start, uint8(pit))
		}
	}
	return s, nil
}

// refused returns why a pit cannot be played. A direction is named only where the rules ask for one.
func refused(g *engine.Game, p engine.Position, pit uint8) error {
	err := g.Play(&p, nil, engine.Move{Pit: pit}, nil)
	var why *engine.MoveError
	if errors.As(err, &why) && why.Reason == engine.NeedsDirection {
		err = g.Play(&p, nil, engine.Move{Pit: pit, Way: engine.CCW}, nil)
	}
	return err
}

// Answer returns the answer with this move.
func (s *Step) Answer(move string) (Answer, bool) {
	i := slices.IndexFunc(s.Answers, func(a Answer) bool { return a.Move.String() == move })
	if i < 0 {
		return Answer{}, false
	}
	return s.Answers[i], true
}

// lessonLines has a line for each step: the system, the kind, the target or "-", and the position. A test
// finds positions for a new system (lessonfind_test.go).
//
//go:embed lessons.txt
var lessonLines string

// Lesson returns the steps of a system's lesson. The engine plays every move of every step: keep the result.
func Lesson(system string) []Step {
	steps, err := readLesson(lessonLines, system)
	if err != nil {
		panic(err) // the lines are part of the binary, and a test reads all of them
	}
	return steps
}

// HasStep reports whether the lesson of a system has a step of this kind.
func HasStep(system, kind string) bool {
	for line := range strings.Lines(lessonLines) {
		if fields := strings.SplitN(line, " ", 3); fields[0] == system && fields[1] == kind {
			return true
		}
	}
	return false
}

func readLesson(lines, system string) ([]Step, error) {
	rules, ok := engine.System(system)
	if !ok {
		return nil, nil
	}
	g := engine.MustCompile(rules.String())
	var steps []Step
	for line := range strings.Lines(lines) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if len(fields) != 4 {
			return nil, fmt.Errorf("learn: lesson %q", line)
		}
		if fields[0] != system {
			continue
		}
		target := -1
		if fields[2] != "-" {
			var err error
			if target, err = strconv.Atoi(fields[2]); err != nil {
				return nil, fmt.Errorf("learn: lesson %q: %w", line, err)
			}
		}
		start, err := g.Parse(fields[3])
		if err != nil {
			return nil, fmt.Errorf("learn: lesson %q: %w", line, err)
		}
		s, err := newStep(g, fields[1], target, start)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	return steps, nil
}

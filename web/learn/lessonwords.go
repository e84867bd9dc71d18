package learn

import (
	"errors"
	"strconv"
	"strings"

	"mancala/engine"
)

// This file says the steps of a lesson in words. The rules are told in the sentences of the rules page. A
// move is told in those of its figures.

// sections are the sections of the rules page that explain a step, where they have another name.
var sections = map[string]string{"round": "direction"}

// Section returns the section of the rules page that explains the step.
func (s *Step) Section() string {
	if id, ok := sections[s.Kind]; ok {
		return id
	}
	return s.Kind
}

// About returns the rule that the step teaches, in one or a few sentences.
func (s *Step) About(g *engine.Game, text Text) []string {
	t := &writer{Rules: g.Rules(), text: text}
	right := s.solution()
	switch s.Kind {
	case "sow":
		t.aboutSowing(right)
	case "round":
		switch {
		case t.Rows == 2:
			t.say("round.own")
		case right.dropped(g.Shape().Store(0)): // clockwise, another row comes before it
			t.say("round.store")
		default:
			t.say("round.row")
		}
	case "again":
		t.say("again." + string(againBy(g, right)))
	case "relay":
		t.say("relay." + string(t.Relay))
	case "capture":
		t.aboutCapture(right)
	case "feed":
		t.feed()
	case "end":
		t.aboutEnd(right.After.End)
	}
	return t.sentences
}

// solution returns the first right answer.
func (s *Step) solution() *Example {
	for _, a := range s.Answers {
		if a.Right {
			return a.Example
		}
	}
	return nil
}

func (t *writer) aboutSowing(right *Example) {
	if right.Events[0].Kind == engine.EventEnter {
		t.say("enter")
	} else {
		t.say("lift." + string(t.Lift))
	}
	if t.Rows == 2 {
		t.say("direction." + string(t.Direction) + ".rows")
	} else {
		t.say("way." + string(t.Direction))
	}
	t.say("sow.each")
	t.sayIf(t.KeepFirst, "sow.keep")
}

// againBy returns the rule by which a player plays again after a move.
func againBy(g *engine.Game, e *Example) engine.Again {
	switch {
	case g.Rules().Store && e.last() == int(g.Shape().Store(0)):
		return engine.AgainStore
	case e.captures > 0:
		return engine.AgainCapture
	}
	return engine.AgainHome
}

// aboutCapture says how the move captures: in passing, by the number in the last pit, or in another pit.
func (t *writer) aboutCapture(right *Example) {
	switch {
	case right.capturesInPassing():
		t.say("capture.passing."+string(t.SowWinner), "counts", t.orList(texts(t.SowCounts)))
	case t.Capture == engine.CaptureGap:
		t.say("capture.gap")
	case t.Capture == engine.CaptureCount, t.Capture == engine.CaptureBoth && right.last() >= t.PitsPerSide():
		t.captureCounted()
	default:
		t.captureAcross()
	}
	t.sentences = t.sentences[:1] // the others tell of exceptions
	t.sayIf(t.Captured != engine.CapturedWon, "seized")
}

// capturesInPassing reports whether a seed fell after a capture.
func (e *Example) capturesInPassing() bool {
	captured := false
	for _, ev := range e.Events {
		if captured && ev.Kind == engine.EventDrop {
			return true
		}
		captured = captured || ev.Kind == engine.EventCapture
	}
	return false
}

func (t *writer) aboutEnd(by engine.End) {
	switch by {
	case engine.EndFewLeft:
		t.say("end.few-left", "n", t.EndTotal)
	case engine.EndSideAtMost:
		t.say("end.at-most", "n", t.EndAtMost)
	case engine.EndStuck, engine.EndAllStuck:
		t.say("end.only." + string(t.Stuck))
	default:
		t.say("end." + string(by))
	}
}

// Task returns what the reader must do.
func (s *Step) Task(g *engine.Game, text Text) string {
	return text("learn.task."+s.Kind, "place", s.place(g, text))
}

// place returns the target in words.
func (s *Step) place(g *engine.Game, text Text) string {
	if s.Target < 0 {
		return ""
	}
	return place(g, s.Target, text)
}

// Verdict returns what an answer does, and whether that was the task.
func (s *Step) Verdict(g *engine.Game, a Answer, text Text) string {
	said := describe(g, a.Example, text)
	if a.Right {
		return text("learn.right") + " " + said
	}
	missed := s.Kind
	if s.Target >= 0 {
		missed = "sow"
	}
	return said + " " + text("learn.wrong."+missed, "place", s.place(g, text))
}

// Told returns what the move does.
func (e *Example) Told(g *engine.Game, text Text) string { return describe(g, e, text) }

// Refusal returns why a pit cannot be played. It is empty for a pit that can.
func (s *Step) Refusal(g *engine.Game, pit int, text Text) string {
	var why *engine.MoveError
	if !errors.As(s.Refused[pit], &why) {
		return ""
	}
	var others []string
	for _, m := range why.Legal {
		others = append(others, Named(g.Rules(), m))
	}
	legal := ""
	if len(others) > 0 {
		legal = (&writer{text: text}).orList(others)
	}
	return text("error."+string(why.Reason), "pit", why.Pit(), "legal", legal)
}

// Named returns a move as people write it: "3", "3>". A gift is named by its pit. The sign points where its player
// sees the seeds go: in an inner row, which runs back, "<" and ">" change places.
func Named(r engine.Rules, m engine.Move) string {
	sign := m.Way.String()
	if isInner(r, m) {
		sign = strings.NewReplacer("<", ">", ">", "<").Replace(sign)
	}
	return strconv.Itoa(int(m.Pit)+1) + sign
}

// isInner reports whether a move begins in an inner row.
func isInner(r engine.Rules, m engine.Move) bool {
	return r.Rows == 2 && int(m.Pit) >= r.Pits
}

package pages

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"sync"

	"mancala/engine"
)

// heroBoard is the board of the home page: Kalah from its start. A tap on a pit makes a game
// against level 1 with that first move. Until a visitor touches it, a script shows the
// moves of Demo on it.
type heroBoard struct {
	North, South []heroPit // each from left to right
	Demo         string    // JSON: for each move its events
}

// heroPit is a pit with four seeds.
type heroPit struct {
	Slot   int
	Number int    // as people count, from the mover's left
	Move   string // the letter of the pit
	Seeds  template.HTML
}

// heroMoves is the game that the board of the home page shows: both players capture, and seeds go
// round the board.
const heroMoves = "d f e d f e d d a a"

// heroOf returns the board of the home page. It is drawn once.
var heroOf = sync.OnceValue(func() heroBoard {
	rules, _ := engine.System("kalah")
	g := engine.MustCompile(rules.String())
	p := g.Start()
	var b heroBoard
	for i := range 6 {
		n := 11 - i
		b.North = append(b.North, heroPit{Slot: n, Number: n - 5, Seeds: heroSeeds(n, int(p.Slots[n]))})
		b.South = append(b.South, heroPit{Slot: i, Number: i + 1, Move: string(rune('a' + i)), Seeds: heroSeeds(i, int(p.Slots[i]))})
	}
	demo, err := demoOf(g, p, strings.Fields(heroMoves))
	if err != nil {
		panic("pages: " + err.Error()) // the moves are part of the binary; a test plays them
	}
	b.Demo = demo
	return b
})

// heroSeeds draws the seeds of a pit in a box of 100 by 100: a sunflower, turned a little in each
// pit. lobby/hero.js puts them at the same places.
func heroSeeds(slot, n int) template.HTML {
	var b strings.Builder
	for i := range n {
		r, a := 17*math.Sqrt(float64(i)+0.5), 2.4*float64(i)+float64(slot)
		fmt.Fprintf(&b, `<circle class="%s" cx="%.0f" cy="%.0f" r="13"/>`,
			[]string{"seed", "light", "warm", "pale"}[(i+slot)%4], 50+r*math.Cos(a), 50+r*math.Sin(a))
	}
	return template.HTML(b.String())
}

// demoOf returns moves as JSON. Each is a list of numbers: −1−slot lifts the seeds of a slot, a slot
// gets one seed, and 100×(1+slot)+store moves the seeds of a slot to a store.
func demoOf(g *engine.Game, p engine.Position, moves []string) (string, error) {
	var all []string
	for _, text := range moves {
		m, ok := engine.ParseMove(text)
		var t engine.Trace
		if !ok {
			return "", fmt.Errorf("no move %q", text)
		}
		if err := g.Play(&p, nil, m, &t); err != nil {
			return "", fmt.Errorf("%s: %w", text, err)
		}
		var steps []string
		for _, e := range t.Events {
			switch e.Kind {
			case engine.EventLift:
				steps = append(steps, fmt.Sprint(-1-int(e.Slot)))
			case engine.EventDrop:
				steps = append(steps, fmt.Sprint(e.Slot))
			case engine.EventCapture, engine.EventSweep:
				steps = append(steps, fmt.Sprint(100*(1+int(e.Slot))+int(e.To)))
			}
		}
		all = append(all, "["+strings.Join(steps, ",")+"]")
	}
	return "[" + strings.Join(all, ",") + "]", nil
}

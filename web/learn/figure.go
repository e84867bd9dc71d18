package learn

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
	"mancala/web/messages"
)

// Figure is one board, or two boards: before and after a move. A picture holds numbers
// and marks, and no words.
type Figure struct {
	Boards  []template.HTML // SVG, each with its text alternative
	Caption string
}

// draw returns the figures of each section.
func draw(g *engine.Game, found map[string]*Example, text Text) map[string][]Figure {
	out := map[string][]Figure{}
	start := Begin(g)
	caption := "learn.figure.start"
	if g.Rules().Opening != engine.OpeningFixed {
		caption = "learn.figure.layout"
	}
	out["setup"] = []Figure{{[]template.HTML{drawing(g, start, Marks{}, text, "learn.figure.shows")}, text(caption)}}
	for id, e := range found {
		if id == "relay" && g.Rules().Relay == engine.RelayNone || id == "capture" && g.Rules().Capture == engine.CaptureNone {
			continue
		}
		out[id] = []Figure{{[]template.HTML{
			drawing(g, e.Before, Marks{From: e.from()}, text, "learn.figure.before"),
			drawing(g, e.After, e.marks(), text, "learn.figure.after"),
		}, describe(g, e, text)}}
	}
	return out
}

// signatures are the sections whose example shows best what a system is like. A system without an
// entry, or without that example, shows its start.
var signatures = map[string]string{
	"kalah": "again", "pressman": "capture", "pressman-beginner": "sow", "clockwise": "sow", "basic": "capture",
	"basic-first-out": "end", "basic-teams": "again", "basic-four": "sow", "avalanche": "relay",
	"oware": "capture", "oware-abapa": "feed", "giuthi": "relay", "maruba": "capture", "wise": "again",
	"toguz-kumalak": "capture", "bestemshe": "capture", "mangala": "capture", "pallanguzhi": "capture", "songo": "capture", "vai-lung-thlan": "capture",
	"congkak": "again", "sungka": "relay", "ayoayo": "capture", "endodoi": "relay", "hus": "capture", "omweso": "capture", "bao-kujifunza": "capture", "bao": "capture",
}

// Signature draws the move that makes a system what it is, as decoration: it has no text alternative.
func Signature(system string) template.HTML {
	rules, _ := engine.System(system)
	g := engine.MustCompile(rules.String())
	if e := Find(g)[signatures[system]]; e != nil {
		return Board(g, e.After, e.marks(), "")
	}
	return Board(g, Begin(g), Marks{}, "")
}

// Picture draws a position, with a text alternative.
func Picture(g *engine.Game, p engine.Position, text Text) template.HTML {
	return drawing(g, p, Marks{}, text, "learn.figure.shows")
}

// from returns the pits that the move begins with.
func (e *Example) from() []int {
	if e.Move.Kind == engine.MoveLift || e.Move.Kind == engine.MoveGift {
		return []int{int(e.Move.Pit)}
	}
	return nil
}

// marks returns the marks on the board after a move.
func (e *Example) marks() Marks {
	m := Marks{From: e.from(), Added: map[int]int{}}
	previous, lap := -1, 0
	for _, ev := range e.Events {
		slot := int(ev.Slot)
		switch ev.Kind {
		case engine.EventLift, engine.EventSeize:
			previous, lap = slot, lap+1
			delete(m.Added, slot) // the seeds sown here are sown on
			if ev.Kind == engine.EventSeize {
				m.Taken = append(m.Taken, slot)
			}
		case engine.EventDrop:
			if lap == 1 {
				m.Path = append(m.Path, [2]int{previous, slot})
			}
			previous = slot
			m.Added[slot]++
			m.To = []int{slot}
		case engine.EventEnter:
			m.Added[slot]++
			m.To = []int{slot}
		case engine.EventGift:
			m.Path = append(m.Path, [2]int{slot, int(ev.To)})
			m.Added[int(ev.To)]++
			m.To = []int{int(ev.To)}
		case engine.EventCapture, engine.EventSweep:
			delete(m.Added, slot)
			if !slices.Contains(m.Taken, slot) {
				m.Taken = append(m.Taken, slot)
			}
		}
	}
	return m
}

// describe returns a move in words.
func describe(g *engine.Game, e *Example, text Text) string {
	pit := int(e.Move.Pit) + 1
	if e.Move.Kind == engine.MoveGift {
		return text("learn.figure.gift", "pit", pit)
	}
	var words []string
	way := ""
	switch {
	case e.Move.Way == engine.NoWay:
	case (e.Move.Way == engine.CCW) != isInner(g.Rules(), e.Move): // an inner row runs back
		way = ".right"
	default:
		way = ".left"
	}
	if e.Events[0].Kind == engine.EventEnter {
		words = append(words, text("learn.figure.entered", "pit", pit))
	}
	for _, ev := range e.Events[:2] { // the first lift, or the one after an entry that captures nothing
		if ev.Kind == engine.EventLift {
			words = append(words, text("learn.figure.sown"+way, "pit", pit, "n", int(ev.Seeds)))
		}
	}
	if e.laps > 1 {
		words = append(words, text("learn.figure.laps", "n", e.laps))
	}
	words = append(words, text("learn.figure.last", "place", place(g, e.last(), text)))
	won, seized := 0, 0
	var places []string
	for _, ev := range e.Events {
		if ev.Kind == engine.EventSeize {
			seized += int(ev.Seeds)
		}
		if ev.Kind == engine.EventCapture && ev.To == uint8(g.Shape().Store(0)) {
			won += int(ev.Seeds)
			places = append(places, place(g, int(ev.Slot), text))
		}
	}
	if seized > 0 {
		words = append(words, text("learn.figure.seized", "n", seized))
	}
	if won > 0 {
		words = append(words, text("learn.figure.won", "n", won, "from", messages.List(text, places)))
	}
	for _, ev := range e.Events {
		if ev.Kind == engine.EventClaim {
			words = append(words, text("learn.figure.claimed", "place", place(g, int(ev.Slot), text)))
		}
	}
	switch {
	case e.After.Phase == engine.Over:
		var scores []string
		for _, n := range e.After.Scores() {
			scores = append(scores, strconv.Itoa(n))
		}
		words = append(words, text("learn.figure.over", "score", strings.Join(scores, "–")))
	case e.After.Seat == e.Before.Seat:
		words = append(words, text("learn.figure.again"))
	}
	return strings.Join(words, " ")
}

// place returns a slot in words, as South sees it.
func place(g *engine.Game, slot int, text Text) string {
	s := g.Shape()
	row := int(s.Pits)
	side := slot / row
	if slot >= int(s.Sides)*row {
		return text("learn.place.store")
	}
	switch {
	case side == 0:
		return text("learn.place.yours", "pit", slot+1)
	case s.Sides == 2:
		return text("learn.place.other", "pit", slot%row+1)
	}
	return text("learn.place.side", "pit", slot%row+1, "side", text(fmt.Sprintf("side.four.%d", side)))
}

// drawing returns a picture of a board with its text alternative.
func drawing(g *engine.Game, p engine.Position, m Marks, text Text, key string) template.HTML {
	s := g.Shape()
	row := int(s.Pits)
	var sides []string
	for side := range int(s.Sides) {
		counts := make([]string, row)
		for i := range row {
			counts[i] = strconv.Itoa(int(p.Slots[s.Slot(side, i)]))
			for _, mark := range p.Marks.Of(s.Slot(side, i)) {
				switch mark {
				case 'x':
					counts[i] = text("board.claimed")
				case 'h':
					counts[i] += " " + text("pit.house")
				case '!':
					counts[i] += " " + text("pit.blocked")
				}
			}
		}
		who := "learn.row.other"
		switch {
		case side == 0:
			who = "learn.row.yours"
		case s.Sides == 4:
			who = "learn.row.side"
		}
		if inHand(g, p) { // two sides
			who += ".hand"
		}
		sides = append(sides, text(who, "side", text(fmt.Sprintf("side.four.%d", side)), "seeds", messages.List(text, counts), "n", p.Score(side)))
	}
	return Board(g, p, m, text(key, "board", strings.Join(sides, " ")))
}

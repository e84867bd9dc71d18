package pages

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"mancala/engine"
	"mancala/web/picture"
)

// picker lets the player choose a game among cards with boards. It is a list of radio
// buttons, so it works without script.
type picker struct {
	ID     string // of the element; empty for a second picker on a page
	Front  []pickCard
	More   []pickCard // the other games, which are folded away
	Opened bool       // the chosen game is among them
}

// pickCard is a game in a picker.
type pickCard struct {
	engine.Row
	Shape       string // the ID of the symbol of its board
	Pits, Seeds int    // in a row and in a pit, unless house rules change them
	Chosen      bool
}

// frontGames are the games of the home page: those of the main regions where mancala is played, and one of each
// other kind.
var frontGames = []frontGame{
	{"kalah", 10}, {"oware-abapa", 15}, {"toguz-kumalak", 30}, {"sungka", 20}, {"pallanguzhi", 20}, {"songo", 20},
	{"omweso", 20}, {"bao", 30}, {"avalanche", 10}, {"wise", 30}, {"basic-four", 20}, {"basic-teams", 15},
}

type frontGame struct {
	system  string
	minutes int // that a game takes, about
}

// pick returns a picker of systems. chosen is the name of the system that is chosen at
// first. If it is none of them, the first one is.
func pick(id string, systems []engine.Row, chosen string) picker {
	p := picker{ID: id}
	if !slices.ContainsFunc(systems, func(row engine.Row) bool { return row.Name == chosen }) && len(systems) > 0 {
		chosen = systems[0].Name
	}
	for _, row := range systems {
		card := pickCards()[row.Name]
		card.Chosen = row.Name == chosen
		if slices.ContainsFunc(frontGames, func(f frontGame) bool { return f.system == row.Name }) {
			p.Front = append(p.Front, card)
		} else {
			p.More = append(p.More, card)
			p.Opened = p.Opened || card.Chosen
		}
	}
	return p
}

// pickCards returns the cards of all systems by name.
var pickCards = sync.OnceValue(func() map[string]pickCard {
	cards := map[string]pickCard{}
	for _, row := range engine.Systems {
		rules, _ := engine.System(row.Name)
		cards[row.Name] = pickCard{Row: row, Shape: shapeID(rules), Pits: rules.Pits, Seeds: seedsOf(rules)}
	}
	return cards
})

// seedsOf returns the seeds of the first pit. It is 0 if a player lays out the seeds.
func seedsOf(rules engine.Rules) int {
	if rules.Opening != engine.OpeningFixed || len(rules.Seeds) == 0 {
		return 0
	}
	return rules.Seeds[0]
}

// shapeID returns the ID of the symbol of a board. Boards of the same shape and material share it.
func shapeID(rules engine.Rules) string {
	return fmt.Sprintf("b%d-%d-%d-%t-%s", rules.Sides, rules.Rows, rules.Pits, rules.Store, picture.MadeOf(rules))
}

// boardSymbols returns the symbols of all boards. They are drawn once.
var boardSymbols = sync.OnceValue(func() template.HTML {
	var b strings.Builder
	drawn := map[string]bool{}
	for _, row := range engine.Systems {
		rules, _ := engine.System(row.Name)
		id := shapeID(rules)
		if drawn[id] {
			continue
		}
		drawn[id] = true
		b.WriteString(picture.Board{
			Sides: rules.Sides, Partners: 1, Rows: rules.Rows, Stores: rules.Store, Made: picture.MadeOf(rules),
			Pits: make([]int, rules.Sides*rules.Rows*rules.Pits), Won: make([]int, rules.Sides), Turn: -1,
		}.Symbol(id))
	}
	return template.HTML(b.String())
})

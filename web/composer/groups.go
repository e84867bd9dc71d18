package composer

import (
	"slices"

	"mancala/engine"
)

// group is the options of one part of a game. The page has those of one group: all of them would be long to
// read, and long to load.
type group struct {
	Name, Title string // Title is the key of its name
	Open        bool
}

// groups are the groups of options in the order of the page.
var groups = []group{
	{Name: "board", Title: "learn.board"}, {Name: "start", Title: "learn.setup"}, {Name: "lift", Title: "learn.lift"},
	{Name: "sow", Title: "learn.sow"}, {Name: "capture", Title: "learn.capture"}, {Name: "special", Title: "compose.special"},
	{Name: "turn", Title: "learn.again"},
	{Name: "end", Title: "learn.end"}, {Name: "match", Title: "learn.match"},
}

// special are the options of captures that few games have.
var special = []string{"cross_at", "cross_depth", "captured", "claim", "claim_ban", "house", "block"}

// groupOf returns the name of the group of an option.
func groupOf(o engine.Option) string {
	if slices.Contains(special, o.Name) {
		return "special"
	}
	return o.Group
}

// names returns the names of the group's options.
func (g group) names() (list []string) {
	for _, o := range engine.Options() {
		if groupOf(o) == g.Name {
			list = append(list, o.Name)
		}
	}
	return list
}

// indexOf returns the index of a group, or that of the first one if there is no group of this name.
func indexOf(name string) int {
	return max(0, slices.IndexFunc(groups, func(g group) bool { return g.Name == name }))
}

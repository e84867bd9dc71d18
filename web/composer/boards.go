package composer

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/web/learn"
	"mancala/web/messages"
)

// ofStart are the options that the picture of the first position shows.
var ofStart = []string{"sides", "partners", "rows", "pits", "seeds", "opening", "total", "swap", "match", "target", "max_rounds"}

// boardKey names the boards of a group of options.
type boardKey struct{ lang, group, rules string }

// entrySize is about what an entry of a cache holds in memory besides its texts, in bytes.
const entrySize = 512

// size returns about how many bytes the boards of a key hold in memory.
func (k boardKey) size(boards map[string]learn.Figure) int {
	size := entrySize + len(k.lang) + len(k.group) + len(k.rules)
	for name, figure := range boards {
		size += len(name) + len(figure.Caption)
		for _, board := range figure.Boards {
			size += len(board)
		}
	}
	return size
}

// boardsOf returns a small board for each option of a group. It shows a move whose result depends on that option. If a
// few games by these rules have no such move, the board is from a game that is known for it. boardsOf ends with ctx.
func (srv *Pages) boardsOf(ctx context.Context, c *messages.Catalog, group group, g *engine.Game) (map[string]learn.Figure, error) {
	key := boardKey{c.Lang, group.Name, g.Rules().String()}
	if boards, ok := srv.boards.Get(key); ok {
		return boards, nil
	}
	boards := map[string]learn.Figure{}
	for _, option := range engine.Options() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if groupOf(option) != group.Name || slices.Contains(ofStart, option.Name) {
			continue
		}
		figure, ok := shows(c, g, option)
		if !ok {
			figure = known(c, option)
		}
		boards[option.Name] = figure
	}
	srv.boards.Put(key, boards, key.size(boards))
	return boards, nil
}

// shows returns a move of a game that would have another result if the option had another value. It returns
// false if it finds no such move.
func shows(c *messages.Catalog, g *engine.Game, option engine.Option) (learn.Figure, bool) {
	if option.Name == "cycle_remaining" { // games seldom end in this way, so a low no_progress makes it happen soon
		soon, err := g.Rules().With("no_progress=6")
		if err == nil {
			g, err = engine.Compile(soon)
		}
		if err != nil {
			return learn.Figure{}, false
		}
	}
	for _, other := range others(g.Rules(), option) {
		changed, err := g.Rules().With(option.Name + "=" + other)
		if err != nil {
			continue
		}
		changed, conflict := compose.Settle(changed, option.Name)
		if conflict != nil {
			continue
		}
		against, err := engine.Compile(changed)
		if err != nil {
			continue
		}
		if parting, ok := compose.Show(g, against); ok && !parting.AtStart {
			if figure, ok := learn.Show(g, parting.Before, parting.Move, parting.A.After, c.T); ok {
				return figure, true
			}
		}
	}
	return learn.Figure{}, false
}

// others returns a few other values of an option, those that show it best first.
func others(rules engine.Rules, option engine.Option) []string {
	value := option.Get(rules)
	var list []string
	add := func(values ...string) {
		for _, v := range values {
			if v != value && !slices.Contains(list, v) && len(list) < 3 {
				list = append(list, v)
			}
		}
	}
	if option.Many {
		add("none")
	}
	add(option.Values...)
	n, err := strconv.Atoi(value)
	switch {
	case option.Name == "counts":
		add("2,3", "1")
	case option.Name == "sow_counts":
		add("4", "2")
	case err == nil:
		add("2", strconv.Itoa(n+1), "0", "4")
	}
	return list
}

// usual are the boards of options from the games that are known for them, by language and option. Each is
// looked for once.
var usual sync.Map

// known returns a board of a game that is known for an option.
func known(c *messages.Catalog, option engine.Option) learn.Figure {
	find, _ := usual.LoadOrStore(c.Lang+" "+option.Name, sync.OnceValue(func() learn.Figure {
		first := option.Get(engine.Default())
		var start learn.Figure // of a game that has the option, where no move shows it
		for _, has := range []bool{true, false} {
			for _, row := range engine.Systems {
				g := engine.MustCompile(row.Text)
				if has != (option.Get(g.Rules()) != first) {
					continue
				}
				from := c.T("compose.from", "game", row.Title)
				if figure, ok := shows(c, g, option); ok {
					figure.Caption = from + " " + figure.Caption
					return figure
				}
				if start.Boards == nil {
					start = learn.At(g, learn.Begin(g), c.T)
					start.Caption = from
				}
			}
		}
		return start
	}))
	return find.(func() learn.Figure)()
}

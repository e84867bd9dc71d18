package bot

import (
	"slices"
	"sync"

	"mancala/engine"
	"mancala/engine/search"
)

// idle keeps players that have tables ready, the one last used at the end. What it
// keeps is bounded by their memory; as many more are in use as there are workers.
type idle struct {
	mu   sync.Mutex
	list []kept
	size uint64
}

type kept struct {
	level  int
	game   *engine.Game
	player *search.Player
}

// maxIdle bounds the tables that are kept, in nodes of some 32 bytes: those of three
// players of the strongest level. With new ones for most of its moves the collector
// would run twice a second, and everybody notices that.
const maxIdle = 6_000_000

func (k kept) nodes() uint64 { return max(settings(k.level).Nodes, 8192) }

// take gives a player of a level; which one does not matter to its moves.
func (i *idle) take(level int, g *engine.Game) *search.Player {
	i.mu.Lock()
	defer i.mu.Unlock()
	at := slices.IndexFunc(i.list, func(k kept) bool { return k.level == level && k.game == g })
	if at < 0 {
		return settings(level).Player(g)
	}
	k := i.list[at]
	i.list, i.size = slices.Delete(i.list, at, at+1), i.size-k.nodes()
	return k.player
}

// keep takes a player back, and lets others go that have not been used for longest.
func (i *idle) keep(level int, g *engine.Game, p *search.Player) {
	i.mu.Lock()
	defer i.mu.Unlock()
	k := kept{level, g, p}
	i.list, i.size = append(i.list, k), i.size+k.nodes()
	for i.size > maxIdle {
		i.size -= i.list[0].nodes()
		i.list = slices.Delete(i.list, 0, 1)
	}
}

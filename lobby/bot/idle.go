package bot

import (
	"slices"
	"sync"

	"mancala/engine"
	"mancala/engine/search"
)

// idle keeps unused players with their tables, the one used last at the end. Their memory
// is bounded. Besides these, each worker may have a player in use.
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

// maxIdle bounds the kept tables, in nodes of some 32 bytes: those of three players of the
// strongest level. If most moves of that level created a new table, the garbage collector
// would run twice a second and delay every room.
const maxIdle = 6_000_000

func (k kept) nodes() uint64 { return max(settings(k.level).Nodes, 8192) }

// take returns a player of a level. Its earlier use does not affect its moves.
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

// keep stores a player, and drops those that have been unused for the longest time.
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

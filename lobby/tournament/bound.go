package tournament

import (
	"slices"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// Orders are counted in units, so that the journal has a bound. Anybody can make a tournament,
// and a host's orders have no end of their own. The commands of players are bounded by maxSteps.
const (
	orderBytes   = 500    // of an entry that are one unit
	freeOrders   = 10_000 // units that every tournament has
	playerOrders = 20     // more for each player
	boardOrders  = 10     // more for each board that was paired
	maxGone      = 1000   // times that the room notes that a player has gone
)

// bound is how much of its bound a tournament has used.
type bound struct {
	Orders int   `json:"orders,omitempty"` // units of the hosts
	Gone   []int `json:"gone,omitempty"`   // by number of the player, from 1
}

// count counts an entry.
func (b *bound) count(e machine.Entry, c *Change, byHost bool) {
	switch {
	case e.Kind == machine.KindGone && len(c.Players) == 1:
		n := c.Players[0].Number
		b.Gone = append(b.Gone, make([]int, max(0, n-len(b.Gone)))...)
		b.Gone[n-1]++
	case e.Kind == machine.KindDone && c.Reread != nil: // a host has changed the game
		b.Orders += len(e.Body) / orderBytes
	case e.Kind == KindHost && len(c.Hosts) == MaxHosts: // from now on hosts give way without end
		b.Orders++
	case byHost && !machine.Internal(e.Kind):
		b.Orders += 1 + len(e.Body)/orderBytes
	}
}

// may refuses a command that would exceed the bound. A host can always end or delete the
// tournament. A player who has gone too often counts as present.
func (b *bound) may(s *State, by, kind string) error {
	full := b.Orders >= s.mostOrders()
	switch {
	case kind == KindHost && full && len(s.Hosts) >= MaxHosts:
		return refusal.New(CodeTooLong)
	case kind == machine.KindGone:
		if p := s.Player(by); p != nil && p.Number <= len(b.Gone) && b.Gone[p.Number-1] >= maxGone {
			return machine.ErrNothing
		}
	case !s.IsHost(by), machine.Internal(kind), slices.Contains([]string{KindJoin, KindHost, KindFinish, KindDelete}, kind):
	case full:
		return refusal.New(CodeTooLong)
	}
	return nil
}

// mostOrders returns how many units the orders of hosts may have.
func (s *State) mostOrders() int {
	most := freeOrders + playerOrders*len(s.Players)
	for _, boards := range s.Rounds {
		most += boardOrders * len(boards)
	}
	return most
}

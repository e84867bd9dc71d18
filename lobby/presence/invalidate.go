package presence

import (
	"context"

	"mancala/lobby"
	"mancala/lobby/workers"
)

// SettingsChanged makes a player's devices, the pages that show the player and the other
// instances follow the player's settings. change has the settings that surely have changed.
func (p *Presence) SettingsChanged(player string, change lobby.Prefs) {
	if kids, said := change["kids"]; said {
		p.SetChild(player, kids == "on")
	}
	p.Changed(player) // the setting may hide or show the player
	p.NameAnew(player)
	p.Invalidate(player)
}

// Invalidate tells the other instances that these players' settings, follows or blocks
// have changed on this one.
func (p *Presence) Invalidate(players ...string) {
	p.gossip.note(func() {
		for _, id := range players {
			p.gossip.changes[id] = struct{}{}
		}
	})
}

// invalidate makes this instance use the settings, follows and blocks of these players that
// have changed on another one.
func (p *Presence) invalidate(players []string) {
	p.Social.Drop(players...)
	players = p.Connected(players)
	if len(players) == 0 {
		return
	}
	p.Workers.Start(func() {
		ctx, cancel := context.WithTimeout(p.Workers.Context(), workers.Timeout)
		defer cancel()
		for _, id := range players {
			prefs, err := p.People.Prefs(ctx, id)
			if err != nil {
				lobby.Warn(p.Log, "presence: settings not read", err)
				continue
			}
			p.SetChild(id, prefs["kids"] == "on")
			p.Changed(id) // the player may have become visible or hidden
			p.NameAnew(id)
			p.BlocksChanged(id)
			p.LookAgain(ctx, id)
		}
	})
}

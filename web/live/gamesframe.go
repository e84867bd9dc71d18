package live

import (
	"mancala/lobby/seeks"
)

// gamesFrame tells a page that its player's games have changed.
type gamesFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
}

// GamesChanged implements [gamelist.Page].
func (s *session) GamesChanged() { s.send(message(gamesFrame{"games", seeks.Room})) }

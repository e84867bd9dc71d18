package live

import (
	"cmp"
	"encoding/json"

	"mancala/match"
	"mancala/match/room"
	"mancala/web/request"
	"mancala/web/site"
)

// filling is the body of the only note that a client may send: how far the player
// has set up the board.
type filling struct {
	N    int   `json:"n"`
	Of   int   `json:"of"`
	Pits []int `json:"pits,omitempty"` // the seeds of each pit; a page of the release before sends none
}

// fits reports whether the numbers can be those of a board.
func (f filling) fits() bool {
	sum := 0
	for _, n := range f.Pits {
		if n < 0 || n > maxSeeds {
			return false
		}
		sum += n
	}
	return f.N >= 0 && f.N <= f.Of && f.Of <= maxSeeds && len(f.Pits) <= maxPits && (f.Pits == nil || sum == f.N)
}

// note passes a player's note on to the room ("filling the board: 54 of 72").
func (s *session) note(q request.Request) error {
	sub := s.tab(q.Room)
	if sub == nil {
		return site.ErrNotFollowed
	}
	var body filling
	if err := json.Unmarshal(q.Own, &body); err != nil || q.Kind != "filling" || sub.hub.event != nil || !body.fits() {
		return room.ErrBadNote
	}
	return s.server.Workers.Aside(func() error { // a query to the room needs a deep stack
		if ok, err := s.laysOut(q.Room); err != nil || !ok {
			return cmp.Or(err, room.ErrBadNote)
		}
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		return sub.hub.following.Say(s.player, q.Kind, text)
	})
}

const (
	maxSeeds = 250    // the most seeds on any board (RULES.md §4)
	maxPits  = 4 * 13 // the most pits
)

// laysOut reports whether it is this player's turn to set up the board.
func (s *session) laysOut(roomID string) (bool, error) {
	view, err := s.server.Rooms.View(s.server.Workers.Soon(), roomID, s.player)
	if err != nil {
		return false, err
	}
	game, err := match.ReadPublic(roomID, view.Snapshot)
	if err != nil {
		return false, err
	}
	return game.LaysOut(int(view.Audience)), nil
}

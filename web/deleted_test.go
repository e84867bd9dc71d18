package web

import "testing"

// The sweep of old games deletes a game's room when no reader has the game open.
func TestDeletedGameIsAnUnknownGame(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	s.must(seats[0].Must(s.ctx, "resign", nil))
	paths := []string{"/" + id, "/" + id + "/record", "/api/v1/games/" + id, "/embed/" + id}
	for _, path := range paths {
		if page := s.plain(path, nil); page.Status != 200 {
			t.Errorf("%s: %d before", path, page.Status)
		}
	}
	for _, tab := range seats {
		tab.Close()
	}
	var err error
	s.eventually("the room is deleted when nobody looks at it", func() bool {
		err = s.rows.Delete(s.ctx, id)
		return err == nil
	})
	s.must(err)
	unknown := s.plain("/zzzzzzzzz9", nil)
	for _, path := range paths {
		if page := s.plain(path, nil); page.Status != 404 || page.Status != unknown.Status {
			t.Errorf("%s: %d, an unknown game: %d", path, page.Status, unknown.Status)
		}
	}
}

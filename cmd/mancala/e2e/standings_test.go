package e2e

import "testing"

// A frame with rows of the standings has no names, so the lines of new players come from the server.
func TestPlayerWhoJoinsARunningArenaIsAddedToTheStandingsOfOpenPages(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.person("Host", desktop).makesCup(s, map[string]string{"format": "arena", "clock": "none"})
	c.enters("Ada", phone)
	c.enters("Ben", phone)
	c.orders("start", `{round: 1}`)
	watcher := c.person("Watcher", desktop)
	watcher.opens("/t/" + c.id)
	watcher.until(`document.querySelectorAll("#standings tbody tr").length === 2`)
	watcher.stays()
	cleo := c.person("Cleo", phone)
	cleo.opens("/t/" + c.id)
	cleo.sets("#name", "Cleo")
	cleo.clicks(action("join"))
	watcher.hears("#standings", "Cleo")
	watcher.stayed()
}

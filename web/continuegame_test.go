package web

import (
	"strings"
	"testing"
)

// The home page leads back to a game in progress, and lists all games with
// their opponents.
func TestHomeLeadsBackToAGameInProgress(t *testing.T) {
	s := serve(t)
	page := func() string {
		s.Helper()
		page, err := s.people[1].Get(s.ctx, "/") // people[0] is the stranger below
		s.must(err)
		return page.Body
	}
	stranger := s.plain("/", nil).Body
	if strings.Contains(stranger, `data-action="resume"`) || strings.Contains(stranger, `id="mine"`) || !strings.Contains(stranger, `data-action="new"`) || !strings.Contains(stranger, `<svg class="drawn"`) {
		t.Errorf("a stranger sees %s", stranger)
	}
	id, seats := s.game("rules=oware")
	s.eventually("a way back to the game", func() bool {
		return strings.Contains(page(), `href="/`+id+`" data-action="resume"`) && strings.Contains(page(), "is not over yet")
	})
	if mine := page(); !strings.Contains(mine, "<strong>your turn</strong>") || !strings.Contains(mine, "<title>(1) ") {
		t.Errorf("it is my turn: %s", mine)
	}
	s.move(seats[0], "a")
	if mine := page(); strings.Contains(mine, "your turn") || strings.Contains(mine, "<title>(") {
		t.Errorf("it is not my turn: %s", mine)
	}
	s.must(seats[1].Must(s.ctx, "resign", nil))
	s.eventually("a list without a way back", func() bool {
		return !strings.Contains(page(), `data-action="resume"`) && strings.Contains(page(), `data-game="`+id+`"`)
	})
	if !strings.Contains(page(), `class="against">with `) {
		t.Errorf("the page shows no opponent: %s", page())
	}
}

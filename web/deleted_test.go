package web

import (
	"net/http"
	"strings"
	"testing"

	"mancala/web/webtest"
)

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

// Pages call a deleted player so in the language of their reader. Records and the API keep one name, and
// frames tell who is deleted.
func TestDeletedPlayerIsCalledSoInTheReadersLanguage(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah&listed=true")
	s.move(seats[0], "a")
	s.must(seats[0].Must(s.ctx, "resign", nil))
	ada := s.id(s.people[0])
	s.post(s.people[0], "/settings/forget", "sure=yes")
	_, err := seats[1].Expect(s.ctx, "who is deleted", func(f webtest.Frame) bool {
		return f.T == "names" && strings.Contains(f.Raw, `"`+ada+`":"Deleted player"`) && strings.Contains(f.Raw, `"deleted":["`+ada+`"]`)
	})
	s.must(err)
	cup := s.tournament(2) // of players who do not exist
	for _, path := range []string{
		"/" + id, "/embed/" + id, "/print/" + id, "/" + id + "/card", "/" + id + "/analysis",
		"/t/" + cup, "/t/" + cup + "/embed", "/t/" + cup + "/screen", "/t/" + cup + "/p/1",
	} {
		for lang, want := range map[string]string{"en": "Deleted player", "fr": "Compte supprimé", "ar": "لاعب محذوف"} {
			page := s.plain(path+"?lang="+lang, nil)
			if page.Status != http.StatusOK || !strings.Contains(page.Body, want) {
				t.Errorf("%s in %s: %d, without %q", path, lang, page.Status, want)
			}
			if lang != "en" && strings.Contains(page.Body, "Deleted player") {
				t.Errorf("%s in %s has the English name", path, lang)
			}
		}
	}
	s.holds("the record", s.plain("/"+id+"/record?lang=fr", nil).Body, `"Deleted player"`)
	names := s.plain("/api/v1/tournaments/"+cup+"/names?lang=fr", nil).Body
	s.holds("the API", names, `"p000000000":"Deleted player"`, `"p000000001":"Deleted player 2"`, `"deleted":["p000000000","p000000001"`)
}

package web

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mancala/engine"
	"mancala/match"
)

// The page to print has the players, the result, the moves turn by turn, positions with the numbers of these turns,
// and the HTML that embeds the game.
func TestFinishedGameIsPrinted(t *testing.T) {
	s := serve(t)
	id := s.replayed("")
	page := s.plain("/print/"+id, nil)
	page.Body = html.UnescapeString(page.Body)
	if page.Status != http.StatusOK || strings.Count(page.Body, "<figure>") != 2 || strings.Count(page.Body, `class="n"`) != 2 {
		t.Fatalf("status %d:\n%s", page.Status, page.Body)
	}
	for _, want := range []string{
		`<span class="n">1.</span> ● 3+ 1</li>`, `<span class="n">2.</span> ◆ 2</li>`, "After move 1", "After move 2", " won. ", " resigned.",
		`value="<iframe src="` + s.base + "/embed/" + id + `" width="640" height="480"`, `href="/sheet?rules=kalah"`, `href="/` + id + `"`, `href="/` + id + `/record"`,
		engine.MustCompile("kalah").Rules().Describe(),
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if game := s.plain("/"+id, nil).Body; !strings.Contains(game, `href="/print/`+id+`"`) {
		t.Error("the page of the game has no link to it")
	}
	for _, rules := range []string{"rules=maruba", "rules=basic-teams", "rules=toguz-kumalak"} {
		if page := s.plain("/print/"+s.finished(rules), nil); page.Status != http.StatusOK || strings.Count(page.Body, "<figure>") != 1 {
			t.Errorf("%s: %d", rules, page.Status)
		}
	}
}

func TestGameIsPrintedWhenItsReaderHasSeenItsEnd(t *testing.T) {
	s := serve(t)
	live, _ := s.game("rules=kalah")
	late := s.replayed("&delay=60")
	for _, id := range []string{live, late} {
		if page := s.plain("/print/"+id, nil); page.Status != http.StatusConflict {
			t.Errorf("a watcher: %d", page.Status)
		}
	}
	if page, err := s.people[2].Get(s.ctx, "/print/"+late); err != nil || page.Status != http.StatusOK {
		t.Errorf("a player: %d %v", page.Status, err)
	}
	for _, id := range []string{"zzzzzzzzz9", "no"} {
		if page := s.plain("/print/"+id, nil); page.Status != http.StatusNotFound {
			t.Errorf("%s: %d", id, page.Status)
		}
	}
}

// Each game has a score sheet, which its rules lead to. House rules have one too.
func TestEveryGameHasAScoreSheet(t *testing.T) {
	s := serve(t)
	type sheet struct{ rules, options string }
	list := []sheet{{"kalah", "pits=13"}}
	for _, row := range engine.Systems {
		list = append(list, sheet{row.Name, ""})
	}
	for _, x := range list {
		_, g, err := match.Game(x.rules, x.options)
		s.must(err)
		query := "rules=" + x.rules
		learn := "/learn/" + x.rules
		if x.options != "" {
			query += "&options=" + url.QueryEscape(x.options)
			learn += "?options=" + url.QueryEscape(x.options)
		}
		page := s.plain("/sheet?"+query, nil)
		shape := g.Shape()
		pits, seats := int(shape.Sides)*int(shape.Pits), int(shape.Sides)*int(shape.Partners)
		numbers, cells := strings.Count(page.Body, "</text>"), strings.Count(page.Body, "<td></td>")
		if page.Status != http.StatusOK || numbers != pits || cells < 72 || cells%seats != 0 {
			t.Errorf("%s: status %d, %d numbers of %d pits, %d cells", query, page.Status, numbers, pits, cells)
		}
		if at := s.plain(learn, nil).Body; !strings.Contains(strings.ToLower(at), strings.ToLower(`href="/sheet?`+html.EscapeString(query)+`"`)) {
			t.Errorf("%s does not lead to the sheet", learn)
		}
	}
	if page := s.plain("/sheet?rules=kalah&options=pits%3D13", nil); !strings.Contains(page.Body, "<h1>Kalah, house rules: score sheet</h1>") {
		t.Errorf("the title of a sheet for house rules: %s", page.Body)
	}
	for _, bad := range []string{"rules=chess", "rules=kalah&options=pits%3D99", "rules=kalah&options=x"} {
		if page := s.plain("/sheet?"+bad, nil); page.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", bad, page.Status)
		}
	}
}

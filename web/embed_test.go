package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Any site may frame a board. No site may frame any other page.
func TestOnlyEmbedsAreFramed(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	s.move(seats[0], "a")
	for path, want := range map[string]bool{"/embed/" + id: true, "/embed/zzzzzzzzz9": true, "/" + id: false, "/": false, "/settings": false, "/static/none.js": false, "/oembed": false} {
		policies := s.plain(path, nil).Header.Values("Content-Security-Policy")
		if len(policies) != 1 || strings.HasSuffix(policies[0], "frame-ancestors *") != want || strings.HasSuffix(policies[0], "frame-ancestors 'none'") == want {
			t.Errorf("%s: %q", path, policies)
		}
	}
	// A player sees the same board in the frame as all others, without
	// controls.
	page, err := s.people[0].Get(s.ctx, "/embed/"+id)
	s.must(err)
	for _, want := range []string{`data-role="spectator"`, `"you":null`, `"me":""`, `href="` + s.base + "/" + id + `" target="_blank"`} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the embedded board lacks %s", want)
		}
	}
	now, later, _ := strings.Cut(page.Body, `<template id="replay">`) // the buttons wait for the end of the game
	replay, after, _ := strings.Cut(later, "</template>")
	if !strings.Contains(replay, `data-action="first"`) {
		t.Error("the embedded board has no buttons for the end of the game")
	}
	page.Body = now + after
	if strings.Contains(page.Body, "<form") || strings.Contains(page.Body, "data-action") || strings.Contains(page.Body, "<nav") {
		t.Error("the embedded board has controls")
	}
	if got := s.plain("/embed/zzzzzzzzz9", nil).Status; got != http.StatusNotFound {
		t.Errorf("no game: %d", got)
	}
}

// The frame of a game that is over has the buttons of a replay, and its link leads to the moment of the
// address. The link of an embedding site can name the moment.
func TestEmbedOfAFinishedGameHasAReplay(t *testing.T) {
	s := serve(t)
	id := s.replayed("")
	for query, link := range map[string]string{"": "", "?ply=1": "?ply=1", "?ply=9": "", "?ply=x": ""} {
		page := s.plain("/embed/"+id+query, nil).Body
		for _, want := range []string{"first", "back", "replay", "forward", "last"} {
			if !strings.Contains(page, `data-action="`+want+`"`) {
				t.Errorf("%s: there is no button %s", query, want)
			}
		}
		if !strings.Contains(page, `href="`+s.base+"/"+id+link+`" target`) || strings.Contains(page, "<form") || strings.Contains(page, "<nav") {
			t.Errorf("%s: the frame has another link, or other controls", query)
		}
	}
}

// A game's page links to the description of its embedding. The description
// follows oembed.com.
func TestGamePageDescribesItsEmbedding(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=oware")
	link := meta(strings.ReplaceAll(s.plain("/"+id, nil).Body, ` type="application/json+oembed"`, ""), "alternate")
	if link == "" {
		t.Fatal("the game's page names no description")
	}
	ask := func(more string) (int, map[string]any) {
		page := s.plain(strings.TrimPrefix(strings.ReplaceAll(link, "&amp;", "&"), s.base)+more, nil)
		answer := map[string]any{}
		s.must(json.Unmarshal([]byte(page.Body), &answer))
		return page.Status, answer
	}
	for _, tt := range []struct {
		more          string
		width, height float64
		picture       bool
	}{
		{"", 640, 480, true},
		{"&maxwidth=400&maxheight=300", 400, 300, false},
		{"&maxwidth=1000", 640, 480, false},
		{"&maxwidth=1200&maxheight=630", 640, 480, true},
	} {
		status, e := ask(tt.more)
		frame, _ := e["html"].(string)
		_, picture := e["thumbnail_url"]
		if status != 200 || e["type"] != "rich" || e["version"] != "1.0" || e["width"] != tt.width || e["height"] != tt.height || picture != tt.picture ||
			e["title"] == "" || e["provider_name"] != "Mancala" || !strings.HasPrefix(frame, `<iframe src="`+s.base+"/embed/"+id+`" width="`) {
			t.Errorf("%s: %d %v", tt.more, status, e)
		}
	}
	for _, more := range []string{"&maxwidth=0", "&maxheight=-5", "&maxwidth=wide"} {
		if status, e := ask(more); status != http.StatusBadRequest || e["code"] != "bad-frame" {
			t.Errorf("%s: %d %v", more, status, e)
		}
	}
}

// The description of a link to a moment is that of a frame that begins there.
func TestDescriptionOfALinkToAMomentKeepsTheMoment(t *testing.T) {
	s := serve(t)
	id := s.replayed("")
	for query, want := range map[string]string{"?ply=1": "?ply=1", "?ply=1.1": "?ply=1", "?ply=99": "", "": ""} {
		page := s.plain("/oembed?maxwidth=1200&maxheight=630&url="+url.QueryEscape(s.base+"/"+id+query), nil)
		var e struct {
			HTML      string
			Thumbnail string `json:"thumbnail_url"`
		}
		s.must(json.Unmarshal([]byte(page.Body), &e))
		if !strings.HasPrefix(e.HTML, `<iframe src="`+s.base+"/embed/"+id+want+`" width`) || want != "" && !strings.HasSuffix(e.Thumbnail, "/og.png"+want) {
			t.Errorf("%s: %s, %s", query, e.HTML, e.Thumbnail)
		}
	}
}

func TestOEmbedRefusesForeignAddresses(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=kalah")
	for query, want := range map[string]struct {
		status int
		code   string
	}{
		"":                                     {404, "no-room"},
		"url=" + s.base + "/zzzzzzzzz9":        {404, "no-room"},
		"url=" + s.base + "/":                  {404, "no-room"},
		"url=" + s.base + "/" + id + "/record": {404, "no-room"},
		"url=https://evil.example/" + id:       {404, "no-room"},
		"url=javascript:" + id:                 {404, "no-room"},
		"url=%zz":                              {404, "no-room"},
		"url=" + url.QueryEscape("http://a@"+strings.TrimPrefix(s.base, "http://")+"/"+id): {404, "no-room"},
		"format=xml&url=" + s.base + "/" + id:                                              {501, "format"},
	} {
		page := s.plain("/oembed?"+query, nil)
		var answer struct{ Code string }
		s.must(json.Unmarshal([]byte(page.Body), &answer))
		if page.Status != want.status || answer.Code != want.code {
			t.Errorf("%s: %d %s", query, page.Status, page.Body)
		}
	}
}

// The first view of a frame costs no more than the first view of a game's page
// (UX.md §11, Q3).
func TestFrameCostsNoMoreThanAPage(t *testing.T) {
	s := serve(t)
	live, _ := s.game("rules=basic-four")
	gzipped := map[string]string{"Accept-Encoding": "gzip"}
	for id, script := range map[string]string{live: "embed", s.replayed(""): "embed"} {
		if n := len(s.plain("/embed/"+id, gzipped).Body); n > 14_000 {
			t.Errorf("the page has %d bytes", n)
		}
		for pattern, most := range map[string]int{`embed\.[0-9a-f]+\.css`: 14_000, script + `\.[0-9a-f]+\.js`: 45_000} {
			path := s.asset("/embed/"+id, pattern)
			n := len(s.plain(path, gzipped).Body)
			t.Logf("%s has %d bytes", path, n)
			if n > most {
				t.Errorf("%s has %d bytes", path, n)
			}
		}
	}
}

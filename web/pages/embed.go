package pages

import (
	"cmp"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/site"
)

// Embed serves a game's board for a frame on another site. Every client gets the watchers'
// view. A link opens the game. A game that is over has the buttons of a replay too.
func (srv *Pages) Embed(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Security-Policy", site.ContentPolicy+"frame-ancestors *")
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return room.ErrNoRoom
	}
	view, err := srv.game(r.Context(), id, "")
	if err != nil {
		return err
	}
	p, err := srv.gamePage(r, id, "", placeIn(r), view)
	if err != nil {
		return err
	}
	p.Canonical = srv.Base(r) + "/" + id
	p.Shared = p.Canonical + placeQuery(p.Moment)
	return srv.render(w, r, http.StatusOK, "embed", p)
}

// The size of a frame in pixels, unless the other site asks for a smaller one.
const embedWidth, embedHeight = 640, 480

// oEmbed describes an embedded game in the format of https://oembed.com.
type oEmbed struct {
	Type            string `json:"type"`
	Version         string `json:"version"`
	Title           string `json:"title"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	HTML            string `json:"html"`
	Width           int    `json:"width"`
	Height          int    `json:"height"`
	Thumbnail       string `json:"thumbnail_url,omitempty"`
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty"`
	ThumbnailHeight int    `json:"thumbnail_height,omitempty"`
}

// Oembed tells another site how to embed the game behind a link.
func (srv *Pages) Oembed(w http.ResponseWriter, r *http.Request) error {
	answer, err := srv.describeEmbed(r)
	if err != nil {
		return err
	}
	w.Header().Set("Access-Control-Allow-Origin", "*") // the answer is the same for every client
	return srv.Answer(w, http.StatusOK, answer)
}

func (srv *Pages) describeEmbed(r *http.Request) (*oEmbed, error) {
	q := r.URL.Query()
	if cmp.Or(q.Get("format"), "json") != "json" {
		return nil, site.ErrFormat
	}
	width, height := most(q.Get("maxwidth")), most(q.Get("maxheight"))
	if width < 1 || height < 1 {
		return nil, site.ErrBadFrame
	}
	base := srv.Base(r)
	id, place, ok := gameAt(base, q.Get("url"))
	if !ok {
		return nil, room.ErrNoRoom
	}
	view, err := srv.game(r.Context(), id, "")
	if err != nil {
		return nil, err
	}
	s, err := match.ReadPublic(id, view.Snapshot)
	if err != nil {
		return nil, err
	}
	if s.NeverBegan() {
		return nil, site.ErrInviteOver
	}
	m, err := srv.moment(r, id, "", place, s)
	if err != nil {
		return nil, err
	}
	e := &oEmbed{
		Type: "rich", Version: "1.0", Title: srv.Catalog(r).T("game.title", "game", s.Title),
		ProviderName: srv.Catalog(r).T("brand"), ProviderURL: base + "/",
		Width: min(width, embedWidth), Height: min(height, embedHeight),
	}
	e.HTML = frameOf(base+"/embed/"+id+placeQuery(m), e.Title, e.Width, e.Height)
	if width >= 1200 && height >= 630 { // the limits hold for the thumbnail too
		e.Thumbnail, e.ThumbnailWidth, e.ThumbnailHeight = srv.gameImage(r, id, s, m).URL, 1200, 630
	}
	return e, nil
}

// frameOf returns the HTML with which a site embeds a page.
func frameOf(address, title string, width, height int) string {
	return fmt.Sprintf(`<iframe src="%s" width="%d" height="%d" title="%s" frameborder="0" loading="lazy"></iframe>`,
		html.EscapeString(address), width, height, html.EscapeString(title))
}

// most reads the largest number of pixels that a frame may have. An empty text means no
// limit. most returns 0 for a text that is no number.
func most(text string) int {
	if text == "" {
		return 1 << 20
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// gameAt returns the ID of the game that a link to this server leads to, and the place in it.
func gameAt(base, link string) (id, place string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme+"://"+u.Host != base || u.User != nil {
		return "", "", false
	}
	id = strings.TrimPrefix(strings.TrimPrefix(u.Path, "/embed"), "/")
	return id, u.Query().Get("ply"), lobby.ValidRoomID(id)
}

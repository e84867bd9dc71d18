package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/picture"
)

// maxPictures is how many pictures are kept; each has some 60 kB.
const maxPictures = 200

// previews are the pictures that go with links. One is made for a position, so
// that games which stand alike share it, and only the first who asks waits.
type previews struct {
	limit   *lobby.Limiter // those that must be drawn
	drawing sync.Mutex     // one after the other: pictures never slow games down

	mu    sync.Mutex
	drawn map[string]drawn // by position
}

type drawn struct {
	body []byte
	tag  string
}

// of is the picture of a position. mayDraw is asked before one is drawn.
func (p *previews) of(b picture.Board, mayDraw func() error) (drawn, error) {
	key := fmt.Sprint(b)
	known := func() (drawn, bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		d, ok := p.drawn[key]
		return d, ok
	}
	if d, ok := known(); ok {
		return d, nil
	}
	if err := mayDraw(); err != nil {
		return drawn{}, err
	}
	p.drawing.Lock()
	defer p.drawing.Unlock()
	if d, ok := known(); ok {
		return d, nil // somebody else was waiting for it too
	}
	d := drawn{body: b.PNG()}
	sum := sha256.Sum256(d.body)
	d.tag = `"` + hex.EncodeToString(sum[:8]) + `"`
	p.mu.Lock()
	defer p.mu.Unlock()
	for other := range p.drawn { // any one goes: all are quickly drawn again
		if len(p.drawn) < maxPictures {
			break
		}
		delete(p.drawn, other)
	}
	p.drawn[key] = d
	return d, nil
}

// picture serves a game's picture as a watcher would see it, whoever asks.
func (srv *Pages) picture(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	board, err := srv.watched(r, id)
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	d, err := srv.previews.of(board, func() error { return lobby.SlowDown(srv.previews.limit.WaitAddress(srv.Address(r))) })
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", "public, no-cache") // ask whether it is still the same
	h.Set("ETag", d.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.body))
}

// watched is the board of a game as watchers see it.
func (srv *Pages) watched(r *http.Request, id string) (picture.Board, error) {
	view, err := srv.Rooms.View(r.Context(), id, "")
	if err != nil {
		return picture.Board{}, err
	}
	if view.Audience != machine.Watchers {
		return picture.Board{}, room.ErrNoRoom // nobody is nobody's player
	}
	s, err := match.ReadPublic(id, view.Snapshot)
	if err != nil {
		return picture.Board{}, err
	}
	return boardPicture(s)
}

// picture is what a game's picture shows.
func boardPicture(s *match.Public) (picture.Board, error) {
	rules, err := engine.ParseRules(s.Canonical)
	if err != nil {
		return picture.Board{}, err
	}
	b := picture.Board{
		Sides: s.Shape[0], Partners: s.Shape[1], Rows: rules.Rows, Stores: rules.Store,
		Pits: s.Pits, Won: s.Stores, Turn: -1,
	}
	if s.State == "live" || s.State == "setup" {
		b.Turn = s.Turn
	}
	return b, nil
}

// image is a picture that a page's preview may show, with what it shows in words.
type image struct {
	URL, Alt string
}

// gameImage is the picture of a game; its address changes with the game, since
// those who show previews ask for each address once.
func (srv *Pages) gameImage(r *http.Request, id string, s *match.Public) image {
	scores := make([]string, len(s.Stores))
	for side, n := range s.Stores {
		scores[side] = fmt.Sprintf("%s %d", marks[side], n)
	}
	return image{
		URL: fmt.Sprintf("%s/%s/og.png?ply=%d-%d", srv.Base(r), id, len(s.Seats), s.Ply),
		Alt: srv.Catalog(r).T("preview.alt", "game", s.Title, "score", strings.Join(scores, ", ")),
	}
}

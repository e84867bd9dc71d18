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
	"mancala/web/site"
)

// maxPictures is the number of pictures that are kept. Each takes about 100 kB.
const maxPictures = 200

// previews are the pictures for previews of links. Each position has one picture, so
// games with the same position share it. Only its first request waits for the drawing.
type previews struct {
	drawing sync.Mutex // held while a picture is drawn: one at a time, so games stay fast

	mu    sync.Mutex
	drawn map[string]drawn // by position
}

func newPreviews() *previews { return &previews{drawn: map[string]drawn{}} }

type drawn struct {
	body []byte
	tag  string
}

// of returns the picture of a position. If it must be drawn, mayDraw is called before
// and can refuse.
func (p *previews) of(b picture.Board, square bool, mayDraw func() error) (drawn, error) {
	key := fmt.Sprint(b, square)
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
		return d, nil // another request drew it while this one waited
	}
	draw := b.PNG
	if square {
		draw = b.Square
	}
	d := drawn{body: draw()}
	sum := sha256.Sum256(d.body)
	d.tag = `"` + hex.EncodeToString(sum[:8]) + `"`
	p.mu.Lock()
	defer p.mu.Unlock()
	for other := range p.drawn { // removes any: every picture is quickly drawn again
		if len(p.drawn) < maxPictures {
			break
		}
		delete(p.drawn, other)
	}
	p.drawn[key] = d
	return d, nil
}

// picture serves a game's picture, as wide as link previews expect it, or square. Every client
// gets the watchers' view.
func (srv *Pages) picture(w http.ResponseWriter, r *http.Request, square bool) error {
	id := r.PathValue("id")
	board, err := srv.watched(r, id)
	if err != nil {
		return err
	}
	d, err := srv.previews.of(board, square, func() error { return lobby.SlowDown(srv.Limit(site.LimitPictures).WaitAddress(srv.Address(r))) })
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", "public, no-cache") // caches must check that it is current
	h.Set("ETag", d.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.body))
	return nil
}

// watched returns the board of a game as watchers see it.
func (srv *Pages) watched(r *http.Request, id string) (picture.Board, error) {
	view, err := srv.game(r.Context(), id, "")
	if err != nil {
		return picture.Board{}, err
	}
	if view.Audience != machine.Watchers {
		return picture.Board{}, room.ErrNoRoom // only the watchers' view is public
	}
	s, err := match.ReadPublic(id, view.Snapshot)
	if err != nil {
		return picture.Board{}, err
	}
	return boardPicture(s)
}

// boardPicture returns the board that a game's picture shows.
func boardPicture(s *match.Public) (picture.Board, error) {
	rules, err := engine.ParseRules(s.Canonical)
	if err != nil {
		return picture.Board{}, err
	}
	b := picture.Board{
		Sides: s.Shape[0], Partners: s.Shape[1], Rows: rules.Rows, Stores: rules.Store,
		Pits: s.Pits, Marks: s.Marks, Won: s.Stores, Turn: -1,
	}
	if s.State == "live" || s.State == "setup" {
		b.Turn = s.Turn
	}
	return b, nil
}

// gameImage returns the picture of a game. Its address changes with the position, since
// sites that show previews fetch each address only once.
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

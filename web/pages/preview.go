package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/movie"
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

func newDrawn(body []byte) drawn {
	sum := sha256.Sum256(body)
	return drawn{body, `"` + hex.EncodeToString(sum[:8]) + `"`}
}

// serve answers with the picture.
func (d drawn) serve(w http.ResponseWriter, r *http.Request, kind string) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "public, no-cache") // caches must check that it is current
	h.Set("ETag", d.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.body))
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
	d := newDrawn(draw())
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
// gets the watchers' view. Of a game that is over, ?ply= chooses a moment.
func (srv *Pages) picture(w http.ResponseWriter, r *http.Request, square bool) error {
	id := r.PathValue("id")
	s, err := srv.watched(r, id)
	if err != nil {
		return err
	}
	m, err := srv.moment(r, id, "", placeIn(r), s)
	if err != nil {
		return err
	}
	board, err := boardPicture(shownAt(s, m))
	if err != nil {
		return err
	}
	return srv.give(w, r, board, square)
}

// PositionPicture serves the picture of any position of any system: ?rules=, ?options= and
// ?position=, which is the first position if it is empty. ?square makes it square.
func (srv *Pages) PositionPicture(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	_, g, err := site.HouseRules(q.Get("rules"), q.Get("options"))
	if err != nil {
		return err
	}
	p := g.Start()
	if text := q.Get("position"); text != "" {
		if p, err = g.Parse(text); err != nil {
			return refusal.New("bad-position")
		}
	}
	return srv.give(w, r, movie.BoardOf(g, p), q.Has("square"))
}

// give serves the picture of a board.
func (srv *Pages) give(w http.ResponseWriter, r *http.Request, board picture.Board, square bool) error {
	d, err := srv.previews.of(board, square, func() error { return lobby.SlowDown(srv.Limit(site.LimitPictures).WaitAddress(srv.Address(r))) })
	if err != nil {
		return err
	}
	d.serve(w, r, "image/png")
	return nil
}

// watched returns a game as watchers see it.
func (srv *Pages) watched(r *http.Request, id string) (*match.Public, error) {
	view, err := srv.game(r.Context(), id, "")
	if err != nil {
		return nil, err
	}
	if view.Audience != machine.Watchers {
		return nil, room.ErrNoRoom // only the watchers' view is public
	}
	return match.ReadPublic(id, view.Snapshot)
}

// boardPicture returns the board that a game's picture shows.
func boardPicture(s *match.Public) (picture.Board, error) {
	rules, err := engine.ParseRules(s.Canonical)
	if err != nil {
		return picture.Board{}, err
	}
	b := picture.Board{
		Sides: s.Shape[0], Partners: s.Shape[1], Rows: rules.Rows, Stores: rules.Store, Made: picture.MadeOf(rules),
		Pits: s.Pits, Marks: s.Marks, Won: s.Stores, Hand: picture.InHand(rules, s.Pits), Turn: -1,
	}
	if s.GoesOn() {
		b.Turn = s.Turn
	}
	if s.Result != nil {
		b.Winners = s.Result.Winners
	}
	return b, nil
}

// gameImage returns the picture of a game, or of a moment of it. Its address changes with the
// position, since sites that show previews fetch each address only once.
func (srv *Pages) gameImage(r *http.Request, id string, s *match.Public, m *match.Moment) image {
	query := fmt.Sprintf("state=%d-%d", len(s.Seats), s.Ply)
	if m != nil {
		s, query = shownAt(s, m), "ply="+m.Place
	}
	scores := make([]string, len(s.Stores))
	for side, n := range s.Stores {
		scores[side] = fmt.Sprintf("%s %d", marks[side], n)
	}
	c := srv.Catalog(r)
	score := c.List(scores)
	if rules, err := engine.ParseRules(s.Canonical); err == nil && picture.InHand(rules, s.Pits) {
		score = c.T("hand") + " " + score
	}
	return image{
		URL: srv.Base(r) + "/" + id + "/og.png?" + query,
		Alt: c.T("preview.alt", "game", s.Title, "score", score),
	}
}

// rulesImage returns the picture of the first board of rules.
func (srv *Pages) rulesImage(r *http.Request, system engine.Row, options string) image {
	q := url.Values{"rules": {system.Name}}
	if options != "" {
		q.Set("options", options)
	}
	return image{srv.Base(r) + "/position.png?" + q.Encode(), srv.Catalog(r).Game(system.Title)}
}

// placeIn returns the place that an address names, as in ?ply=12 or ?ply=2.12.
func placeIn(r *http.Request) string { return r.URL.Query().Get("ply") }

// placeQuery returns what an address needs to name a moment. It is empty for nil.
func placeQuery(m *match.Moment) string {
	if m == nil {
		return ""
	}
	return "?ply=" + m.Place
}

// moment returns the moment at a place in a game that is over, as a player sees it. A game that goes
// on, and one whose watchers have not seen its end, has none.
func (srv *Pages) moment(r *http.Request, id, player, place string, s *match.Public) (*match.Moment, error) {
	if place == "" || !s.Over() || s.NeverBegan() {
		return nil, nil
	}
	story, err := srv.StoryOf(r, id, player)
	if err != nil {
		return nil, err
	}
	return story.Moment(place), nil
}

// shownAt returns a game as it was at a moment. A nil moment stands for the end.
func shownAt(s *match.Public, m *match.Moment) *match.Public {
	if m == nil {
		return s
	}
	then, b := *s, match.BoardOf(m.Position)
	then.Pits, then.Stores, then.Marks, then.Turn, then.Result = b.Pits, b.Stores, b.Marks, int(m.Position.Seat), nil
	if m.Position.Phase != engine.Over {
		then.State = "live"
	}
	return &then
}

package web

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/lobby/workers"
)

// mine tells people on the home page that their games stand otherwise: it is their
// turn, or no longer, one has begun, or is over. The page asks for the list then.
type mine struct {
	server *Server

	open  atomic.Int64 // pages; without any a move costs nothing
	mu    sync.Mutex
	pages map[string][]*session // by person
	due   map[string]struct{}   // people who are to be told
	news  *workers.Pace
}

type gamesFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
}

func newMine(srv *Server) *mine {
	m := &mine{server: srv, pages: map[string][]*session{}, due: map[string]struct{}{}}
	m.news = srv.workers.NewPace(newsEvery, m.tell)
	return m
}

// shows says that a socket is of a page with its person's games. What has changed
// since the page was made it is told at once.
func (m *mine) shows(s *session) {
	id := s.identity()
	if id == "" {
		return
	}
	m.mu.Lock()
	if !slices.Contains(m.pages[id], s) {
		m.pages[id] = append(m.pages[id], s)
		m.open.Add(1)
	}
	m.mu.Unlock()
	m.noted([]string{id})
	m.server.elsewhere.want(inGames, id)
}

// left ends that.
func (m *mine) left(s *session) {
	id := s.identity()
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.Index(m.pages[id], s); i >= 0 {
		m.pages[id] = slices.Delete(m.pages[id], i, i+1)
		m.open.Add(-1)
	}
	if len(m.pages[id]) == 0 {
		delete(m.pages, id)
	}
}

// people are those whose games are shown here.
func (m *mine) people() map[string]struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make(map[string]struct{}, len(m.pages))
	for id := range m.pages {
		list[id] = struct{}{}
	}
	return list
}

// moved says that a game of these people stands otherwise, to whomever it concerns
// and wherever he is.
func (m *mine) moved(people []string) {
	m.noted(people)
	m.server.elsewhere.moved(people)
}

// noted says it to those who are here.
func (m *mine) noted(people []string) {
	if m.open.Load() == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range people {
		if len(m.pages[id]) > 0 {
			m.due[id] = struct{}{}
		}
	}
	if len(m.due) > 0 {
		m.news.Mark()
	}
}

// tell tells the pages of all people who are due.
func (m *mine) tell() {
	f := message(gamesFrame{"games", seeks.Room})
	m.mu.Lock()
	defer m.mu.Unlock()
	for id := range m.due {
		for _, s := range m.pages[id] {
			s.send(f)
		}
	}
	clear(m.due)
}

// myGames is the part of the home page with the asker's games, by itself.
func (srv *Server) myGames(w http.ResponseWriter, r *http.Request) {
	player, known := srv.whoIs(w, r)
	if !known {
		srv.notFound(w, r)
		return
	}
	srv.render(w, r, http.StatusOK, "mine", srv.gamesOf(r.Context(), player))
}

// gamesShown are somebody's games as the home page has them.
type gamesShown struct {
	Resume *gameLink // the open game that was last played
	Games  []gameLink
	Due    int // in how many it is his turn
}

func (srv *Server) gamesOf(ctx context.Context, player string) (g gamesShown) {
	games, err := srv.Games.Of(ctx, player, gamesListed)
	if n := len(games); n == gamesListed && !games[n-1].Ended { // there may be more that wait for him
		games, err = srv.Games.Going(ctx, player, lobby.Place{}, gamesAsked)
	}
	if err != nil {
		srv.warn("web: games not listed", err)
	}
	g.Games = srv.gameLinks(ctx, player, games)
	if len(g.Games) > 0 && g.Games[0].State != "over" {
		g.Resume = &g.Games[0]
	}
	for _, link := range g.Games {
		if link.Turn {
			g.Due++
		}
	}
	g.Games = g.Games[:min(len(g.Games), gamesListed)]
	return g
}

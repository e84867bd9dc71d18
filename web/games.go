package web

import (
	"context"
	"errors"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/showcase"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/room"
)

// lists brings "my games" of everybody up to date, as who watches sees them: a
// list may be read by others. The list is a convenience, and
// rooms do not wait for it: games that changed meanwhile are written together,
// and one that changed twice is written once.
type lists struct {
	server *Server

	order sync.Mutex // held while lists are written; taken before mu

	mu      sync.Mutex
	due     map[string]struct{} // games by ID
	writing *workers.Pace
}

const (
	maxListed = 256                    // games in one transaction
	listEvery = 500 * time.Millisecond // so that a game that begins is one change and not three
)

// changed says that a game stands otherwise in its people's lists.
func (l *lists) changed(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.due == nil {
		l.due = map[string]struct{}{}
	}
	l.due[id] = struct{}{}
	l.writing.Mark()
}

// write writes some of the lists that are due, and the rest the next time.
func (l *lists) write() {
	l.some()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.due) > 0 {
		l.writing.Mark()
	}
}

// flush returns when every list is right, or cannot be now, for who goes by it.
func (l *lists) flush() {
	for l.some() {
	}
}

// some writes some of what is due, if anything is and can be. The rest stays due.
func (l *lists) some() bool {
	l.order.Lock()
	defer l.order.Unlock()
	ids := l.take()
	again := l.server.list(ids)
	for _, id := range again {
		l.changed(id)
	}
	return len(again) < len(ids)
}

func (l *lists) take() (ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.due {
		if len(ids) == maxListed {
			break
		}
		ids = append(ids, id)
		delete(l.due, id)
	}
	return ids
}

// list writes down how games stand, and says for which of them that is to be tried
// again.
func (srv *Server) list(ids []string) (again []string) {
	if len(ids) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(srv.workers.Context(), workers.Timeout)
	defer cancel()
	games := make([]lobby.Game, 0, len(ids))
	var shows []showcase.Game
	for _, id := range ids {
		now := time.Now() // before looking: of two who look, the later one has seen no less
		view, err := srv.rooms.View(ctx, id, "")
		var s *match.Public
		if err == nil {
			s, err = match.ReadPublic(id, view.Snapshot)
		}
		if err == nil {
			if g, ok := staged(id, s, now); ok {
				shows = append(shows, g)
			}
		}
		if err != nil {
			srv.log.Debug("web: game not listed", "room", id, "err", err)
			if codeOf(err) == room.CodeUnavailable {
				again = append(again, id)
			}
			continue
		}
		games = append(games, listed(id, s, now))
	}
	switch err := srv.Games.Put(ctx, games...); {
	case err == nil:
		srv.mine.moved(peopleIn(games))
	case codeOf(err) == room.CodeUnavailable:
		srv.log.Debug("web: games not listed yet", "games", len(games), "err", err)
		return ids
	default:
		srv.warn("web: games not listed", err, "rooms", ids)
	}
	srv.playbill.put(ctx, shows)
	return again
}

// Unseen brings the lists up to date after what happened in a game while nobody
// was there, before its room goes to sleep.
func Unseen(server func() *Server) func(ctx context.Context, id string, v room.View) error {
	return func(ctx context.Context, id string, v room.View) error {
		srv := server()
		if v.Kind != match.RoomKind {
			return nil
		}
		if srv == nil {
			return errors.New("web: not ready yet")
		}
		s, err := match.ReadPublic(id, v.Snapshot)
		if err != nil {
			return err
		}
		now := time.Now()
		if g, ok := staged(id, s, now); ok { // nothing waits to be seen when a room falls asleep
			srv.playbill.put(ctx, []showcase.Game{g})
		}
		g := listed(id, s, now)
		if err := srv.Games.Put(ctx, g); err != nil {
			return err
		}
		srv.mine.moved(peopleIn([]lobby.Game{g}))
		return nil
	}
}

// peopleIn are all who are in some games.
func peopleIn(games []lobby.Game) (people []string) {
	for _, g := range games {
		for _, in := range g.In {
			people = append(people, in.Player)
		}
	}
	return people
}

// remember writes down a game that somebody looks at: it may be new, or what
// happened may not have reached the list. That it could not be written, or not
// soon, is no reason to show no page.
func (srv *Server) remember(ctx context.Context, id string, s *match.Public, at time.Time) {
	if s.Delay > 0 { // others read the list too, and he may see what they must not
		srv.lists.changed(id)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := srv.Games.Put(ctx, listed(id, s, at)); err != nil {
		srv.warn("web: game not listed", err, "room", id)
		srv.lists.changed(id)
	}
	srv.mine.moved(s.Players())
	if s.Listed {
		srv.lists.changed(id) // and to the stage, as watchers see it
	}
}

// listed is a game's line, as of a time at which it surely stood like that.
func listed(id string, s *match.Public, at time.Time) lobby.Game {
	game := lobby.Game{Room: id, Title: s.Title, State: s.State, Ended: s.State == "over", Updated: at}
	game.System, game.Rated = s.Rules, s.Rated && s.Options == ""
	game.Listed = s.Listed
	game.Won, game.Shared = s.Won()
	for seat, player := range s.Seats {
		game.In = append(game.In, lobby.Part{Player: player, Seat: seat})
	}
	if len(s.Seats) == 0 {
		for _, player := range s.Sitters {
			game.In = append(game.In, lobby.Part{Player: player, Seat: lobby.NoSeat})
		}
	}
	return game
}

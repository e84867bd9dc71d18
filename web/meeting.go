package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/lobby/social"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

var errNoChallenges error = &machine.Error{Code: "no-challenges"} // not by him: for which reason is nobody's business

// orderOf is what somebody says to the lobby, with what the lobby needs to know of
// him, or why he may not say it now.
func (srv *Server) orderOf(ctx context.Context, player, kind string, body []byte) (json.RawMessage, error) {
	var o seeks.Order
	if json.Unmarshal(body, &o) != nil {
		return nil, &machine.Error{Code: match.CodeBadCommand}
	}
	o.Facts, o.Task, o.Late = seeks.Facts{}, "", false
	if kind != seeks.KindLeave {
		if err := srv.mayMeet(ctx, player, kind, &o); err != nil {
			return nil, err
		}
	}
	return json.Marshal(o)
}

// mayMeet says whether somebody may do this in the lobby now, and fills in what is
// known of him. Who plays in kids mode meets no strangers (ux.md §8).
func (srv *Server) mayMeet(ctx context.Context, player, kind string, o *seeks.Order) error {
	if err := slowDown(srv.seekLimit.Wait(player)); err != nil {
		return err
	}
	prefs, err := srv.People.Prefs(ctx, player)
	if err != nil {
		return err
	}
	if prefs["kids"] == "on" {
		return errNoStrangers
	}
	if kind == seeks.KindChallenge {
		if err := srv.mayAsk(ctx, player, o); err != nil {
			return err
		}
	}
	game := o.Game
	var waiting []string
	err = srv.inLobbyState(ctx, func(s *seeks.State) {
		for i := range s.Waits {
			waiting = append(waiting, s.Waits[i].Player)
		}
		if w := s.Seek(o.Seek); w != nil {
			game, waiting = w.Game, []string{w.Player}
		} else if c := s.Challenge(o.Seek); c != nil {
			game, waiting = c.Game, []string{c.By}
		}
	})
	if err != nil {
		return err
	}
	o.Facts, err = srv.facts(ctx, player, game, waiting)
	return err
}

// facts are what the lobby needs to know of somebody who wants such a game, and
// which of some others he must not meet.
func (srv *Server) facts(ctx context.Context, player string, g seeks.Game, others []string) (f seeks.Facts, err error) {
	p, err := srv.People.Player(ctx, player)
	if err != nil {
		return f, err
	}
	f.Account = !p.Guest()
	if f.Balance, f.Recent, err = srv.Games.Opponents(ctx, player, gamesBalanced, opponentsAvoided); err != nil {
		return f, err
	}
	if f.Account {
		if f.Rating, err = srv.ratingOf(ctx, player, g); err != nil {
			return f, err
		}
	}
	apart, err := srv.apart(ctx, player)
	for _, id := range apart {
		if slices.Contains(others, id) {
			f.Apart = append(f.Apart, id)
		}
	}
	return f, err
}

// ratingOf is how strong somebody with an account is in a game at its speed; a game
// without a clock goes by all that he has played of it.
func (srv *Server) ratingOf(ctx context.Context, player string, g seeks.Game) (int, error) {
	g.Rules = cmp.Or(g.Rules, "kalah")
	if speed := g.Settings().Speed(); speed != "" {
		found, err := srv.Ratings.Of(ctx, []string{player}, g.Rules, speed)
		if s, ok := found[player]; ok || err != nil {
			return s.Rounded(), err
		}
		return rating.New.Rounded(), nil
	}
	all, err := srv.Ratings.All(ctx, player)
	for _, s := range all {
		if s.System == g.Rules {
			return s.Rounded(), err // what he plays most comes first
		}
	}
	return rating.New.Rounded(), err
}

// able is what decides which seeks somebody may join; nil for a guest.
func (srv *Server) able(ctx context.Context, player string) (*able, error) {
	if player == "" {
		return nil, nil
	}
	if p, err := srv.People.Player(ctx, player); err != nil || p.Guest() {
		return nil, err
	}
	all, err := srv.Ratings.All(ctx, player)
	can := able{map[string]int{}}
	for _, s := range all {
		can.Ratings[s.System+" "+s.Speed] = s.Rounded()
		if _, there := can.Ratings[s.System+" "]; !there {
			can.Ratings[s.System+" "] = s.Rounded() // what he plays most comes first
		}
	}
	return &can, err
}

const (
	gamesBalanced    = 20 // of the last games, who has begun
	opponentsAvoided = 3  // of the last games
)

// apart are the people whom somebody must not meet.
func (srv *Server) apart(ctx context.Context, player string) ([]string, error) {
	if player == "" {
		return nil, nil
	}
	return srv.Social.ApartFrom(ctx, player)
}

// mayAsk says whether somebody may challenge another: he decides who may.
func (srv *Server) mayAsk(ctx context.Context, player string, o *seeks.Order) error {
	if !lobby.ValidPlayerID(o.To) {
		return social.ErrNobody
	}
	if _, err := srv.People.Player(ctx, o.To); err != nil {
		return nobody(err)
	}
	prefs, err := srv.People.Prefs(ctx, o.To)
	if err != nil {
		return err
	}
	if prefs["challenges"] == "nobody" || prefs["kids"] == "on" {
		return errNoChallenges
	}
	apart, err := srv.Social.Apart(ctx, player, o.To)
	if err == nil && apart {
		return errNoChallenges
	}
	if err == nil && prefs["challenges"] == "followed" {
		var followed []string
		if followed, err = srv.Social.Followed(ctx, o.To); err == nil && !slices.Contains(followed, player) {
			return errNoChallenges
		}
	}
	return err
}

// inLobbyState looks at who waits: as far as this instance follows the lobby, else
// where it is.
func (srv *Server) inLobbyState(ctx context.Context, look func(*seeks.State)) error {
	l := srv.lounge
	l.mu.Lock()
	here := l.state != nil
	if here {
		look(l.state)
	}
	l.mu.Unlock()
	if here {
		return nil
	}
	view, err := srv.house.View(ctx, seeks.Room, "")
	var state seeks.State
	if err == nil {
		err = json.Unmarshal(view.Snapshot, &state)
	}
	if err == nil {
		look(&state)
	}
	return err
}

const (
	busyTries = 6
	busyWait  = 10 * time.Millisecond // at first
)

// doInLobby does what a message of a socket does.
func (srv *Server) doInLobby(r *http.Request, player, kind string, o seeks.Order) (room.Answer, error) {
	said, err := json.Marshal(o)
	if err != nil {
		return room.Answer{}, err
	}
	body, err := srv.orderOf(r.Context(), player, kind, said)
	if err != nil {
		return room.Answer{}, err
	}
	return srv.sayInLobby(r.Context(), player, kind, body)
}

// tellLobby carries a command with what the lobby needs to know already in it.
func (srv *Server) tellLobby(ctx context.Context, player, kind string, o seeks.Order) (room.Answer, error) {
	body, err := json.Marshal(o)
	if err != nil {
		return room.Answer{}, err
	}
	return srv.sayInLobby(ctx, player, kind, body)
}

func (srv *Server) sayInLobby(ctx context.Context, player, kind string, body json.RawMessage) (room.Answer, error) {
	c := machine.Command{ID: kind + "-" + rand.Text(), Kind: kind, By: player, Body: body}
	for try := time.Duration(1); ; try++ {
		a, err := srv.house.Do(ctx, seeks.Room, c)
		if codeOf(err) != room.CodeBusy || try == busyTries {
			return a, err
		}
		select { // all have come at once: a page would say it again by itself
		case <-time.After(try * busyWait):
		case <-ctx.Done():
			return a, err
		}
	}
}

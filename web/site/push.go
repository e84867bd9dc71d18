package site

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"mancala/lobby"
	"mancala/lobby/push"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/messages"
)

// PushServices are what the messages about turns need of this server.
func (srv *Site) PushServices() push.Services {
	return push.Services{Presence: srv.Presence, Notice: srv.turnNotice, Count: srv.Metrics.Pushed, Log: srv.Log}
}

// turnNotice returns what to tell a player who is on turn, by language. It returns nil if the
// player is not on turn in the room, and [push.ErrPaused] while a host has paused the game.
func (srv *Site) turnNotice(ctx context.Context, id, player string, reminder bool) (func(lang string) push.Message, error) {
	view, err := srv.Rooms.View(ctx, id, player)
	if errors.Is(err, room.ErrNoRoom) || err == nil && view.Kind != match.Kind {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p, err := match.ReadPublic(id, view.Snapshot)
	if err != nil {
		return nil, err
	}
	if p.OnTurn() != player {
		return nil, nil
	}
	if p.Paused > 0 {
		return nil, push.ErrPaused
	}
	names, deleted, err := srv.NamesAndDeleted(ctx, p.Players())
	if err != nil {
		return nil, err
	}
	prefs, err := srv.People.Prefs(ctx, player)
	if err != nil {
		return nil, err
	}
	return func(lang string) push.Message {
		c := srv.Languages.Named(prefs["language"])
		if c == nil {
			c = srv.Languages.Choose(lang, "")
		}
		called := maps.Clone(names)
		lobby.CallDeleted(called, deleted, c.T("player.deleted"))
		var others []string
		for _, other := range p.Seats {
			if name := isolated(called[other]); other != player && !slices.Contains(others, name) {
				others = append(others, name)
			}
		}
		return srv.turnMessage(c, id, p, strings.Join(others, ", "), reminder)
	}, nil
}

// turnMessage returns the message about a turn. A locked screen may show it. So it tells the game and
// the opponents only where every visitor may know them.
func (srv *Site) turnMessage(c *messages.Catalog, id string, p *match.Public, others string, reminder bool) push.Message {
	m := push.Message{
		Title: c.T("push.turn"), Tag: id, Path: "/" + id, Lang: c.Lang, Dir: c.T("direction"),
		Icon: "/static/" + srv.Assets.Hashed["icon-192.png"],
	}
	if reminder {
		m.Title = c.T("push.soon")
	}
	if p.Listed || p.Rated {
		m.Body = c.T("push.game", "game", p.Title, "names", others)
	}
	return m
}

// isolated returns a name whose direction does not change that of the text around it.
func isolated(name string) string { return "\u2068" + name + "\u2069" }

package site

import (
	"context"
	"errors"
	"slices"
	"strings"

	"mancala/lobby"
	"mancala/lobby/presence"
)

// Tied follows, unfollows, blocks or unblocks another player. what is the word that
// the forms and the page's buttons send.
func (srv *Site) Tied(ctx context.Context, player, what, other string) error {
	if err := lobby.SlowDown(srv.Limit(LimitSettings).Wait(player)); err != nil {
		return err
	}
	switch what {
	case "follow":
		if err := srv.Social.Follow(ctx, player, other); err != nil {
			return err
		}
	case "unfollow":
		if err := srv.Social.Unfollow(ctx, player, other); err != nil {
			return err
		}
	case "block":
		if err := srv.Social.Block(ctx, player, other); err != nil {
			return err
		}
	case "unblock":
		if err := srv.Social.Unblock(ctx, player, other); err != nil {
			return err
		}
	default:
		return ErrBadFrame
	}
	if strings.HasSuffix(what, "block") {
		srv.Live.Reconsider(player, other)
	}
	if what == "block" {
		if err := srv.LobbyRoom.KeepApart(ctx, player, other); err != nil {
			lobby.Warn(srv.Log, "web: lobby not told of a block", err)
		}
	}
	srv.Presence.LookAgain(ctx, player, other)
	srv.Presence.Invalidate(player, other)
	return nil
}

// socialJSON lists the players that a player follows and blocks.
type socialJSON struct {
	Following []FollowedJSON `json:"following"`
	Blocked   []MeJSON       `json:"blocked"`
}

// FollowedJSON is a followed player, and whether they are here.
type FollowedJSON struct {
	MeJSON
	Here bool   `json:"here"`
	Game string `json:"game,omitempty"` // the game that they play, if anyone may watch it
}

// SocialOf reads the players that a player follows and blocks.
func (srv *Site) SocialOf(ctx context.Context, player string) (c socialJSON, err error) {
	following, err := srv.Social.Followed(ctx, player)
	blocked, err2 := srv.Social.Blocked(ctx, player)
	names, err3 := srv.People.Names(ctx, slices.Concat(following, blocked))
	present, err4 := srv.Presence.Among(ctx, following)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return c, err
	}
	c = socialJSON{[]FollowedJSON{}, []MeJSON{}}
	for _, id := range following {
		f := FollowedJSON{MeJSON: MeJSON{id, names[id]}}
		if i := slices.IndexFunc(present, func(who presence.Present) bool { return who.ID == id }); i >= 0 {
			f.Here, f.Game = true, present[i].Game
		}
		c.Following = append(c.Following, f)
	}
	for _, id := range blocked {
		c.Blocked = append(c.Blocked, MeJSON{id, names[id]})
	}
	return c, nil
}

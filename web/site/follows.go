package site

import (
	"context"
	"errors"
	"slices"

	"mancala/lobby"
	"mancala/lobby/presence"
	"mancala/lobby/social"
)

// ChangeRelation follows, unfollows, blocks or unblocks another player.
func (srv *Site) ChangeRelation(ctx context.Context, player string, action social.Action, other string) error {
	if err := lobby.SlowDown(srv.Limit(LimitSettings).Wait(player)); err != nil {
		return err
	}
	if !action.Known() {
		return ErrBadFrame
	}
	return srv.Relations.Change(ctx, player, action, other)
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

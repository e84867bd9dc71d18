package policy

import (
	"cmp"
	"context"
	"encoding/json"
	"net/netip"
	"slices"

	"mancala/lobby"
	"mancala/lobby/address"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/lobby/social"
)

const (
	gamesBalanced    = 20 // of a player's last games: who began
	opponentsAvoided = 3  // of a player's last games
)

// Order checks what a player says to the lobby and returns it as a body, with the
// facts that the lobby needs about the player, and the player's place from this address.
func (p *Policy) Order(ctx context.Context, player string, at netip.Addr, kind string, o seeks.Order) (json.RawMessage, error) {
	o.Facts, o.Task, o.Late, o.Apart = seeks.Facts{}, "", false, false
	if kind != seeks.KindLeave {
		if err := p.mayOrder(ctx, player, kind, &o); err != nil {
			return nil, err
		}
		o.Facts.Place = address.Place(at)
	}
	return json.Marshal(o)
}

// mayOrder refuses what the player may not do in the lobby now, and fills in the
// facts. A child meets no strangers (UX.md §8).
func (p *Policy) mayOrder(ctx context.Context, player, kind string, o *seeks.Order) error {
	if err := lobby.SlowDown(p.Orders.Wait(player)); err != nil {
		return err
	}
	if kind == seeks.KindDecline {
		return nil // no facts are needed, and a child may decline a challenge from before
	}
	prefs, err := p.People.Prefs(ctx, player)
	if err != nil {
		return err
	}
	if prefs["kids"] == "on" {
		return ErrNoStrangers
	}
	if kind == seeks.KindChallenge {
		if err := p.mayChallenge(ctx, player, o); err != nil {
			return err
		}
	}
	game := o.Game
	var waiting []string
	err = p.Waiting.State(ctx, func(s *seeks.State) {
		for i := range s.Waits {
			waiting = append(waiting, s.Waits[i].Player)
		}
		if kind != seeks.KindAccept {
			return // the order is not about a seek, though the client may have named one
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
	o.Facts, err = p.facts(ctx, player, game, waiting)
	return err
}

// facts returns what the lobby needs to know of a player who wants such a game, and
// which of the others the player must not meet.
func (p *Policy) facts(ctx context.Context, player string, g seeks.Game, others []string) (f seeks.Facts, err error) {
	who, err := p.People.Player(ctx, player)
	if err != nil {
		return f, err
	}
	f.Account = !who.Guest()
	if f.Balance, f.Recent, err = p.Games.Opponents(ctx, player, gamesBalanced, opponentsAvoided); err != nil {
		return f, err
	}
	if f.Account {
		if f.Rating, err = p.ratingFor(ctx, player, g); err != nil {
			return f, err
		}
	}
	apart, err := p.Apart(ctx, player)
	for _, id := range apart {
		if slices.Contains(others, id) {
			f.Apart = append(f.Apart, id)
		}
	}
	return f, err
}

// ratingFor returns the rating of a player with an account in a game at its speed. For
// a game without a clock it is that of the speed which the player plays most.
func (p *Policy) ratingFor(ctx context.Context, player string, g seeks.Game) (int, error) {
	g.Rules = cmp.Or(g.Rules, "kalah")
	if speed := g.Settings().Speed(); speed != "" {
		found, err := p.Ratings.Of(ctx, []string{player}, g.Rules, speed)
		if s, ok := found[player]; ok || err != nil {
			return s.Rounded(), err
		}
		return rating.New.Rounded(), nil
	}
	all, err := p.Ratings.All(ctx, player)
	for _, s := range all {
		if s.System == g.Rules {
			return s.Rounded(), err // the speed that is played most comes first
		}
	}
	return rating.New.Rounded(), err
}

// Ability is what decides which seeks a player may join: their ratings.
type Ability struct {
	Ratings map[string]int `json:"ratings"` // by system and speed, "kalah blitz"; by "kalah " for games without a clock
}

// Ability returns the ability of a player, or nil for a guest.
func (p *Policy) Ability(ctx context.Context, player string) (*Ability, error) {
	if player == "" {
		return nil, nil
	}
	if who, err := p.People.Player(ctx, player); err != nil || who.Guest() {
		return nil, err
	}
	all, err := p.Ratings.All(ctx, player)
	can := Ability{map[string]int{}}
	for _, s := range all {
		can.Ratings[s.System+" "+s.Speed] = s.Rounded()
		if _, there := can.Ratings[s.System+" "]; !there {
			can.Ratings[s.System+" "] = s.Rounded() // the speed that is played most comes first
		}
	}
	return &can, err
}

// Apart returns the players whom this player must not meet: one of the two has
// blocked the other.
func (p *Policy) Apart(ctx context.Context, player string) ([]string, error) {
	if player == "" {
		return nil, nil
	}
	return p.Social.ApartFrom(ctx, player)
}

// mayChallenge refuses a challenge that the other player does not want.
func (p *Policy) mayChallenge(ctx context.Context, player string, o *seeks.Order) error {
	if !lobby.ValidPlayerID(o.To) {
		return social.ErrNobody
	}
	if _, err := p.People.Player(ctx, o.To); err != nil {
		return AboutOther(err)
	}
	prefs, err := p.People.Prefs(ctx, o.To)
	if err != nil {
		return err
	}
	if prefs["challenges"] == "nobody" || prefs["kids"] == "on" {
		return errNoChallenges
	}
	apart, err := p.Social.Apart(ctx, player, o.To)
	if err == nil && apart {
		return errNoChallenges
	}
	if err == nil && prefs["challenges"] == "followed" {
		var followed []string
		if followed, err = p.Social.Followed(ctx, o.To); err == nil && !slices.Contains(followed, player) {
			return errNoChallenges
		}
	}
	return err
}

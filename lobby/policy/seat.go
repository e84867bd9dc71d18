package policy

import (
	"context"
	"slices"

	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// Do carries out a player's command that did not come by a socket, if they may. rated
// reports whether the command makes the game rated.
func (p *Policy) Do(ctx context.Context, id string, c machine.Command, rated bool) (room.Answer, error) {
	if err := p.MayCommand(ctx, id, c.By, c.Kind, rated); err != nil {
		return room.Answer{}, err
	}
	return p.Rooms.Do(ctx, id, c)
}

// MayCommand refuses commands to a match for reasons that their room does not know. rated
// reports whether the command makes the game rated.
func (p *Policy) MayCommand(ctx context.Context, id, player, kind string, rated bool) error {
	switch {
	case kind == match.KindSit:
		return p.maySit(ctx, id, player)
	case kind == match.KindSettings && rated:
		return p.MayRate(ctx, player)
	}
	return nil // other faults are the command's to report
}

// maySit refuses a seat beside a player who is kept apart from this one. In a rated game it
// refuses a player without an account.
func (p *Policy) maySit(ctx context.Context, id, player string) error {
	if err := p.Rooms.Wake(ctx, id); err != nil { // the command needs it open
		return err
	}
	view, err := p.Rooms.View(ctx, id, player)
	if err != nil {
		return err
	}
	facts, err := match.ReadFacts(view.Snapshot)
	if err != nil || !facts.Waiting() {
		return err
	}
	apart, err := p.Social.ApartFrom(ctx, player)
	if err != nil {
		return err
	}
	if len(apart) > 0 {
		game, err := match.ReadPublic(id, view.Snapshot)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(game.Players(), func(other string) bool { return slices.Contains(apart, other) }) {
			return errSeatKept
		}
	}
	if facts.Rated {
		return p.MayRate(ctx, player)
	}
	return nil
}

// MayRate refuses a rated game to guests. A guest who sits down in the moment in which
// the game becomes rated plays a game that is not counted.
func (p *Policy) MayRate(ctx context.Context, player string) error {
	guest, err := p.People.IsGuest(ctx, player)
	if err == nil && guest {
		err = errNeedsAccount
	}
	return err
}

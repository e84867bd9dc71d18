package effects

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// openRound opens the games of a task of a tournament. A game that is there already was opened
// by an earlier try.
func (e *Effects) openRound(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var o tournament.Opening
	if err := json.Unmarshal(t.Body, &o); err != nil {
		return nil, err
	}
	for _, g := range o.Games {
		c := match.Creation{
			Settings: o.Settings, Seats: g.Seats[:], Expires: -1,
			Event:  &match.Event{Room: t.Room, Round: g.Round, Board: g.Board, Game: g.Game},
			NoShow: time.Duration(o.NoShow) * time.Millisecond,
		}
		if err := e.Rooms.Create(ctx, g.Room, match.Kind, c.Command("open-"+g.Room)); err != nil {
			return nil, err
		}
		e.Opened(g.Room)
	}
	return nil, nil
}

// report tells a tournament how one of its games has ended. The task is done when the tournament
// has answered: if it refuses, the game was replaced or the tournament is deleted.
func (e *Effects) report(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var r match.Reported
	if err := json.Unmarshal(t.Body, &r); err != nil {
		return nil, err
	}
	body, err := json.Marshal(tournament.Order{Report: &tournament.Report{Room: t.Room, Report: r.Report}})
	if err != nil {
		return nil, err
	}
	_, err = e.Rooms.Order(ctx, r.Event, machine.Command{ID: "report-" + t.Room, Kind: tournament.KindReport, Body: body})
	if answered(err) {
		return nil, nil
	}
	return nil, err
}

// answered reports whether a room has decided about an order. It has not if it is only out of
// reach for now.
func answered(err error) bool {
	code, refused := refusal.Of(err)
	switch {
	case err == nil, errors.Is(err, room.ErrNoRoom):
		return true
	case !refused:
		return false
	}
	return strings.HasPrefix(string(code), "tournament-") || code == match.CodeBadCommand
}

// act carries out what a host does with games that are being played. A game that is over, or
// already as the host wants it, refuses or ignores that. It tells of games whose rooms are in
// quarantine.
func (e *Effects) act(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var a tournament.Acting
	var broken []string
	if err := json.Unmarshal(t.Body, &a); err != nil {
		return nil, err
	}
	for _, g := range a.Games {
		for _, seat := range g.Seats {
			o := match.Order{Act: a.Kind, Seat: seat, MS: a.Ms, Player: a.Person}
			switch err := e.arbiter(ctx, g.Room, a.By, fmt.Sprintf("%s-%s-%d", t.Room, t.ID, seat), o); {
			case errors.Is(err, room.ErrQuarantined):
				broken = append(broken, g.Room)
			case err != nil:
				return nil, err
			}
		}
		if a.Kind == match.ActReplace {
			e.Opened(g.Room)
		}
	}
	if broken == nil {
		return nil, nil
	}
	return json.Marshal(map[string]any{"broken": broken})
}

// arbiter sends an order to a game. It returns no error if the game refuses it, but the one of a
// room in quarantine.
func (e *Effects) arbiter(ctx context.Context, game, by, id string, o match.Order) error {
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = e.Rooms.Order(ctx, game, machine.Command{ID: id, Kind: match.KindArbiter, By: by, Body: body})
	if _, refused := refusal.Of(err); refused && !passing(err) {
		return nil
	}
	return err
}

// recall takes back a round in which nobody has moved. All games stand still before the first
// one is looked at, so that no player moves meanwhile.
func (e *Effects) recall(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var r tournament.Recall
	if err := json.Unmarshal(t.Body, &r); err != nil {
		return nil, err
	}
	order := func(act string, games []string) error {
		for _, game := range games {
			err := e.arbiter(ctx, game, r.By, act+"-"+rand.Text(), match.Order{Act: act})
			if err != nil && !errors.Is(err, room.ErrQuarantined) { // in such a room nobody moves
				return err
			}
		}
		return nil
	}
	if err := order(match.ActPause, r.Rooms); err != nil {
		return nil, err
	}
	for _, game := range r.Rooms {
		switch moved, err := e.hasMoved(ctx, game); {
		case errors.Is(err, room.ErrQuarantined):
		case err != nil:
			return nil, err
		case moved:
			running := slices.DeleteFunc(slices.Clone(r.Rooms), func(room string) bool { return slices.Contains(r.Paused, room) })
			return json.RawMessage(`{"moved":true}`), order(match.ActResume, running)
		}
	}
	return nil, order(match.ActEnd, r.Rooms)
}

// hasMoved reports whether a player has moved in a game, or ended it. A game that the last try
// has ended counts as one without a move.
func (e *Effects) hasMoved(ctx context.Context, game string) (bool, error) {
	view, err := e.Rooms.View(ctx, game, "")
	if err != nil {
		return false, err
	}
	p, err := match.ReadPublic(game, view.Snapshot)
	if err != nil {
		return false, err
	}
	return p.Touched(), nil
}

// passing reports whether a room refuses everything for now.
func passing(err error) bool {
	for _, code := range []refusal.Code{room.CodeUnavailable, room.CodeBusy, room.CodeMoved, room.CodeTooNew, room.CodeQuarantined} {
		if refusal.Is(err, code) {
			return true
		}
	}
	return false
}

// index puts a tournament into the list. With a deleted one go the names of its players.
func (e *Effects) index(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var l tournament.Listing
	if err := json.Unmarshal(t.Body, &l); err != nil {
		return nil, err
	}
	for _, player := range l.Forget {
		if err := e.People.Forget(ctx, player); err != nil {
			return nil, err
		}
	}
	for _, player := range l.Unname {
		if err := e.People.DropName(ctx, player); err != nil {
			return nil, err
		}
	}
	return nil, e.Tournaments.Put(ctx, t.Room, l)
}

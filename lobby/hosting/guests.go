package hosting

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Add enters a player without a device, whose results the host enters. It returns the player's
// ID.
func (h *Hosting) Add(ctx context.Context, id, host, name string) (player string, err error) {
	return h.AddOnce(ctx, id, host, name, rand.Text())
}

// AddOnce is Add for a request that may be repeated with the same key. The player is entered once:
// for a repetition, AddOnce returns an empty ID. A room remembers the last 32 keys of a host.
func (h *Hosting) AddOnce(ctx context.Context, id, host, name, key string) (player string, err error) {
	s, err := h.hosted(ctx, id, host)
	if err != nil {
		return "", err
	}
	if err := lobby.SlowDown(h.Limits.Entries.Wait(host)); err != nil {
		return "", err
	}
	if name, err = lobby.CleanName(name); err != nil {
		return "", err
	}
	player, err = h.newGuest(ctx, id, name, s)
	if err != nil {
		return "", err
	}
	a, err := h.orderOnce(ctx, id, host, tournament.KindJoin, key, tournament.Order{Player: player, Paper: true})
	if a.Repeat || undone(err) {
		return "", errors.Join(err, h.forget(ctx, player))
	}
	return player, err
}

// newGuest makes a guest for a player without a device.
func (h *Hosting) newGuest(ctx context.Context, id, name string, s *tournament.State) (player string, err error) {
	p, err := h.People.Guest(ctx)
	if err != nil {
		return "", err
	}
	if err := h.rename(ctx, id, p.ID, name, s); err != nil {
		return "", errors.Join(err, h.forget(ctx, p.ID))
	}
	return p.ID, nil
}

// forget deletes guests who were made for an order that has not been carried out.
func (h *Hosting) forget(ctx context.Context, players ...string) (err error) {
	for _, id := range players {
		err = errors.Join(err, h.People.Forget(context.WithoutCancel(ctx), id))
	}
	return err
}

// undone reports whether an order has not been carried out, and never will be. After any other
// error it may have been.
func undone(err error) bool {
	return refused(err) && !refusal.Is(err, room.CodeUnavailable) && !refusal.Is(err, room.CodeMoved)
}

func refused(err error) bool {
	_, yes := refusal.Of(err)
	return yes
}

// Rename gives a guest in the tournament another name, for example in place of an insult.
func (h *Hosting) Rename(ctx context.Context, id, host, player, name string) error {
	s, err := h.hosted(ctx, id, host)
	if err != nil {
		return err
	}
	if err := lobby.SlowDown(h.Limits.Entries.Wait(host)); err != nil {
		return err
	}
	if s.Player(player) == nil {
		return refusal.New(tournament.CodeNotEntered)
	}
	p, err := h.People.Player(ctx, player)
	switch {
	case err != nil:
		return err
	case !p.Guest():
		return refusal.New(lobby.CodeHasAccount)
	}
	return h.rename(ctx, id, player, name, s)
}

// rename gives a guest a name. Where players are shown by their initials, the guest's name is the
// initials, so that games, chat and profiles show no more, and the whole name is for the hosts.
func (h *Hosting) rename(ctx context.Context, id, player, name string, s *tournament.State) error {
	name, err := lobby.CleanName(name)
	if err != nil {
		return err
	}
	shown := name
	if s.Settings.Initials {
		shown = initials(name)
	}
	if err := h.nameGuest(ctx, player, shown, s); err != nil || !s.Settings.Initials {
		return err
	}
	return h.Index.setName(ctx, id, player, name)
}

// mostSuffix is the highest number that a guest's name gets.
const mostSuffix = 99

// nameGuest gives a guest a name. If an account has the name, the guest gets it with a number, such as
// "Ada 2", that nobody in the tournament has. Otherwise accounts would keep pupils out by their first names.
func (h *Hosting) nameGuest(ctx context.Context, player, name string, s *tournament.State) error {
	_, err := h.People.Rename(ctx, player, name)
	if !refusal.Is(err, lobby.CodeNameTaken) {
		return err
	}
	var ids []string
	for _, p := range s.Players {
		ids = append(ids, p.ID)
	}
	there, failed := h.People.Names(ctx, ids)
	if failed != nil {
		return failed
	}
	used := slices.Collect(maps.Values(there))
	for n := 2; refusal.Is(err, lobby.CodeNameTaken) && n <= mostSuffix; n++ {
		suffix := fmt.Sprintf(" %d", n)
		stem := []rune(name)
		stem = stem[:min(len(stem), lobby.MaxName-len(suffix))]
		if numbered := strings.TrimSpace(string(stem)) + suffix; !slices.Contains(used, numbered) {
			_, err = h.People.Rename(ctx, player, numbered)
		}
	}
	return err
}

package hosting

import (
	"context"
	"net/netip"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
)

// Become makes a host of a player who shows the key of the host link, or the recovery code.
func (h *Hosting) Become(ctx context.Context, id, player string, from netip.Addr, secret string) error {
	if err := lobby.SlowDown(h.Limits.Secrets.WaitAddress(from)); err != nil {
		return err
	}
	if len(secret) > maxSecret {
		return refusal.New(CodeNoHostKey)
	}
	switch ok, err := h.Index.proves(ctx, id, secret); {
	case err != nil:
		return err
	case !ok:
		return refusal.New(CodeNoHostKey)
	}
	return h.addHost(ctx, id, player)
}

// Recover makes a player a host of the tournament with a recovery code, and returns its ID.
func (h *Hosting) Recover(ctx context.Context, player string, from netip.Addr, code string) (id string, err error) {
	if err := lobby.SlowDown(h.Limits.Secrets.WaitAddress(from)); err != nil {
		return "", err
	}
	if len(code) > maxSecret {
		return "", refusal.New(CodeNoHostKey)
	}
	if id, err = h.Index.recovered(ctx, code); err != nil {
		return "", err
	}
	return id, h.addHost(ctx, id, player)
}

// addHost makes a player who has shown a secret a host.
func (h *Hosting) addHost(ctx context.Context, id, player string) error {
	err := h.order(ctx, id, player, tournament.KindHost, tournament.Order{Player: player})
	if err == nil {
		h.remember(ctx, id, player, true)
	}
	return err
}

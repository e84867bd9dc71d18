package account

import "context"

// EndAll ends all sessions of a player, and the pending hand-over to another device.
func (a *Accounts) EndAll(ctx context.Context, player string) error {
	return a.end(ctx, player, "", "")
}

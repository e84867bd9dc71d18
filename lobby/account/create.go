package account

import (
	"context"

	"mancala/lobby"
)

// Create makes an account of a guest, with a name and a password, and returns its
// recovery codes.
func (a *Accounts) Create(ctx context.Context, player, name, password string) ([]string, error) {
	if _, err := lobby.AccountName(name); err != nil {
		return nil, err
	}
	hash, err := a.hashNew(ctx, password, name)
	if err != nil {
		return nil, err
	}
	return a.create(ctx, player, name, func(tx lobby.Tx) error { return a.putPassword(tx, player, hash) })
}

// create makes an account. with stores its first credential in the same transaction. A
// pending hand-over of the guest ends: another device that was the same guest may have
// made it, and it would now sign in to the account.
func (a *Accounts) create(ctx context.Context, player, name string, with func(lobby.Tx) error) ([]string, error) {
	codes := newCodes()
	_, err := a.people.Upgrade(ctx, player, name, func(tx lobby.Tx) error {
		if err := with(tx); err != nil {
			return err
		}
		if err := putCodes(tx, player, codes); err != nil {
			return err
		}
		if err := endHandover(tx, player); err != nil {
			return err
		}
		return a.tellEnded(tx, player) // other instances must drop what they cached about the guest
	})
	if err != nil {
		return nil, err
	}
	a.ended([]string{player})
	return codes, nil
}

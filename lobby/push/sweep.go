package push

import (
	"context"

	"mancala/lobby"
)

// sweptAtOnce is how many devices one statement or transaction of a sweep handles.
const sweptAtOnce = 100

// orphaned is the condition of a device whose player was deleted, or whose session or token
// does not exist, or that a guest has added who has an account now. [Push.Ended] deletes
// them at once where an instance learns of the end. This is not so if a session ends because it
// was not used for long, if it ends while the device is added, if the database was away, or
// if an instance of a release without push messages deletes the player.
const orphaned = `(NOT EXISTS (SELECT 1 FROM players WHERE players.id = push_subscriptions.player
		AND (players.account = 0 OR push_subscriptions.session <> ''))
	OR push_subscriptions.session <> ''
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = push_subscriptions.session)
		AND NOT EXISTS (SELECT 1 FROM api_tokens WHERE api_tokens.id = push_subscriptions.session))`

// Sweep deletes turns that are long over, and devices that no session or player has any more.
// Call it once an hour. It reads the tables of package account.
func (p *Push) Sweep(ctx context.Context) error {
	_, err := lobby.Trim(ctx, p.db, lobby.DeleteSome("push_turns", "room", "expires < $1 ORDER BY expires"), p.opt.Now().UnixMilli())
	if err != nil {
		return wrap(err, "sweep turns")
	}
	return wrap(p.sweepDevices(ctx), "sweep devices")
}

// sweepDevices reads the devices outside a transaction, since rooms wait for transactions. It
// checks each one again in the transaction that deletes it.
func (p *Push) sweepDevices(ctx context.Context) error {
	for after := ""; ; {
		list, err := p.orphans(ctx, after)
		if err != nil || len(list) == 0 {
			return err
		}
		err = p.db.Write(ctx, func(tx lobby.Tx) error {
			for _, device := range list {
				if _, err := tx.Exec("DELETE FROM push_subscriptions WHERE device = $1 AND "+orphaned, device); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		after = list[len(list)-1]
	}
}

// orphans returns the IDs of orphaned devices after this one, in order.
func (p *Push) orphans(ctx context.Context, after string) ([]string, error) {
	return lobby.Column(ctx, p.db,
		"SELECT device FROM push_subscriptions WHERE device > $1 AND "+orphaned+" ORDER BY device LIMIT $2", after, sweptAtOnce)
}

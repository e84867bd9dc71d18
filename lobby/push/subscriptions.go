package push

import (
	"context"
	"crypto/ecdh"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// CodeSubscription refuses a subscription that no browser has made.
const CodeSubscription refusal.Code = "bad-subscription"

const (
	maxDevices  = 8                  // of one player; a new one replaces the oldest
	secretSize  = 16                 // bytes of the secret that a browser shares with us
	maxFailures = 5                  // in a row, over failingFor: the subscription is deleted
	failingFor  = 3 * 24 * time.Hour // so that an outage of a push service ends no subscription
)

// Subscription is where and how a browser can be told, as its PushManager says.
type Subscription struct {
	Endpoint string `json:"endpoint"`
	Keys     Keys   `json:"keys"`
}

// Keys are the browser's public key and secret, base64 for URLs.
type Keys struct {
	P256dh string `json:"p256dh"`
	Auth   string `json:"auth"`
}

// Check refuses with [CodeSubscription] what cannot be a subscription. It writes the keys in
// one form.
func (s *Subscription) Check() error {
	dh, err1 := base64.RawURLEncoding.Strict().DecodeString(strings.TrimRight(s.Keys.P256dh, "="))
	auth, err2 := base64.RawURLEncoding.Strict().DecodeString(strings.TrimRight(s.Keys.Auth, "="))
	if err := errors.Join(err1, err2, checkEndpoint(s.Endpoint)); err != nil || len(auth) != secretSize {
		return refusal.New(CodeSubscription)
	}
	if _, err := ecdh.P256().NewPublicKey(dh); err != nil { // also refuses points that are not on the curve
		return refusal.New(CodeSubscription)
	}
	s.Keys = Keys{encode(dh), encode(auth)}
	return nil
}

// DeviceOf returns the ID of the device with this endpoint. It does not tell the endpoint:
// anyone who knows the endpoint could call it.
func DeviceOf(endpoint string) string {
	sum := sha256.Sum256([]byte(endpoint))
	return encode(sum[:16])
}

// ValidDevice reports whether id has the form of a device's ID.
func ValidDevice(id string) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(id)
	return err == nil && len(b) == 16
}

// Subscribe stores a device of a player. session is the ID of the session or token with which
// it is made, or empty for a guest. When that ends, so does the subscription. A device that
// was another player's is now this player's. It refuses with [CodeSubscription] and [lobby.CodeNoPlayer].
func (p *Push) Subscribe(ctx context.Context, player, session, lang string, s Subscription) error {
	if err := s.Check(); err != nil {
		return err
	}
	device := DeviceOf(s.Endpoint)
	err := p.db.Write(ctx, func(tx lobby.Tx) error {
		id, n := "", 0
		if err := tx.Scan("SELECT id FROM players WHERE id = $1", []any{player}, &id); err != nil {
			return err
		}
		if err := tx.Scan("SELECT COUNT(*) FROM push_subscriptions WHERE player = $1 AND device <> $2", []any{player, device}, &n); err != nil {
			return err
		}
		if n >= maxDevices {
			if _, err := tx.Exec(`DELETE FROM push_subscriptions WHERE device IN
				(SELECT device FROM push_subscriptions WHERE player = $1 AND device <> $2 ORDER BY made, device LIMIT $3)`, player, device, n-maxDevices+1); err != nil {
				return err
			}
		}
		_, err := tx.Exec(`INSERT INTO push_subscriptions (device, player, session, endpoint, p256dh, auth, lang, made, failures, failing)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0)
			ON CONFLICT (device) DO UPDATE SET player = excluded.player, session = excluded.session, p256dh = excluded.p256dh, auth = excluded.auth,
				lang = excluded.lang, made = excluded.made, failures = 0, failing = 0`,
			device, player, session, s.Endpoint, s.Keys.P256dh, s.Keys.Auth, lang, p.opt.Now().UnixMilli())
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return refusal.New(lobby.CodeNoPlayer)
	}
	return wrap(err, "keep a device")
}

// Unsubscribe deletes a device of a player. It ignores an ID of another player's device, or
// of none.
func (p *Push) Unsubscribe(ctx context.Context, player, device string) error {
	return wrap(p.exec(ctx, "DELETE FROM push_subscriptions WHERE device = $1 AND player = $2", device, player), "delete a device")
}

// Devices returns the IDs of a player's devices, the oldest first.
func (p *Push) Devices(ctx context.Context, player string) ([]string, error) {
	list, err := p.of(ctx, player)
	ids := make([]string, len(list))
	for i, d := range list {
		ids[i] = d.id
	}
	return ids, err
}

// Ended deletes the devices of sessions and tokens that have ended, and those that a player
// made before they got an account: other browsers may have been the same guest.
func (p *Push) Ended(ctx context.Context, ids []string) error {
	return wrap(p.db.Write(ctx, func(tx lobby.Tx) error {
		for _, id := range ids {
			if _, err := tx.Exec("DELETE FROM push_subscriptions WHERE session = $1 AND session <> ''", id); err != nil {
				return err
			}
			if _, err := tx.Exec("DELETE FROM push_subscriptions WHERE player = $1 AND session = ''", id); err != nil {
				return err
			}
		}
		return nil
	}), "delete devices of ended sessions")
}

// device is a stored subscription.
type device struct {
	Subscription
	id, lang string
}

func (p *Push) of(ctx context.Context, player string) (list []device, err error) {
	rows, err := p.db.Reader().QueryContext(ctx, "SELECT device, lang, endpoint, p256dh, auth FROM push_subscriptions WHERE player = $1 ORDER BY made, device", player)
	if err != nil {
		return nil, wrap(err, "read devices")
	}
	defer rows.Close()
	for rows.Next() {
		var d device
		if err := rows.Scan(&d.id, &d.lang, &d.Endpoint, &d.Keys.P256dh, &d.Keys.Auth); err != nil {
			return nil, wrap(err, "read devices")
		}
		list = append(list, d)
	}
	return list, wrap(rows.Err(), "read devices")
}

// learn stores what came of a message to a device. The device is deleted if it has ended, or
// if too many messages in a row have failed.
func (p *Push) learn(ctx context.Context, d device, o Outcome) error {
	now := p.opt.Now()
	return wrap(p.db.Write(ctx, func(tx lobby.Tx) (err error) {
		switch o {
		case Sent:
			_, err = tx.Exec("UPDATE push_subscriptions SET failures = 0, failing = 0 WHERE device = $1 AND failures > 0", d.id)
		case Gone: // only this subscription: the device may have made another one meanwhile
			_, err = tx.Exec("DELETE FROM push_subscriptions WHERE device = $1 AND p256dh = $2", d.id, d.Keys.P256dh)
		case Failed:
			if _, err = tx.Exec(`UPDATE push_subscriptions SET failures = failures + 1, failing = CASE WHEN failing = 0 THEN $2 ELSE failing END
				WHERE device = $1`, d.id, now.UnixMilli()); err == nil {
				_, err = tx.Exec("DELETE FROM push_subscriptions WHERE device = $1 AND failures >= $2 AND failing <= $3", d.id, maxFailures, now.Add(-failingFor).UnixMilli())
			}
		}
		return err
	}), "note what came of a message")
}

func (p *Push) exec(ctx context.Context, query string, args ...any) error {
	return p.db.Write(ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
}

// wrap adds what was done. It returns a refusal unchanged, and nil for nil.
func wrap(err error, what string) error {
	if _, refused := refusal.Of(err); err == nil || refused {
		return err
	}
	return fmt.Errorf("push: %s: %w", what, err)
}

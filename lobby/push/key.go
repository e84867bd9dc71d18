package push

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"mancala/lobby"
)

// key is the pair of keys with which all instances sign messages (VAPID, RFC 8292).
// Browsers bind their subscriptions to the public key, so it never changes.
type key struct {
	secret, public string // as the library and browsers take them: base64 for URLs, without padding
}

// openKey reads the key. The first instance that asks makes it: of several at once, all get
// the one that is in the database first.
func (p *Push) openKey(ctx context.Context) error {
	made, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("push: make a key: %w", err)
	}
	var stored string
	err = p.db.Write(ctx, func(tx lobby.Tx) error {
		if _, err := tx.Exec("INSERT INTO push_keys (id, secret, created) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING",
			hex.EncodeToString(made.Bytes()), p.opt.Now().UnixMilli()); err != nil {
			return err
		}
		return tx.Scan("SELECT secret FROM push_keys WHERE id = 1", nil, &stored)
	})
	if err != nil {
		return fmt.Errorf("push: read the key: %w", err)
	}
	raw, err := hex.DecodeString(stored)
	if err == nil {
		made, err = ecdh.P256().NewPrivateKey(raw)
	}
	if err != nil {
		return fmt.Errorf("push: the key in the database is damaged") // the cause might quote it
	}
	p.key = key{encode(made.Bytes()), encode(made.PublicKey().Bytes())}
	return nil
}

// PublicKey returns the key that browsers need to subscribe.
func (p *Push) PublicKey() string { return p.key.public }

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

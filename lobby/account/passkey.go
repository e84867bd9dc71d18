package account

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"mancala/lobby"
	"mancala/match/refusal"
)

// Passkey is one of the keys that an account is entered by. It works at one
// [Site] only.
type Passkey struct {
	ID      string
	Name    string // given by its owner; first what it was made with
	Created time.Time
	Used    time.Time
}

// Site is where passkeys are made and used: its name is the host without a port,
// its origin is what browsers call it, "https://play.example".
type Site struct{ Name, Origin string }

const (
	maxPasskeys    = 20 // of one account
	maxPasskeyName = 40 // characters
)

// HasPasskeys says whether browsers have passkeys for this site: not for bare
// addresses.
func (s Site) HasPasskeys() bool { return protocol.ValidateRPID(s.Name) == nil }

func (s Site) relyingParty() (*webauthn.WebAuthn, error) {
	return webauthn.New(&webauthn.Config{
		RPID: s.Name, RPDisplayName: "Mancala", RPOrigins: []string{s.Origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationPreferred,
		},
	})
}

// keyHolder is a player as the library knows him.
type keyHolder struct {
	player, name string
	keys         []webauthn.Credential
}

func (h keyHolder) WebAuthnID() []byte                         { return []byte(h.player) }
func (h keyHolder) WebAuthnName() string                       { return h.name }
func (h keyHolder) WebAuthnDisplayName() string                { return h.name }
func (h keyHolder) WebAuthnCredentials() []webauthn.Credential { return h.keys }

// BeginPasskey begins to make a passkey for a player, of this name already or
// soon. It gives what the browser is to be asked, as JSON, and the ceremony's ID,
// which only this browser may know.
func (a *Accounts) BeginPasskey(ctx context.Context, at Site, player, name string) (options []byte, id string, err error) {
	rp, err := at.relyingParty()
	if err != nil {
		return nil, "", refusal.New(CodePasskey)
	}
	h := keyHolder{player: player, name: name}
	if h.keys, err = a.keys(ctx, player, at); err != nil {
		return nil, "", err
	}
	if len(h.keys) >= maxPasskeys {
		return nil, "", refusal.New(CodePasskeyMany)
	}
	exclude := make([]protocol.CredentialDescriptor, len(h.keys))
	for i, key := range h.keys {
		exclude[i] = key.Descriptor()
	}
	creation, session, err := rp.BeginRegistration(h, webauthn.WithExclusions(exclude))
	if err != nil {
		return nil, "", wrap(err, "begin a passkey")
	}
	return a.putCeremony(ctx, creation.Response, ceremony{player, at, *session})
}

// BeginSignIn begins to sign in somebody of whom nothing is known yet.
func (a *Accounts) BeginSignIn(ctx context.Context, at Site) (options []byte, id string, err error) {
	rp, err := at.relyingParty()
	if err != nil {
		return nil, "", refusal.New(CodePasskey)
	}
	assertion, session, err := rp.BeginDiscoverableLogin()
	if err != nil {
		return nil, "", wrap(err, "begin to sign in by passkey")
	}
	return a.putCeremony(ctx, assertion.Response, ceremony{"", at, *session})
}

// CreateWithPasskey makes a guest's account, as [Accounts.Create] does, with the
// passkey that his browser has made.
func (a *Accounts) CreateWithPasskey(ctx context.Context, at Site, player, name, id, response, device string) ([]string, error) {
	key, err := a.made(ctx, at, player, id, response)
	if err != nil {
		return nil, err
	}
	return a.create(ctx, player, name, func(tx lobby.Tx) error { return a.putKey(tx, player, device, at, key) })
}

// AddPasskey gives an account another passkey, made by the browser.
func (a *Accounts) AddPasskey(ctx context.Context, at Site, player, id, response, device string) error {
	key, err := a.made(ctx, at, player, id, response)
	if err != nil {
		return err
	}
	return wrap(a.db.Write(ctx, func(tx lobby.Tx) error { return a.putKey(tx, player, device, at, key) }), "add a passkey")
}

// made checks a passkey that a browser has made in a ceremony of this player.
func (a *Accounts) made(ctx context.Context, at Site, player, id, response string) (*webauthn.Credential, error) {
	c, err := a.takeCeremony(ctx, id)
	if err != nil {
		return nil, err
	}
	rp, err := at.relyingParty()
	parsed, err2 := protocol.ParseCredentialCreationResponseBytes([]byte(response))
	if err != nil || err2 != nil || c.Player != player || player == "" || c.At != at {
		return nil, refusal.New(CodePasskey)
	}
	key, err := rp.CreateCredential(keyHolder{player: player}, c.Session, parsed)
	if err != nil {
		return nil, refusal.New(CodePasskey)
	}
	key.Attestation = webauthn.CredentialAttestation{} // none was asked for
	return key, nil
}

// ByPasskey is whose passkey has answered, or it refuses with [CodeSignIn].
func (a *Accounts) ByPasskey(ctx context.Context, at Site, id, response string) (player string, err error) {
	c, err := a.takeCeremony(ctx, id)
	if _, refused := refusal.Of(err); refused {
		return "", refusal.New(CodeSignIn)
	} else if err != nil {
		return "", err
	}
	rp, err := at.relyingParty()
	parsed, err2 := protocol.ParseCredentialRequestResponseBytes([]byte(response))
	if err != nil || err2 != nil || c.Player != "" || c.At != at {
		return "", refusal.New(CodeSignIn)
	}
	var failed error
	user, key, err := rp.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		h := keyHolder{player: string(handle)}
		h.keys, failed = a.keys(ctx, h.player, at)
		return h, failed
	}, c.Session, parsed)
	if failed != nil {
		return "", failed
	}
	if err != nil || key.Authenticator.CloneWarning { // somebody has a copy of the key
		return "", refusal.New(CodeSignIn)
	}
	player = string(user.WebAuthnID())
	text, err := json.Marshal(key)
	if err != nil {
		return "", wrap(err, "keep a passkey")
	}
	var n int64
	err = a.db.Write(ctx, func(tx lobby.Tx) (err error) {
		n, err = tx.Exec("UPDATE passkeys SET credential = $3, used = $4 WHERE id = $1 AND player = $2", keyID(key.ID), player, string(text), a.opt.Now().UnixMilli())
		return err
	})
	if err == nil && n == 0 { // removed in this moment
		err = refusal.New(CodeSignIn)
	}
	return player, wrap(err, "sign in by passkey")
}

func keyID(id []byte) string { return base64.RawURLEncoding.EncodeToString(id) }

func (a *Accounts) putKey(tx lobby.Tx, player, device string, at Site, key *webauthn.Credential) error {
	text, err := json.Marshal(key)
	if err != nil {
		return err
	}
	n := 0
	if err := tx.Scan("SELECT COUNT(*) FROM passkeys WHERE player = $1", []any{player}, &n); err != nil {
		return err
	}
	if n >= maxPasskeys {
		return refusal.New(CodePasskeyMany)
	}
	put, err := tx.Exec(`INSERT INTO passkeys (id, player, site, name, credential, created, used) VALUES ($1, $2, $3, $4, $5, $6, $6)
		ON CONFLICT (id) DO NOTHING`, keyID(key.ID), player, at.Name, device, string(text), a.opt.Now().UnixMilli())
	if err == nil && put == 0 { // no authenticator makes an ID twice
		err = refusal.New(CodePasskey)
	}
	return err
}

// keys are a player's passkeys for a site, as the library has them.
func (a *Accounts) keys(ctx context.Context, player string, at Site) (keys []webauthn.Credential, err error) {
	rows, err := a.db.Reader().QueryContext(ctx, "SELECT credential FROM passkeys WHERE player = $1 AND site = $2", player, at.Name)
	if err != nil {
		return nil, wrap(err, "read passkeys")
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		var key webauthn.Credential
		if err := errors.Join(rows.Scan(&text), json.Unmarshal([]byte(text), &key)); err != nil {
			return nil, wrap(err, "read passkeys")
		}
		keys = append(keys, key)
	}
	return keys, wrap(rows.Err(), "read passkeys")
}

// Passkeys lists a player's passkeys, the oldest first.
func (a *Accounts) Passkeys(ctx context.Context, player string) (list []Passkey, err error) {
	rows, err := a.db.Reader().QueryContext(ctx, "SELECT id, name, created, used FROM passkeys WHERE player = $1 ORDER BY created, id", player)
	if err != nil {
		return nil, wrap(err, "list passkeys")
	}
	defer rows.Close()
	for rows.Next() {
		var k Passkey
		var created, used int64
		if err := rows.Scan(&k.ID, &k.Name, &created, &used); err != nil {
			return nil, wrap(err, "list passkeys")
		}
		k.Created, k.Used = time.UnixMilli(created), time.UnixMilli(used)
		list = append(list, k)
	}
	return list, wrap(rows.Err(), "list passkeys")
}

// NamePasskey gives one of a player's passkeys another name.
func (a *Accounts) NamePasskey(ctx context.Context, player, id, name string) error {
	name, err := lobby.CleanText(name)
	if err == nil && utf8.RuneCountInString(name) > maxPasskeyName {
		err = refusal.New(lobby.CodeNameLong)
	}
	if err != nil {
		return err
	}
	return wrap(a.db.Write(ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec("UPDATE passkeys SET name = $3 WHERE id = $1 AND player = $2", id, player, name)
		return err
	}), "name a passkey")
}

// RemovePasskey removes one of a player's passkeys. The last one of an account
// without a password stays: codes are no way to come in every day.
func (a *Accounts) RemovePasskey(ctx context.Context, player, id string) error {
	return wrap(a.db.Write(ctx, func(tx lobby.Tx) error {
		ways := 0
		err := tx.Scan(`SELECT (SELECT COUNT(*) FROM passkeys WHERE player = $1 AND id <> $2) + (SELECT COUNT(*) FROM passwords WHERE player = $1)`, []any{player, id}, &ways)
		if err == nil && ways == 0 {
			err = refusal.New(CodeLastWay)
		}
		if err == nil {
			_, err = tx.Exec("DELETE FROM passkeys WHERE id = $1 AND player = $2", id, player)
		}
		return err
	}), "remove a passkey")
}

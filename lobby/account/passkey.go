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

// Passkey is a key with which the owner signs in to an account. It works at one [Site]
// only.
type Passkey struct {
	ID      string
	Name    string // given by its owner; at first the device on which it was made
	Created time.Time
	Used    time.Time
}

// Site is where passkeys are made and used. Name is the host without a port. Origin is
// the origin that browsers send, such as "https://play.example".
type Site struct{ Name, Origin string }

const (
	maxPasskeys    = 20 // of one account
	maxPasskeyName = 40 // characters
)

// HasPasskeys reports whether browsers support passkeys for this site. They do not for
// IP addresses.
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

// keyHolder is a player in the form that the library needs.
type keyHolder struct {
	player, name string
	keys         []webauthn.Credential
}

func (h keyHolder) WebAuthnID() []byte                         { return []byte(h.player) }
func (h keyHolder) WebAuthnName() string                       { return h.name }
func (h keyHolder) WebAuthnDisplayName() string                { return h.name }
func (h keyHolder) WebAuthnCredentials() []webauthn.Credential { return h.keys }

// BeginPasskey starts to make a passkey for a player; name is the player's present or
// future name. It returns the options for the browser, as JSON, and the ceremony's ID,
// which only this browser may know.
func (a *Accounts) BeginPasskey(ctx context.Context, at Site, place, player, name string) (options []byte, id string, err error) {
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
	return a.putCeremony(ctx, place, creation.Response, ceremony{player, at, *session})
}

// BeginSignIn starts a sign-in by passkey. The player is not known yet. place is where the
// browser is, as address.Place names it.
func (a *Accounts) BeginSignIn(ctx context.Context, at Site, place string) (options []byte, id string, err error) {
	rp, err := at.relyingParty()
	if err != nil {
		return nil, "", refusal.New(CodePasskey)
	}
	assertion, session, err := rp.BeginDiscoverableLogin()
	if err != nil {
		return nil, "", wrap(err, "begin to sign in by passkey")
	}
	return a.putCeremony(ctx, place, assertion.Response, ceremony{"", at, *session})
}

// CreateWithPasskey makes an account of a guest, as [Accounts.Create] does, with the
// passkey that the guest's browser has made.
func (a *Accounts) CreateWithPasskey(ctx context.Context, at Site, player, name, id, response, device string) ([]string, error) {
	key, err := a.made(ctx, at, player, id, response)
	if err != nil {
		return nil, err
	}
	return a.create(ctx, player, name, func(tx lobby.Tx) error { return a.putKey(tx, player, device, at, key) })
}

// AddPasskey adds a passkey that the browser has made to an account.
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
	key.Attestation = webauthn.CredentialAttestation{} // the request asked for none
	return key, nil
}

// ByPasskey returns the player whose passkey has answered. It refuses with [CodeSignIn]
// if the answer is not valid.
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
	if err != nil || key.Authenticator.CloneWarning { // a copy of the key exists
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
	if err == nil && n == 0 { // the passkey was removed meanwhile
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
	if err == nil && put == 0 { // the ID exists already; authenticators never repeat one
		err = refusal.New(CodePasskey)
	}
	return err
}

// keys returns a player's passkeys for a site, in the library's form.
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

// RemovePasskey removes one of a player's passkeys. It refuses with [CodeLastWay] to
// remove the last passkey of an account without a password: recovery codes are not meant
// for everyday use.
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

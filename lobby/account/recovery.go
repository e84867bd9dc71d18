package account

import (
	"context"
	"crypto/rand"
	"math/big"
	"strings"

	"mancala/lobby"
	"mancala/match/refusal"
)

const (
	recoveryCodes    = 8
	recoveryAlphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789" // without 0, O, 1, I, L
	recoveryLen      = 16                                // 79 bits: too many to try all, with or without the hash
	recoveryPart     = 4                                 // characters between two dashes
)

// newCodes makes a set of recovery codes in the form in which people write them down:
// "ABCD-EFGH-JKMN-PQRS".
func newCodes() []string {
	codes := make([]string, recoveryCodes)
	for i := range codes {
		var b strings.Builder
		for k := range recoveryLen {
			if k > 0 && k%recoveryPart == 0 {
				b.WriteByte('-')
			}
			n, err := rand.Int(rand.Reader, big.NewInt(int64(len(recoveryAlphabet))))
			if err != nil {
				panic(err) // cannot happen: the program ends when the system's source of randomness fails
			}
			b.WriteByte(recoveryAlphabet[n.Int64()])
		}
		codes[i] = b.String()
	}
	return codes
}

// hashedCode returns the stored form of a code. Case, spaces and dashes in the typed
// code do not matter.
func hashedCode(typed string) string {
	if len(typed) > 8*recoveryLen {
		typed = ""
	}
	return hashed("recovery code", strings.ToUpper(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -\t\u00a0\u2010\u2011\u2012\u2013\u2014", r) {
			return -1
		}
		return r
	}, typed)))
}

// putCodes replaces all recovery codes of a player by these.
func putCodes(tx lobby.Tx, player string, codes []string) error {
	if _, err := tx.Exec("DELETE FROM recovery_codes WHERE player = $1", player); err != nil {
		return err
	}
	for _, code := range codes {
		if _, err := tx.Exec("INSERT INTO recovery_codes (player, hash) VALUES ($1, $2)", player, hashedCode(code)); err != nil {
			return err
		}
	}
	return nil
}

// RenewCodes gives an account new recovery codes. The old ones are no longer valid.
func (a *Accounts) RenewCodes(ctx context.Context, player string) ([]string, error) {
	codes := newCodes()
	err := a.db.Write(ctx, func(tx lobby.Tx) error { return putCodes(tx, player, codes) })
	return codes, wrap(err, "renew recovery codes")
}

// CodesLeft returns how many recovery codes of an account are unused.
func (a *Accounts) CodesLeft(ctx context.Context, player string) (n int, err error) {
	err = a.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM recovery_codes WHERE player = $1", player).Scan(&n)
	return n, wrap(err, "count recovery codes")
}

// ByCode returns the player with this name and recovery code, and uses the code up. It
// refuses with [CodeSignIn] if there is none.
func (a *Accounts) ByCode(ctx context.Context, name, code string) (player string, err error) {
	player, err = a.named(ctx, name)
	if err != nil {
		return "", err
	}
	var used int64
	err = a.db.Write(ctx, func(tx lobby.Tx) (err error) {
		used, err = tx.Exec("DELETE FROM recovery_codes WHERE player = $1 AND hash = $2", player, hashedCode(code))
		return err
	})
	if err == nil && used == 0 {
		err = refusal.New(CodeSignIn)
	}
	return player, wrap(err, "use a recovery code")
}

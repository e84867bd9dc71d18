package lobby

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"mancala/match/refusal"
)

// A handle is the key of a name: names that a reader would confuse have the same handle.
// An account's handle is unique. Guests' names are not unique, but a guest cannot take
// the name of an account.

// NameKey returns a name's handle. It drops case, spaces, punctuation and Unicode
// variants of the same character. It replaces Greek and Cyrillic letters by the Latin
// letters that they look like.
func NameKey(name string) string {
	name = norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
	return alike.Replace(plain(name))
}

// alike maps lower-case characters to the characters that they look like.
var alike = strings.NewReplacer(
	"а", "a", "в", "b", "с", "c", "ԁ", "d", "е", "e", "ё", "ë", "һ", "h", "і", "i", "ї", "ï", "ј", "j", "к", "k", "м", "m",
	"о", "o", "р", "p", "ѕ", "s", "т", "t", "ԛ", "q", "ԝ", "w", "х", "x", "у", "y",
	"α", "a", "β", "b", "ε", "e", "η", "n", "ι", "i", "κ", "k", "ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "u", "χ", "x", "ω", "w",
	"ı", "i", "ɑ", "a", "ɡ", "g", "0", "o", "1", "l",
)

// reservedHandles returns the handles of reserved names and of the words that the paths
// of pages begin with. No account can have the name of a page.
var reservedHandles = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, page := range strings.Fields(`account analysis api bot class embed find guest help home join leave learn login new oembed
		offline play player rules seek settings signin signup signout static top tournament watch you`) {
		all[page] = true
	}
	maps.Copy(all, reserved())
	return all
})

// AccountName returns the name of an account for the text that a player typed, or
// refuses it. It does not check whether the name is free.
func AccountName(s string) (string, error) {
	name, err := CleanName(s)
	if err != nil {
		return "", err
	}
	h := NameKey(name)
	if reservedHandles()[h] {
		return "", refusal.New(CodeNameReserved)
	}
	if strings.IndexFunc(h, unicode.IsLetter) < 0 {
		return "", refusal.New(CodeNameEmpty)
	}
	return name, nil
}

// Named returns the player whose account has this name, in any spelling with the same
// handle. It refuses with [CodeNoPlayer] if there is none.
func (p *People) Named(ctx context.Context, name string) (Player, error) {
	if len(name) > maxBytes*MaxName {
		return Player{}, refusal.New(CodeNoPlayer)
	}
	var id string
	err := p.db.Reader().QueryRowContext(ctx, "SELECT player FROM handles WHERE handle = $1", NameKey(name)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return Player{}, refusal.New(CodeNoPlayer)
	}
	if err != nil {
		return Player{}, wrap(err, "find a player by name")
	}
	return p.Player(ctx, id)
}

// Upgrade gives a guest an account under a name. The player's ID and data stay the same.
// with runs in the same transaction and stores the account's credentials. Upgrade
// refuses with [CodeNameTaken], [CodeHasAccount], [CodeNoPlayer] and the codes of names.
// It returns the name as stored.
func (p *People) Upgrade(ctx context.Context, id, name string, with func(Tx) error) (string, error) {
	name, err := AccountName(name)
	if err != nil {
		return "", err
	}
	now := p.opt.now().UnixMilli()
	err = p.db.Write(ctx, func(tx Tx) error {
		var since int64
		if err := tx.Scan("SELECT account FROM players WHERE id = $1", []any{id}, &since); errors.Is(err, sql.ErrNoRows) {
			return refusal.New(CodeNoPlayer)
		} else if err != nil {
			return err
		}
		if since != 0 {
			return refusal.New(CodeHasAccount)
		}
		if err := p.takeHandle(tx, id, name); err != nil {
			return err
		}
		n, err := tx.Exec("UPDATE players SET name = $2, account = $3, seen = $3 WHERE id = $1 AND account = 0", id, name, now)
		if err == nil && n == 0 { // another request made the account first
			err = refusal.New(CodeHasAccount)
		}
		if err != nil {
			return err
		}
		return with(tx)
	})
	p.renamedNow(id)
	if err != nil {
		return "", wrap(err, "upgrade player %s", id)
	}
	p.tellRenamed(id)
	return name, nil
}

// takeHandle gives a name to an account. The account's old name stays closed to other
// players for [NameKept].
func (p *People) takeHandle(tx Tx, id, name string) error {
	had := 0
	if err := tx.Scan("SELECT COUNT(*) FROM handles WHERE player = $1 AND handle = $2", []any{id, NameKey(name)}, &had); err != nil || had > 0 {
		return err // the same handle: only the spelling changes
	}
	if err := p.freeHandle(tx, id, name); err != nil {
		return err
	}
	if err := p.keepHandles(tx, id, id); err != nil {
		return err
	}
	if _, err := tx.Exec("DELETE FROM former_handles WHERE handle = $1", NameKey(name)); err != nil {
		return err
	}
	n, err := tx.Exec("INSERT INTO handles (handle, player) VALUES ($1, $2) ON CONFLICT (handle) DO NOTHING", NameKey(name), id)
	if err == nil && n == 0 {
		err = refusal.New(CodeNameTaken)
	}
	return err
}

// IsGuest reports whether a player has no account. It refuses with [CodeNoPlayer] a
// player that does not exist. Its answer is cached, since every visit asks for it: it
// may lag [guestFresh] behind an upgrade on another instance.
func (p *People) IsGuest(ctx context.Context, id string) (bool, error) {
	now := p.opt.now()
	p.mu.Lock()
	c, ok := p.guests.get(id)
	renamed := p.renamed
	p.mu.Unlock()
	if ok && now.Sub(c.read) < guestFresh {
		return c.guest, nil
	}
	pl, err := p.Player(ctx, id)
	if err != nil {
		return false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if renamed == p.renamed {
		p.guests.put(id, cachedGuest{pl.Guest(), now})
	}
	return pl.Guest(), nil
}

type cachedGuest struct {
	guest bool
	read  time.Time
}

const guestFresh = 5 * time.Second

// renamedNow drops the cached name of a player. It must also be called after an error,
// since the write may have succeeded.
func (p *People) renamedNow(id string) {
	p.mu.Lock()
	p.names.drop(id)
	p.guests.drop(id)
	p.renamed++
	p.mu.Unlock()
}

// Changed drops everything cached about a player. Call it when another instance has
// changed the player.
func (p *People) Changed(id string) {
	p.renamedNow(id)
	p.mu.Lock()
	p.seen.drop(id)
	p.mu.Unlock()
}

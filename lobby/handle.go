package lobby

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"mancala/match/refusal"
)

// A handle is what two names have in common that people would take for one: the
// name of an account is unique by it. Guests' names are not unique, but no guest
// may take that of an account.

// NameKey is a name's handle: without case, spaces, punctuation and the variants
// that Unicode has of one character, and with Latin letters in place of Greek
// and Cyrillic ones that look like them.
func NameKey(name string) string {
	name = norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
	return alike.Replace(plain(name))
}

// alike are the characters, in lower case, that look like others.
var alike = strings.NewReplacer(
	"а", "a", "в", "b", "с", "c", "ԁ", "d", "е", "e", "ё", "ë", "һ", "h", "і", "i", "ї", "ï", "ј", "j", "к", "k", "м", "m",
	"о", "o", "р", "p", "ѕ", "s", "т", "t", "ԛ", "q", "ԝ", "w", "х", "x", "у", "y",
	"α", "a", "β", "b", "ε", "e", "η", "n", "ι", "i", "κ", "k", "ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "u", "χ", "x", "ω", "w",
	"ı", "i", "ɑ", "a", "ɡ", "g", "0", "o", "1", "l",
)

// reservedHandles are those of reserved names, and of the words that pages begin
// with: nobody with an account is called like a place.
var reservedHandles = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, page := range strings.Fields(`account analysis api bot class embed find guest help home join leave learn login new oembed
		offline play player rules seek settings signin signup signout static top tournament watch you`) {
		all[page] = true
	}
	for name := range reserved {
		all[NameKey(name)] = true
	}
	return all
})

// AccountName makes the name of an account of what somebody typed, or refuses it.
// Whether it is free is another question.
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

// Named finds who has an account by his name, however it is written, or refuses
// with [CodeNoPlayer].
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

// Upgrade gives a guest an account under a name, in place: whatever he has stays
// his. In the same transaction with keeps what the account is entered by. It
// refuses with [CodeNameTaken], [CodeHasAccount], [CodeNoPlayer] and the codes of
// names, and returns the name as it was taken.
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
		if err == nil && n == 0 { // in this moment
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
	return name, nil
}

// takeHandle makes a name an account's, in place of the one it had, which is kept
// from others for [NameKept].
func (p *People) takeHandle(tx Tx, id, name string) error {
	had := 0
	if err := tx.Scan("SELECT COUNT(*) FROM handles WHERE player = $1 AND handle = $2", []any{id, NameKey(name)}, &had); err != nil || had > 0 {
		return err // the same handle: the name is only written in another way
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

// IsGuest says whether a player has no account; who is no more is none either. It
// is asked at every visit, and so it may lag some seconds behind an upgrade on
// another instance.
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

// renamedNow forgets what was remembered of a player's name, also after an error:
// what was written may not be known.
func (p *People) renamedNow(id string) {
	p.mu.Lock()
	p.names.drop(id)
	p.guests.drop(id)
	p.renamed++
	p.mu.Unlock()
}

// Changed forgets all that was remembered of a player: another instance has
// changed something.
func (p *People) Changed(id string) {
	p.renamedNow(id)
	p.mu.Lock()
	p.seen.drop(id)
	p.mu.Unlock()
}

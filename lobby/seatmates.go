package lobby

import (
	"context"
	"strconv"

	"mancala/match"
	"mancala/match/refusal"
)

// Seatmate returns a seatmate of a player, who plays at the player's screen. The same name
// is the same seatmate. It refuses a name that no guest may take, as [People.Rename] does.
// Without a name it returns the player's nth seatmate, who has a friendly name.
func (p *People) Seatmate(ctx context.Context, keeper, name string, nth int) (Player, error) {
	now := p.opt.now()
	mate, usual := Player{ID: match.SeatmateID(keeper, "\n"+strconv.Itoa(nth))}, name == "" // no name has a line break
	if !usual {
		name, err := CleanName(name)
		if err != nil {
			return Player{}, err
		}
		mate = Player{ID: match.SeatmateID(keeper, NameKey(name)), Name: name}
	}
	err := p.db.Write(ctx, func(tx Tx) error {
		if usual {
			if n, err := tx.Exec("UPDATE players SET seen = $2 WHERE id = $1", mate.ID, now.UnixMilli()); err != nil || n > 0 {
				return err
			}
			mate.Name = FriendlyName()
		}
		err := p.freeHandle(tx, mate.ID, mate.Name)
		for tries := 0; usual && refusal.Is(err, CodeNameTaken) && tries < 9; tries++ {
			mate.Name = FriendlyName()
			err = p.freeHandle(tx, mate.ID, mate.Name)
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO players (id, name, created, seen) VALUES ($1, $2, $3, $3)
			ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen = excluded.seen`, mate.ID, mate.Name, now.UnixMilli())
		return err
	})
	p.renamedNow(mate.ID) // the ID may be known as one of no player
	if err != nil {
		return Player{}, wrap(err, "make a seatmate of %s", keeper)
	}
	return p.Player(ctx, mate.ID)
}

// seatmates returns the IDs of a player's seatmates. The database compares only for equality: how it sorts texts
// depends on its locale, in which a range might not be all texts with a prefix. The condition on the first
// character lets it use the index players_seatmates.
func (p *People) seatmates(ctx context.Context, keeper string) (ids []string, err error) {
	if !ValidPlayerID(keeper) {
		return nil, nil // all keepers have IDs of the length that the index has
	}
	ids, err = Column(ctx, p.db, "SELECT id FROM players WHERE substr(id, 1, 1) = 'q' AND substr(id, 1, 14) = $1", match.MatesOf(keeper))
	return ids, wrap(err, "list the seatmates of %s", keeper)
}

package hosting

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"net/netip"
	"time"

	"mancala/lobby"
	"mancala/lobby/rating"
	"mancala/lobby/tournament"
	"mancala/match/journal"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Codes of refusals. Their texts are stable.
const (
	CodeNoTournament refusal.Code = "no-tournament"       // there is none with this ID
	CodeNoHostKey    refusal.Code = "tournament-host-key" // neither the key of the host link nor the recovery code
	CodeUpgrading    refusal.Code = "tournament-upgrade"  // an instance of the release before cannot play its games
)

// Rooms are the rooms of this instance and of the others.
type Rooms interface {
	Create(ctx context.Context, id, kind string, commands ...machine.Command) error
	Order(ctx context.Context, id string, c machine.Command) (room.Answer, error)
	View(ctx context.Context, id, player string) (room.View, error)
	Entries(ctx context.Context, id, player string) ([]*room.Published, error)
	AllRead(ctx context.Context, form int) (bool, error)
}

// Policy decides who may play rated games.
type Policy interface {
	MayRate(ctx context.Context, player string) error
}

// Ratings are the players' ratings.
type Ratings interface {
	Of(ctx context.Context, ids []string, system, speed string) (map[string]rating.PlayerRating, error)
}

// Limits bound what one visitor and one address may do.
type Limits struct {
	Tournaments, TournamentsPerAddress *lobby.Limiter // that they make
	Entries                            *lobby.Limiter // players whom a host adds, and names that are chosen
	Secrets                            *lobby.Limiter // host keys and recovery codes tried from one address
}

// Hosting is the service. Its methods are safe from any goroutine.
type Hosting struct {
	Index       *Index
	Rooms       Rooms
	People      *lobby.People
	Invitations *lobby.Invitations
	Ratings     Ratings
	Policy      Policy
	Limits      Limits
	Log         *slog.Logger

	cache cache
}

// A Made tournament is what its host gets. The key and the recovery code are shown once.
type Made struct {
	ID       string
	Code     string // by which people join
	Key      string // of the host link
	Recovery string
}

// codeGood is how long the code of a tournament leads to it.
const codeGood = 90 * 24 * time.Hour

// Open makes a tournament whose host is the player.
func (h *Hosting) Open(ctx context.Context, player string, from netip.Addr, s tournament.Settings) (Made, error) {
	if s.Rated {
		if err := h.Policy.MayRate(ctx, player); err != nil {
			return Made{}, err
		}
	}
	if err := lobby.SlowDown(max(h.Limits.Tournaments.Wait(player), h.Limits.TournamentsPerAddress.WaitAddress(from))); err != nil {
		return Made{}, err
	}
	switch all, err := h.Rooms.AllRead(ctx, max(journal.FormTournaments, journal.FormOf(s.Version()))); {
	case err != nil:
		return Made{}, err
	case !all:
		return Made{}, refusal.New(CodeUpgrading)
	}
	body, err := json.Marshal(tournament.Order{Settings: &s})
	if err != nil {
		return Made{}, err
	}
	secrets := newSecrets()
	m := Made{ID: lobby.NewRoomID(), Key: secrets.key, Recovery: secrets.recovery}
	if err := h.Index.add(ctx, m.ID, secrets); err != nil {
		return Made{}, err
	}
	err = h.Rooms.Create(ctx, m.ID, tournament.Kind, machine.Command{ID: "create-" + m.ID, Kind: tournament.KindCreate, By: player, Body: body})
	switch {
	case undone(err):
		return Made{}, errors.Join(err, h.Index.remove(context.WithoutCancel(ctx), m.ID))
	case err != nil:
		return Made{}, err // the room may be there
	}
	if err := h.list(ctx, m.ID); err != nil {
		lobby.Warn(h.Log, "hosting: a tournament is not listed yet", err, "room", m.ID) // its room's first task does it
	}
	h.remember(ctx, m.ID, player, true)
	if m.Code, err = h.Invitations.Invite(ctx, m.ID, time.Now().Add(codeGood)); err != nil {
		lobby.Warn(h.Log, "hosting: no code for a tournament", err, "room", m.ID) // it still has its link
	}
	return m, nil
}

// list brings the row of a tournament up to date.
func (h *Hosting) list(ctx context.Context, id string) error {
	s, err := h.state(ctx, id)
	if err != nil {
		return err
	}
	return h.Index.Put(ctx, id, *s.Listing())
}

// Join enters a player in a tournament. A guest gets the name that they type; an account keeps
// its own.
func (h *Hosting) Join(ctx context.Context, id, player, name string) error {
	s, err := h.state(ctx, id)
	if err != nil {
		return err
	}
	o := tournament.Order{Player: player}
	p, err := h.People.Player(ctx, player)
	if err != nil {
		return err
	}
	if o.Account = !p.Guest(); o.Account && s.Settings.Rated {
		if err := h.Policy.MayRate(ctx, player); err != nil {
			return err
		}
	}
	if o.Rating, err = h.rating(ctx, player, &s.Settings); err != nil {
		return err
	}
	o.For = new(s.Settings.RatedGame())
	if s.Settings.Initials && name == "" {
		name = p.Name
	}
	if p.Guest() && name != "" && (name != p.Name || s.Settings.Initials) {
		if err := lobby.SlowDown(h.Limits.Entries.Wait(player)); err != nil {
			return err
		}
		if err := h.rename(ctx, id, player, name, s); err != nil {
			return err
		}
	}
	err = h.order(ctx, id, player, tournament.KindJoin, o)
	if err == nil || refusal.Is(err, tournament.CodeEntered) { // the answer to their first try may be lost
		h.remember(ctx, id, player, false)
	}
	return err
}

// rating returns a player's rating in the games of a tournament. It is 0 without one.
func (h *Hosting) rating(ctx context.Context, player string, s *tournament.Settings) (int, error) {
	game := s.RatedGame()
	if game.Speed == "" {
		return 0, nil
	}
	known, err := h.Ratings.Of(ctx, []string{player}, game.System, game.Speed)
	if err != nil {
		return 0, err
	}
	if r, ok := known[player]; ok {
		return r.Rounded(), nil
	}
	return 0, nil
}

// Replace gives a player's place, and their seat in a game that is being played, to another
// person who has entered.
func (h *Hosting) Replace(ctx context.Context, id, host, player, other string) error {
	s, err := h.hosted(ctx, id, host)
	if err != nil {
		return err
	}
	if s.Player(other) == nil {
		return refusal.New(tournament.CodeNotEntered)
	}
	p, err := h.People.Player(ctx, other)
	if err != nil {
		return err
	}
	if s.Settings.Rated {
		if err := h.Policy.MayRate(ctx, other); err != nil {
			return err
		}
	}
	return h.order(ctx, id, host, tournament.KindReplace, tournament.Order{Player: player, Other: other, Account: !p.Guest()})
}

// Withdraw withdraws a player from all their tournaments, so that no opponent waits for them. Call it before the
// player is deleted, because the list of their tournaments is deleted too. In a tournament that cannot be
// reached, the player stays entered, and its host can withdraw them.
func (h *Hosting) Withdraw(ctx context.Context, player string) {
	ids, err := h.Index.open(ctx, player)
	if err != nil {
		lobby.Warn(h.Log, "hosting: a player's tournaments not listed", err)
	}
	for _, id := range ids {
		err := h.order(ctx, id, player, tournament.KindLeave, tournament.Order{})
		hostOnly, over := refusal.Is(err, tournament.CodeNotEntered), refusal.Is(err, tournament.CodeClosed)
		if err != nil && !hostOnly && !over {
			lobby.Warn(h.Log, "hosting: a player not withdrawn", err, "room", id)
		}
	}
}

// remember notes that a person is a host or a player. Without the note, the tournament is only missing
// in their list, so a failure is logged.
func (h *Hosting) remember(ctx context.Context, id, player string, host bool) {
	if err := h.Index.note(ctx, id, player, host); err != nil {
		lobby.Warn(h.Log, "hosting: a person's tournament not noted", err, "room", id)
	}
}

// order sends what only the service may order. by is the person on whose behalf.
func (h *Hosting) order(ctx context.Context, id, by, kind string, o tournament.Order) error {
	_, err := h.orderOnce(ctx, id, by, kind, rand.Text(), o)
	return err
}

// orderOnce is order with a key that tells a repetition.
func (h *Hosting) orderOnce(ctx context.Context, id, by, kind, key string, o tournament.Order) (room.Answer, error) {
	body, err := json.Marshal(o)
	if err != nil {
		return room.Answer{}, err
	}
	return h.Rooms.Order(ctx, id, machine.Command{ID: kind + "-" + key, Kind: kind, By: by, Body: body})
}

// state returns a tournament's state.
func (h *Hosting) state(ctx context.Context, id string) (*tournament.State, error) {
	hall, err := h.look(ctx, id, "")
	if err != nil {
		return nil, err
	}
	return &hall.State, nil
}

func (h *Hosting) hosted(ctx context.Context, id, host string) (*tournament.State, error) {
	s, err := h.state(ctx, id)
	if err == nil && !s.IsHost(host) {
		err = refusal.New(tournament.CodeNotHost)
	}
	return s, err
}

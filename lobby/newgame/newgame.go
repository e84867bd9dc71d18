// Package newgame makes the games that players ask for: those to which they invite others,
// those at one screen, and those against bots. Package effects opens the games of pairs, and rematches.
package newgame

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"time"

	"mancala/lobby"
	"mancala/lobby/bot"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Rooms makes rooms.
type Rooms interface {
	Begin(ctx context.Context, id, kind string, commands ...machine.Command) error
}

// Policy decides who may play rated games.
type Policy interface {
	MayRate(ctx context.Context, player string) error
}

// People makes the players of games at one screen.
type People interface {
	Seatmate(ctx context.Context, keeper, name string, nth int) (lobby.Player, error)
}

// Invitations makes codes that lead to rooms.
type Invitations interface {
	Code(ctx context.Context, room string) (code string, err error)
	Invite(ctx context.Context, room string, until time.Time) (code string, err error)
}

// Limits bound how many games a player and an address may make.
type Limits struct {
	Games, GamesPerAddress       *lobby.Limiter
	BotGames, BotGamesPerAddress *lobby.Limiter
}

// Maker makes games. Its methods are safe from any goroutine.
type Maker struct {
	Rooms       Rooms
	Policy      Policy
	People      People
	Invitations Invitations
	Limits      Limits
	Expiry      time.Duration   // after which a game that has not begun ends
	Made        func(id string) // the lists of games hear of a new game: no page may ever follow it
	Log         *slog.Logger
}

// Open makes a game in which others may take a seat. It returns the ID of its room. from is
// the player's address.
func (m *Maker) Open(ctx context.Context, player string, from netip.Addr, s match.Settings) (id string, err error) {
	if s.Rated {
		if err := m.Policy.MayRate(ctx, player); err != nil {
			return "", err
		}
	}
	if err := m.mayMake(player, from); err != nil {
		return "", err
	}
	return m.create(ctx, match.Creation{Settings: s, Creator: player, Expires: m.Expiry})
}

// CheckBots refuses a game against bots whose settings or level cannot be.
func CheckBots(s match.Settings, level int) error {
	_, err := botsFor(s, level)
	return err
}

// botsFor returns the bots for all seats but one.
func botsFor(s match.Settings, level int) ([]string, error) {
	seats, err := s.Seats()
	if err != nil {
		return nil, err
	}
	if !bot.Known(level) {
		return nil, refusal.New(match.CodeBadSettings)
	}
	return bot.Table(level, seats-1), nil
}

// AgainstBots makes a game in which bots of a level have all other seats. It begins at
// once.
func (m *Maker) AgainstBots(ctx context.Context, player string, from netip.Addr, s match.Settings, level int) (id string, err error) {
	bots, err := botsFor(s, level)
	if err != nil {
		return "", err
	}
	if err := lobby.SlowDown(max(m.Limits.BotGames.Wait(player), m.Limits.BotGamesPerAddress.WaitAddress(from))); err != nil {
		return "", err
	}
	s.Chat = "off" // bots do not chat
	return m.create(ctx, match.Creation{Settings: s, Creator: player, Bots: bots, Expires: m.Expiry})
}

// AtOneScreen makes a game of a player and others at the same screen, which begins at once.
// The player has the first seat. names are those of the others, in the order of their seats;
// a player without one gets a friendly name. The game has neither a clock nor a chat, and is
// not rated.
func (m *Maker) AtOneScreen(ctx context.Context, player string, from netip.Addr, s match.Settings, names []string) (id string, err error) {
	s.Clock, s.Chat, s.Start, s.ForOthers, s.Rated = "none", "off", "creator", false, false
	seats, err := s.Seats()
	if err != nil {
		return "", err
	}
	if err := m.mayMake(player, from); err != nil {
		return "", err
	}
	people := []string{player}
	for n := 1; n < seats; n++ {
		name := ""
		if n <= len(names) {
			name = names[n-1]
		}
		mate, err := m.People.Seatmate(ctx, player, name, n)
		if err != nil {
			return "", err
		}
		people = append(people, mate.ID)
	}
	return m.create(ctx, match.Creation{Settings: s, Creator: player, Seats: people, Expires: m.Expiry})
}

// mayMake refuses a game with other people to a player or an address that has made too many.
func (m *Maker) mayMake(player string, from netip.Addr) error {
	if err := lobby.SlowDown(m.Limits.Games.Wait(player)); err != nil {
		return err
	}
	return lobby.SlowDown(m.Limits.GamesPerAddress.WaitAddress(from))
}

// create creates a room for a match. If the ID is taken, it draws another.
func (m *Maker) create(ctx context.Context, c match.Creation) (string, error) {
	var err error
	for range 3 {
		id := lobby.NewRoomID()
		if err = m.Rooms.Begin(ctx, id, match.Kind, c.Command("create-"+id)); errors.Is(err, room.ErrTaken) {
			continue
		}
		if err == nil {
			m.Made(id)
		}
		return id, err
	}
	return "", err
}

// Code returns the code that leads to a game that waits for players. The code is made when
// it is first shown, since most games begin through their link. If that fails the code is
// empty, and the game still has its link.
func (m *Maker) Code(ctx context.Context, id string) string {
	code, err := m.Invitations.Code(ctx, id)
	if code == "" && err == nil {
		good := m.Expiry
		if good <= 0 {
			good = 24 * time.Hour
		}
		code, err = m.Invitations.Invite(ctx, id, time.Now().Add(good))
	}
	if err != nil {
		lobby.Warn(m.Log, "newgame: no code for a game", err, "room", id)
		return ""
	}
	return code
}

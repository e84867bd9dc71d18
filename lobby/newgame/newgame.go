// Package newgame makes the games that players ask for: those to which they invite others,
// and those against bots. Package effects opens the games of pairs, and rematches.
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
	Invitations Invitations
	Limits      Limits
	Expiry      time.Duration // after which a game that has not begun ends
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
	if err := lobby.SlowDown(m.Limits.Games.Wait(player)); err != nil {
		return "", err
	}
	if err := lobby.SlowDown(m.Limits.GamesPerAddress.WaitAddress(from)); err != nil {
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

// create creates a room for a match. If the ID is taken, it draws another.
func (m *Maker) create(ctx context.Context, c match.Creation) (string, error) {
	var err error
	for range 3 {
		id := lobby.NewRoomID()
		if err = m.Rooms.Begin(ctx, id, match.Kind, c.Command("create-"+id)); !errors.Is(err, room.ErrTaken) {
			return id, err
		}
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

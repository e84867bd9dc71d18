package site

import (
	"net/http"
	"strconv"
	"time"

	"mancala/lobby"
	"mancala/lobby/bot"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/web/messages"
)

// MakeGame creates a game for the player who acts, and a code that leads to it.
func (srv *Site) MakeGame(w http.ResponseWriter, r *http.Request, settings match.Settings) (string, error) {
	player, err := srv.WhoActs(w, r)
	if err != nil {
		return "", err
	}
	if settings.Rated {
		if err := srv.Policy.MayRate(r.Context(), player); err != nil {
			return "", err
		}
	}
	if err := lobby.SlowDown(srv.Limit(LimitGames).Wait(player)); err != nil {
		return "", err
	}
	if err := lobby.SlowDown(srv.Limit(LimitGamesPerAddress).WaitAddress(srv.Address(r))); err != nil {
		return "", err
	}
	id, err := srv.createGame(r.Context(), match.Creation{Settings: settings, Creator: player, Expires: srv.Expiry})
	if err == nil {
		srv.invite(r, id)
	}
	return id, err
}

// MakeBotGame creates a game against bots of a level. It begins at once.
func (srv *Site) MakeBotGame(w http.ResponseWriter, r *http.Request, settings match.Settings, level int) (string, error) {
	seats, err := settings.Seats()
	if err != nil {
		return "", err
	}
	if !bot.Known(level) {
		return "", refusal.New(match.CodeBadSettings)
	}
	player, err := srv.WhoActs(w, r)
	if err == nil {
		err = lobby.SlowDown(max(srv.Limit(LimitBotGames).Wait(player), srv.Limit(LimitBotGamesPerAddress).WaitAddress(srv.Address(r))))
	}
	if err != nil {
		return "", err
	}
	settings.Chat = "off" // bots do not chat
	return srv.createGame(r.Context(), match.Creation{
		Settings: settings, Creator: player, Bots: bot.Table(level, seats-1), Expires: srv.Expiry,
	})
}

// LevelOf returns the level of bots that a form asks for, or 0 if it asks for none.
func LevelOf(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	level, err := strconv.Atoi(text)
	if err != nil || !bot.Known(level) {
		return 0, refusal.New(match.CodeBadSettings)
	}
	return level, nil
}

// levelsBeside returns the levels of a game's bots, by player; nil if there are
// none.
func levelsBeside(c *messages.Catalog, s *match.Public) map[string]string {
	var texts map[string]string
	for _, player := range s.Seats {
		if level, _, isBot := match.Bot(player); isBot {
			if texts == nil {
				texts = map[string]string{}
			}
			texts[player] = c.T("bot.level", "level", level)
		}
	}
	return texts
}

// FirstRunes returns the first n runes of a text that may be very long.
func FirstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// invite creates a code for a new game. If that fails, the game still has its link.
func (srv *Site) invite(r *http.Request, id string) {
	good := srv.Expiry
	if good <= 0 {
		good = 24 * time.Hour
	}
	if _, err := srv.Invitations.Invite(r.Context(), id, time.Now().Add(good)); err != nil {
		lobby.Warn(srv.Log, "web: no code for a game", err, "room", id)
	}
}

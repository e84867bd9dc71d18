package site

import (
	"net/http"
	"strconv"

	"mancala/lobby/bot"
	"mancala/lobby/newgame"
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
	return srv.NewGames.Open(r.Context(), player, srv.Address(r), settings)
}

// MakeBotGame creates a game against bots of a level for the player who acts.
func (srv *Site) MakeBotGame(w http.ResponseWriter, r *http.Request, settings match.Settings, level int) (string, error) {
	if err := newgame.CheckBots(settings, level); err != nil { // checked first, so that bad settings make no guest
		return "", err
	}
	player, err := srv.WhoActs(w, r)
	if err != nil {
		return "", err
	}
	return srv.NewGames.AgainstBots(r.Context(), player, srv.Address(r), settings, level)
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

package site

import (
	"context"
	"net/http"
	"strconv"

	"mancala/lobby"
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

// MakeScreenGame creates a game at one screen. The player who acts has the first seat.
// names are those of all players, in the order of their seats. A guest takes the first of
// them for their own; a player with an account keeps theirs.
func (srv *Site) MakeScreenGame(w http.ResponseWriter, r *http.Request, settings match.Settings, names []string) (string, error) {
	if err := settings.Check(); err != nil { // checked first, so that bad settings make no guest
		return "", err
	}
	player, err := srv.WhoActs(w, r)
	if err != nil {
		return "", err
	}
	guest, err := srv.People.IsGuest(r.Context(), player)
	if err != nil {
		return "", err
	}
	if len(names) > 0 && names[0] != "" && guest {
		if err := srv.takeName(r.Context(), player, names[0]); err != nil {
			return "", err
		}
	}
	return srv.NewGames.AtOneScreen(r.Context(), player, srv.Address(r), settings, names[min(1, len(names)):])
}

// takeName gives a guest a name, unless they have it already.
func (srv *Site) takeName(ctx context.Context, player, name string) error {
	old, err := srv.People.Names(ctx, []string{player})
	if err != nil || old[player] == name {
		return err
	}
	if err := lobby.SlowDown(srv.Limit(LimitChat).Wait(player)); err != nil {
		return err
	}
	_, err = srv.People.Rename(ctx, player, name)
	return err
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

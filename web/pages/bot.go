package pages

import (
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/bot"
	"mancala/match"
	"mancala/web/picture"
	"mancala/web/site"
)

// botPage is the page at /bot.
type botPage struct {
	head
	Systems []engine.Row
	Rules   string // the system that is selected at first
	Options string
	Kept    string // the ID of the rule set whose rules they are; empty: none
	Bots    []botCard
}

// botCard is a bot that the player can choose.
type botCard struct {
	bot.Character
	Title, Style, Strength string
	Picture                template.HTML
	Chosen                 bool
}

// usualBot is the level that is selected at first. A beginner can beat it. In kids mode
// level 1 is selected instead.
const usualBot = 2

// BotPage serves the page at /bot.
func (srv *Pages) BotPage(w http.ResponseWriter, r *http.Request) error {
	t, q := srv.Catalog(r).T, r.URL.Query()
	chosen, err := site.LevelOf(q.Get("level"))
	if err != nil || chosen == 0 {
		chosen = usualBot
		if srv.Prefs(r)["kids"] == "on" {
			chosen = 1
		}
	}
	return srv.render(w, r, http.StatusOK, "bot", botPage{
		head: srv.head(r, t("bot.title"), t("bot.description")), Systems: engine.Systems, Bots: srv.botCards(r, chosen),
		Rules: q.Get("rules"), Options: strings.TrimSpace(q.Get("options")), Kept: q.Get("kept"),
	})
}

// botCards returns all bots, weakest first, of which one level is chosen.
func (srv *Pages) botCards(r *http.Request, chosen int) (cards []botCard) {
	t, kids := srv.Catalog(r).T, srv.Prefs(r)["kids"] == "on"
	for i, c := range bot.Characters {
		card := botCard{
			Character: c, Title: c.Name, Style: t("bot.style." + strconv.Itoa(c.Level)), Strength: t("bot.rating", "n", c.Rating),
			Picture: botPictures()[kids][i], Chosen: c.Level == chosen,
		}
		if kids { // kids mode shows animals and no ratings (UX.md §8)
			card.Title, card.Strength = t("bot.animal", "name", c.Name, "animal", t("bot.animal."+strconv.Itoa(c.Level))), ""
		}
		cards = append(cards, card)
	}
	return cards
}

// botPictures returns the pictures of all bots by level: as animals under true, as
// plants under false.
var botPictures = sync.OnceValue(func() map[bool][]template.HTML {
	drawn := map[bool][]template.HTML{}
	for _, animals := range []bool{false, true} {
		for _, c := range bot.Characters {
			drawn[animals] = append(drawn[animals], template.HTML(picture.Bot(c.Level, animals)))
		}
	}
	return drawn
})

// faceOf returns the face of a player: the picture of a bot, as an animal or as a plant, or
// for a person the seeds that follow from their ID. It is empty where there is no player.
func faceOf(player string, animal bool) template.HTML {
	level, _, isBot := match.Bot(player)
	switch {
	case isBot && bot.Known(level):
		return botPictures()[animal][level-1]
	case player == "" || isBot:
		return ""
	}
	return template.HTML(picture.Face(player))
}

// Face serves the face of a person, for pages on which they arrive after the page was made.
// It never changes. An ID that no player can have is not found.
func (srv *Pages) Face(w http.ResponseWriter, r *http.Request) error {
	player := r.PathValue("player")
	if _, _, isBot := match.Bot(player); !isBot && !lobby.ValidPlayerID(player) {
		return srv.NotFound(w, r)
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, err := w.Write([]byte(picture.Face(player)))
	return err
}

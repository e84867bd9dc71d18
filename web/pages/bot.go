package pages

import (
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"mancala/engine"
	"mancala/lobby/bot"
	"mancala/web/picture"
	"mancala/web/site"
)

// botPage is the page at /bot.
type botPage struct {
	head
	Systems []engine.Row
	Rules   string // the system that is selected at first
	Options string
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
	p := botPage{head: srv.head(r, t("bot.title"), t("bot.description")), Systems: engine.Systems, Rules: q.Get("rules"), Options: strings.TrimSpace(q.Get("options"))}
	kids := p.Kids
	chosen, err := site.LevelOf(q.Get("level"))
	if err != nil || chosen == 0 {
		if chosen = usualBot; kids {
			chosen = 1
		}
	}
	for i, c := range bot.Characters {
		card := botCard{
			Character: c, Title: c.Name, Style: t("bot.style." + strconv.Itoa(c.Level)), Strength: t("bot.rating", "n", c.Rating),
			Picture: botPictures()[kids][i], Chosen: c.Level == chosen,
		}
		if kids { // kids mode shows animals and no ratings (UX.md §8)
			card.Title, card.Strength = t("bot.animal", "name", c.Name, "animal", t("bot.animal."+strconv.Itoa(c.Level))), ""
		}
		p.Bots = append(p.Bots, card)
	}
	return srv.render(w, r, http.StatusOK, "bot", p)
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

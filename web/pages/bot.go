package pages

import (
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"mancala/engine"
	"mancala/lobby/bot"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/web/picture"
	"mancala/web/site"
)

// botPage is the page at /bot.
type botPage struct {
	head
	Systems []engine.Row
	Rules   string // chosen before
	Options string
	Bots    []botCard
}

// botCard is a bot as one chooses it.
type botCard struct {
	bot.Character
	Title, Style, Strength string
	Picture                template.HTML
	Chosen                 bool
}

// usualBot is the level that is chosen for who has said nothing: one that a beginner
// can beat, and children begin with the first.
const usualBot = 2

func (srv *Pages) BotPage(w http.ResponseWriter, r *http.Request) {
	t, q := srv.Catalog(r).T, r.URL.Query()
	kids := srv.Prefs(r)["kids"] == "on"
	p := botPage{head: srv.head(r, t("bot.title"), t("bot.description")), Systems: engine.Systems, Rules: q.Get("rules"), Options: strings.TrimSpace(q.Get("options"))}
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
		if kids { // animals, and nobody is measured (UX.md §8)
			card.Title, card.Strength = t("bot.animal", "name", c.Name, "animal", t("bot.animal."+strconv.Itoa(c.Level))), ""
		}
		p.Bots = append(p.Bots, card)
	}
	srv.render(w, r, http.StatusOK, "bot", p)
}

// botPictures are the pictures of all bots: as animals (true), and as plants.
var botPictures = sync.OnceValue(func() map[bool][]template.HTML {
	drawn := map[bool][]template.HTML{}
	for _, animals := range []bool{false, true} {
		for _, c := range bot.Characters {
			drawn[animals] = append(drawn[animals], template.HTML(picture.Bot(c.Level, animals)))
		}
	}
	return drawn
})

// faceOf is the picture of a bot, as an animal for children; empty for people.
func faceOf(player string, animal bool) template.HTML {
	level, _, isBot := match.Bot(player)
	if !isBot || !bot.Known(level) {
		return ""
	}
	return botPictures()[animal][level-1]
}

// BotsBeside says whether all players of a game but one are bots.
func BotsBeside(s *match.Public, player string) bool {
	for _, other := range s.Seats {
		if _, _, isBot := match.Bot(other); !isBot && other != player {
			return false
		}
	}
	return len(s.Seats) > 1
}

var (
	ErrNoHints = refusal.New("no-hints") // people play there, or one only watches
	ErrNoHint  = refusal.New("no-hint")  // there is nothing to choose now
)

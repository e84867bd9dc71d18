package web

import (
	"context"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/bot"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/web/picture"
)

// makeBotGame makes a game against bots of a level, which begins at once.
func (srv *Server) makeBotGame(w http.ResponseWriter, r *http.Request, settings match.Settings, level int) (string, error) {
	seats, err := settings.Seats()
	if err != nil {
		return "", err
	}
	if !bot.Known(level) {
		return "", refusal.New(match.CodeBadSettings)
	}
	player, err := srv.whoActs(w, r)
	if err == nil {
		err = lobby.SlowDown(max(srv.botLimit.Wait(player), srv.botAddressLimit.WaitAddress(srv.address(r))))
	}
	if err != nil {
		return "", err
	}
	settings.Chat = "off" // with whom?
	return srv.createGame(r.Context(), match.Creation{
		Settings: settings, Creator: player, Bots: bot.Table(level, seats-1), Expires: srv.Limits.Expiry,
	})
}

// levelOf is the level of the bots that a form asks for; 0 if it asks for none.
func levelOf(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	level, err := strconv.Atoi(text)
	if err != nil || !bot.Known(level) {
		return 0, refusal.New(match.CodeBadSettings)
	}
	return level, nil
}

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

func (srv *Server) botPage(w http.ResponseWriter, r *http.Request) {
	t, q := srv.catalog(r).t, r.URL.Query()
	kids := srv.prefs(r)["kids"] == "on"
	p := botPage{head: srv.head(r, t("bot.title"), t("bot.description")), Systems: engine.Systems, Rules: q.Get("rules"), Options: strings.TrimSpace(q.Get("options"))}
	chosen, err := levelOf(q.Get("level"))
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

// levelsBeside are the levels of the bots of a game, by player; nil if there are none.
func (c *catalog) levelsBeside(s *match.Public) map[string]string {
	var texts map[string]string
	for _, player := range s.Seats {
		if level, _, isBot := match.Bot(player); isBot {
			if texts == nil {
				texts = map[string]string{}
			}
			texts[player] = c.t("bot.level", "level", level)
		}
	}
	return texts
}

// botsBeside says whether all players of a game but one are bots.
func botsBeside(s *match.Public, player string) bool {
	for _, other := range s.Seats {
		if _, _, isBot := match.Bot(other); !isBot && other != player {
			return false
		}
	}
	return len(s.Seats) > 1
}

var (
	errNoHints = refusal.New("no-hints") // people play there, or one only watches
	errNoHint  = refusal.New("no-hint")  // there is nothing to choose now
)

// hintJSON is the best move: from the seat on turn, what it is worth in seeds.
type hintJSON struct {
	Ply   int      `json:"ply"`
	Move  string   `json:"move"`
	Line  []string `json:"line"`
	Value float64  `json:"value"`
	Exact bool     `json:"exact"`
}

// hintTimeout is how long somebody waits for a hint; less than a request may take.
const hintTimeout = 8 * time.Second

// apiHint tells who plays against bots alone what he could do best.
func (srv *Server) apiHint(w http.ResponseWriter, r *http.Request) {
	h, err := srv.hint(w, r)
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, h)
}

func (srv *Server) hint(w http.ResponseWriter, r *http.Request) (h hintJSON, err error) {
	player, known := srv.whoIs(w, r)
	if !known {
		return h, errNoIdentity
	}
	id := r.PathValue("id")
	story, err := srv.story(r, player)
	if err != nil {
		return h, err
	}
	view, err := srv.rooms.View(r.Context(), id, player)
	if err != nil {
		return h, err
	}
	s, err := match.ReadPublic(id, view.Snapshot)
	switch {
	case err != nil:
		return h, err
	case !view.Audience.IsSeat() || !botsBeside(s, player):
		return h, errNoHints
	case s.State != "live" && s.State != "setup" || s.Turn != int(view.Audience) || s.Phase == "setup":
		return h, errNoHint
	}
	if err := lobby.SlowDown(max(srv.hintLimit.Wait(player), srv.hintAddressLimit.WaitAddress(srv.address(r)))); err != nil {
		return h, err
	}
	q := story.Match.Question()
	if q.Position.Phase == engine.Setup || q.Position.Phase == engine.Over {
		return h, errNoHint // since we looked
	}
	ctx, cancel := context.WithTimeout(r.Context(), hintTimeout)
	defer cancel()
	found, err := srv.Bots.Hint(ctx, player, srv.address(r), q)
	if err != nil {
		return h, err
	}
	h = hintJSON{Ply: int(q.Position.Ply), Value: found.Value, Exact: found.Exact, Line: []string{}}
	for _, m := range found.Line {
		h.Line = append(h.Line, m.String())
	}
	h.Move = h.Line[0]
	return h, nil
}

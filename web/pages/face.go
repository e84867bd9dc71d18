package pages

import (
	"html/template"
	"net/http"

	"mancala/lobby"
	"mancala/lobby/bot"
	"mancala/match"
	"mancala/web/picture"
)

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

package static

import (
	"mancala/web/picture"
)

// drawAssets draws the icons and the preview picture of pages that show no game.
func drawAssets(a *Assets) {
	a.Add("icon-192.png", picture.Icon(192, false))
	a.Add("icon-512.png", picture.Icon(512, false))
	a.Add("maskable-512.png", picture.Icon(512, true))
	a.Add("card.png", Hero.PNG())
}

package static

import (
	"mancala/web/picture"
)

// The icons and the picture of everything that is no game are drawn at the
// start.
func drawAssets(a *Assets) {
	a.Add("icon-192.png", picture.Icon(192, false))
	a.Add("icon-512.png", picture.Icon(512, false))
	a.Add("maskable-512.png", picture.Icon(512, true))
	a.Add("card.png", Hero.PNG())
}

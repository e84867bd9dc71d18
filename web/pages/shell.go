package pages

import (
	"html/template"
	"net/http"
	"net/url"

	"mancala/engine"
	"mancala/match"
	"mancala/web/messages"
)

// Packages composer, desk, event, paper and signin have pages of their own. They have the same head,
// forms and parts as the pages of this package, and their templates are beside those of this package.

// Head is the data that every page has.
type Head = head

// A Choice is a value of a form, and its text.
type Choice = choice

// NewHead returns the head of a page. An empty description stands for that of the home page.
func (srv *Pages) NewHead(r *http.Request, title, description string) Head {
	return srv.head(r, title, description)
}

// Render writes a whole page, see [Pages.render].
func (srv *Pages) Render(w http.ResponseWriter, r *http.Request, status int, name string, data any) error {
	return srv.render(w, r, status, name, data)
}

// Introduce makes a client without identity a guest, who then sends the same form again.
func (srv *Pages) Introduce(w http.ResponseWriter, r *http.Request) error { return srv.introduce(w, r) }

// Clocks returns the choices of a list of clocks.
func Clocks(c *messages.Catalog, list []string) []Choice { return clocks(c, list) }

// MoveText returns a move of a game in the words of pages, which number the pits.
func MoveText(c *messages.Catalog, rules engine.Rules, text string) string {
	return move(c, rules, text)
}

// HouseRules returns the house rules of a form.
func HouseRules(form url.Values) string { return houseRules(form) }

// Shape returns the ID of the symbol of a system's board.
func Shape(system string) string { return pickCards()[system].Shape }

// QRCode returns a QR code as an SVG picture.
func QRCode(text, name string) (template.HTML, error) { return qrCode(text, name) }

// Marks are the shapes that tell the seats apart besides their colours (UX.md §3).
var Marks = marks[:]

// Describe returns rules in one paragraph.
func Describe(c *messages.Catalog, rules engine.Rules) string { return describe(c, rules) }

// Frame returns the HTML with which a site embeds a page.
func Frame(address, title string) string { return frameOf(address, title, embedWidth, embedHeight) }

// GameImage returns the picture of a game for the previews of links.
func (srv *Pages) GameImage(r *http.Request, id string, s *match.Public) image {
	return srv.gameImage(r, id, s, nil)
}

// RulesImage returns the picture of the first board of rules for the previews of links.
func (srv *Pages) RulesImage(r *http.Request, system engine.Row, options string) image {
	return srv.rulesImage(r, system, options)
}

package site

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/rating"
	"mancala/match"
	"mancala/web/messages"
)

const (
	// MaxCards is how many watchable games a page shows as boards.
	MaxCards = 12
	// MaxMore is how many further games it lists.
	MaxMore = 40
)

// GamesListed is the number of a player's games that a page shows at once.
// GamesAsked is the number of games that are searched for those in which it is the
// player's turn. It is larger, so that an opponent does not wait because the game
// was not listed.
const (
	GamesListed = 20
	GamesAsked  = 100
)

const PastListed = 20 // games on a page

// ProfilePath returns the path of an account's profile.
func ProfilePath(name string) string { return "/@/" + url.PathEscape(name) }

// Profiled returns the player whom a profile is about. A viewer also finds their
// own.
func (srv *Site) Profiled(ctx context.Context, name, viewer string) (lobby.Player, error) {
	p, err := srv.People.Named(ctx, name)
	if lobby.CodeOf(err) == lobby.CodeNoPlayer && viewer != "" {
		if own, look := srv.People.Player(ctx, viewer); look == nil && own.Name == name {
			return own, nil
		}
	}
	return p, policy.AboutOther(err)
}

// RatingText returns a rating as shown beside a name. A provisional rating has a
// question mark.
func (srv *Site) RatingText(r rating.Rating) string {
	key := "rating"
	if r.Provisional() {
		key += ".provisional"
	}
	return srv.Languages.Usual().T(key, "n", r.Rounded())
}

// Whole rounds a number that is not negative.
func Whole(x float64) int { return int(x + 0.5) }

// OutcomeNames are the names of outcomes in addresses and in the catalog.
var OutcomeNames = map[lobby.Outcome]string{lobby.Won: "won", lobby.Drawn: "drawn", lobby.Lost: "lost", lobby.Undecided: "undecided"}

// GameFilter selects which of a player's games are listed. Its texts are the words
// of the address.
type GameFilter struct {
	System, Result, Rated string
	Before                lobby.Place
}

// FilterOf reads a filter from an address. It ignores unknown words.
func FilterOf(q url.Values) GameFilter {
	f := GameFilter{System: q.Get("system"), Result: q.Get("result"), Rated: q.Get("rated")}
	if _, ok := engine.System(f.System); !ok {
		f.System = ""
	}
	if !slices.Contains([]string{"won", "drawn", "lost"}, f.Result) {
		f.Result = ""
	}
	if f.Rated != "yes" && f.Rated != "no" {
		f.Rated = ""
	}
	f.Before = PlaceOf(q.Get("before"))
	return f
}

// PlaceText returns a place among games as it is written in an address.
func PlaceText(at time.Time, id string) string {
	return strconv.FormatInt(at.UnixMilli(), 10) + "-" + id
}

// PlaceOf reads the text of [PlaceText]. Any other text gives the zero Place.
func PlaceOf(text string) lobby.Place {
	ms, id, _ := strings.Cut(text, "-")
	at, err := strconv.ParseInt(ms, 10, 64)
	if err != nil || !lobby.ValidRoomID(id) {
		return lobby.Place{}
	}
	return lobby.Place{At: time.UnixMilli(at), Room: id}
}

// Any reports whether the filter leaves any games out.
func (f GameFilter) Any() bool { return f != GameFilter{} }

// Chosen returns the filter's selection of games for a viewer.
func (f GameFilter) Chosen(viewer string) lobby.Chosen {
	c := lobby.Chosen{Viewer: viewer, System: f.System, Before: f.Before}
	for outcome, name := range OutcomeNames {
		if name == f.Result {
			c.Outcome = &outcome
		}
	}
	if f.Rated != "" {
		yes := f.Rated == "yes"
		c.Rated = &yes
	}
	return c
}

// Query returns the filter as the query of an address, starting at a place.
func (f GameFilter) Query(before string) string {
	q := url.Values{}
	for name, value := range map[string]string{"system": f.System, "result": f.Result, "rated": f.Rated, "before": before} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q.Encode()
}

// RatingsIn returns the ratings in a room, for all clients alike; nil if the game is
// not rated. The levels of bots are left out: pages have them from the start, each
// in its own language.
func (srv *Site) RatingsIn(ctx context.Context, roomID string) map[string]string {
	view, err := srv.Rooms.View(ctx, roomID, "")
	if err != nil || view.Kind != match.Kind {
		return nil
	}
	if game, err := match.ReadFacts(view.Snapshot); err != nil || !game.Rated {
		return nil
	}
	s, err := match.ReadPublic(roomID, view.Snapshot)
	if err != nil {
		return nil
	}
	return srv.RatingsBeside(ctx, srv.Languages.Usual(), s)
}

// RatingsBeside returns the texts beside the players' names, by player. In a rated
// game these are ratings, in other games the levels of bots; nil if there are none.
func (srv *Site) RatingsBeside(ctx context.Context, c *messages.Catalog, s *match.Public) map[string]string {
	if !s.Rated {
		return levelsBeside(c, s)
	}
	found, err := srv.Ratings.Of(ctx, s.Players(), s.Rules, match.SpeedOf(s.ClockText))
	if err != nil {
		lobby.Warn(srv.Log, "web: ratings not read", err)
	}
	texts := map[string]string{}
	for _, id := range s.Players() {
		r := rating.New
		if f, ok := found[id]; ok {
			r = f.Rating
		}
		texts[id] = srv.RatingText(r)
	}
	return texts
}

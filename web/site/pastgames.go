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

const PastListed = 20 // games on a page

// ProfilePath is the address of an account's profile.
func ProfilePath(name string) string { return "/@/" + url.PathEscape(name) }

// Profiled is whom a profile is about.
func (srv *Site) Profiled(ctx context.Context, name, viewer string) (lobby.Player, error) {
	p, err := srv.People.Named(ctx, name)
	if lobby.CodeOf(err) == lobby.CodeNoPlayer && viewer != "" {
		if own, look := srv.People.Player(ctx, viewer); look == nil && own.Name == name {
			return own, nil
		}
	}
	return p, policy.Someone(err)
}

// RatingText is a rating beside a name: with a question mark if it is provisional.
func (srv *Site) RatingText(r rating.Rating) string {
	key := "rating"
	if r.Provisional() {
		key += ".provisional"
	}
	return srv.Languages.Usual().T(key, "n", r.Rounded())
}

func Whole(x float64) int { return int(x + 0.5) }

// outcomeNames are the outcomes in addresses and in the catalog.
var OutcomeNames = map[lobby.Outcome]string{lobby.Won: "won", lobby.Drawn: "drawn", lobby.Lost: "lost", lobby.Undecided: "undecided"}

// GameFilter is which of somebody's games are listed, as words of the address.
// What it does not know is left out.
type GameFilter struct {
	System, Result, Rated string
	Before                lobby.Place
}

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

// PlaceText is a place among games in an address.
func PlaceText(at time.Time, id string) string {
	return strconv.FormatInt(at.UnixMilli(), 10) + "-" + id
}

// PlaceOf is what [placeText] wrote; anything else is the zero Place.
func PlaceOf(text string) lobby.Place {
	ms, id, _ := strings.Cut(text, "-")
	at, err := strconv.ParseInt(ms, 10, 64)
	if err != nil || !lobby.ValidRoomID(id) {
		return lobby.Place{}
	}
	return lobby.Place{At: time.UnixMilli(at), Room: id}
}

// Any says whether it leaves any games out.
func (f GameFilter) Any() bool { return f != GameFilter{} }

// Chosen are the games that viewer sees through the filter.
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

// Query is the filter as it stands in an address, from a place on.
func (f GameFilter) Query(before string) string {
	q := url.Values{}
	for name, value := range map[string]string{"system": f.System, "result": f.Result, "rated": f.Rated, "before": before} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q.Encode()
}

// RatingsIn are the ratings in a room, for everybody who is there. Levels of bots are
// not among them: pages have them from the beginning, each in its language.
func (srv *Site) RatingsIn(ctx context.Context, roomID string) map[string]string {
	view, err := srv.Rooms.View(ctx, roomID, "")
	if err != nil || view.Kind != match.RoomKind {
		return nil
	}
	if facts, err := match.ReadFacts(view.Snapshot); err != nil || !facts.Rated {
		return nil
	}
	s, err := match.ReadPublic(roomID, view.Snapshot)
	if err != nil {
		return nil
	}
	return srv.RatingsBeside(ctx, srv.Languages.Usual(), s)
}

// RatingsBeside is what stands beside the names of players, by player: their ratings
// in a rated game, the levels of bots; nil for other games.
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

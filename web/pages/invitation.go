package pages

import (
	"slices"

	"mancala/engine"
	"mancala/match"
	"mancala/web/messages"
)

// invitation is what the page of a game that waits for players tells the viewer.
// waiting.js keeps it up to date. Its first result is the same, so nothing on the page
// moves when the script starts.
type invitation struct {
	Heading, Agreed string
	Sitters         []sitterView
	Known           bool // the viewer has an identity, and so a name
	Creator         bool // the viewer created the game
	Sits            bool // the viewer has a seat
	MaySit          bool // the viewer may take a seat
	MayShare        bool // the viewer may invite others
	MayBeYoungest   bool // the viewer may claim to be the youngest
}

type sitterView struct {
	Name string
	Free bool
}

// describeInvitation returns the invitation that a waiting game shows to player. player
// is empty for a client without identity.
func describeInvitation(c *messages.Catalog, s *match.Public, rules engine.Rules, player string, names map[string]string) invitation {
	seats := s.Shape[0] * s.Shape[1]
	full := len(s.Sitters) >= seats // the game still waits for a player to claim to be the youngest
	v := invitation{Known: player != "", Creator: player != "" && player == s.Creator, Sits: slices.Contains(s.Sitters, player)}
	v.MaySit = !v.Sits && !full && !(v.Creator && s.ForOthers)
	v.MayShare = (v.Creator || v.Sits) && !full
	v.MayBeYoungest = v.Sits && s.Start == "youngest" && s.Youngest != player
	key := "open"
	switch {
	case full && (v.Sits || v.Creator):
		key = "who-youngest"
	case v.Creator && s.ForOthers:
		key = "for-others"
	case v.Creator:
		key = "heading"
	case v.Sits:
		key = "seated"
	case names[s.Creator] != "":
		key = "invited"
	}
	v.Heading = c.T("waiting."+key, "name", names[s.Creator], "title", c.Game(s.Title), "n", seats-len(s.Sitters))
	v.Agreed = agreed(c, s, rules, v.Creator, names[s.Creator])
	for i := range seats {
		who := sitterView{c.T("waiting.free"), true}
		if i < len(s.Sitters) {
			name := names[s.Sitters[i]]
			if name == "" {
				name = c.T("seat.empty", "n", i+1)
			}
			if s.Sitters[i] == player {
				name = c.T("seat.you", "name", name)
			}
			who = sitterView{name, false}
		}
		v.Sitters = append(v.Sitters, who)
	}
	return v
}

// agreed returns the game's settings in words: "No clock, friendly game. Ada starts."
func agreed(c *messages.Catalog, s *match.Public, rules engine.Rules, creator bool, inviter string) string {
	who := "other"
	switch two := s.Shape[0]*s.Shape[1] == 2 && !s.ForOthers; {
	case s.Start == "youngest":
		who = "youngest"
	case !two || s.Start == "random":
		who = "random"
	case (s.Start == "creator") == creator:
		who = "you"
	case creator:
		who = "friend"
	}
	if inviter == "" {
		inviter = c.T("opponent")
	}
	text := ""
	add := func(key string, pairs ...any) {
		if text != "" {
			text += " "
		}
		text += c.T(key, pairs...)
	}
	if creator {
		add("agreed.title", "title", c.Game(s.Title))
	}
	kind := "friendly"
	if s.Rated {
		kind = "rated"
	}
	add("agreed."+kind, "clock", c.Clock(s.ClockText))
	first := "start"
	if rules.Opening != engine.OpeningFixed {
		first = "layout"
	}
	add("agreed."+first+"."+who, "name", inviter)
	if s.Assists != nil && !*s.Assists {
		add("agreed.plain")
	}
	if s.Listed {
		add("agreed.listed")
	}
	if s.Delay > 0 {
		add("agreed.delay", "n", s.Delay)
	}
	return text
}

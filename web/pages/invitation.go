package pages

import (
	"slices"

	"mancala/engine"
	"mancala/match"
	"mancala/web/messages"
)

// invitation is what the page of a game that waits says and shows to who looks at
// it. waiting.js keeps it up to date and says the same, so that nothing on the
// page moves when it comes to life.
type invitation struct {
	Heading, Agreed string
	Sitters         []sitterView
	Known           bool // who looks has been here before, and has a name
	Creator         bool // he made the game
	Sits            bool // he has a seat
	MaySit          bool // he is asked to play
	MayShare        bool // he may ask others
	MayBeYoungest   bool
}

type sitterView struct {
	Name string
	Free bool
}

// describeInvitation is how a game that waits invites a player, who may be nobody yet.
func describeInvitation(c *messages.Catalog, s *match.Public, rules engine.Rules, player string, names map[string]string) invitation {
	seats := s.Shape[0] * s.Shape[1]
	full := len(s.Sitters) >= seats // and still waiting: nobody has said that he is the youngest
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
	v.Heading = c.T("waiting."+key, "name", names[s.Creator], "title", s.Title, "n", seats-len(s.Sitters))
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

// agreed is what is played, in words: "No clock, friendly game. Ada starts."
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
		add("agreed.title", "title", s.Title)
	}
	kind := "friendly"
	if s.Rated {
		kind = "rated"
	}
	add("agreed."+kind, "clock", c.Clock(s.ClockText))
	if s.Options != "" {
		add("agreed.options", "options", s.Options)
	}
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

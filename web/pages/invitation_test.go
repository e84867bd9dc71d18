package pages

import (
	"strings"
	"testing"

	"mancala/engine"
	"mancala/match"
	"mancala/web/messages"
)

// Before any script runs, the page of a waiting game names the inviter and the settings.
// It offers only what the viewer can do.
func TestWaitingPageNamesInviterAndSettings(t *testing.T) {
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"a": "Ada", "b": "Ben"}
	plain := false
	kalah := match.Public{Title: "Kalah", Shape: [3]int{2, 1, 6}, Creator: "a", Sitters: []string{"a"}, Start: "creator", ClockText: "none"}
	others := kalah
	others.ForOthers, others.Sitters, others.Start, others.ClockText, others.Assists = true, nil, "random", "5+3", &plain
	late := kalah
	late.Listed, late.Delay = true, 60
	wise := kalah
	wise.Title, wise.Start = "El-Akil", "friend"
	young := kalah
	young.Start, young.Sitters = "youngest", []string{"a", "b"}
	for _, tt := range []struct {
		name, player    string
		game            match.Public
		opening         engine.Opening
		heading, agreed string
		can             string
	}{
		{"who comes first", "", kalah, engine.OpeningFixed, "Ada invites you to Kalah", "No clock, friendly game. Ada starts.", "sit"},
		{"who made it", "a", kalah, engine.OpeningFixed, "Waiting for a friend", "Kalah. No clock, friendly game. You start.", "share"},
		{"for two others", "a", others, engine.OpeningFixed, "Waiting for 2 players", "Kalah. 5 minutes + 3 s for each turn, friendly game. Random start. No previews.", "share"},
		{"one of the others", "b", others, engine.OpeningFixed, "Ada invites you to Kalah", "5 minutes + 3 s for each turn, friendly game. Random start. No previews.", "sit"},
		{"to be watched late", "b", late, engine.OpeningFixed, "Ada invites you to Kalah", "No clock, friendly game. Ada starts. Everyone can find and watch this game. People who watch see each move 60 seconds later.", "sit"},
		{"a game that is laid out", "b", wise, engine.OpeningPaired, "Ada invites you to El-Akil", "No clock, friendly game. You fill the board first.", "sit"},
		{"no player has claimed to be the youngest", "b", young, engine.OpeningFixed, "Everyone is here. Who is the youngest?", "No clock, friendly game. The youngest player starts.", "youngest"},
	} {
		v := describeInvitation(c, &tt.game, engine.Rules{Opening: tt.opening}, tt.player, names)
		var can []string
		for word, yes := range map[string]bool{"sit": v.MaySit, "share": v.MayShare, "youngest": v.MayBeYoungest} {
			if yes {
				can = append(can, word)
			}
		}
		if v.Heading != tt.heading || v.Agreed != tt.agreed || strings.Join(can, " ") != tt.can {
			t.Errorf("%s reads %q, %q and may %q; want %q, %q, %q", tt.name, v.Heading, v.Agreed, can, tt.heading, tt.agreed, tt.can)
		}
	}
}

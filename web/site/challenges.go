package site

import (
	"cmp"
	"context"
	"slices"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/web/messages"
)

// AskShown is an open challenge as one of its two players sees it.
type AskShown struct {
	ID   string `json:"seek"`
	Mine bool   `json:"mine"` // the reader is the challenger
	Name string `json:"name"` // the other player's name
	Text string `json:"text"` // the whole challenge as a sentence
	// The next three are set on the reader's own challenge. The client needs them to
	// send the challenge again.
	Key   string `json:"key,omitempty"`
	To    string `json:"to,omitempty"`
	Until int64  `json:"until,omitempty"` // Unix time in ms
	seeks.Game
}

// AsksShown returns challenges as one of their players sees them. It leaves out those of
// players who are blocked.
func (srv *Site) AsksShown(ctx context.Context, words *messages.Catalog, player string, asks []seeks.Challenge) []AskShown {
	apart, err := srv.Policy.Apart(ctx, player)
	if err != nil {
		lobby.Warn(srv.Log, "web: blocks not read", err)
	}
	asks = slices.DeleteFunc(asks, func(c seeks.Challenge) bool { return slices.Contains(apart, c.By) || slices.Contains(apart, c.To) })
	people := make([]string, 0, 2*len(asks))
	for _, c := range asks {
		people = append(people, c.By, c.To)
	}
	names, err := srv.PlayerNames(ctx, words, people)
	if err != nil {
		lobby.Warn(srv.Log, "web: names not read", err)
	}
	list := make([]AskShown, len(asks))
	for i, c := range asks {
		list[i] = showAsk(words, c, player, names)
	}
	return list
}

func showAsk(c *messages.Catalog, ask seeks.Challenge, player string, names map[string]string) AskShown {
	shown, key := AskShown{ID: ask.ID, Mine: ask.By == player, Name: names[ask.By], Game: ask.Game}, "challenge.in"
	if shown.Mine {
		shown.Name, shown.Key, shown.To, shown.Until, key = names[ask.To], ask.Key, ask.To, ask.Until, "challenge.out"
	}
	shown.Text = c.T(key, "name", shown.Name, "game", GameWords(ask.Game), "clock", c.Clock(ask.Clock), "counts", Counts(c, ask.Game))
	return shown
}

// Counts returns the word for rated or casual.
func Counts(c *messages.Catalog, g seeks.Game) string {
	return c.T(map[bool]string{true: "lobby.rated", false: "lobby.casual"}[g.Rated])
}

// GameWords returns the name of a game with its options: "Kalah, seeds=5".
func GameWords(g seeks.Game) string {
	words := cmp.Or(SystemRow(g.Rules).Title, g.Rules)
	if g.Options != "" {
		words += ", " + g.Options
	}
	return words
}

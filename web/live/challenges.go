package live

import (
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

// askEnded tells a challenger that the challenge ended without a game.
type askEnded struct {
	ID   string `json:"seek"`
	Text string `json:"text"`
}

type askedFrame struct {
	T     string     `json:"t"`
	Room  string     `json:"room"`
	Asked []AskShown `json:"asked"` // all open challenges
	Ended []askEnded `json:"ended,omitempty"`
}

// noteAsked records which players must be told about challenges. Called with mu held.
func (l *lobbyHub) noteAsked(c seeks.News) {
	for _, ask := range c.Over {
		l.tellOf(ask.To)
		if l.tellOf(ask.By); len(l.people[ask.By]) > 0 && (ask.Why == seeks.EndDeclined || ask.Why == seeks.EndExpired) {
			l.asked[ask.By] = append(l.asked[ask.By], ask)
		}
	}
	if c.Ask != nil {
		l.tellOf(c.Ask.By)
		l.tellOf(c.Ask.To)
	}
}

// tellOf schedules a message to a player about all challenges by and to the player.
// It does nothing if the player has no socket here. Called with mu held.
func (l *lobbyHub) tellOf(player string) {
	if player == "" || len(l.people[player]) == 0 {
		return
	}
	if _, due := l.asked[player]; !due {
		l.asked[player] = nil
	}
	l.asking.Mark()
}

// tellAsked sends players the challenges that concern them. It reads names without
// holding locks. A change that comes meanwhile is sent by the next run.
func (l *lobbyHub) tellAsked() {
	l.mu.Lock()
	due := l.asked
	l.asked = map[string][]seeks.Over{}
	asks := make(map[string][]seeks.Challenge, len(due))
	if !l.server.LobbyRoom.Followed(func(s *seeks.State) {
		for player := range due {
			asks[player] = s.AsksOf(player)
		}
	}) {
		due = nil
	}
	l.mu.Unlock()
	for player, ended := range due {
		l.mu.Lock()
		words := l.words(player)
		l.mu.Unlock()
		f := l.server.AskedFrame(l.server.Workers.Context(), words, player, asks[player], ended)
		l.mu.Lock()
		l.tell(player, f, true)
		l.mu.Unlock()
	}
}

// AskedFrame returns the frame with all challenges that concern a player.
func (srv *Live) AskedFrame(ctx context.Context, words *messages.Catalog, player string, asks []seeks.Challenge, ended []seeks.Over) askedFrame {
	apart, err := srv.Policy.Apart(ctx, player)
	if err != nil {
		lobby.Warn(srv.Log, "web: blocks not read", err)
	}
	asks = slices.DeleteFunc(asks, func(c seeks.Challenge) bool { return slices.Contains(apart, c.By) || slices.Contains(apart, c.To) })
	people := make([]string, 0, len(asks)+len(ended))
	for _, c := range asks {
		people = append(people, c.By, c.To)
	}
	for _, e := range ended {
		people = append(people, e.To)
	}
	names, err := srv.People.Names(ctx, people)
	if err != nil {
		lobby.Warn(srv.Log, "web: names not read", err)
	}
	f := askedFrame{T: "asked", Room: seeks.Room, Asked: []AskShown{}}
	for _, c := range asks {
		f.Asked = append(f.Asked, showAsk(words, c, player, names))
	}
	for _, e := range ended {
		f.Ended = append(f.Ended, askEnded{e.ID, words.T("challenge."+e.Why, "name", names[e.To])})
	}
	return f
}

// AsksOf returns the challenges that concern a player. An error is logged and gives
// none, so that the page can still be shown.
func (srv *Live) AsksOf(ctx context.Context, words *messages.Catalog, player string) []AskShown {
	var asks []seeks.Challenge
	if err := srv.LobbyRoom.State(ctx, func(s *seeks.State) { asks = s.AsksOf(player) }); err != nil {
		lobby.Warn(srv.Log, "web: challenges not read", err)
	}
	if len(asks) == 0 {
		return nil
	}
	return srv.AskedFrame(ctx, words, player, asks, nil).Asked
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

package live

import (
	"context"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/web/messages"
	"mancala/web/site"
)

// askEnded tells a challenger that the challenge ended without a game.
type askEnded struct {
	ID   string `json:"seek"`
	Text string `json:"text"`
}

type askedFrame struct {
	T     string          `json:"t"`
	Room  string          `json:"room"`
	Asked []site.AskShown `json:"asked"` // all open challenges
	Ended []askEnded      `json:"ended,omitempty"`
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
		f := l.server.askedFrame(l.server.Workers.Context(), words, player, asks[player], ended)
		l.mu.Lock()
		l.tell(player, f, true)
		l.mu.Unlock()
	}
}

// askedFrame returns the frame with all challenges that concern a player.
func (srv *Live) askedFrame(ctx context.Context, words *messages.Catalog, player string, asks []seeks.Challenge, ended []seeks.Over) askedFrame {
	f := askedFrame{T: "asked", Room: seeks.Room, Asked: srv.AsksShown(ctx, words, player, asks)}
	people := make([]string, len(ended))
	for i, e := range ended {
		people[i] = e.To
	}
	names, err := srv.PlayerNames(ctx, words, people)
	if err != nil {
		lobby.Warn(srv.Log, "web: names not read", err)
	}
	for _, e := range ended {
		f.Ended = append(f.Ended, askEnded{e.ID, words.T("challenge."+e.Why, "name", names[e.To])})
	}
	return f
}

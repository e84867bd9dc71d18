package web

import (
	"context"
	"slices"

	"mancala/lobby"
	"mancala/lobby/seeks"
)

// endedAsk is a challenge that is over, and why.
type endedAsk struct {
	seeks.Challenge
	why string
}

// askShown is an open challenge as one of the two sees it.
type askShown struct {
	ID   string `json:"seek"`
	Mine bool   `json:"mine"` // who is told has asked
	Name string `json:"name"` // of the other
	Text string `json:"text"` // all of it as a sentence
	// Of one's own, to say it again.
	Key   string `json:"key,omitempty"`
	To    string `json:"to,omitempty"`
	Until int64  `json:"until,omitempty"` // ms
	seeks.Game
}

// askEnded is one's own challenge that led to nothing.
type askEnded struct {
	ID   string `json:"seek"`
	Text string `json:"text"`
}

type askedFrame struct {
	T     string     `json:"t"`
	Room  string     `json:"room"`
	Asked []askShown `json:"asked"` // all that are open
	Ended []askEnded `json:"ended,omitempty"`
}

// noteAsked remembers who is to be told of challenges, before the change is taken
// in. Called with mu held.
func (l *lounge) noteAsked(c seeks.Change) {
	for _, e := range c.Ended {
		ask := l.state.Challenge(e.ID)
		if ask == nil {
			continue
		}
		l.tellOf(ask.To)
		if l.tellOf(ask.By); len(l.people[ask.By]) > 0 && (e.Why == seeks.EndDeclined || e.Why == seeks.EndExpired) {
			l.asked[ask.By] = append(l.asked[ask.By], endedAsk{*ask, e.Why})
		}
	}
	if c.Ask != nil {
		l.tellOf(c.Ask.By)
		l.tellOf(c.Ask.To)
	}
}

// tellOf makes somebody be told of the challenges that concern him, if he is here.
// Called with mu held.
func (l *lounge) tellOf(player string) {
	if player == "" || len(l.people[player]) == 0 {
		return
	}
	if _, due := l.asked[player]; !due {
		l.asked[player] = nil
	}
	l.asking.Mark()
}

// asksOf are the challenges by and to somebody.
func asksOf(s *seeks.State, player string) (asks []seeks.Challenge) {
	if s == nil {
		return nil
	}
	for _, c := range s.Asked {
		if c.By == player || c.To == player {
			asks = append(asks, c)
		}
	}
	return asks
}

// tellAsked tells people of the challenges that concern them. Names are read outside
// the locks; what changes meanwhile is told next.
func (l *lounge) tellAsked() {
	l.mu.Lock()
	due := l.asked
	l.asked = map[string][]endedAsk{}
	if l.state == nil {
		due = nil
	}
	asks := make(map[string][]seeks.Challenge, len(due))
	for player := range due {
		asks[player] = asksOf(l.state, player)
	}
	l.mu.Unlock()
	for player, ended := range due {
		l.mu.Lock()
		words := l.words(player)
		l.mu.Unlock()
		f := l.server.askedFrame(l.server.workers.Context(), words, player, asks[player], ended)
		l.mu.Lock()
		l.tell(player, f, true)
		l.mu.Unlock()
	}
}

// askedFrame tells one person of all challenges that concern him.
func (srv *Server) askedFrame(ctx context.Context, words *catalog, player string, asks []seeks.Challenge, ended []endedAsk) askedFrame {
	apart, err := srv.Policy.Apart(ctx, player)
	if err != nil {
		lobby.Warn(srv.log, "web: blocks not read", err)
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
		lobby.Warn(srv.log, "web: names not read", err)
	}
	f := askedFrame{T: "asked", Room: seeks.Room, Asked: []askShown{}}
	for _, c := range asks {
		f.Asked = append(f.Asked, words.showAsk(c, player, names))
	}
	for _, e := range ended {
		f.Ended = append(f.Ended, askEnded{e.ID, words.t("challenge."+e.why, "name", names[e.To])})
	}
	return f
}

// asksOf are the challenges that concern somebody. Without them a page is there all
// the same.
func (srv *Server) asksOf(ctx context.Context, words *catalog, player string) []askShown {
	var asks []seeks.Challenge
	if err := srv.lobbyState(ctx, func(s *seeks.State) { asks = asksOf(s, player) }); err != nil {
		lobby.Warn(srv.log, "web: challenges not read", err)
	}
	if len(asks) == 0 {
		return nil
	}
	return srv.askedFrame(ctx, words, player, asks, nil).Asked
}

func (c *catalog) showAsk(ask seeks.Challenge, player string, names map[string]string) askShown {
	shown, key := askShown{ID: ask.ID, Mine: ask.By == player, Name: names[ask.By], Game: ask.Game}, "challenge.in"
	if shown.Mine {
		shown.Name, shown.Key, shown.To, shown.Until, key = names[ask.To], ask.Key, ask.To, ask.Until, "challenge.out"
	}
	shown.Text = c.t(key, "name", shown.Name, "game", gameWords(ask.Game), "clock", c.clock(ask.Clock), "counts", c.counts(ask.Game))
	return shown
}

// counts says whether a game is rated.
func (c *catalog) counts(g seeks.Game) string {
	return c.t(map[bool]string{true: "lobby.rated", false: "lobby.casual"}[g.Rated])
}

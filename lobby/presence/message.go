package presence

import "time"

// message is what one instance sends to all others.
type message struct {
	From   string    `json:"from"`
	People []string  `json:"people,omitempty"` // players whose presence it subscribes to
	Mine   []string  `json:"mine,omitempty"`   // players whose games it subscribes to
	Here   []Present `json:"here,omitempty"`
	Gone   []string  `json:"gone,omitempty"`
	Games  []string  `json:"games,omitempty"` // players whose games have changed
	Other  []string  `json:"other,omitempty"` // see [Presence.Invalidate]
	Ask    []string  `json:"ask,omitempty"`   // see [Presence.Ask]
	Open   []string  `json:"open,omitempty"`  // players that another instance asked about and who have a page open here
}

// wantEvery is how often an instance sends all its subscriptions.
const wantEvery = 15 * time.Second

// topic is a kind of news about a player.
type topic int

const (
	aboutPlayers topic = iota // whether they are here, and what they play
	aboutGames                // whether their list of games has changed
)

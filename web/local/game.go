package local

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mancala/lobby/bot"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// Levels is the number of levels that play here, the weakest first. The stronger ones search for so
// long that a phone would be slow and hot.
const Levels = 6

// Room is the room of all frames: it is no ID that a room of a server can have.
const Room = "local"

// Me is the player whose page it is. The others at the screen are their seatmates.
const Me = "plocal"

// Game is what is chosen before a game begins. It decides the whole beginning, so that a kept game
// begins in the same way.
type Game struct {
	ID      string   `json:"id"` // makes bots play differently in each game
	At      int64    `json:"at"` // when it begins, ms since 1970
	Rules   string   `json:"rules"`
	Options string   `json:"options,omitempty"`
	Level   int      `json:"level,omitempty"` // of the computer; 0: the others are people at this screen
	Start   string   `json:"start,omitempty"` // who has the first seat: "creator", "friend" for the others, or at random
	Turn    *int     `json:"turn,omitempty"`  // by how many seats the players have moved on; it follows from Start when a game begins
	Plain   bool     `json:"plain,omitempty"` // pages do not show what a move would do
	Names   []string `json:"names,omitempty"` // of the people, in their order
}

const (
	maxID    = 64
	maxSeats = 4
	maxName  = 24 // characters, as on the server
)

// check returns the game with everything decided, or an error if it cannot be played.
func (g Game) check() (Game, error) {
	if g.ID == "" || len(g.ID) > maxID || !timely(g.At) || g.Level < 0 || g.Level > Levels || !slices.Contains([]string{"", "random", "creator", "friend"}, g.Start) {
		return g, refusal.New(match.CodeBadSettings)
	}
	seats, err := g.settings().Seats()
	if err != nil {
		return g, err
	}
	names := g.Names
	g.Names = nil
	for i := range min(len(names), g.people(seats)) {
		g.Names = append(g.Names, nameFrom(names[i]))
	}
	if g.Turn == nil {
		turn := 0
		switch {
		case g.Start == "friend":
			turn = 1
		case g.Start != "creator":
			sum := sha256.Sum256([]byte(g.ID))
			turn = int(sum[0]) % seats
		}
		g.Turn = &turn
	}
	if *g.Turn < 0 || *g.Turn >= seats {
		return g, refusal.New(match.CodeBadSettings)
	}
	return g, nil
}

// timely reports whether a time can be one of a game: from 1970 on, and before the year 3000.
func timely(ms int64) bool { return ms >= 0 && ms < 32_503_680_000_000 }

// people returns the number of people in a game with the given number of seats.
func (g Game) people(seats int) int {
	if g.Level > 0 {
		return 1
	}
	return seats
}

// nameFrom returns the name for the text that a player typed: single spaces between words, no control and
// format characters (among them all that change the direction of writing), and at most [maxName] characters.
func nameFrom(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > maxName {
		text = string([]rune(text)[:maxName])
	}
	return text
}

func (g Game) settings() match.Settings {
	assists := !g.Plain
	return match.Settings{Rules: g.Rules, Options: g.Options, Clock: "none", Start: "creator", Chat: "off", Assists: &assists}
}

// players returns the players in the order in which they were chosen: the owner of the page first.
func (g Game) players(seats int) []string {
	list := []string{Me}
	if g.Level > 0 {
		return append(list, bot.Table(g.Level, seats-1)...)
	}
	for n := 1; n < seats; n++ {
		list = append(list, match.SeatmateID(Me, strconv.Itoa(n)))
	}
	return list
}

// creation returns the command that begins the game, which was checked.
func (g Game) creation(seats int) machine.Command {
	players := g.players(seats)
	seated := make([]string, seats)
	for i, p := range players {
		seated[(i+*g.Turn)%seats] = p
	}
	return match.Creation{Settings: g.settings(), Creator: Me, Seats: seated, Expires: -1}.Command("begin")
}

// again returns the game in which the same players play again, each one seat further on.
func (g Game) again(seats int) Game {
	sum := sha256.Sum256([]byte("again " + g.ID))
	turn := (*g.Turn + 1) % seats
	g.ID, g.Turn = hex.EncodeToString(sum[:5]), &turn
	return g
}

// nameOf returns the name of a player. A person without one is called by their place.
func (g Game) nameOf(player string) string {
	if name, ok := bot.Name(player); ok {
		return name
	}
	place := slices.Index(g.players(maxSeats), player)
	if place >= 0 && place < len(g.Names) && g.Names[place] != "" {
		return g.Names[place]
	}
	return fmt.Sprint("Player ", place+1)
}

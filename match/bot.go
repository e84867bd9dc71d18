package match

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// A bot is a player that is a program. It has no socket, and its presence is not
// tracked. It sends the same commands as people. What it has to compute first (a
// move, the answer to a draw offer) is a task. A bot always agrees to a takeback and
// a rematch, so these need no task. Games with bots are never rated.

// TaskBot is the kind of the task that asks a bot for an answer. Its body is an
// [Asked]. The answer is the bot's command, and the entry of that command closes the
// task.
const TaskBot = "bot"

// botPrefix begins the ID of every bot and of no person.
const botPrefix = "bot"

// maxBots is the largest number of bots of one level at one table.
const maxBots = maxSeats - 1

// BotID returns the ID of the nth bot of a level. Both count from 1.
func BotID(level, nth int) string {
	id := botPrefix + strconv.Itoa(level)
	if nth > 1 {
		id += "." + strconv.Itoa(nth)
	}
	return id
}

// Bot parses the ID of a bot. It returns false if the player is not a bot.
func Bot(player string) (level, nth int, ok bool) {
	text, found := strings.CutPrefix(player, botPrefix)
	if !found {
		return 0, 0, false
	}
	a, b, several := strings.Cut(text, ".")
	level, err := strconv.Atoi(a)
	if nth = 1; several {
		nth, _ = strconv.Atoi(b)
	}
	if err != nil || level < 1 || level > 99 || nth < 1 || nth > maxBots || BotID(level, nth) != player {
		return 0, 0, false
	}
	return level, nth, true
}

// isBot reports whether a player is a bot.
func isBot(player string) bool {
	_, _, ok := Bot(player)
	return ok
}

// IsBot implements [machine.HasBots].
func (m *Match) IsBot(player string) bool { return isBot(player) }

// bot reports whether a bot has the seat.
func (s *state) bot(seat int) bool { return isBot(s.seats[seat]) }

// sitWithBots seats bots in all seats beside the creator's and begins the game.
func (s *state) sitWithBots(bots []string, at int64) error {
	all := slices.Concat(s.sitters, bots)
	if s.start == startYoungest || s.forOthers || !s.fits(all) || slices.ContainsFunc(bots, func(p string) bool { return !isBot(p) }) {
		return refusal.New(CodeBadSettings)
	}
	if s.sitters = all; s.rated {
		return refusal.New(CodeNotRateable)
	}
	s.begin(s.seated(), at)
	return nil
}

// alone reports whether only bots still play, apart from the given seat (-1: apart
// from none) and the players at the same screen.
func (s *state) alone(seat int) bool {
	for i := range s.seats {
		if i != seat && !s.bot(i) && !s.out(i) && (seat < 0 || s.asks(seat, i)) {
			return false
		}
	}
	return true
}

// Asked is the body of a bot's task: all that the bot needs for its answer.
type Asked struct {
	Player string `json:"player"`
	Seat   int    `json:"seat"`
	What   string `json:"what"` // "move", or "draw": whether the bot accepts the open draw offer
	Ply    int    `json:"ply"`
	For    string `json:"for"` // a person who waits for the answer

	System    string      `json:"system"`
	Options   string      `json:"options,omitempty"`
	Title     string      `json:"title"`
	Canonical string      `json:"canonical"`
	First     engine.Seat `json:"first,omitempty"`
	Moves     []byte      `json:"moves,omitempty"` // packed
	Lay       string      `json:"lay,omitempty"`
	Left      [][2]int    `json:"left,omitempty"` // seats that have left, each with the plies played before it left
}

// askBot returns the task for the bot that has to answer now, and false if no bot
// has to. The ID of the task counts the plies that were ever made. A takeback does
// not lower that count, so an ID never comes back with another meaning.
func (s *state) askBot() (machine.Task, bool) {
	seat, about := s.asksBot()
	if seat < 0 {
		return machine.Task{}, false
	}
	a := Asked{
		Player: s.seats[seat], Seat: seat, What: about, Ply: int(s.pos.Ply), Moves: s.moves, Lay: s.lay, First: s.firstSeat,
		System: s.rules.system, Options: s.rules.options, Title: s.rules.title, Canonical: s.rules.canonical,
	}
	if i := slices.IndexFunc(s.seats, func(p string) bool { return !isBot(p) }); i >= 0 {
		a.For = s.seats[i]
	}
	for _, l := range s.left {
		a.Left = append(a.Left, [2]int{int(l.seat), int(l.ply)})
	}
	body, err := json.Marshal(a)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	made := 0
	for _, n := range s.made {
		made += int(n)
	}
	return machine.Task{ID: fmt.Sprintf("%s-%s-%d", a.Player, about, made), Kind: TaskBot, Body: body}, true
}

// asksBot returns the seat of the bot that has to answer now (-1: none) and what the
// question is about. A draw offer comes before the bot's move, since the draw may
// end the game.
func (s *state) asksBot() (seat int, about string) {
	if !s.playing() || s.paused() {
		return -1, ""
	}
	if i := s.offered(draw); i >= 0 {
		o := s.offers[i]
		for seat := range s.seats {
			if s.bot(seat) && !s.out(seat) && o.yes>>seat&1 == 0 && s.side(seat) != s.side(int(o.seat)) {
				return seat, draw.String()
			}
		}
	}
	if seat := s.onTurn(); s.bot(seat) && !s.out(seat) {
		return seat, KindMove
	}
	return -1, ""
}

// Question is the game and the position that a bot is asked about.
type Question struct {
	Game     *engine.Game
	Position engine.Position
	History  engine.History
	Sown     int // seeds of the last ply; people watch this sowing first
}

// Read returns the question in a form that the bot can search.
func (a *Asked) Read() (*Question, error) {
	rules, err := rulesets.get(a.System, a.Options, a.Title, a.Canonical)
	if err != nil {
		return nil, err
	}
	s := state{rules: rules, firstSeat: a.First, moves: a.Moves, lay: a.Lay}
	for _, l := range a.Left {
		s.left = append(s.left, leaver{engine.Seat(l[0]), int32(l[1])})
	}
	var t engine.Trace
	pos, hist, err := s.replay(len(s.moves), &t, nil)
	return &Question{rules.game, pos, hist, t.Sown()}, err
}

// Question returns the present position as a question, for a hint.
func (m *Match) Question() *Question {
	return &Question{Game: m.rules.game, Position: m.pos, History: m.hist.Clone()}
}

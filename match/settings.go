package match

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// Settings are what the creator of a game chooses. Empty fields mean Kalah, the
// system's own rules, no clock, a random start, assists unless the game counts,
// and a chat in which people may write what they like.
type Settings struct {
	Rules     string `json:"rules,omitempty"`     // a system of RULES.md §5
	Options   string `json:"options,omitempty"`   // changes to it: "key=value …"
	Clock     string `json:"clock,omitempty"`     // "none", "5+3", "5d3", "3/move"
	Start     string `json:"start,omitempty"`     // "random", "creator", "friend", "youngest": who is seat 0
	ForOthers bool   `json:"forOthers,omitempty"` // the creator only watches
	Assists   *bool  `json:"assists,omitempty"`   // pages show beforehand what a move would do; never in a game that counts
	Rated     bool   `json:"rated,omitempty"`     // it counts: rated.go says which games can
	Chat      string `json:"chat,omitempty"`      // "off", "presets", "free": what may be said beside it
	Delay     int64  `json:"delay,omitempty"`     // one of [Delays]: by how many seconds watchers lag behind
	Listed    bool   `json:"listed,omitempty"`    // it is shown among the games to watch
}

// Check says whether a game can be made with these settings. The error is a
// [*refusal.Error].
func (s Settings) Check() error {
	_, err := s.Seats()
	return err
}

// Seats is how many play a game with these settings. The error is [Settings.Check]'s.
func (s Settings) Seats() (int, error) {
	var st state
	if err := st.configure(s); err != nil {
		return 0, err
	}
	return st.rules.game.Seats(), nil
}

// Speed is at which speed a game with these settings is played, as ratings have it:
// empty without a clock.
func (s Settings) Speed() string {
	c, _ := parseControl(s.Clock)
	return c.speed()
}

// Creation is a new match: with a creator who waits for others, or with all its
// people in their seats, and then it begins at once.
type Creation struct {
	Settings
	Creator string        // a player's ID; he sits down first, unless ForOthers
	Seats   []string      // players by seat; nil: whoever comes
	Bots    []string      // who sit down with the creator, so that it begins at once; not with Seats
	Expires time.Duration // until a game ends that nobody came to, or nobody moved in; 0: a day, negative: never
	Secret  string        // decides a random start; left empty, it is drawn
}

// creationBody is a Creation as the command's body, which clients never send: a
// room exists once its first entry does.
type creationBody struct {
	Settings
	Creator string   `json:"creator,omitempty"`
	Seats   []string `json:"seats,omitempty"`
	Bots    []string `json:"bots,omitempty"`
	Expires int64    `json:"expires,omitempty"` // ms
	Secret  string   `json:"secret,omitempty"`
}

const (
	defaultExpiry = 24 * time.Hour
	maxName       = 128 // bytes of a player's or a room's ID
)

// Command is the first command of the room that shall run the match. id makes it
// recognisable when it is sent again.
func (c Creation) Command(id string) machine.Command {
	if c.Secret == "" && len(c.Seats) == 0 {
		var b [16]byte
		rand.Read(b[:]) // never fails, says its documentation
		c.Secret = hex.EncodeToString(b[:])
	}
	return machine.Command{ID: id, Kind: KindCreate, By: c.Creator, Body: c.body()}
}

func (c Creation) body() json.RawMessage {
	if c.Expires == 0 {
		c.Expires = defaultExpiry
	}
	b, err := json.Marshal(creationBody{c.Settings, c.Creator, c.Seats, c.Bots, c.Expires.Milliseconds(), c.Secret})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return b
}

// start is who takes the first seat.
type start uint8

const (
	startRandom start = iota
	startCreator
	startFriend
	startYoungest // who says that he is; until somebody does, the game waits
)

var startNames = [...]string{"random", "creator", "friend", "youngest"}

// ChatLevel is what may be said beside a game.
type ChatLevel uint8

const (
	ChatFree ChatLevel = iota // what entries of earlier releases mean, which do not say it
	ChatPresets
	ChatOff
)

var chatNames = [...]string{"free", "presets", "off"}

// Delays are the seconds by which players may have watchers lag behind.
var Delays = [...]int64{0, 10, 60}

// configure takes settings into a state that waits for people.
func (s *state) configure(c Settings) error {
	if c.Rules == "" {
		c.Rules = "kalah"
	}
	if c.Clock == "" {
		c.Clock = "none"
	}
	if c.Start == "" {
		c.Start = startNames[startRandom]
	}
	if c.Chat == "" {
		c.Chat = chatNames[ChatFree]
	}
	rules, err := newRuleset(c.Rules, c.Options)
	if err != nil {
		return err
	}
	control, ok := parseControl(c.Clock)
	if !ok {
		return refusal.New(CodeBadClock)
	}
	begin, chat := slices.Index(startNames[:], c.Start), slices.Index(chatNames[:], c.Chat)
	if begin < 0 || chat < 0 || !slices.Contains(Delays[:], c.Delay) {
		return refusal.New(CodeBadSettings)
	}
	s.rules, s.control, s.start, s.forOthers, s.chat = rules, control, start(begin), c.ForOthers, ChatLevel(chat)
	s.behind, s.listed = c.Delay, c.Listed
	s.rated = c.Rated
	if s.plain = s.rated; !s.rated && c.Assists != nil {
		s.plain = !*c.Assists
	}
	s.pos = rules.game.Start()
	if s.rated && !s.rateable() {
		return refusal.New(CodeNotRateable)
	}
	return nil
}

// chosen are the settings that a state has taken in.
func (s *state) chosen() Settings {
	assists := !s.plain
	return Settings{
		Rules: s.rules.system, Options: s.rules.options, Clock: s.control.text, Start: startNames[s.start],
		ForOthers: s.forOthers, Assists: &assists, Rated: s.rated, Chat: chatNames[s.chat], Delay: s.behind, Listed: s.listed,
	}
}

// playsLike says whether two states have the same settings.
func (s *state) playsLike(t *state) bool {
	return s.rules == t.rules && s.control == t.control && s.start == t.start && s.forOthers == t.forOthers &&
		s.plain == t.plain && s.rated == t.rated && s.chat == t.chat && s.behind == t.behind && s.listed == t.listed
}

// decideCreate makes the first entry.
func decideCreate(s *state, c machine.Command, at int64) (machine.Entry, error) {
	var o creationBody
	if s.stage != unborn || len(c.Body) > maxCommand || json.Unmarshal(c.Body, &o) != nil {
		return machine.Entry{}, refusal.New(CodeBadCommand)
	}
	n := state{unmoved: max(0, o.Expires), stage: waiting, round: 1, creator: o.Creator, secret: o.Secret}
	if err := n.configure(o.Settings); err != nil {
		return machine.Entry{}, err
	}
	switch {
	case len(o.Creator) > maxName || len(o.Secret) > maxName:
		return machine.Entry{}, refusal.New(CodeBadSettings)
	case len(o.Seats) > 0:
		if !n.fits(o.Seats) {
			return machine.Entry{}, refusal.New(CodeBadSettings)
		}
		n.sitters = o.Seats
		if o.Rated && !n.rateable() {
			return machine.Entry{}, refusal.New(CodeNotRateable)
		}
		n.begin(o.Seats, at)
	default:
		if o.Creator == "" || o.Secret == "" {
			return machine.Entry{}, refusal.New(CodeBadSettings)
		}
		if !n.forOthers {
			n.sitters = []string{o.Creator}
		}
		if o.Expires > 0 {
			n.expires = at + o.Expires
		}
		if len(o.Bots) > 0 {
			if err := n.sitWithBots(o.Bots, at); err != nil {
				return machine.Entry{}, err
			}
		}
	}
	body := appendAll([]byte{'{'}, &n)
	body = append(body[:1], body[2:]...) // the comma before the first member
	return machine.Entry{Kind: KindCreate, At: at, By: c.By, Command: c.ID, Body: append(body, '}')}, nil
}

// fits says whether these people can be seated: as many as the game has seats,
// each once.
func (s *state) fits(people []string) bool {
	for i, p := range people {
		if p == "" || len(p) > maxName || slices.Contains(people[:i], p) {
			return false
		}
	}
	return len(people) == s.rules.game.Seats()
}

// settings changes them while people are still coming. What is not said stays,
// but new rules do not keep the options of the old. Everybody but the creator
// has to sit down again: nobody plays other rules than he saw.
func (d *decision) settings(o order) error {
	switch {
	case d.stage != waiting:
		return refusal.New(CodeNotWaiting)
	case d.by != d.creator:
		return refusal.New(CodeNotCreator)
	}
	c := d.chosen()
	if o.has&hasRules != 0 {
		c.Rules, c.Options = o.rules, ""
	}
	if o.has&hasOptions != 0 {
		c.Options = o.options
	}
	if o.has&hasClock != 0 {
		c.Clock = o.clock
	}
	if o.has&hasStart != 0 {
		c.Start = o.start
	}
	if o.has&hasForOthers != 0 {
		c.ForOthers = o.forOthers
	}
	if o.has&hasAssists != 0 {
		c.Assists = &o.assists
	}
	if o.has&hasRated != 0 {
		c.Rated = o.rated
	}
	if o.has&hasChat != 0 {
		c.Chat = o.chat
	}
	if o.has&hasDelay != 0 {
		c.Delay = o.delay
	}
	if o.has&hasListed != 0 {
		c.Listed = o.listed
	}
	if c.Rules == "" || c.Clock == "" || c.Start == "" || c.Chat == "" {
		return refusal.New(CodeBadSettings)
	}
	before := d.state
	if err := d.configure(c); err != nil {
		return err
	}
	if before.playsLike(&d.state) {
		return machine.ErrNothing
	}
	wasSitting := slices.Contains(d.sitters, d.creator)
	d.sitters = nil
	if !d.forOthers && (wasSitting || before.forOthers) {
		d.sitters = []string{d.creator}
	}
	d.forgetYoungest()
	return nil
}

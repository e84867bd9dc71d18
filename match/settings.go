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

// Settings are the choices of a game's creator. Empty fields mean Kalah, the
// system's own rules, no clock, a random start, assists unless the game is rated,
// and a free chat.
type Settings struct {
	Rules     string `json:"rules,omitempty"`     // a system of RULES.md §5
	Options   string `json:"options,omitempty"`   // changes to it: "key=value …"
	Clock     string `json:"clock,omitempty"`     // "none", "5+3", "5d3", "3/move"
	Start     string `json:"start,omitempty"`     // "random", "creator", "friend", "youngest": the player in seat 0
	ForOthers bool   `json:"forOthers,omitempty"` // the creator only watches
	Assists   *bool  `json:"assists,omitempty"`   // pages show what a move would do before it is played; never in a rated game
	Rated     bool   `json:"rated,omitempty"`     // the game is rated: rated.go describes which games can be
	Chat      string `json:"chat,omitempty"`      // "off", "presets", "free": what the chat beside the game allows
	Delay     int64  `json:"delay,omitempty"`     // one of [Delays]: the seconds by which watchers lag behind
	Listed    bool   `json:"listed,omitempty"`    // the game is shown among the games to watch
}

// Check returns an error if no game can be created with these settings. The error is
// a [*refusal.Error].
func (s Settings) Check() error {
	_, err := s.Seats()
	return err
}

// Seats returns the number of players of a game with these settings. Its error is
// that of [Settings.Check].
func (s Settings) Seats() (int, error) {
	var st state
	if err := st.configure(s); err != nil {
		return 0, err
	}
	return st.rules.game.Seats(), nil
}

// Speed returns the speed of a game with these settings, one of [Speeds], or ""
// without a clock.
func (s Settings) Speed() string {
	c, _ := parseControl(s.Clock)
	return c.speed()
}

// Creation is a new match. Either its creator waits for other players, or it has all
// its players in their seats and begins at once.
type Creation struct {
	Settings
	Creator string        // a player's ID; the creator sits down first, unless ForOthers
	Seats   []string      // players by seat; nil: the seats are open to all
	Bots    []string      // bots in all seats beside the creator's, so that the game begins at once; not with Seats
	Expires time.Duration // until a game ends to which no player came, or in which no player moved; 0: a day, negative: never
	Secret  string        // decides a random start; if empty, it is drawn

	Event  *Event        // the game belongs to a tournament; only with Seats, and two of them
	NoShow time.Duration // of a game of a tournament: until a player who makes no first ply loses; 0: never
}

// creationBody is a Creation as the command's body. Clients never send it: a room
// exists once its first entry does.
type creationBody struct {
	Settings
	Creator string   `json:"creator,omitempty"`
	Seats   []string `json:"seats,omitempty"`
	Bots    []string `json:"bots,omitempty"`
	Expires int64    `json:"expires,omitempty"` // ms
	Secret  string   `json:"secret,omitempty"`
	Event   *Event   `json:"event,omitempty"`
	NoShow  int64    `json:"noShow,omitempty"` // ms
}

const (
	defaultExpiry = 24 * time.Hour
	maxName       = 128 // bytes of a player's or a room's ID
)

// Command returns the first command of the room that will run the match. id
// identifies the command when it is sent again.
func (c Creation) Command(id string) machine.Command {
	if c.Secret == "" && len(c.Seats) == 0 {
		var b [16]byte
		rand.Read(b[:]) // never fails, by its documentation
		c.Secret = hex.EncodeToString(b[:])
	}
	return machine.Command{ID: id, Kind: KindCreate, By: c.Creator, Body: c.body()}
}

func (c Creation) body() json.RawMessage {
	if c.Expires == 0 {
		c.Expires = defaultExpiry
	}
	b, err := json.Marshal(creationBody{c.Settings, c.Creator, c.Seats, c.Bots, c.Expires.Milliseconds(), c.Secret, c.Event, c.NoShow.Milliseconds()})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return b
}

// start is the way in which the first seat is assigned.
type start uint8

const (
	startRandom start = iota
	startCreator
	startFriend
	startYoungest // the player who reports being the youngest; the game waits for that
)

var startNames = [...]string{"random", "creator", "friend", "youngest"}

// ChatLevel is what the chat beside a game allows.
type ChatLevel uint8

const (
	ChatFree ChatLevel = iota // also the meaning of entries of earlier releases, which have no such field
	ChatPresets
	ChatOff
)

var chatNames = [...]string{"free", "presets", "off"}

// Delays are the seconds by which players may let watchers lag behind.
var Delays = [...]int64{0, 10, 60}

// configure takes over settings into a state that waits for players.
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

// chosen returns the settings of a state.
func (s *state) chosen() Settings {
	assists := !s.plain
	return Settings{
		Rules: s.rules.system, Options: s.rules.options, Clock: s.control.text, Start: startNames[s.start],
		ForOthers: s.forOthers, Assists: &assists, Rated: s.rated, Chat: chatNames[s.chat], Delay: s.behind, Listed: s.listed,
	}
}

// playsLike reports whether two states have the same settings.
func (s *state) playsLike(t *state) bool {
	return s.rules.same(t.rules) && s.control == t.control && s.start == t.start && s.forOthers == t.forOthers &&
		s.plain == t.plain && s.rated == t.rated && s.chat == t.chat && s.behind == t.behind && s.listed == t.listed
}

// decideCreate returns the first entry.
func decideCreate(s *state, c machine.Command, at int64) (machine.Entry, error) {
	var o creationBody
	if s.stage != unborn || len(c.Body) > maxCommand || json.Unmarshal(c.Body, &o) != nil {
		return machine.Entry{}, refusal.New(CodeBadCommand)
	}
	n := state{unmoved: max(0, o.Expires), stage: waiting, round: 1, creator: o.Creator, secret: o.Secret}
	if err := n.configure(o.Settings); err != nil {
		return machine.Entry{}, err
	}
	if err := n.takesEvent(&o); err != nil {
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
	return machine.Entry{
		Kind: KindCreate, Version: n.versionOf(KindCreate), At: at, By: c.By, Command: c.ID, Body: append(body, '}'),
	}, nil
}

// fits reports whether these players can be seated: as many as the game has seats,
// each once.
func (s *state) fits(people []string) bool {
	for i, p := range people {
		if p == "" || len(p) > maxName || slices.Contains(people[:i], p) {
			return false
		}
	}
	return len(people) == s.rules.game.Seats()
}

// settings changes the settings while seats are still open. Settings that the
// command does not name stay, but new rules do not keep the options of the old.
// Every player except the creator has to sit down again, so that they agree to the
// new settings.
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

package tournament

import (
	"encoding/json"
	"slices"
	"time"

	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// Kinds of commands, and of the entries that they become.
const (
	KindCreate = "create" // the first command; its author becomes the host

	// Only the server sends these. It has checked who asks.
	KindJoin    = "join"    // a player joins, or a host adds one
	KindHost    = "host"    // a person with the host link becomes a host
	KindReplace = "replace" // another person takes a player's place
	KindReport  = "report"  // a game is over

	// Players send these for themselves, and hosts for others.
	KindHere  = "here"  // the player has checked in
	KindLeave = "leave" // the player withdraws
	KindBye   = "bye"   // the player asks for a bye in a round

	KindSettings = "settings"
	KindAbsent   = "absent"  // all players who have not checked in withdraw
	KindReturn   = "return"  // the player takes part again
	KindForbid   = "forbid"  // players may not meet
	KindAllow    = "allow"   // players may meet again
	KindStart    = "start"   // starts the next round
	KindResult   = "result"  // sets or corrects the result of a board, or clears it
	KindWait     = "wait"    // the next round does not start by itself, and no wave comes
	KindExtend   = "extend"  // an arena ends later, or the round later or earlier
	KindArbiter  = "arbiter" // acts on games that are being played, see arbiter.go
	KindAnnounce = "announce"
	KindFinish   = "finish"
	KindDelete   = "delete" // with all names of its players
	KindUndo     = "undo"
)

// sender is who may send a command.
type sender uint8

const (
	byServer sender = iota
	byHost
	byPlayer // for themselves, or a host for them
)

// A command is one kind of command: who may send it, and the function that decides it.
type command struct {
	from   sender
	decide func(*decision) error
}

// commands are all commands by their kind. An entry has the kind of its command.
var commands = map[string]command{
	KindCreate: {byServer, (*decision).create}, KindJoin: {byServer, (*decision).join}, KindImport: {byServer, (*decision).enterAll},
	KindHost: {byServer, (*decision).addHost}, KindReplace: {byServer, (*decision).replace}, KindReport: {byServer, (*decision).report},
	KindHere: {byPlayer, (*decision).checkIn}, KindLeave: {byPlayer, (*decision).leave}, KindBye: {byPlayer, (*decision).bye},
	KindSettings: {byHost, (*decision).changeSettings}, KindAbsent: {byHost, (*decision).absent}, KindReturn: {byHost, (*decision).comeBack},
	KindForbid: {byHost, (*decision).forbid}, KindAllow: {byHost, (*decision).allow}, KindStart: {byHost, (*decision).start},
	KindResult: {byHost, (*decision).setResult}, KindWait: {byHost, (*decision).wait}, KindAnnounce: {byHost, (*decision).announce},
	KindExtend: {byHost, (*decision).extend}, KindArbiter: {byHost, (*decision).arbiter},
	KindFinish: {byHost, (*decision).finish}, KindDelete: {byHost, (*decision).delete}, KindUndo: {byHost, (*decision).undo},
	machine.KindWake: {byServer, (*decision).wake}, machine.KindDone: {byServer, (*decision).done},
	machine.KindGone: {byPlayer, (*decision).gone}, machine.KindBack: {byPlayer, (*decision).back},
}

// waitsForRecall are the commands that wait until it is known whether the round is taken back. Those about pairs who
// may not meet note with which pairs the last round was paired.
var waitsForRecall = []string{
	KindStart, KindResult, KindFinish, KindDelete, KindUndo, KindArbiter, KindForbid, KindAllow, machine.KindWake,
}

// An Order is the body of a command. Each kind uses some of its fields.
type Order struct {
	Settings *Settings  `json:"settings,omitempty"`
	Player   string     `json:"player,omitempty"` // ID; empty: the author
	Other    string     `json:"other,omitempty"`
	Paper    bool       `json:"paper,omitempty"`
	Account  bool       `json:"account,omitempty"` // join: the player has an account
	Rating   int        `json:"rating,omitempty"`
	For      *RatedGame `json:"for,omitempty"`      // join: what Rating was read for; none from the release before
	Round    int        `json:"round,omitempty"`    // a command for another round than the present one is refused
	Bye      string     `json:"bye,omitempty"`      // "half", "zero", or "" for none
	Pairings [][2]int   `json:"pairings,omitempty"` // start: the host's, by number; 0: a bye
	Board    int        `json:"board,omitempty"`
	Result   string     `json:"result,omitempty"` // empty: no result
	Text     string     `json:"text,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	Report   *Report    `json:"report,omitempty"`
	Entrants []Entrant  `json:"entrants,omitempty"` // import
	Past     *Past      `json:"past,omitempty"`     // import
	Act      string     `json:"act,omitempty"`      // arbiter
	Ms       int64      `json:"ms,omitempty"`       // arbiter, extend
	Ends     int64      `json:"ends,omitempty"`     // extend: when the round ends, ms; instead of Ms
	Broken   []string   `json:"broken,omitempty"`   // of the task [TaskAct]: rooms in quarantine
	Left     []string   `json:"left,omitempty"`     // of the tasks [TaskAct] and [TaskRecall]: rooms that could not be reached
	Moved    bool       `json:"moved,omitempty"`    // of the task [TaskRecall]
	Ratings  []int      `json:"ratings,omitempty"`  // of the task [TaskRatings]
	Task     string     `json:"task,omitempty"`     // of the room's own command
}

// decision is one call of Decide.
type decision struct {
	*State
	id     string // of the room
	by     string
	server bool // the service itself sends the command
	order  Order
	orders int   // what hosts have ordered so far, see bound.go
	steps  int   // to add to the row of the author, who is a player
	at     int64 // ms
	change Change
}

const maxCommand = 64 << 10 // bytes: the pairings of the largest round

// Decide implements [machine.Machine].
func (t *Tournament) Decide(c machine.Command, now time.Time) (machine.Entry, error) {
	d := decision{State: &t.state, id: t.id, by: c.By, server: c.Server, orders: t.bound.Orders, at: now.UnixMilli()}
	kind, ok := commands[c.Kind]
	switch {
	case c.Kind == machine.KindOutage:
		return machine.Entry{}, machine.ErrNothing // its clocks are those of the games
	case !ok, len(c.Body) > maxCommand, len(c.Body) > 0 && json.Unmarshal(c.Body, &d.order) != nil:
		return machine.Entry{}, refusal.New(match.CodeBadCommand)
	case (t.state.Stage == "") != (c.Kind == KindCreate), t.state.Stage == Deleted && !machine.Internal(c.Kind):
		return machine.Entry{}, refusal.New(match.CodeBadCommand)
	}
	d.server = d.server || c.By == "" && machine.Internal(c.Kind)
	if err := d.may(kind.from, c.Kind); err != nil {
		return machine.Entry{}, err
	}
	if err := t.bound.may(d.State, d.by, c.Kind); err != nil {
		return machine.Entry{}, err
	}
	if d.Recall > 0 && slices.Contains(waitsForRecall, c.Kind) {
		return machine.Entry{}, refusal.New(CodeOpening)
	}
	if kind.from == byPlayer && !machine.Internal(c.Kind) && !d.IsHost(d.by) {
		if err := d.countStep(); err != nil {
			return machine.Entry{}, err
		}
	}
	if err := kind.decide(&d); err != nil {
		return machine.Entry{}, err
	}
	return machine.Entry{Kind: c.Kind, Version: d.change.version(), Body: encode(d.change)}, nil
}

// may refuses a command of a person who may not send it.
func (d *decision) may(from sender, kind string) error {
	switch {
	case kind == KindCreate, from == byServer && d.server, from != byServer && d.IsHost(d.by):
		return nil
	case from == byPlayer && d.by != "" && (d.order.Player == "" || d.order.Player == d.by):
		return nil
	}
	return refusal.New(CodeNotHost)
}

// maxSteps bounds the commands of a player's own, and so the journal.
const maxSteps = 100

// countStep counts a player's own command. Its row has the number.
func (d *decision) countStep() error {
	p := d.Player(d.by)
	switch {
	case p == nil:
		return refusal.New(CodeNotEntered)
	case p.Steps >= maxSteps:
		return refusal.New(CodeSteps)
	}
	d.steps = 1
	return nil
}

// subject returns the player whom the command is about.
func (d *decision) subject() (*Player, error) {
	id := d.order.Player
	if id == "" {
		id = d.by
	}
	if p := d.Player(id); p != nil {
		return p, nil
	}
	return nil, refusal.New(CodeNotEntered)
}

// put replaces the row of a player.
func (d *decision) put(p Player) {
	p.Steps += d.steps
	d.change.Players = append(d.change.Players, p)
}

// undoable keeps what a step changes, so that a host can take it back. before are the rows as
// they are now.
func (d *decision) undoable(kind string, before Change) {
	if d.Recall > 0 || !d.IsHost(d.by) && kind != KindStart {
		return // players' own steps are taken back by themselves, or by what a host orders then
	}
	d.change.Undo = &Undo{Kind: kind, By: d.by, Until: d.at + UndoWithin.Milliseconds(), Before: &before}
}

// undo takes back the last step.
func (d *decision) undo() error {
	last := d.Undo
	switch {
	case last == nil || d.at >= last.Until:
		return refusal.New(CodeNothing)
	case last.Kind == KindStart:
		return d.recall()
	case slices.ContainsFunc(last.Before.Boards, func(b Board) bool { return d.pairedSince(&b) }):
		return refusal.New(CodePaired)
	}
	d.change = *last.Before
	d.change.Players, d.change.Final = nil, true
	for _, before := range last.Before.Players {
		p := d.Players[before.Number-1]
		if p.ID == "" {
			continue // the person has another row now: nobody would come to the games of this one
		}
		p.Byes = before.Byes // the rest of the row may have changed since
		if last.Kind != KindBye {
			p.Out = before.Out
		}
		if p.Out {
			p = d.withdrawn(p)
		}
		d.put(p)
	}
	return nil
}

// addHost makes a person a host. When there are [MaxHosts], the first one after the person who made the tournament
// gives way: a host who recovers the tournament again and again, each time as another guest, is never locked out.
func (d *decision) addHost() error {
	switch {
	case d.order.Player == "" || len(d.order.Player) > maxID:
		return refusal.New(match.CodeBadCommand)
	case d.IsHost(d.order.Player):
		return machine.ErrNothing
	}
	hosts := slices.Clone(d.Hosts)
	if len(hosts) >= MaxHosts {
		hosts = slices.Delete(hosts, 1, 2)
	}
	d.change.Hosts = append(hosts, d.order.Player)
	return nil
}

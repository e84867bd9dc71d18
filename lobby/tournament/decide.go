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
	KindJoin   = "join"   // a player joins, or a host adds one
	KindHost   = "host"   // a person with the host link becomes a host
	KindReport = "report" // a game is over

	// Players send these for themselves, and hosts for others.
	KindHere  = "here"  // the player has checked in
	KindLeave = "leave" // the player withdraws
	KindBye   = "bye"   // the player asks for a bye in a round

	KindSettings = "settings"
	KindReturn   = "return" // the player takes part again
	KindForbid   = "forbid" // players may not meet
	KindAllow    = "allow"  // players may meet again
	KindStart    = "start"  // starts the next round
	KindResult   = "result" // sets or corrects the result of a board
	KindWait     = "wait"   // the next round does not start by itself
	KindAnnounce = "announce"
	KindFinish   = "finish"
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
	KindCreate: {byServer, (*decision).create}, KindJoin: {byServer, (*decision).join},
	KindHost: {byServer, (*decision).addHost}, KindReport: {byServer, (*decision).report},
	KindHere: {byPlayer, (*decision).checkIn}, KindLeave: {byPlayer, (*decision).leave}, KindBye: {byPlayer, (*decision).bye},
	KindSettings: {byHost, (*decision).changeSettings}, KindReturn: {byHost, (*decision).comeBack},
	KindForbid: {byHost, (*decision).forbid}, KindAllow: {byHost, (*decision).allow}, KindStart: {byHost, (*decision).start},
	KindResult: {byHost, (*decision).setResult}, KindWait: {byHost, (*decision).wait}, KindAnnounce: {byHost, (*decision).announce},
	KindFinish: {byHost, (*decision).finish}, KindUndo: {byHost, (*decision).undo},
	machine.KindWake: {byServer, (*decision).wake}, machine.KindDone: {byServer, (*decision).done},
	machine.KindGone: {byPlayer, (*decision).gone}, machine.KindBack: {byPlayer, (*decision).back},
}

// An Order is the body of a command. Each kind uses some of its fields.
type Order struct {
	Settings *Settings `json:"settings,omitempty"`
	Player   string    `json:"player,omitempty"` // ID; empty: the author
	Other    string    `json:"other,omitempty"`
	Paper    bool      `json:"paper,omitempty"`
	Account  bool      `json:"account,omitempty"` // join: the player has an account
	Rating   int       `json:"rating,omitempty"`
	Round    int       `json:"round,omitempty"`    // a command for another round than the present one is refused
	Bye      string    `json:"bye,omitempty"`      // "half", "zero", or "" for none
	Pairings [][2]int  `json:"pairings,omitempty"` // start: the host's, by number; 0: a bye
	Board    int       `json:"board,omitempty"`
	Result   string    `json:"result,omitempty"`
	Text     string    `json:"text,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Report   *Report   `json:"report,omitempty"`
	Task     string    `json:"task,omitempty"` // of the room's own command
}

// decision is one call of Decide.
type decision struct {
	*State
	id     string // of the room
	by     string
	order  Order
	at     int64 // ms
	change Change
}

const maxCommand = 64 << 10 // bytes: the pairings of the largest round

// Decide implements [machine.Machine].
func (t *Tournament) Decide(c machine.Command, now time.Time) (machine.Entry, error) {
	d := decision{State: &t.state, id: t.id, by: c.By, at: now.UnixMilli()}
	kind, ok := commands[c.Kind]
	switch {
	case c.Kind == machine.KindOutage:
		return machine.Entry{}, machine.ErrNothing // its clocks are those of the games
	case !ok, len(c.Body) > maxCommand, len(c.Body) > 0 && json.Unmarshal(c.Body, &d.order) != nil:
		return machine.Entry{}, refusal.New(match.CodeBadCommand)
	case (t.state.Stage == "") != (c.Kind == KindCreate):
		return machine.Entry{}, refusal.New(match.CodeBadCommand)
	}
	if err := d.may(kind.from, c.Kind); err != nil {
		return machine.Entry{}, err
	}
	if err := kind.decide(&d); err != nil {
		return machine.Entry{}, err
	}
	return machine.Entry{Kind: c.Kind, Body: encode(d.change)}, nil
}

// may refuses a command of a person who may not send it.
func (d *decision) may(from sender, kind string) error {
	switch {
	case kind == KindCreate, from == byServer && d.by == "", from != byServer && d.isHost(d.by):
		return nil
	case from == byPlayer && d.by != "" && (d.order.Player == "" || d.order.Player == d.by):
		return nil
	}
	return refusal.New(CodeNotHost)
}

// subject returns the player whom the command is about.
func (d *decision) subject() (*Player, error) {
	id := d.order.Player
	if id == "" {
		id = d.by
	}
	if p := d.player(id); p != nil {
		return p, nil
	}
	return nil, refusal.New(CodeNotEntered)
}

// put replaces the row of a player.
func (d *decision) put(p Player) { d.change.Players = append(d.change.Players, p) }

// undoable keeps what a step changes, so that a host can take it back. before are the rows as
// they are now.
func (d *decision) undoable(kind string, before Change) {
	d.change.Undo = &Undo{Kind: kind, By: d.by, Until: d.at + UndoWithin.Milliseconds(), Before: &before}
}

// undo takes back the last step.
func (d *decision) undo() error {
	last := d.Undo
	if last == nil || d.at >= last.Until {
		return refusal.New(CodeNothing)
	}
	d.change = *last.Before
	d.change.Players, d.change.Final = nil, true
	for _, before := range last.Before.Players {
		p := d.Players[before.Number-1]
		p.Out, p.Byes = before.Out, before.Byes // the rest of the row may have changed since
		d.put(p)
	}
	return nil
}

// addHost makes a person a host.
func (d *decision) addHost() error {
	switch {
	case d.order.Player == "" || len(d.order.Player) > maxID:
		return refusal.New(match.CodeBadCommand)
	case d.isHost(d.order.Player):
		return machine.ErrNothing
	case len(d.Hosts) >= MaxHosts:
		return refusal.New(CodeFull)
	}
	d.change.Hosts = append(slices.Clone(d.Hosts), d.order.Player)
	return nil
}

package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"mancala/engine"
	"mancala/match/wire"
)

// Public is the part of a match's snapshot (PROTOCOL.md) that programs outside this
// package read.
type Public struct {
	State     string          `json:"state"`
	Rules     string          `json:"rules"`
	Options   string          `json:"options"`
	Title     string          `json:"title"`
	Canonical string          `json:"canonical"`
	Shape     [3]int          `json:"shape"` // sides, partners a side, pits a side
	Pits      []int           `json:"pits"`
	Stores    []int           `json:"stores"`
	Marks     map[int]string  `json:"marks"` // by pit, as in the text of a position; pits without marks are left out
	Phase     string          `json:"phase"`
	Turn      int             `json:"turn"`
	Creator   string          `json:"creator"`
	ClockText string          `json:"clockText"`
	Start     string          `json:"start"`
	ForOthers bool            `json:"forOthers"`
	Youngest  string          `json:"youngest"`
	Rated     bool            `json:"rated"`
	Assists   *bool           `json:"assists"`
	Chat      string          `json:"chat"`
	Ply       int             `json:"ply"`
	Listed    bool            `json:"listed"`
	Delay     int             `json:"delay"`  // seconds
	Paused    int64           `json:"paused"` // since when an arbiter has stopped the game, in ms; 0: it is not stopped
	Sitters   []string        `json:"sitters"`
	Seats     []string        `json:"seats"`
	Moves     json.RawMessage `json:"moves"`  // a list; readers only check whether it is empty
	Rounds    []struct{}      `json:"rounds"` // those that are over
	Result    *struct {
		Reason  string `json:"reason"`
		Winners []int  `json:"winners"` // sides
		Scores  []int  `json:"scores"`  // of the sides
	} `json:"result"`
}

// ReadPublic reads the snapshot of the match in this room.
func ReadPublic(room string, snapshot []byte) (*Public, error) {
	p := new(Public)
	err := wire.ErrSyntax // of an empty text, which Members takes as an empty object
	if len(snapshot) > 0 {
		err = wire.Members(snapshot, p.read)
	}
	if err != nil {
		return nil, fmt.Errorf("match: snapshot of %s: %w", room, err)
	}
	return p, nil
}

// read reads a member of a snapshot. It does so without reflection, because the lists of games
// read the snapshot of each game that begins or ends.
func (p *Public) read(key, raw []byte) (err error) {
	if wire.IsNull(raw) {
		return nil
	}
	switch string(key) {
	case "state":
		p.State, err = wire.Text(raw)
	case "rules":
		p.Rules, err = wire.Text(raw)
	case "options":
		p.Options, err = wire.Text(raw)
	case "title":
		p.Title, err = wire.Text(raw)
	case "canonical":
		p.Canonical, err = wire.Text(raw)
	case "shape":
		var shape []int
		shape, err = readInts(raw)
		copy(p.Shape[:], shape)
	case "pits":
		p.Pits, err = readInts(raw)
	case "stores":
		p.Stores, err = readInts(raw)
	case "marks":
		err = json.Unmarshal(raw, &p.Marks)
	case "phase":
		p.Phase, err = wire.Text(raw)
	case "turn":
		p.Turn, err = readInt(raw)
	case "creator":
		p.Creator, err = wire.Text(raw)
	case "clockText":
		p.ClockText, err = wire.Text(raw)
	case "start":
		p.Start, err = wire.Text(raw)
	case "forOthers":
		p.ForOthers, err = wire.Bool(raw)
	case "youngest":
		p.Youngest, err = wire.Text(raw)
	case "rated":
		p.Rated, err = wire.Bool(raw)
	case "assists":
		var yes bool
		yes, err = wire.Bool(raw)
		p.Assists = &yes
	case "chat":
		p.Chat, err = wire.Text(raw)
	case "ply":
		p.Ply, err = readInt(raw)
	case "listed":
		p.Listed, err = wire.Bool(raw)
	case "delay":
		p.Delay, err = readInt(raw)
	case "paused":
		p.Paused, err = wire.Int(raw)
	case "sitters":
		p.Sitters, err = readTexts(raw)
	case "seats":
		p.Seats, err = readTexts(raw)
	case "moves":
		p.Moves = bytes.Clone(raw)
	case "rounds":
		err = json.Unmarshal(raw, &p.Rounds)
	case "result":
		err = json.Unmarshal(raw, &p.Result)
	}
	return err
}

func readInt(raw []byte) (int, error) {
	n, err := wire.Int(raw)
	return int(n), err
}

// readInts reads an array of at most 128 integers: no board has more pits and stores.
func readInts(raw []byte) ([]int, error) {
	var read [128]int64
	n, err := wire.Ints(raw, read[:])
	if err != nil {
		return nil, err
	}
	list := make([]int, n)
	for i := range list {
		list[i] = int(read[i])
	}
	return list, nil
}

// readTexts reads an array of strings. IDs have no characters that JSON escapes.
func readTexts(raw []byte) (list []string, err error) {
	rest, ok := bytes.CutPrefix(raw, []byte("["))
	list = []string{} // an empty array too
	for ok && len(rest) > 0 && rest[0] != ']' {
		var text []byte
		if text, rest, ok = wire.CutText(rest); ok {
			list, rest = append(list, string(text)), bytes.TrimPrefix(rest, []byte(","))
		}
	}
	if !ok || string(rest) != "]" {
		list = nil // decoded from the beginning
		err = json.Unmarshal(raw, &list)
	}
	return list, err
}

// Players returns the players' IDs. The order is the same for all readers: of two
// players with one name it decides which of them is called "Ada 2".
func (p *Public) Players() []string {
	if len(p.Seats) > 0 {
		return p.Seats
	}
	if slices.Contains(p.Sitters, p.Creator) {
		return p.Sitters
	}
	return slices.Concat([]string{p.Creator}, p.Sitters)
}

// Waiting reports whether seats are free and the match has not begun.
func (p *Public) Waiting() bool { return p.State == stageNames[waiting] }

// GoesOn reports whether a player can be on turn.
func (p *Public) GoesOn() bool { return GoesOn(p.State) }

// GoesOn reports whether a player can be on turn in a match in this state, a value of [Public.State].
func GoesOn(state string) bool { return state == stageNames[setup] || state == stageNames[live] }

// OnTurn returns the player on turn, or "" if no player is.
func (p *Public) OnTurn() string {
	if !p.GoesOn() || p.Turn < 0 || p.Turn >= len(p.Seats) {
		return ""
	}
	return p.Seats[p.Turn]
}

// LaysOut reports whether the player of a seat is setting up the board.
func (p *Public) LaysOut(seat int) bool { return p.Phase == engine.Setup.String() && p.Turn == seat }

// Over reports whether the match has ended.
func (p *Public) Over() bool { return p.State == stageNames[over] }

// NeverBegan reports whether the match ended before it had players: the creator
// withdrew the invitation, or no player accepted it.
func (p *Public) NeverBegan() bool { return p.Over() && len(p.Seats) == 0 }

// Touched reports whether a player has moved in the match, or whether it has ended otherwise than
// by an arbiter.
func (p *Public) Touched() bool {
	return p.Ply > 0 || len(p.Rounds) > 0 || p.Over() && (p.Result == nil || p.Result.Reason != byArbiter)
}

// Won returns the seats that won, and whether several sides share the win.
func (p *Public) Won() (seats []int, shared bool) {
	if p.Result == nil {
		return nil, false
	}
	for seat := range p.Seats {
		if slices.Contains(p.Result.Winners, seat%p.Shape[0]) {
			seats = append(seats, seat)
		}
	}
	return seats, len(p.Result.Winners) > 1
}

// Facts are the few fields of every match that are read when it begins. Reading them
// costs a third of [ReadPublic], see BenchmarkReadFacts.
type Facts struct {
	State         string
	Rated, Listed bool
}

// ReadFacts reads the facts from a snapshot.
func ReadFacts(snapshot []byte) (f Facts, err error) {
	err = wire.Members(snapshot, func(key, raw []byte) (err error) {
		switch string(key) {
		case "state":
			f.State, err = wire.Text(raw)
		case "rated":
			f.Rated, err = wire.Bool(raw)
		case "listed":
			f.Listed, err = wire.Bool(raw)
		}
		return err
	})
	return f, err
}

// Waiting reports whether seats are free and the match has not begun.
func (f Facts) Waiting() bool { return f.State == stageNames[waiting] }

// GoesOn reports whether a player can be on turn.
func (f Facts) GoesOn() bool { return GoesOn(f.State) }

// Between reports whether the match is between two rounds.
func (f Facts) Between() bool { return f.State == stageNames[between] }

// Over reports whether the match has ended.
func (f Facts) Over() bool { return f.State == stageNames[over] }

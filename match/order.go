package match

import (
	"encoding/json"

	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

// maxCommand bounds a command's body, in bytes. Its longest part is a lay-out of 26
// pits.
const maxCommand = 4 << 10

// order is the body of a command, with the fields of every kind. A command is
// refused if its body has a field that its kind does not have.
type order struct {
	has   fieldSet
	ply   int
	move  string
	what  string
	rules string

	options, clock, start, chat string
	forOthers, assists          bool
	rated, listed               bool
	delay                       int64

	from int64  // of an outage
	lost int64  // of an outage that is over, ms
	why  string // the cause of an outage
	task string // the task that is done
	room string // the room that the task made

	ratings []RatingChange // the changes that the task led to
}

// fieldSet is the set of fields that a body has.
type fieldSet uint32

const (
	hasPly fieldSet = 1 << iota
	hasMove
	hasWhat
	hasRules
	hasOptions
	hasClock
	hasStart
	hasForOthers
	hasAssists
	hasRated
	hasChat
	hasDelay
	hasListed
	hasFrom
	hasLost
	hasWhy
	hasTask
	hasRoom
	hasRatings
	hasOther // fields that only the room's own commands may have
)

// readOrder reads a body that may have the given fields and no others.
//
// Moves are read with package wire because they are frequent, the other kinds because it
// gives every member as it is written: encoding/json takes the last of two members with one
// name, and names in capitals (deploy/decisions/0027).
//
// readOrder skips the members "t", "room", "id" and "kind": an instance of the release
// before forwards a command with the frame that it came in. The next release need not.
func readOrder(c machine.Command, may fieldSet) (order, error) {
	var o order
	if len(c.Body) > maxCommand {
		return o, refusal.New(CodeBadCommand)
	}
	err := wire.Members(c.Body, func(key, raw []byte) (err error) {
		var field fieldSet
		switch string(key) {
		case "ply":
			field = hasPly
			o.ply, err = small(raw, maxPlies)
		case "move":
			field = hasMove
			o.move, err = wire.Text(raw)
		case "what":
			field = hasWhat
			o.what, err = wire.Text(raw)
		case "rules":
			field = hasRules
			o.rules, err = wire.Text(raw)
		case "options":
			field = hasOptions
			o.options, err = wire.Text(raw)
		case "clock":
			field = hasClock
			o.clock, err = wire.Text(raw)
		case "start":
			field = hasStart
			o.start, err = wire.Text(raw)
		case "forOthers":
			field = hasForOthers
			o.forOthers, err = wire.Bool(raw)
		case "assists":
			field = hasAssists
			o.assists, err = wire.Bool(raw)
		case "rated":
			field = hasRated
			o.rated, err = wire.Bool(raw)
		case "chat":
			field = hasChat
			o.chat, err = wire.Text(raw)
		case "delay":
			field = hasDelay
			o.delay, err = wire.Int(raw)
		case "listed":
			field = hasListed
			o.listed, err = wire.Bool(raw)
		case "from":
			field = hasFrom
			o.from, err = wire.Int(raw)
		case "lost":
			field = hasLost
			o.lost, err = wire.Int(raw)
		case "why":
			field = hasWhy
			o.why, err = wire.Text(raw)
		case "task":
			field = hasTask
			o.task, err = wire.Text(raw)
		case "room":
			if may&hasRoom == 0 {
				return wire.CheckText(raw)
			}
			field = hasRoom
			o.room, err = wire.Text(raw)
		case "ratings":
			field = hasRatings
			o.ratings, err = readRatings(raw)
		case "t", "id", "kind":
			return wire.CheckText(raw)
		default:
			if may&hasOther == 0 || !json.Valid(raw) {
				return wire.ErrSyntax
			}
			return nil
		}
		if may&field == 0 || o.has&field != 0 {
			return wire.ErrSyntax
		}
		o.has |= field
		return err
	})
	if err != nil {
		return o, refusal.New(CodeBadCommand)
	}
	return o, nil
}

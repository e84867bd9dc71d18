package moderation

import (
	"context"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// Names are the names of players.
type Names interface {
	RenameByOperator(ctx context.Context, player, name string) (string, error)
}

// Chat is the chat of rooms.
type Chat interface {
	// Erase removes the text of a line that was reported at a time, and returns the line as it was. A
	// line that it has erased before is marked so, and has no text.
	Erase(ctx context.Context, room, stream string, n int64, reported time.Time) (lobby.Line, error)
}

// Rules are the rule sets that players keep.
type Rules interface {
	// Remove deletes a rule set and returns its name.
	Remove(ctx context.Context, id string) (name string, err error)
}

// Departure is everything that a player has a part in.
type Departure interface {
	// Depart ends a player's part in it.
	Depart(ctx context.Context, player string)
}

// Operators carries out what operators do about reports.
type Operators struct {
	Moderation *Moderation
	Names      Names
	Chat       Chat
	Rules      Rules
	Departure  Departure
}

// CarryOut carries out an action on an open report and stores it. The action's Detail is
// the new name of a [Rename], and describes the time of a [Mute]. CarryOut refuses with
// [CodeNoReport], and as [Moderation.Act], the names and the chat do.
func (o *Operators) CarryOut(ctx context.Context, report int64, a Action) error {
	r, err := o.Moderation.Report(ctx, report)
	if err != nil {
		return err
	}
	if _, err := lobby.CleanText(a.Who); err != nil { // checked before anything changes
		return refusal.New(CodeNoModerator)
	}
	a.Report, a.Player, a.Name = r.ID, r.Player, r.Name
	switch a.What {
	case Rename:
		a.Detail, err = o.Names.RenameByOperator(ctx, r.Player, a.Detail)
	case Erase:
		a.Room, a.Stream, a.Line = r.Room, r.Stream, r.Line
		var line lobby.Line
		line, err = o.Chat.Erase(ctx, r.Room, r.Stream, r.Line, r.At)
		if err == nil && line.Erased {
			err = o.refuseLogged(ctx, r.ID)
		}
		a.Detail = line.Text
	case Unkeep:
		a.Detail, err = o.Rules.Remove(ctx, r.Rules)
	case Mute:
	default:
		a.Detail = ""
	}
	if err != nil {
		return err
	}
	if err := o.Moderation.Act(ctx, a); err != nil {
		return err
	}
	if a.What == Close {
		o.Departure.Depart(ctx, r.Player)
	}
	return nil
}

// refuseLogged refuses to erase the line of a report once more if the log has the erasure. Otherwise an
// attempt was interrupted before it was logged, and no page has removed the line yet.
func (o *Operators) refuseLogged(ctx context.Context, report int64) error {
	done, err := o.Moderation.About(ctx, report)
	if err == nil && slices.ContainsFunc(done, func(a Action) bool { return a.What == Erase }) {
		err = refusal.New(lobby.CodeNoLine)
	}
	return err
}

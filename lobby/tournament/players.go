package tournament

import (
	"maps"
	"slices"

	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// join enters a player. A player who joins after the first round has started is paired from the
// next round on.
func (d *decision) join() error {
	o := d.order
	switch {
	case o.Player == "" || len(o.Player) > maxID || o.Rating < 0 || o.Rating > MaxRating:
		return refusal.New(match.CodeBadCommand)
	case d.Player(o.Player) != nil:
		return refusal.New(CodeEntered)
	case d.Joining(d.at) == Closed:
		return refusal.New(CodeClosed)
	case d.Settings.Accounts && !o.Account, d.Settings.Rated && o.Paper:
		return refusal.New(CodeNeedsAccount)
	case len(d.Players) >= MaxPlayers:
		return refusal.New(CodeFull)
	}
	p := Player{Number: len(d.Players) + 1, ID: o.Player, Paper: o.Paper, Rating: o.Rating}
	if d.Joining(d.at) == Substitute {
		p.Out, p.Joined = true, len(d.Rounds)+1 // they are a player if the round is taken back
	} else if d.Stage == Running && !d.InWaves() {
		p.Joined = len(d.Rounds) + 1
		out := p
		out.Out = true // the row stays, since numbers have no gaps
		d.undoable(KindJoin, Change{Players: []Player{out}})
	}
	d.put(p)
	if o.For != nil && *o.For != d.Settings.RatedGame() && d.Stage == Entry {
		d.reratesAll() // the host has changed the game since the rating was read
	}
	return nil
}

// Joining is what a person who joins now becomes.
type Joining string

const (
	Closed     Joining = ""           // nobody can join any more
	Paired     Joining = "player"     // a player
	Substitute Joining = "substitute" // not paired, but a host can give them a player's place
)

// Joining returns what a person becomes who joins at this time, in ms. A round robin and a knockout
// that have started take substitutes, for example a player who has lost their device.
func (s *State) Joining(at int64) Joining {
	switch {
	case s.Stage == Entry:
		return Paired
	case s.Stage != Running:
		return Closed
	case s.InWaves() && s.Ends > 0 && at >= s.Ends:
		return Closed
	case s.InWaves(), s.Settings.Format == Swiss && len(s.Rounds) < s.Settings.Rounds:
		return Paired
	}
	return Substitute
}

// checkIn notes that a player is here.
func (d *decision) checkIn() error {
	p, err := d.subject()
	switch {
	case err != nil:
		return err
	case p.Here:
		return machine.ErrNothing
	}
	row := *p
	row.Here = true
	d.put(row)
	return nil
}

// absent withdraws all players who have not checked in, before the first round.
func (d *decision) absent() error {
	if d.Stage != Entry {
		return refusal.New(CodeStarted)
	}
	var before Change
	for _, p := range d.Players {
		if p.Here || p.Out || p.Paper {
			continue
		}
		before.Players = append(before.Players, p)
		d.put(d.withdrawn(p))
	}
	if len(before.Players) == 0 {
		return machine.ErrNothing
	}
	d.undoable(KindAbsent, before)
	return nil
}

// leave withdraws a player. Their game goes on; they are not paired any more.
func (d *decision) leave() error { return d.setOut(true, KindLeave) }

// comeBack lets a player take part again.
func (d *decision) comeBack() error { return d.setOut(false, KindReturn) }

func (d *decision) setOut(out bool, kind string) error {
	p, err := d.subject()
	switch {
	case err != nil:
		return err
	case d.Stage == Over, !out && d.Stage == Running && !d.takesPart(p):
		return refusal.New(CodeClosed)
	case p.Out == out && !(out && d.substitutes(p)):
		return machine.ErrNothing
	}
	row := *p
	if out {
		if row = d.withdrawn(row); d.substitutes(p) {
			row.Joined = 0 // they stay withdrawn if the round is taken back
		}
	} else {
		row = d.returned(row)
	}
	d.put(row)
	d.undoable(kind, Change{Players: []Player{*p}})
	return nil
}

// substitutes reports whether a player has joined as a substitute in the last round that has started, and not
// withdrawn since.
func (d *decision) substitutes(p *Player) bool {
	return p.Out && p.Joined > len(d.Rounds) && d.Joining(d.at) == Substitute
}

// IsSubstitute reports whether a player waits for the place of another one: they have joined after the start of a
// round robin or a knockout, or in the last round of a Swiss. A player who withdraws is none: they joined before.
func (s *State) IsSubstitute(p *Player) bool { return p.Out && p.Joined > s.Settings.Rounds }

// withdrawn returns the row of a player after their withdrawal. It has no byes of half a point for rounds to
// come.
func (s *State) withdrawn(p Player) Player {
	byes := maps.Clone(p.Byes)
	maps.DeleteFunc(byes, func(round int, bye string) bool { return round > len(s.Rounds) && bye == HalfBye })
	p.Out, p.Byes = true, byes
	return p
}

// returned returns the row of a player who takes part again.
func (s *State) returned(p Player) Player {
	p.Out = false
	if s.Stage == Running && s.Settings.Format == Swiss && !slices.Contains(s.Start, p.Number) {
		p.Joined = len(s.Rounds) + 1 // they miss the rounds that a player misses who joins now
	}
	return p
}

// takesPart reports whether a player can be paired in a tournament that has started. A round
// robin and a knockout have no place for a player who was out at the start.
func (d *decision) takesPart(p *Player) bool {
	return d.Settings.Format == Swiss || d.InWaves() || slices.Contains(d.Start, p.Number)
}

// bye gives a player the bye that they ask for in a round to come, or takes it back.
func (d *decision) bye() error {
	p, err := d.subject()
	o := d.order
	switch {
	case err != nil:
		return err
	case o.Bye != "" && o.Bye != HalfBye && o.Bye != ZeroBye, d.Settings.Format != Swiss:
		return refusal.New(match.CodeBadCommand)
	case o.Round <= len(d.Rounds) || o.Round > d.Settings.Rounds || d.Stage == Over:
		return refusal.New(CodeNoRound)
	case p.Byes[o.Round] == o.Bye:
		return machine.ErrNothing
	case o.Bye == HalfBye && !d.IsHost(d.by):
		return refusal.New(CodeNotHost) // a player may sit a round out, and only a host gives points for it
	}
	row := *p
	row.Byes = map[int]string{o.Round: o.Bye}
	maps.Copy(row.Byes, p.Byes)
	if row.Byes[o.Round] = o.Bye; o.Bye == "" {
		delete(row.Byes, o.Round)
	}
	d.put(row)
	d.undoable(KindBye, Change{Players: []Player{*p}})
	return nil
}

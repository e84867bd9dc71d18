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
	case o.Player == "" || len(o.Player) > maxID || o.Rating < 0 || o.Rating > 4000:
		return refusal.New(match.CodeBadCommand)
	case d.player(o.Player) != nil:
		return refusal.New(CodeEntered)
	case d.Stage == Over, d.Stage == Running && !d.takesLate():
		return refusal.New(CodeClosed)
	case d.Settings.Accounts && !o.Account, d.Settings.Rated && o.Paper:
		return refusal.New(CodeNeedsAccount)
	case len(d.Players) >= MaxPlayers:
		return refusal.New(CodeFull)
	}
	p := Player{Number: len(d.Players) + 1, ID: o.Player, Paper: o.Paper, Rating: o.Rating}
	if d.Stage == Running && !d.inWaves() {
		p.Joined = len(d.Rounds) + 1
		out := p
		out.Out = true // the row stays, since numbers have no gaps
		d.undoable(KindJoin, Change{Players: []Player{out}})
	}
	d.put(p)
	return nil
}

// takesLate reports whether a tournament that has started takes more players.
func (d *decision) takesLate() bool {
	if d.inWaves() {
		return d.Ends == 0 || d.at < d.Ends
	}
	return d.Settings.Format == Swiss && len(d.Rounds) < d.Settings.Rounds
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
	case p.Out == out:
		return machine.ErrNothing
	}
	row := *p
	row.Out = out
	d.put(row)
	d.undoable(kind, Change{Players: []Player{*p}})
	return nil
}

// takesPart reports whether a player can be paired in a tournament that has started. A round
// robin and a knockout have no place for a player who was out at the start.
func (d *decision) takesPart(p *Player) bool {
	return d.Settings.Format == Swiss || d.inWaves() || slices.Contains(d.Start, p.Number)
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

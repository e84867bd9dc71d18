package tournament

import (
	"slices"

	"mancala/match"
	"mancala/match/refusal"
)

// KindImport is the command that enters many players without devices at once. Only the server
// sends it, since it has made the players.
const KindImport = "import"

// MaxImport is how many players one such command enters. A room takes commands of 64 kB.
const MaxImport = 1000

// An Entrant is a player of such a command.
type Entrant struct {
	ID     string `json:"id"`
	Rating int    `json:"rating,omitempty"`
	Byes   []int  `json:"byes,omitempty"` // rounds with a bye of half a point
	Zero   []int  `json:"zero,omitempty"` // rounds to come with a bye of no points
	Out    bool   `json:"out,omitempty"`  // has withdrawn
}

// askFor gives a player who enters a bye in each of these rounds. It reports whether there can be such rounds.
func (p *Player) askFor(bye string, rounds []int) bool {
	for _, round := range rounds {
		if round < 1 || round > MaxRounds {
			return false
		}
		if p.Byes == nil {
			p.Byes = map[int]string{}
		}
		p.Byes[round] = bye
	}
	return true
}

// enterAll enters all of the players or none. With a [Past] the tournament goes on from it.
func (d *decision) enterAll() error {
	list, past := d.order.Entrants, d.order.Past
	switch {
	case d.Stage != Entry, past != nil && len(d.Players) > 0:
		return refusal.New(CodeStarted)
	case past != nil && d.Settings.Format != Swiss:
		return refusal.New(match.CodeBadCommand)
	case d.Settings.Accounts:
		return refusal.New(CodeNeedsAccount)
	case len(list) == 0 || len(list) > MaxImport:
		return refusal.New(match.CodeBadCommand)
	case len(d.Players)+len(list) > MaxPlayers:
		return refusal.New(CodeFull)
	}
	for i, e := range list {
		switch {
		case e.ID == "" || len(e.ID) > maxID || e.Rating < 0 || e.Rating > MaxRating:
			return refusal.New(match.CodeBadCommand)
		case d.Player(e.ID) != nil, slices.ContainsFunc(list[:i], func(other Entrant) bool { return other.ID == e.ID }):
			return refusal.New(CodeEntered)
		}
		p := Player{Number: len(d.Players) + i + 1, ID: e.ID, Paper: true, Rating: e.Rating, Out: e.Out}
		if !p.askFor(HalfBye, e.Byes) || !p.askFor(ZeroBye, e.Zero) {
			return refusal.New(match.CodeBadCommand)
		}
		d.put(p)
	}
	if past != nil {
		return d.goOn(past)
	}
	return nil
}

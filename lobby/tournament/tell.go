package tournament

import (
	"mancala/match"
	"mancala/match/refusal"
)

// Questions that [Tournament.Tell] answers.
const (
	AskStandings = "standings" // a list of [Standing]
	AskPreview   = "preview"   // the pairings of the next round, by number, as in [Order.Pairings]
)

// Tell implements [machine.Teller].
func (t *Tournament) Tell(what string) ([]byte, error) {
	switch what {
	case AskStandings:
		return encode(map[string]any{"standings": t.state.Standings()}), nil
	case AskPreview:
		d := decision{State: &t.state, id: t.id}
		if err := d.startRound(nil); err != nil {
			return nil, err
		}
		pairings := make([][2]int, len(d.change.Boards))
		for i, b := range d.change.Boards {
			pairings[i] = [2]int{b.First, b.Second}
		}
		return encode(map[string]any{"round": d.change.Round, "pairings": pairings}), nil
	}
	return nil, refusal.New(match.CodeBadCommand)
}

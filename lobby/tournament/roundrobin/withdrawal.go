package roundrobin

import "mancala/lobby/tournament/crosstable"

// Counted returns the table that the standings are made from. The results of a player who left
// before they had played half of their games do not count, for them and for their opponents. All
// others count (FIDE Handbook, C.05, withdrawals from a round robin). Otherwise the opponents
// whom that player met early would have other chances than those whom they did not meet.
//
// The numbers of the players who have left are in gone. Rating reports and cross-tables use e
// itself.
func Counted(e *crosstable.Event, gone []int) *crosstable.Event {
	n := len(e.Players)
	games := n - 1
	if e.Rounds > Rounds(n, false) {
		games *= 2
	}
	dropped := make([]bool, n+1)
	for _, number := range gone {
		played := 0
		for _, r := range e.Player(number).Results {
			if r.Opponent != 0 && r.Code.Played() && r.Code != crosstable.Unfinished {
				played++
			}
		}
		dropped[number] = 2*played < games
	}
	counted := *e
	counted.Players = make([]crosstable.Player, n)
	for i, p := range e.Players {
		results := make([]crosstable.Result, len(p.Results))
		for round, r := range p.Results {
			if dropped[p.Number] || dropped[r.Opponent] {
				r = crosstable.Result{Code: crosstable.Absent}
			}
			results[round] = r
		}
		p.Results = results
		counted.Players[i] = p
	}
	return &counted
}

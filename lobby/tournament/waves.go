package tournament

import (
	"slices"
	"time"

	"mancala/lobby/tournament/arena"
	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/freeplay"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// In an arena and in a class, players are paired again as they become free. Such a tournament
// has one round, to which every wave adds boards.

const (
	// waveEvery is the time between two waves. It lets more players become free, so that opponents
	// are nearer each other.
	waveEvery = 5 * time.Second
	// apartEvery is the time after a wave of a class that paired no players: those who are free
	// may not meet.
	apartEvery = 20 * time.Second
)

// InWaves reports whether players are paired whenever they are free.
func (s *State) InWaves() bool { return s.Settings.Format == Arena || s.Settings.Format == Class }

// startWaves begins the one round.
func (d *decision) startWaves() error {
	due := d.at
	switch {
	case d.Stage == Running && d.Due == 0 && (d.Ends == 0 || d.at < d.Ends): // it was stopped
		d.change = Change{Due: &due}
		return nil
	case d.Stage != Entry:
		return refusal.New(CodeNoRound)
	}
	d.change = Change{Stage: Running, Round: 1, Due: &due, Final: true}
	if d.Settings.Minutes > 0 {
		d.change.Ends = d.at + int64(d.Settings.Minutes)*60_000
	}
	return nil
}

// nextWave returns when the next wave may come in ms, or 0: there are no two players who are free.
func (s *State) nextWave() int64 {
	if s.Stage != Running || s.Due == 0 || len(s.free()) < 2 {
		return 0
	}
	return s.Due
}

// free returns the numbers of the players who can play now.
func (s *State) free() (numbers []int) {
	busy := make([]bool, len(s.Players)+1)
	for _, b := range s.round() {
		if b.Result == "" {
			busy[b.First], busy[b.Second] = true, true
		}
	}
	for _, p := range s.Players {
		if s.present(&p) && !busy[p.Number] {
			numbers = append(numbers, p.Number)
		}
	}
	return numbers
}

// present reports whether a player takes part and has a page open, or has no device.
func (s *State) present(p *Player) bool { return !p.Out && !p.Away }

// wave pairs the players who are free.
func (d *decision) wave() error {
	if d.Ends > 0 && d.at >= d.Ends {
		d.change.Due = new(int64) // this wave comes too late
		return nil
	}
	free := d.free()
	pairings, left := d.pairWave(free)
	for _, number := range free {
		p := d.Players[number-1]
		if isLeft := slices.Contains(left, number); isLeft {
			p.Waited++
		} else if p.Waited == 0 || d.Settings.Format == Class { // a class counts all its waves
			continue
		} else {
			p.Waited = 0
		}
		d.put(p)
	}
	wait := waveEvery
	if len(pairings) == 0 && d.Settings.Format == Class {
		wait = apartEvery
	}
	due := d.at + wait.Milliseconds()
	d.change.Round, d.change.Due = 1, &due
	for i, p := range pairings {
		d.change.Boards = append(d.change.Boards, d.waveBoard(len(d.round())+i+1, p))
	}
	return nil
}

// waveBoard returns a board of a wave. A pairing has the numbers of players.
func (d *decision) waveBoard(number int, p crosstable.Pairing) Board {
	b := Board{Number: number, First: p.First, Second: p.Second, Paper: d.Players[p.First-1].Paper || d.Players[p.Second-1].Paper}
	if !b.Paper {
		b.Games = []Game{{Room: d.gameID(1, number, 1)}}
	}
	return b
}

// pairWave asks the format. Its numbers are those of the players.
func (d *decision) pairWave(free []int) (pairings []crosstable.Pairing, left []int) {
	apart := func(a, b int) bool { return slices.Contains(d.Forbidden, [2]int{min(a, b), max(a, b)}) }
	if d.Settings.Format == Class {
		class := d.class()
		var players []freeplay.Player
		for _, number := range free {
			players = append(players, class[number-1])
		}
		return freeplay.Pair(players, apart, uint64(d.at))
	}
	all, present := d.arena(), 0
	var players []*arena.Player
	for i := range d.Players {
		if d.present(&d.Players[i]) {
			present++
		}
		if slices.Contains(free, i+1) {
			players = append(players, all[i])
		}
	}
	return arena.Wave(players, present, apart)
}

// arena returns the players with their games, in the order of their numbers. A player who did
// not come to a game has lost it.
func (s *State) arena() []*arena.Player {
	all := make([]*arena.Player, len(s.Players))
	for i, p := range s.Players {
		all[i] = &arena.Player{Number: p.Number, Rating: p.Rating, Waited: p.Waited}
	}
	for _, b := range s.round() {
		both := codes[b.Result]
		for side, number := range [2]int{b.First, b.Second} {
			other := &s.Players[b.First+b.Second-number-1]
			g := arena.Game{Opponent: other.Number, Rating: other.Rating, First: side == 0}
			switch both[side] {
			case crosstable.Win, crosstable.ForfeitWin:
				g.Outcome = arena.Win
			case crosstable.Draw:
				g.Outcome = arena.Draw
			case crosstable.Unfinished:
				continue
			}
			all[number-1].Games = append(all[number-1].Games, g)
		}
	}
	return all
}

// class returns the players with their opponents, in the order of their numbers.
func (s *State) class() []freeplay.Player {
	all := make([]freeplay.Player, len(s.Players))
	for i, p := range s.Players {
		all[i] = freeplay.Player{Number: p.Number, LeftOver: p.Waited}
	}
	for _, b := range s.round() {
		first, second := &all[b.First-1], &all[b.Second-1]
		first.Opponents, second.Opponents = append(first.Opponents, b.Second), append(second.Opponents, b.First)
		first.First++
	}
	return all
}

// arenaStandings returns the standings of an arena. Players who have withdrawn or were marked absent, and rows that
// were given up, are in them only with a game.
func (s *State) arenaStandings() (list []Standing) {
	players := slices.DeleteFunc(s.arena(), func(p *arena.Player) bool { return s.Players[p.Number-1].Out && len(p.Games) == 0 })
	for _, row := range arena.Standings(players) {
		list = append(list, Standing{
			Place: row.Place, Number: row.Number, Points: 10 * row.Points, Breaks: []Break{{Code: "TPR", Value: 100 * row.Performance}},
		})
	}
	return list
}

// setAway notes whether a player has a page open, in a tournament that pairs players as they become
// free. A player without one would not come to their game.
func (d *decision) setAway(away bool) error {
	p := d.Player(d.by)
	if !d.InWaves() || p == nil || p.Away == away {
		return machine.ErrNothing
	}
	row := *p
	row.Away = away
	d.put(row)
	return nil
}

func (d *decision) gone() error { return d.setAway(true) }
func (d *decision) back() error { return d.setAway(false) }

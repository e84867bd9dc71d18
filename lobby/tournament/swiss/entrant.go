package swiss

import "mancala/lobby/tournament/crosstable"

// start is moving first or second: in a game, or as a wish for the next one (article 1.7: colour
// preference).
type start int8

const (
	either start = iota
	first
	second
)

func (s start) other() start {
	switch s {
	case first:
		return second
	case second:
		return first
	}
	return either
}

// strength is how strong a wish is (article 1.7).
type strength int8

const (
	none strength = iota
	mild
	strong
	absolute
)

// drift compares the score of an opponent with the player's own (article 1.4: floats). Points without a game
// count as an opponent with a lower score.
type drift int8

const (
	level drift = iota
	down
	up
)

// entrant is a player who is to be paired, with all that the criteria ask about.
type entrant struct {
	number     int
	oddPlace   bool // among those who have entered, by number
	score      crosstable.Tenths
	wish       start
	strength   strength
	surplus    int   // how many more games began with one start than with the other, without sign
	repeated   start // the start of both last games, if they had the same
	starts     []start
	drifts     [2]drift // in the last round, in the one before
	games      int      // played
	mayHaveBye bool     // C2
}

func newEntrant(e *crosstable.Event, p *crosstable.Player, round int) entrant {
	a := entrant{number: p.Number, score: e.PairingScore(p, round), mayHaveBye: true}
	difference := 0
	for _, r := range p.Results {
		if r.Code.Played() && r.Opponent != 0 {
			a.games++
			start := second
			difference--
			if r.First {
				start = first
				difference += 2
			}
			a.starts = append(a.starts, start)
		} else if e.Points.Of(r.Code) >= e.Points.Win || r.Code == crosstable.PairingBye {
			a.mayHaveBye = false
		}
	}
	a.surplus = max(difference, -difference)
	if n := len(a.starts); n > 0 {
		last := a.starts[n-1]
		if n > 1 && a.starts[n-2] == last {
			a.repeated = last
		}
		switch {
		case a.surplus > 1 || a.repeated != either:
			a.strength = absolute
		case a.surplus == 1:
			a.strength = strong
		default:
			a.strength = mild
		}
		switch {
		case difference > 1 || difference == 1 && a.repeated == either:
			a.wish = second
		case difference < -1 || difference == -1 && a.repeated == either:
			a.wish = first
		default: // the last game, or the last two, decide
			a.wish = last.other()
		}
	}
	for back := range a.drifts {
		if played := round - 1 - back; played >= 1 {
			a.drifts[back] = driftOf(e, p, played)
		}
	}
	return a
}

// driftOf returns how player p floated in a round. Points without a game count as a
// downfloat (article 1.4.3).
func driftOf(e *crosstable.Event, p *crosstable.Player, round int) drift {
	if round > len(p.Results) {
		return level
	}
	r := p.Results[round-1]
	if !r.Code.Played() {
		if e.Points.Of(r.Code) > e.Points.Loss {
			return down
		}
		return level
	}
	mine, theirs := e.PairingScore(p, round), e.PairingScore(e.Player(r.Opponent), round)
	switch {
	case mine > theirs:
		return down
	case mine < theirs:
		return up
	}
	return level
}

// clash reports whether both wish for the same start.
func clash(a, b *entrant) bool { return a.wish != either && a.wish == b.wish }

// startOf returns the start of the higher player a against b (article 5). If neither has played, players on odd
// places move first with oddFirst, and those on even places without it.
func startOf(a, b *entrant, oddFirst bool) start {
	if a.wish != b.wish { // both wishes are granted
		if a.wish != either {
			return a.wish
		}
		return b.wish.other()
	}
	if a.wish == either { // nobody has played yet: by the place of the higher player
		if a.oddPlace == oddFirst {
			return first
		}
		return second
	}
	switch {
	case a.strength == absolute && b.strength == absolute && a.surplus != b.surplus:
		if a.surplus > b.surplus {
			return a.wish
		}
		return b.wish.other()
	case a.strength != b.strength:
		if a.strength > b.strength {
			return a.wish
		}
		return b.wish.other()
	}
	for i, j := len(a.starts)-1, len(b.starts)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if a.starts[i] != b.starts[j] { // the last time that they had different starts: now the others
			return a.starts[i].other()
		}
	}
	return a.wish
}

package swiss

// bracket is the part of a draw that is paired at once (article 1.3): the players who were
// moved down, the residents, who all have the same score, and what follows them.
//
// Players are known by their place in members: first those moved down, then the residents,
// both in order (article 1.2), then the players below.
type bracket struct {
	*draw
	members   []int // indices of entrants
	moved     int   // how many were moved down
	inside    int   // members of the bracket: places below it
	following int   // members of the bracket and of the next score group: places below it
	below     int   // the index of the first player below the next score group
	whole     bool  // members are all who are left, so that nobody can be paired with others
	byePlace  int   // the place of the bye where members are whole and a player gets it, or -1
	single    bool  // the only player who floats gets the bye, so C9 counts
}

// floaters returns how many players of the bracket have no mate inside it.
func (b *bracket) floaters(pairs []int) (n int) {
	for place := range b.inside {
		if mate := pairs[place]; mate < 0 || mate >= b.inside {
			n++
		}
	}
	return n
}

func (b *bracket) at(place int) *entrant { return &b.entrants[b.members[place]] }

// allowed reports whether places i < j may be paired, as far as the absolute criteria say.
// Players who were moved down were left by a bracket before, so they don't meet each other.
func (b *bracket) allowed(i, j int) bool {
	if j == b.byePlace {
		e := b.at(i)
		return e.mayHaveBye && e.score <= b.byeScore
	}
	return (i >= b.moved || j >= b.moved) && b.mayMeet(b.members[i], b.members[j])
}

package match

import (
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"strings"

	"mancala/engine"
	"mancala/match/refusal"
)

// sit takes a free seat. The last player to sit starts the game, unless the game
// waits for the youngest player to answer.
func (d *decision) sit(order) error {
	switch {
	case slices.Contains(d.sitters, d.by), d.seat >= 0:
		return refusal.New(CodeAlreadySeated) // also later: the first answer may have been lost
	case len(d.seats) > 0:
		return refusal.New(CodeNoSeat)
	case d.stage != waiting:
		return refusal.New(CodeNotWaiting)
	case d.forOthers && d.by == d.creator, len(d.by) > maxName, d.full():
		return refusal.New(CodeNoSeat)
	}
	d.sitters = append(slices.Clip(d.sitters), d.by)
	d.beginIfReady()
	return nil
}

// full reports whether every seat is taken.
func (s *state) full() bool { return len(s.sitters) == s.rules.game.Seats() }

func (d *decision) beginIfReady() {
	if d.full() && (d.start != startYoungest || d.youngest != "") {
		d.begin(d.seated(), d.at)
		d.seat = d.seatOf(d.by)
	}
}

// sayYoungest records that the player is the youngest and so begins. If several players
// claim this, the last claim counts, until every seat is taken.
func (d *decision) sayYoungest(order) error {
	switch {
	case d.stage != waiting:
		return refusal.New(CodeNotWaiting)
	case !slices.Contains(d.sitters, d.by):
		return refusal.New(CodeNotPlaying)
	case d.start != startYoungest:
		return refusal.New(CodeNotAsked)
	}
	d.youngest = d.by
	d.beginIfReady()
	return nil
}

// forgetYoungest clears the youngest player if they have left, or if the start does
// not depend on it any more.
func (s *state) forgetYoungest() {
	if s.start != startYoungest || !slices.Contains(s.sitters, s.youngest) {
		s.youngest = ""
	}
}

// stand gives a seat back before the game starts.
func (d *decision) stand(order) error {
	if d.stage != waiting {
		return refusal.New(CodeNotWaiting)
	}
	i := slices.Index(d.sitters, d.by)
	if i < 0 {
		return refusal.New(CodeNotPlaying)
	}
	d.sitters = slices.Delete(slices.Clone(d.sitters), i, i+1)
	d.forgetYoungest()
	return nil
}

// seated returns the players in the order of their turns. A random order comes from
// the secret that was drawn when the match was created. No player is ever told the
// secret, so the player who sits down last cannot know how their name changes the
// order.
func (s *state) seated() []string {
	people := slices.Clone(s.sitters)
	switch creator := slices.Index(people, s.creator); {
	case s.start == startYoungest:
		i := slices.Index(people, s.youngest)
		people = slices.Insert(slices.Delete(people, i, i+1), 0, s.youngest)
	case s.start == startRandom:
		order := sha256.Sum256([]byte(s.secret + "\n" + strings.Join(people, "\n")))
		rand.New(rand.NewChaCha8(order)).Shuffle(len(people), func(i, j int) { people[i], people[j] = people[j], people[i] })
	case creator < 0 && s.start == startFriend:
		// A game for others: the player who sat down first takes the creator's
		// place.
		people = append(people[1:], people[0])
	case creator >= 0:
		people = slices.Delete(people, creator, creator+1)
		at := 0
		if s.start == startFriend {
			at = len(people)
		}
		people = slices.Insert(people, at, s.creator)
	}
	return people
}

// begin starts the game with these players by seat.
func (s *state) begin(people []string, at int64) {
	s.seats, s.began, s.expires = people, at, 0
	if s.control.kind == noClock && s.unmoved > 0 && !s.hasNoShow() {
		s.expires = at + s.unmoved
	}
	for i := range people {
		s.lag[i] = newBucket(s.control)
	}
	s.beginRound(at)
}

// beginRound sets up the board for a round; a single game has one round.
func (s *state) beginRound(at int64) {
	s.firstSeat = s.standing.Layer
	s.pos, s.hist = s.rules.game.StartWith(s.firstSeat), engine.History{}
	s.moves, s.lay, s.last = nil, "", lastPly{}
	for i := range s.seats {
		s.clock[i] = s.control.base
	}
	s.settle()
	s.startClock(at)
}

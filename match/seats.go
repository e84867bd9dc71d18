package match

import (
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"strings"

	"mancala/engine"
)

// sit takes a free seat; the last one starts the game.
func (d *decision) sit(order) error {
	switch {
	case len(d.seats) > 0:
		return refuse(CodeNoSeat)
	case d.stage != waiting:
		return refuse(CodeNotWaiting)
	case slices.Contains(d.sitters, d.by):
		return refuse(CodeAlreadySeated)
	case d.forOthers && d.by == d.creator, len(d.by) > maxName:
		return refuse(CodeNoSeat)
	}
	d.sitters = append(slices.Clip(d.sitters), d.by)
	if len(d.sitters) == d.rules.game.Seats() {
		d.begin(d.seated(), d.at)
		d.seat = d.seatOf(d.by)
	}
	return nil
}

// stand gives a seat back before the game starts.
func (d *decision) stand(order) error {
	if d.stage != waiting {
		return refuse(CodeNotWaiting)
	}
	i := slices.Index(d.sitters, d.by)
	if i < 0 {
		return refuse(CodeNotPlaying)
	}
	d.sitters = slices.Delete(slices.Clone(d.sitters), i, i+1)
	return nil
}

// seated puts the people who sit in the order of their turns. Chance comes from
// the secret that was drawn when the match was made and that nobody is told:
// whoever sits down last cannot know what his name will bring about.
func (s *state) seated() []string {
	people := slices.Clone(s.sitters)
	switch creator := slices.Index(people, s.creator); {
	case s.start == startRandom:
		seed := sha256.Sum256([]byte(s.secret + "\n" + strings.Join(people, "\n")))
		rand.New(rand.NewChaCha8(seed)).Shuffle(len(people), func(i, j int) { people[i], people[j] = people[j], people[i] })
	case creator < 0 && s.start == startFriend:
		// A game for others: the first who sat stands for the creator.
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

// begin starts the game with these people by seat.
func (s *state) begin(people []string, at int64) {
	s.seats, s.began, s.expires = people, at, 0
	for i := range people {
		s.lag[i] = newBucket(s.control)
	}
	s.beginRound(at)
}

// beginRound lays out the board for a round; of a single game there is one.
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

package seeks

import (
	"slices"
	"time"

	"mancala/lobby/pairing"
	"mancala/match/machine"
	"mancala/match/refusal"
)

const (
	askedFor    = 5 * time.Minute  // how long a challenge is open
	askAgain    = 10 * time.Minute // after which a person who has declined may be challenged again
	maxAsks     = 3                // open challenges by one person
	maxAsked    = 8                // open challenges to one person
	maxAll      = 1000             // open challenges in all
	maxRefusals = 4000             // that are remembered
)

// ask makes a challenge. A new challenge to the same person replaces the old one.
func (l *Lobby) ask(by string, o Order, now time.Time) (Change, error) {
	if err := o.check(); err != nil {
		return Change{}, err
	}
	c := Challenge{
		ID: GameID(by, o.Key), By: by, To: o.To, Key: o.Key, Until: now.Add(askedFor).UnixMilli(),
		Game: o.Game, Facts: o.Facts,
	}
	if old := l.state.Challenge(c.ID); old != nil && old.To == o.To {
		return Change{}, machine.ErrNothing // a repeat
	}
	if err := l.mayAsk(by, o, now); err != nil {
		return Change{}, err
	}
	out, err := l.displacedChallenge(&c)
	if err != nil {
		return Change{}, err
	}
	change := Change{Ask: &c}
	if out != "" {
		change.Ended = append(change.Ended, Ended{out, EndWithdrawn})
	}
	for _, old := range l.state.Asked {
		if old.By == by && old.To == o.To {
			change.Ended = append(change.Ended, Ended{old.ID, EndWithdrawn})
		}
	}
	return change, nil
}

func (l *Lobby) mayAsk(by string, o Order, now time.Time) error {
	asks := 0
	for i := range l.state.Asked {
		if c := &l.state.Asked[i]; c.By == by && c.To != o.To { // one to the same person is replaced
			asks++
		}
	}
	switch {
	case o.To == "" || o.To == by:
		return refusal.New(CodeYourself)
	case slices.ContainsFunc(l.refusals, func(r Refusal) bool { return r.By == by && r.To == o.To && r.Until > now.UnixMilli() }):
		return refusal.New(CodeAskLater)
	case asks >= maxAsks:
		return refusal.New(CodeAsksMany)
	case l.paired(by):
		return refusal.New(CodePaired)
	}
	return nil
}

// acceptChallenge pairs the two people of a challenge, unless its author is being paired
// with another person.
func (l *Lobby) acceptChallenge(c *Challenge, facts Facts) (Change, error) {
	switch {
	case c.Rated && !facts.Account:
		return Change{}, refusal.New(CodeNeedsAccount)
	case l.paired(c.By), slices.Contains(facts.Apart, c.By):
		return Change{}, refusal.New(CodeSeekGone)
	}
	owner := pairing.Waiting{ID: c.By, Balance: c.Facts.Balance}
	other := pairing.Waiting{ID: c.To, Balance: facts.Balance}
	change := l.pair(Pair{ID: c.ID, Owner: c.By, Other: c.To, Asked: true, Game: c.Game}, pairing.Seat(&owner, &other))
	for i := range change.Ended {
		if change.Ended[i].ID == c.ID {
			change.Ended[i].Why = EndAccepted
		}
	}
	return change, nil
}

// decline ends a challenge, and keeps its author from asking again for a while.
func (l *Lobby) decline(by, id string, now time.Time) (Change, error) {
	c := l.state.Challenge(id)
	if c == nil || c.To != by {
		return Change{}, refusal.New(CodeSeekGone)
	}
	return Change{
		Ended:   []Ended{{id, EndDeclined}},
		Refused: &Refusal{c.By, c.To, now.Add(askAgain).UnixMilli()},
	}, nil
}

// withdraw ends a player's own challenge.
func (l *Lobby) withdraw(by, id string) (Change, error) {
	c := l.state.Challenge(id)
	if c == nil || c.By != by {
		return Change{}, refusal.New(CodeSeekGone)
	}
	return Change{Ended: []Ended{{id, EndWithdrawn}}}, nil
}

// withdrawals returns the end of each challenge that these players have made: they play now.
func (l *Lobby) withdrawals(players []string) (ended []Ended) {
	for i := range l.state.Asked {
		if c := &l.state.Asked[i]; slices.Contains(players, c.By) {
			ended = append(ended, Ended{c.ID, EndWithdrawn})
		}
	}
	return ended
}

// expired returns the challenges whose time is over.
func (l *Lobby) expired(now time.Time) (ended []Ended) {
	for i := range l.state.Asked {
		if c := &l.state.Asked[i]; c.Until <= now.UnixMilli() {
			ended = append(ended, Ended{c.ID, EndExpired})
		}
	}
	return ended
}

// refuse remembers a refusal.
func (l *Lobby) refuse(r Refusal) {
	if len(l.refusals) >= maxRefusals {
		l.refusals = slices.Delete(l.refusals, 0, 1)
	}
	l.refusals = append(l.refusals, r)
}

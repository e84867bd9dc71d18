package seeks

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"mancala/lobby/pairing"
	"mancala/match"
	"mancala/match/machine"
)

// Codes of refusals. Their texts are stable.
const (
	CodeSeekGone  machine.Code = "seek-gone"  // somebody was faster, or it was taken back
	CodeOwnSeek   machine.Code = "own-seek"   // one's own
	CodePaired    machine.Code = "paired"     // one's game is being opened
	CodeLobbyFull machine.Code = "lobby-full" // too many wait
	CodeTwoSeats  machine.Code = "two-seats"  // only games of two are sought here
)

func refuse(code machine.Code) error { return &machine.Error{Code: code} }

// order is a command's body, with what the wire has beside it.
type order struct {
	Key  string `json:"key"`
	Seek string `json:"seek"`
	Task string `json:"task"`
	Late bool   `json:"late"`
	Game
}

// Decide implements [machine.Machine].
func (l *Lobby) Decide(c machine.Command, now time.Time) (machine.Entry, error) {
	var o order
	if len(c.Body) > 0 && json.Unmarshal(c.Body, &o) != nil {
		return machine.Entry{}, refuse(match.CodeBadCommand)
	}
	change, err := l.decide(c, o, now)
	if err != nil {
		return machine.Entry{}, err
	}
	body, err := json.Marshal(change)
	return machine.Entry{Kind: c.Kind, Body: body}, err
}

func (l *Lobby) decide(c machine.Command, o order, now time.Time) (Change, error) {
	switch c.Kind {
	case KindSeek, KindFind:
		return l.wait(c, o, now)
	case KindAccept:
		return l.accept(c.By, o.Seek)
	case KindLeave, machine.KindGone:
		if l.state.Of(c.By) == nil {
			return Change{}, machine.ErrNothing
		}
		return Change{Out: []string{c.By}}, nil
	case machine.KindWake:
		return l.wave(now), nil
	case machine.KindDone:
		return l.done(o, now)
	case machine.KindBack, machine.KindOutage:
		return Change{}, machine.ErrNothing
	}
	return Change{}, refuse(match.CodeBadCommand)
}

// wait lets somebody wait, instead of what he has waited for before.
func (l *Lobby) wait(c machine.Command, o order, now time.Time) (Change, error) {
	if o.Key == "" || len(o.Key) > maxKey || len(o.Options) > maxOptions || c.Kind == KindFind && o.Options != "" {
		return Change{}, refuse(match.CodeBadCommand)
	}
	o.Rules, o.Clock = cmp.Or(o.Rules, "kalah"), cmp.Or(o.Clock, "none")
	w := Wait{ID: GameID(c.By, o.Key), Player: c.By, Key: o.Key, Pool: c.Kind == KindFind, Since: now.UnixMilli(), Game: o.Game}
	old := l.state.Of(c.By)
	switch {
	case l.paired(c.By):
		return Change{}, refuse(CodePaired)
	case old != nil && old.ID == w.ID:
		return Change{}, machine.ErrNothing // he says again what we know
	case old == nil && len(l.state.Waits) >= maxWaiting, !w.Pool && len(l.state.Open()) >= MaxOpen:
		return Change{}, refuse(CodeLobbyFull)
	}
	seats, err := w.Settings().Seats()
	if err != nil {
		return Change{}, err
	}
	if seats != 2 {
		return Change{}, refuse(CodeTwoSeats)
	}
	change := Change{In: &w}
	if old != nil {
		change.Out = []string{c.By}
	}
	return change, nil
}

// accept pairs somebody with who seeks. Of those who try, the first gets it.
func (l *Lobby) accept(by, seek string) (Change, error) {
	i := slices.IndexFunc(l.state.Waits, func(w Wait) bool { return w.ID == seek && !w.Pool })
	switch {
	case l.paired(by):
		return Change{}, refuse(CodePaired)
	case i < 0:
		return Change{}, refuse(CodeSeekGone)
	case l.state.Waits[i].Player == by:
		return Change{}, refuse(CodeOwnSeek)
	}
	owner, other := l.candidate(&l.state.Waits[i]), pairing.Waiting{ID: by, Balance: l.past[by].balance}
	change := Change{Out: []string{owner.ID}, Pairs: []Pair{pairOf(&l.state.Waits[i], by, pairing.Seat(&owner, &other))}}
	if l.state.Of(by) != nil {
		change.Out = append(change.Out, by)
	}
	return change, nil
}

// wave looks through the pools.
func (l *Lobby) wave(now time.Time) Change {
	var people []pairing.Waiting
	for i := range l.state.Waits {
		if l.state.Waits[i].Pool {
			people = append(people, l.candidate(&l.state.Waits[i]))
		}
	}
	change := Change{Wave: now.UnixMilli()}
	for _, p := range pairing.Wave(people, now) {
		// Who has waited longer is the one whose game it is.
		owner, other := l.state.Of(p.First), l.state.Of(p.Second)
		if other.Since < owner.Since {
			owner, other = other, owner
		}
		change.Out = append(change.Out, owner.Player, other.Player)
		change.Pairs = append(change.Pairs, pairOf(owner, other.Player, p))
	}
	return change
}

func (l *Lobby) candidate(w *Wait) pairing.Waiting {
	p := l.past[w.Player]
	return pairing.Waiting{
		ID: w.Player, Pool: w.Rules + " " + w.Clock, Since: time.UnixMilli(w.Since), Recent: p.recent, Balance: p.balance,
	}
}

func pairOf(w *Wait, other string, p pairing.Pair) Pair {
	return Pair{ID: w.ID, Seats: [2]string{p.First, p.Second}, Owner: w.Player, Other: other, Game: w.Game}
}

// done closes a pair.
func (l *Lobby) done(o order, now time.Time) (Change, error) {
	i := slices.IndexFunc(l.pairs, func(p Pair) bool { return p.ID == o.Task })
	if i < 0 {
		return Change{}, machine.ErrNothing
	}
	return Change{Done: &Done{Pair: l.pairs[i], At: now.UnixMilli(), Late: o.Late}}, nil
}

func (l *Lobby) paired(player string) bool {
	return slices.ContainsFunc(l.pairs, func(p Pair) bool { return slices.Contains(p.Seats[:], player) })
}

// Creation is the game of a pair, and the command that makes it: two pairs of
// the same seek have different ones, so that one of them comes too late.
func (p *Pair) Creation(expires time.Duration, chat string) machine.Command {
	settings := p.Settings()
	settings.Listed = true // strangers play it, who have met in public
	settings.Chat = chat
	c := match.Creation{Settings: settings, Creator: p.Owner, Seats: p.Seats[:], Expires: expires}
	return c.Command("seek-" + p.ID + "-" + p.Other)
}

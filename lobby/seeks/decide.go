package seeks

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"mancala/lobby/pairing"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// Codes of refusals. Their texts are stable.
const (
	CodeSeekGone  refusal.Code = "seek-gone"  // another player was faster, or it was withdrawn
	CodeOwnSeek   refusal.Code = "own-seek"   // players cannot accept their own seek
	CodePaired    refusal.Code = "paired"     // the player's game is being opened
	CodeLobbyFull refusal.Code = "lobby-full" // too many people wait
	CodeTwoSeats  refusal.Code = "two-seats"  // the lobby offers only games of two

	CodeNeedsAccount refusal.Code = "needs-account" // the game is rated
	CodeOutOfRange   refusal.Code = "out-of-range"  // the seek is for other ratings
	CodeYourself     refusal.Code = "yourself"      // players cannot challenge themselves
	CodeAsksMany     refusal.Code = "asks-many"     // the maximum of open challenges by or to one person
	CodeAskLater     refusal.Code = "ask-later"     // the person declined a short while ago
)

// Order is the body of a command: the author's wishes, and the facts that their instance
// adds.
type Order struct {
	Key  string `json:"key,omitempty"`
	Seek string `json:"seek,omitempty"`
	To   string `json:"to,omitempty"`
	Game
	Range
	Facts Facts `json:"facts"`

	// The rest is of the room's own commands.
	Task  string `json:"task,omitempty"`
	Late  bool   `json:"late,omitempty"`
	Apart bool   `json:"apart,omitempty"` // the two of the pair must not meet
}

// Decide implements [machine.Machine].
func (l *Lobby) Decide(c machine.Command, now time.Time) (machine.Entry, error) {
	var o Order
	if len(c.Body) > 0 && json.Unmarshal(c.Body, &o) != nil {
		return machine.Entry{}, refusal.New(match.CodeBadCommand)
	}
	change, err := l.decide(c, o, now)
	if err != nil {
		return machine.Entry{}, err
	}
	body, err := json.Marshal(change)
	return machine.Entry{Kind: c.Kind, Body: body}, err
}

func (l *Lobby) decide(c machine.Command, o Order, now time.Time) (Change, error) {
	switch c.Kind {
	case KindSeek, KindFind:
		return l.wait(c, o, now)
	case KindAccept:
		return l.accept(c.By, o)
	case KindChallenge:
		return l.ask(c.By, o, now)
	case KindApart:
		return l.apart(c.By, o)
	case KindDecline:
		return l.decline(c.By, o.Seek, now)
	case KindLeave, machine.KindGone:
		if o.Seek != "" {
			return l.withdraw(c.By, o.Seek)
		}
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
	return Change{}, refusal.New(match.CodeBadCommand)
}

// apart keeps two people who wait apart. The facts show that one has blocked the other.
func (l *Lobby) apart(by string, o Order) (Change, error) {
	w := l.state.Of(by)
	if w == nil || l.state.Of(o.To) == nil || !slices.Contains(o.Facts.Apart, o.To) || slices.Contains(w.Facts.Apart, o.To) {
		return Change{}, machine.ErrNothing
	}
	return Change{Apart: []string{by, o.To}}, nil
}

// wait starts a wait, which replaces an earlier one of the same player.
func (l *Lobby) wait(c machine.Command, o Order, now time.Time) (Change, error) {
	if c.Kind == KindFind && (o.Options != "" || o.Range != Range{}) {
		return Change{}, refusal.New(match.CodeBadCommand)
	}
	if err := o.check(); err != nil {
		return Change{}, err
	}
	w := Wait{
		ID: GameID(c.By, o.Key), Player: c.By, Key: o.Key, Pool: c.Kind == KindFind, Since: now.UnixMilli(),
		Game: o.Game, Range: o.Range, Facts: o.Facts,
	}
	old := l.state.Of(c.By)
	switch {
	case l.paired(c.By):
		return Change{}, refusal.New(CodePaired)
	case old != nil && old.ID == w.ID:
		return Change{}, machine.ErrNothing // a repeat
	}
	out, err := l.displacedWait(&w)
	if err != nil {
		return Change{}, err
	}
	change := Change{In: &w}
	if old != nil {
		change.Out = append(change.Out, c.By)
	}
	if out != "" {
		change.Out = append(change.Out, out)
	}
	return change, nil
}

// check reports why an order for a game is invalid, and fills in the defaults.
func (o *Order) check() error {
	if o.Key == "" || len(o.Key) > maxKey || len(o.Options) > maxOptions || min(o.Low, o.High) < 0 || o.High != 0 && o.High < o.Low {
		return refusal.New(match.CodeBadCommand)
	}
	o.Rules, o.Clock = cmp.Or(o.Rules, "kalah"), cmp.Or(o.Clock, "none")
	seats, err := o.Settings().Seats()
	switch {
	case err != nil:
		return err
	case seats != 2:
		return refusal.New(CodeTwoSeats)
	case o.Rated && !o.Facts.Account:
		return refusal.New(CodeNeedsAccount)
	}
	return nil
}

// May returns why a player with these facts may not accept the seek, or nil.
func (w *Wait) May(f Facts) error {
	switch {
	case w.Rated && !f.Account:
		return refusal.New(CodeNeedsAccount)
	case !w.Range.Holds(f.Rating):
		return refusal.New(CodeOutOfRange)
	}
	return nil
}

// accept pairs a player with the owner of a seek or of a challenge to them. The first to
// accept gets it.
func (l *Lobby) accept(by string, o Order) (Change, error) {
	if l.has(by, o.Seek) {
		return Change{}, machine.ErrNothing // a repeat
	}
	if l.paired(by) {
		return Change{}, refusal.New(CodePaired)
	}
	if c := l.state.Challenge(o.Seek); c != nil && c.To == by {
		return l.acceptChallenge(c, o.Facts)
	}
	w := l.state.Seek(o.Seek)
	switch {
	case w == nil || slices.Contains(o.Facts.Apart, w.Player) || slices.Contains(w.Facts.Apart, by):
		return Change{}, refusal.New(CodeSeekGone)
	case w.Player == by:
		return Change{}, refusal.New(CodeOwnSeek)
	}
	if err := w.May(o.Facts); err != nil {
		return Change{}, err
	}
	owner, other := candidate(w), pairing.Waiting{ID: by, Balance: o.Facts.Balance}
	return l.pair(Pair{ID: w.ID, Owner: w.Player, Other: by, Game: w.Game}, pairing.Seat(&owner, &other)), nil
}

// pair returns the change that pairs two people: they stop waiting, and their challenges
// end.
func (l *Lobby) pair(p Pair, seats pairing.Pair) Change {
	p.Seats = [2]string{seats.First, seats.Second}
	change := Change{Pairs: []Pair{p}}
	for _, player := range p.Seats {
		if l.state.Of(player) != nil {
			change.Out = append(change.Out, player)
		}
	}
	change.Ended = l.withdrawals(p.Seats[:])
	return change
}

// wave pairs the people in the pools.
func (l *Lobby) wave(now time.Time) Change {
	var people []pairing.Waiting
	waits := map[string]*Wait{}
	for i := range l.state.Waits {
		if w := &l.state.Waits[i]; w.Pool {
			people = append(people, candidate(w))
			waits[w.Player] = w
		}
	}
	change := Change{Wave: now.UnixMilli(), Ended: l.expired(now)}
	for _, p := range pairing.Wave(people, now) {
		// The game belongs to the player who has waited longer.
		owner, other := waits[p.First], waits[p.Second]
		if other.Since < owner.Since {
			owner, other = other, owner
		}
		change.Out = append(change.Out, owner.Player, other.Player)
		change.Pairs = append(change.Pairs, Pair{
			ID: owner.ID, Seats: [2]string{p.First, p.Second}, Owner: owner.Player, Other: other.Player, Game: owner.Game,
		})
	}
	change.Ended = append(change.Ended, l.withdrawals(change.Out)...)
	return change
}

func candidate(w *Wait) pairing.Waiting {
	pool := w.Rules + " " + w.Clock
	if w.Rated {
		pool += " rated"
	}
	return pairing.Waiting{
		ID: w.Player, Pool: pool, Rating: w.Facts.Rating, Since: time.UnixMilli(w.Since),
		Recent: w.Facts.Recent, Blocked: w.Facts.Apart, Balance: w.Facts.Balance,
	}
}

// done closes a pair. People who must not meet wait on, as if they had not found each other.
func (l *Lobby) done(o Order, now time.Time) (Change, error) {
	i := slices.IndexFunc(l.pairs, func(p opening) bool { return p.ID == o.Task })
	if i < 0 {
		return Change{}, machine.ErrNothing
	}
	p := l.pairs[i]
	if o.Apart {
		return Change{Parted: &Parted{p.Pair, p.waits}, Apart: p.Seats[:]}, nil
	}
	return Change{Done: &Done{Pair: p.Pair, At: now.UnixMilli(), Late: o.Late}}, nil
}

// has reports whether a player was just paired for a game.
func (l *Lobby) has(player, game string) bool {
	return slices.ContainsFunc(l.pairs, func(p opening) bool { return p.ID == game && slices.Contains(p.Seats[:], player) }) ||
		slices.ContainsFunc(l.state.Found, func(f Found) bool { return f.Game == game && f.Player == player })
}

func (l *Lobby) paired(player string) bool {
	return slices.ContainsFunc(l.pairs, func(p opening) bool { return slices.Contains(p.Seats[:], player) })
}

// Creation returns the command that creates the game of a pair. Two pairs of the same seek
// have commands with different IDs, so the second finds that the game exists.
func (p *Pair) Creation(expires time.Duration, chat string) machine.Command {
	settings := p.Settings()
	settings.Listed = !p.Asked || p.Rated // its players have met in public
	settings.Chat = chat
	c := match.Creation{Settings: settings, Creator: p.Owner, Seats: p.Seats[:], Expires: expires}
	return c.Command("seek-" + p.ID + "-" + p.Other)
}

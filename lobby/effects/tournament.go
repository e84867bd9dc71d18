package effects

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/deadline"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

const (
	// One game of a round is opened in openQuickly, or in openSlowly while the service is slow. It counts all that
	// follows: two players come to each game. At these paces 2,000 games open in 3.4 s and in 4.5 s, and
	// the moves of other games go before them.
	openQuickly = time.Second / 600
	openSlowly  = time.Second / 440
	// The service is slow while games that are opened together take longer than openSlow.
	openSlow = 30 * time.Millisecond
	// openBehind is how far behind its pace the opening may fall, and make up for it.
	openBehind = 250 * time.Millisecond
	// openAtOnce is how many games are created at the same time, by one statement of the journal.
	openAtOnce = 25
)

// pace spreads the opening of games over time. It slows down while that takes long: then moves of other games
// wait as well, for the same processors and the same database.
type pace struct {
	every time.Duration // the time of one game
	next  time.Time     // when the next games may be opened
}

// open waits until the pace allows more games, and calls its argument open, which opens them. games is their
// number. The error is that of ctx.
func (p *pace) open(ctx context.Context, games int, open func()) error {
	now := time.Now()
	if p.every == 0 || now.Sub(p.next) > openBehind {
		p.next = now
	}
	p.every = min(max(p.every, openQuickly), openSlowly)
	begun := p.next
	p.next = p.next.Add(time.Duration(games) * p.every)
	if now.After(begun) {
		begun = now
	} else if err := deadline.Wait(ctx, time.Until(begun)); err != nil {
		return err
	}
	open()
	if time.Since(begun) > openSlow { // a late call of this goroutine counts, too
		p.every += p.every / 8
	} else {
		p.every -= p.every / 16
	}
	return ctx.Err()
}

// openRound opens the games of a task of a tournament. A game that is there already was opened
// by an earlier try. The tasks of an instance take turns, since those of a large round come all at
// once. So the players of the first task come to their games before the last games are there.
func (e *Effects) openRound(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var o tournament.Opening
	if err := json.Unmarshal(t.Body, &o); err != nil {
		return nil, err
	}
	done, err := e.takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	open := func(g tournament.NewGame) error {
		c := match.Creation{
			Settings: o.Settings, Seats: g.Seats[:], Expires: -1,
			Event:  &match.Event{Room: t.Room, Round: g.Round, Board: g.Board, Game: g.Game},
			NoShow: time.Duration(o.NoShow) * time.Millisecond,
		}
		before := time.Now()
		view, err := e.Rooms.CreateShown(ctx, g.Room, match.Kind, c.Command("open-"+g.Room))
		if err == nil {
			e.Opened(g.Room, view, before)
		}
		return err
	}
	var failed error
	for games := range slices.Chunk(o.Games, openAtOnce) {
		err := e.turns.pace.open(ctx, len(games), func() {
			if _, err := each(openAtOnce, games, open); err != nil {
				failed = err
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return nil, failed
}

// takeTurn waits until no other task opens games of a round. Its error is that of ctx. The task calls done
// at its end.
func (e *Effects) takeTurn(ctx context.Context) (done func(), err error) {
	e.turns.make.Do(func() { e.turns.taken = make(chan struct{}, 1) })
	select {
	case e.turns.taken <- struct{}{}:
		return func() { <-e.turns.taken }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// report tells a tournament how one of its games has ended. The task is done when the tournament
// has answered: if it refuses, the game was replaced or the tournament is deleted.
func (e *Effects) report(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var r match.Reported
	if err := json.Unmarshal(t.Body, &r); err != nil {
		return nil, err
	}
	body, err := json.Marshal(tournament.Order{Report: &tournament.Report{Room: t.Room, Report: r.Report}})
	if err != nil {
		return nil, err
	}
	_, err = e.Rooms.Order(ctx, r.Event, machine.Command{ID: "report-" + t.Room, Kind: tournament.KindReport, Body: body})
	if answered(err) {
		return nil, nil
	}
	return nil, err
}

// answered reports whether a room has decided about an order. It has not if it is only out of
// reach for now.
func answered(err error) bool {
	code, refused := refusal.Of(err)
	switch {
	case err == nil, errors.Is(err, room.ErrNoRoom):
		return true
	case !refused:
		return false
	}
	return strings.HasPrefix(string(code), "tournament-") || code == match.CodeBadCommand
}

// act carries out what a host does with games that are being played. A game that is over, or
// already as the host wants it, refuses or ignores that. It tells of games whose rooms are in
// quarantine, and of those that cannot be reached.
func (e *Effects) act(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var a tournament.Acting
	if err := json.Unmarshal(t.Body, &a); err != nil {
		return nil, err
	}
	seats := map[string][]int{}
	var rooms []string
	for _, g := range a.Games {
		rooms, seats[g.Room] = append(rooms, g.Room), g.Seats
	}
	var broken []string
	var mu sync.Mutex
	left, why := each(ordersAtOnce, rooms, func(game string) error {
		for _, seat := range seats[game] {
			o := match.Order{Act: a.Kind, Seat: seat, MS: a.Ms, Player: a.Person}
			// Every try has the same ID, since an order without an answer may have been carried out.
			switch err := e.arbiter(ctx, game, a.By, fmt.Sprintf("%s-%s-%d-%d", t.Room, tournament.TaskAct, a.Number, seat), o); {
			case errors.Is(err, room.ErrQuarantined):
				mu.Lock()
				broken = append(broken, game)
				mu.Unlock()
			case err != nil:
				return err
			}
		}
		if a.Kind == match.ActReplace {
			e.Opened(game, room.View{}, time.Time{})
		}
		return nil
	})
	if littleBetter(len(left), len(a.Left)) {
		return nil, why
	}
	return reached{Broken: broken, Left: left}.answer()
}

// reached is the answer of a task that brings an order to the games of a round. All fields are usually
// empty.
type reached struct {
	Broken []string `json:"broken,omitempty"` // rooms in quarantine
	Left   []string `json:"left,omitempty"`   // rooms that could not be reached
	Moved  bool     `json:"moved,omitempty"`  // a player has moved
}

func (r reached) answer() (json.RawMessage, error) { return json.Marshal(r) }

// littleBetter reports whether a task has reached fewer than a quarter of the games that were left after the
// try before, of which the tournament knows. It is then tried again after growing waits, of a minute at most.
// Otherwise the host reads which games are left. That is an entry with the numbers of their boards, which
// goes to everybody in the tournament. When a thousand games come back one by one, there are 26 such
// entries with 16 kB, instead of a thousand with 1.9 MB.
func littleBetter(left, before int) bool {
	return left > 0 && before > 0 && left > before-max(1, before/4)
}

// ordersAtOnce is how many games get an order at the same time. The others need not wait for one that
// cannot be reached, which takes seconds.
const ordersAtOnce = 8

// each calls f with every game, and at most atOnce times at the same time. It returns the games for which f
// has failed, and one of the errors.
func each[Game any](atOnce int, games []Game, f func(Game) error) (failed []Game, err error) {
	errs := make([]error, len(games))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(atOnce, len(games)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(games); i = int(next.Add(1)) - 1 {
				errs[i] = f(games[i])
			}
		})
	}
	group.Wait()
	for i, game := range games {
		if errs[i] != nil {
			failed, err = append(failed, game), errs[i]
		}
	}
	return failed, err
}

// arbiter sends an order to a game. It returns nil if the game refuses the order. It returns the error
// of a room that can take no order at present, such as one in quarantine.
func (e *Effects) arbiter(ctx context.Context, game, by, id string, o match.Order) error {
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = e.Rooms.Order(ctx, game, machine.Command{ID: id, Kind: match.KindArbiter, By: by, Body: body})
	if _, refused := refusal.Of(err); refused && !passing(err) && !(o.Act == match.ActClose && refusal.Is(err, match.CodeBadCommand)) {
		return nil // the release before does not know ActClose: the order waits for another owner of the room
	}
	return err
}

// recall takes back a round in which nobody has moved. All games stand still before the first
// one is looked at, so that no player moves meanwhile.
func (e *Effects) recall(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var r tournament.Recall
	if err := json.Unmarshal(t.Body, &r); err != nil {
		return nil, err
	}
	order := func(act string, games []string) ([]string, error) {
		return each(ordersAtOnce, games, func(game string) error {
			err := e.arbiter(ctx, game, r.By, act+"-"+rand.Text(), match.Order{Act: act})
			if errors.Is(err, room.ErrQuarantined) { // in such a room nobody moves
				return nil
			}
			return err
		})
	}
	again := func(left []string, why error) (json.RawMessage, error) {
		if littleBetter(len(left), r.Left) {
			return nil, why
		}
		return reached{Left: left}.answer()
	}
	if left, why := order(match.ActPause, r.Rooms); why != nil {
		return again(left, why)
	}
	var begun atomic.Bool
	left, why := each(ordersAtOnce, r.Rooms, func(game string) error {
		moved, err := e.hasMoved(ctx, game)
		if moved {
			begun.Store(true)
		}
		if errors.Is(err, room.ErrQuarantined) {
			return nil
		}
		return err
	})
	switch {
	case begun.Load():
		running := slices.DeleteFunc(slices.Clone(r.Rooms), func(room string) bool { return slices.Contains(r.Paused, room) })
		left, _ = order(match.ActResume, running) // the tournament lets the games go on that are left
		return reached{Left: left, Moved: true}.answer()
	case why != nil:
		return again(left, why)
	}
	left, why = order(match.ActEnd, r.Rooms)
	return again(left, why)
}

// hasMoved reports whether a player has moved in a game, or ended it. A game that the last try
// has ended counts as one without a move.
func (e *Effects) hasMoved(ctx context.Context, game string) (bool, error) {
	view, err := e.Rooms.View(ctx, game, "")
	if err != nil {
		return false, err
	}
	p, err := match.ReadPublic(game, view.Snapshot)
	if err != nil {
		return false, err
	}
	return p.Touched(), nil
}

// passing reports whether err is of a room that can take no order at present.
func passing(err error) bool {
	for _, code := range []refusal.Code{room.CodeUnavailable, room.CodeBusy, room.CodeMoved, room.CodeTooNew, room.CodeQuarantined} {
		if refusal.Is(err, code) {
			return true
		}
	}
	return false
}

// index puts a tournament into the list. It deletes the names of a deleted tournament's players.
func (e *Effects) index(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var l tournament.Listing
	if err := json.Unmarshal(t.Body, &l); err != nil {
		return nil, err
	}
	for _, player := range l.Forget {
		if err := e.People.Forget(ctx, player); err != nil {
			return nil, err
		}
	}
	for _, player := range l.Unname {
		if err := e.People.DropName(ctx, player); err != nil {
			return nil, err
		}
	}
	return nil, e.Tournaments.Put(ctx, t.Room, l)
}

// ratings reads the players' ratings in the game of a tournament.
func (e *Effects) ratings(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var asked tournament.Rerating
	if err := json.Unmarshal(t.Body, &asked); err != nil {
		return nil, err
	}
	list := make([]int, len(asked.Players))
	if asked.Speed != "" {
		known, err := e.Ratings.Of(ctx, asked.Players, asked.System, asked.Speed)
		if err != nil {
			return nil, err
		}
		for i, player := range asked.Players {
			if r, ok := known[player]; ok {
				list[i] = r.Rounded()
			}
		}
	}
	return json.Marshal(map[string]any{"ratings": list})
}

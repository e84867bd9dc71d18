package push

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"mancala/match/deadline"
)

const (
	lookEvery = 2 * time.Second // how often an instance looks for turns that are due
	askTime   = 3 * time.Second // in which other instances answer whether players are there
	atOnce    = 4               // players who are told at the same time
	maxTries  = 4
	firstWait = 5 * time.Minute  // before a message is sent again that no push service has taken; then twice as long
	saveWait  = time.Second      // before turns are stored again
	pauseWait = 10 * time.Minute // before a game that was paused is looked at again
)

// ErrPaused is the error of [Services.Notice] while a host has paused the game: the player is on turn and cannot
// move.
var ErrPaused = errors.New("push: the game is paused")

// Presence knows which players have a page open, on any instance.
type Presence interface {
	Ask(players []string)    // asks the other instances; they answer within seconds
	Open(player string) bool // on this instance, or on one that has answered lately
}

// Services are what the work needs.
type Services struct {
	Presence Presence
	// Notice returns what to tell a player about a turn in a room, by language. It returns nil if
	// the player is not on turn there any more, and [ErrPaused] while the game is paused. reminder:
	// the player has little time left.
	Notice func(ctx context.Context, room, player string, reminder bool) (func(lang string) Message, error)
	Count  func(Outcome)
	Log    *slog.Logger
}

// Keep stores the turns that are noted, and tells players until ctx ends.
func (p *Push) Keep(ctx context.Context, s Services) {
	p.countWith(s.Count)
	defer p.client.CloseIdleConnections()
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() { p.store(ctx, s.Log) })
	for deadline.Wait(ctx, p.opt.Look) == nil {
		for more := true; more && ctx.Err() == nil; {
			n, err := p.work(ctx, s)
			if err != nil && ctx.Err() == nil {
				s.Log.Warn("push: turns that are due were not handled", "err", err)
			}
			more = err == nil && n == maxTaken
		}
	}
}

// Close stores the turns that still wait. Call it after the rooms have ended: another
// instance, or the next start, tells the players.
func (p *Push) Close(ctx context.Context) error {
	var failed error
	for list := p.waiting(nil); len(list) > 0; list = p.waiting(nil) {
		failed = errors.Join(failed, p.save(ctx, list))
	}
	return failed
}

// store stores the turns that are noted. Turns that cannot be stored wait.
func (p *Push) store(ctx context.Context, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-p.notes:
			list := p.waiting([]note{n})
			for err := p.save(ctx, list); err != nil; err = p.save(ctx, list) {
				if ctx.Err() == nil {
					log.Warn("push: turns not stored", "turns", len(list), "err", err)
				}
				if deadline.Wait(ctx, saveWait) != nil {
					for _, n := range list { // for Close
						p.Note(n.room, n.seq, n.Awaited)
					}
					return
				}
			}
		}
	}
}

// work handles turns that are due, and returns how many.
func (p *Push) work(ctx context.Context, s Services) (int, error) {
	list, err := p.claim(ctx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	players := make([]string, len(list))
	for i, t := range list {
		players[i] = t.player
	}
	s.Presence.Ask(players)
	if err := deadline.Wait(ctx, p.opt.Ask); err != nil {
		return 0, err
	}
	present := make([]bool, len(list)) // read now, since the answers soon expire
	for i, t := range list {
		present[i] = s.Presence.Open(t.player)
	}
	var group sync.WaitGroup
	places := make(chan struct{}, atOnce)
	errs := make([]error, len(list))
	for i, t := range list {
		places <- struct{}{}
		if p.opt.Now().Add(lease/4).UnixMilli() > t.due {
			break // another instance may soon take the rest, which would be told twice
		}
		group.Go(func() {
			defer func() { <-places }()
			errs[i] = p.handle(ctx, s, t, present[i])
		})
	}
	group.Wait()
	return len(list), errors.Join(errs...)
}

// handle tells the player of a claimed turn, if that is needed, and stores what comes next.
// After an error the turn is due again when the lease has passed. It takes little longer than
// the slowest device may take.
func (p *Push) handle(ctx context.Context, s Services, t turn, present bool) error {
	devices, err := p.of(ctx, t.player)
	if err != nil {
		return err
	}
	if len(devices) == 0 {
		return p.set(ctx, t, t.step, 0, 0)
	}
	if t.step == stepRemind && t.remind > p.opt.Now().UnixMilli() { // the end has moved since the step was stored
		return p.set(ctx, t, t.step, 0, t.remind)
	}
	notice, err := s.Notice(ctx, t.room, t.player, t.step == stepRemind)
	switch {
	case errors.Is(err, ErrPaused):
		return p.set(ctx, t, t.step, t.tries, p.opt.Now().Add(pauseWait).UnixMilli())
	case err != nil && t.tries < maxTries:
		return errors.Join(err, p.set(ctx, t, t.step, t.tries+1, p.later(t.tries)))
	case err != nil || notice == nil:
		return errors.Join(err, p.set(ctx, t, t.step, 0, 0))
	case present:
		return p.next(ctx, t, true)
	}
	outcomes := p.sendAll(ctx, s.Log, devices, t, notice)
	if ctx.Err() != nil {
		return ctx.Err() // it is not the fault of the devices
	}
	sent, failed := 0, 0
	for i, o := range outcomes {
		switch o {
		case Sent:
			sent++
		case Failed:
			failed++
		}
		p.counted(o)
		if err := p.learn(ctx, devices[i], o); err != nil {
			return err
		}
	}
	if sent == 0 && failed > 0 && t.tries < maxTries {
		return p.set(ctx, t, t.step, t.tries+1, p.later(t.tries))
	}
	return p.next(ctx, t, false)
}

// sendAll sends a message to all devices of a player at the same time, so that a device whose
// push service does not answer delays no other one.
func (p *Push) sendAll(ctx context.Context, log *slog.Logger, devices []device, t turn, notice func(lang string) Message) []Outcome {
	outcomes := make([]Outcome, len(devices))
	var group sync.WaitGroup
	for i, d := range devices {
		m := notice(d.lang)
		group.Go(func() { outcomes[i] = p.send(ctx, log, d, t, m) })
	}
	group.Wait()
	return outcomes
}

// later returns when to try again.
func (p *Push) later(tries int) int64 { return p.opt.Now().Add(firstWait << tries).UnixMilli() }

// next stores the step after this one.
func (p *Push) next(ctx context.Context, t turn, present bool) error {
	now := p.opt.Now()
	switch {
	case t.step == stepSoon && present:
		return p.set(ctx, t, stepLater, 0, now.Add(secondLook).UnixMilli())
	case t.step < stepRemind && t.remind > now.UnixMilli():
		return p.set(ctx, t, stepRemind, 0, t.remind)
	}
	return p.set(ctx, t, t.step, 0, 0)
}

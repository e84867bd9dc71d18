package match

import (
	"slices"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

// An arbiter is a host of a tournament who decides about one of its games. The order comes from
// the server, which has checked who asks. Its entry names the act and the arbiter.

// KindArbiter is the kind of an arbiter's order. Its body is an [Order]. Only the server sends
// it, and only in a game of a tournament.
const KindArbiter = "arbiter"

// Acts of an arbiter.
const (
	ActPause   = "pause"   // the clocks stop, and the players cannot move
	ActResume  = "resume"  // the clocks run again
	ActAdd     = "add"     // a seat gets more time, on its clock and before a deadline that runs
	ActEnd     = "end"     // the game is over and does not count
	ActReplace = "replace" // another player takes a seat
	ActClose   = "close"   // the round has ended: the game is over unless both players have moved
)

// Order is the body of an arbiter's order.
type Order struct {
	Act    string `json:"act"`
	Seat   int    `json:"seat"`             // add, replace
	MS     int64  `json:"ms,omitempty"`     // add: at most [MaxAdded]
	Player string `json:"player,omitempty"` // replace: the ID of the player who sits down
}

const (
	// MaxAdded is the most time that one order adds, in ms.
	MaxAdded = 3_600_000
	// longestPause is how long an arbiter's pause lasts at most. Then the game ends, since otherwise
	// the guests in it could never be deleted.
	longestPause = 30 * day // ms
)

// pausedClock is a pause by an arbiter: since when, and what ran before it.
type pausedClock struct {
	Since    int64 // ms, 0: the game is not paused
	Run, Due int64 // the state's fields of these names
}

// paused reports whether an arbiter has paused the game.
func (s *state) paused() bool { return s.event != nil && s.event.Pause.Since > 0 }

// pauseEnds returns when a paused game ends.
func (s *state) pauseEnds() int64 { return s.event.Pause.Since + longestPause }

func readArbiter(c machine.Command) (o Order, err error) {
	seats, seat := false, 0
	if len(c.Body) <= maxCommand {
		err = wire.Members(c.Body, func(key, raw []byte) (err error) {
			switch string(key) {
			case "act":
				o.Act, err = wire.Text(raw)
			case "seat":
				seats = true
				seat, err = small(raw, 2)
			case "ms":
				o.MS, err = wire.Int(raw)
			case "player":
				o.Player, err = wire.Text(raw)
			default:
				err = wire.ErrSyntax
			}
			return err
		})
	}
	if o.Seat = seat; err != nil || len(c.Body) > maxCommand || !seats && (o.Act == ActAdd || o.Act == ActReplace) {
		return o, refusal.New(CodeBadCommand)
	}
	return o, nil
}

// decideArbiter decides an arbiter's order.
func (s *state) decideArbiter(c machine.Command, at int64) (machine.Entry, error) {
	o, err := readArbiter(c)
	switch {
	case err != nil || !c.Server || s.event == nil:
		return machine.Entry{}, refusal.New(CodeBadCommand)
	case s.late(at):
		return machine.Entry{}, refusal.New(CodeTooLate)
	case s.extras >= maxExtras && o.Act != ActEnd && o.Act != ActClose && o.Act != ActResume:
		return machine.Entry{}, refusal.New(CodeTooLong)
	}
	d := decision{state: *s, old: s, at: at, by: c.By, seat: -1, kind: KindArbiter, what: o.Act}
	switch o.Act {
	case ActPause:
		err = d.pause()
	case ActResume:
		err = d.resume()
	case ActAdd:
		err = d.addTime(o)
	case ActEnd:
		err = d.end()
	case ActClose:
		err = d.closeUnplayed()
	case ActReplace:
		err = d.replace(o)
	default:
		err = refusal.New(CodeBadCommand)
	}
	if err != nil {
		return machine.Entry{}, err
	}
	return d.entry(c)
}

// pause stops the clock and the deadline that run. The state shows a clock that stands, so that
// pages need not know about pauses.
func (d *decision) pause() error {
	switch {
	case d.paused():
		return machine.ErrNothing
	case !d.playing() && d.stage != between:
		return refusal.New(CodeNotLive)
	}
	if d.hold.on() {
		d.goOn() // the pause is the longer wait
	}
	p := pausedClock{Since: d.at, Run: d.run, Due: d.due}
	if d.run > 0 {
		seat := d.onTurn()
		d.clock[seat] = max(0, d.clock[seat]-max(0, d.at-d.run))
		p.Run = max(d.run, d.at)
	}
	d.run, d.due = 0, 0
	d.changeEvent().Pause = p
	return nil
}

// resume lets the game go on as if the time of the pause had not passed.
func (d *decision) resume() error {
	if !d.paused() {
		return machine.ErrNothing
	}
	p := d.event.Pause
	d.changeEvent().Pause = pausedClock{}
	d.run, d.due = p.Run, p.Due
	for _, m := range []*int64{&d.run, &d.due} {
		if *m > 0 {
			*m += d.at - p.Since
		}
	}
	for i, until := range d.gone {
		if until > 0 { // the countdown of a player who left in the pause has run only since then
			d.gone[i] += d.at - max(p.Since, until-d.patience())
		}
	}
	return nil
}

// addTime gives a seat more time. A deadline moves only if the seat is on turn, since another
// seat's begins with its turn.
func (d *decision) addTime(o Order) error {
	switch {
	case o.MS <= 0 || o.MS > MaxAdded:
		return refusal.New(CodeBadCommand)
	case !d.playing():
		return refusal.New(CodeNotLive)
	}
	d.seat = o.Seat
	if d.clocks() > 0 {
		d.clock[o.Seat] += o.MS
	}
	if o.Seat != d.onTurn() {
		return nil
	}
	if d.due > 0 {
		d.due += o.MS
	}
	if d.paused() && d.event.Pause.Due > 0 {
		d.changeEvent().Pause.Due += o.MS
	}
	return nil
}

// end ends the game without a winner.
func (d *decision) end() error {
	switch {
	case d.stage == over && d.result.Reason == byArbiter:
		return machine.ErrNothing
	case d.stage == over:
		return refusal.New(CodeNotLive)
	}
	d.finish(d.at, result{Reason: byArbiter})
	return nil
}

// closeUnplayed ends a game in which a player has made no ply, as if that player had not come. The release
// before reads its entry as that of [ActEnd].
func (d *decision) closeUnplayed() error {
	r := result{Reason: engine.ByNoShow}
	for seat := range d.seats {
		if d.made[seat] > 0 {
			r.Winners = append(r.Winners, d.side(seat))
		}
	}
	switch {
	case d.stage == over:
		return refusal.New(CodeNotLive)
	case len(r.Winners) == len(d.seats):
		return machine.ErrNothing
	}
	d.what = ActEnd
	d.finish(d.at, r)
	return nil
}

// replace gives a seat to another player. Such a game is not rated if the player who leaves has
// made a ply: the result does not show which of the two played well.
func (d *decision) replace(o Order) error {
	switch {
	case o.Player == "" || len(o.Player) > maxName || isBot(o.Player) || d.bot(o.Seat):
		return refusal.New(CodeBadCommand)
	case d.seats[o.Seat] == o.Player:
		return machine.ErrNothing
	case d.stage == over:
		return refusal.New(CodeNotLive)
	case slices.Contains(d.seats, o.Player):
		return refusal.New(CodeAlreadySeated)
	}
	d.seat = o.Seat
	d.seats = slices.Clone(d.seats)
	d.seats[o.Seat] = o.Player
	d.sitters = slices.Clone(d.seats)
	d.rated = d.rated && d.made[o.Seat] == 0
	d.lag[o.Seat] = newBucket(d.control)
	d.gone[o.Seat] = 0 // the room tells if the player is not there
	d.arrival(true)
	for w := range whatNames {
		d.withdraw(what(w), o.Seat)
	}
	return nil
}

// fits reports whether a game in this stage can have such a pause.
func (p pausedClock) fits(at stage) bool {
	on := at >= setup && at <= between
	return p.Since >= 0 && p.Run >= 0 && p.Due >= 0 && (p.Since == 0 || on) && (p.Since > 0 || p.Run == 0 && p.Due == 0)
}

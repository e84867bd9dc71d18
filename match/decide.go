package match

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

// Decide returns the entry that a command leads to. It does not change the state.
func (m *Match) Decide(c machine.Command, now time.Time) (machine.Entry, error) {
	s := &m.state
	at := max(now.UnixMilli(), s.at)
	if c.Kind == KindCreate {
		return decideCreate(s, c, at)
	}
	if s.stage == unborn {
		return machine.Entry{}, refusal.New(CodeNotLive)
	}
	if machine.Internal(c.Kind) {
		return s.decideInternal(c, at)
	}
	if c.By == "" {
		return machine.Entry{}, refusal.New(CodeNotPlaying)
	}
	if c.Kind == KindArbiter {
		return s.decideArbiter(c, at)
	}
	if c.Kind == KindMove { // first, since moves are the most frequent commands
		w := m.planned
		if m.planned = nil; w == nil {
			w = plans.Get().(*plan)
		}
		e, err := s.decideMove(c, at, w)
		if err != nil {
			w.drop()
			return e, err
		}
		m.planned = w
		return e, nil
	}
	decide, ok := commands[c.Kind]
	if !ok {
		return machine.Entry{}, refusal.New(CodeBadCommand)
	}
	o, err := readOrder(c, decide.may)
	if err != nil {
		return machine.Entry{}, err
	}
	d := decision{state: *s, old: s, at: at, by: c.By, seat: s.seatOf(c.By), kind: c.Kind}
	if decide.seated && d.seat < 0 { // before any check whose answer would reveal the state of the game
		return machine.Entry{}, refusal.New(CodeNotPlaying)
	}
	if s.late(at) {
		return machine.Entry{}, refusal.New(CodeTooLate)
	}
	if s.paused() && (c.Kind != KindResign || o.what == "round") {
		return machine.Entry{}, refusal.New(CodePaused)
	}
	if s.extras >= maxExtras && !decide.always {
		return machine.Entry{}, refusal.New(CodeTooLong)
	}
	if d.hold.on() && d.seat == d.onTurn() {
		d.goOn() // the player sent a command, so they are back
	}
	if err := decide.do(&d, o); err != nil {
		return machine.Entry{}, err
	}
	return d.entry(c)
}

// Apply folds an entry into the state. If it fails, the state is unchanged.
func (m *Match) Apply(e machine.Entry) error {
	if !known(e) {
		return fmt.Errorf("match: this release does not know an entry %.20q of version %d", e.Kind, e.Version)
	}
	if (e.Kind == KindCreate) != (m.stage == unborn) {
		return fmt.Errorf("match: an entry %q at the wrong time", e.Kind)
	}
	next := m.state
	var err error
	w := m.planned
	m.planned = nil
	switch {
	case w != nil && w.is(e):
		next.carryOut(w)
	case e.Kind == KindMove:
		err = next.applyMove(e)
	default:
		err = next.applyOther(e)
	}
	if w != nil {
		w.drop()
	}
	if err != nil {
		return err
	}
	if want := next.versionOf(e.Kind); e.Version != want {
		return fmt.Errorf("match: an entry %.20q of version %d, want %d", e.Kind, e.Version, want)
	}
	if e.Kind != KindMove {
		next.extras++
	}
	if len(m.seats) > 0 {
		if ms := next.credited(&m.state, e); ms > 0 {
			next.credit = next.credit.with(m.onTurn(), causeOf(e), ms)
		}
	}
	next.at = max(next.at, e.At)
	m.state = next
	m.hist.Trim(&m.pos)
	m.here = m.present()
	return nil
}

func (s *state) applyOther(e machine.Entry) error {
	shown, hidden, err := split(e.Body)
	if err != nil {
		return err
	}
	var set []byte
	err = wire.BareMembers(shown, func(key, raw []byte) error {
		switch string(key) {
		case "set":
			set = raw
		case "seat", "what", "by": // for people
		default:
			return fmt.Errorf("match: an entry %s has no %.20q", e.Kind, key)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if e.Kind == KindNext {
		s.past = append(slices.Clip(s.past), pastRound{s.firstSeat, s.moves, s.lay})
	}
	return s.foldInto(set, hidden)
}

// maxExtras is the largest number of entries of a game that are not moves: changed
// settings, seats taken and left, offers, resigned rounds, and players who connect and
// disconnect. The rules bound the moves of a round, maxRounds bounds the rounds, and a
// takeback counts as an extra. So the journal of a game is bounded, and reading it takes at
// most a tenth of a second.
//
// In a game with a clock, players who connect and disconnect may add as many entries again:
// see [Match.PresenceTimeout].
const maxExtras = 1000

// commands are the commands of people other than the move.
var commands = map[string]struct {
	may    fieldSet
	seated bool // only for a player with a seat in a game that has begun
	always bool // also after maxExtras: it answers an offer, or leads towards the end of the game (not if a round is resigned)
	do     func(d *decision, o order) error
}{
	KindSettings: {hasRules | hasOptions | hasClock | hasStart | hasForOthers | hasAssists | hasRated | hasChat | hasDelay | hasListed, false, false, (*decision).settings},
	KindSit:      {0, false, false, (*decision).sit},
	KindStand:    {0, false, false, (*decision).stand},
	KindYoungest: {0, false, false, (*decision).sayYoungest},
	KindResign:   {hasWhat, true, true, (*decision).resign},
	KindAbort:    {0, false, true, (*decision).abort},
	KindOffer:    {hasWhat | hasPly, true, false, (*decision).offer},
	KindAccept:   {hasWhat, true, true, (*decision).accept},
	KindDecline:  {hasWhat, true, true, (*decision).decline},
	KindClaim:    {hasWhat, true, true, (*decision).claim},
	KindNext:     {0, true, true, (*decision).next},
}

// decideInternal decides a command that the room itself sends.
func (s *state) decideInternal(c machine.Command, at int64) (machine.Entry, error) {
	o, err := readOrder(c, hasFrom|hasLost|hasWhy|hasTask|hasRoom|hasRatings|hasOther)
	if err != nil {
		return machine.Entry{}, err
	}
	switch comes, goes := c.Kind == machine.KindBack, c.Kind == machine.KindGone; {
	case s.extras >= maxExtras && (comes || goes) && !s.control.atBoard(),
		s.extras >= 2*maxExtras && goes: // with a clock, the flag ends the game of a player who stays away
		return machine.Entry{}, machine.ErrNothing
	}
	d := decision{state: *s, old: s, at: at, by: c.By, seat: s.seatOf(c.By), kind: c.Kind}
	switch c.Kind {
	case machine.KindWake:
		if at < s.wake() || s.wake() == 0 {
			return machine.Entry{}, machine.ErrNothing
		}
		if s.playing() && s.out(s.onTurn()) {
			return s.passForLeaver(at)
		}
		err = d.timeOut()
	case machine.KindGone:
		err = d.goneAway()
	case machine.KindBack:
		err = d.cameBack()
	case machine.KindOutage:
		err = d.outage(o)
	case machine.KindDone:
		err = d.done(o)
	}
	if err != nil {
		return machine.Entry{}, err
	}
	return d.entry(c)
}

// late reports whether the deadline of the game or turn has passed without an entry that
// records it yet. A command that arrives now is too late.
func (s *state) late(at int64) bool {
	return s.idleAt() == 0 && (s.stage == waiting || s.playing() && !s.out(s.onTurn()) && !s.hold.on()) && s.wake() > 0 && at >= s.wake()
}

// decision is a command on its way to becoming an entry: a copy of the state, which
// the command changes. The entry is the difference between the copy and the state.
type decision struct {
	state
	old  *state
	at   int64
	by   string
	seat int // of the player who acts, or -1

	kind string // of the entry
	what string // the entry's, if it has one
}

// entry returns the entry with all that the command has changed.
func (d *decision) entry(c machine.Command) (machine.Entry, error) {
	b := append(make([]byte, 0, 256), '{') // every member begins with a comma; the first loses it below
	if d.seat >= 0 {
		b = wire.AppendInt(append(b, `,"seat":`...), int64(d.seat))
	}
	if d.what != "" {
		b = wire.AppendText(append(b, `,"what":`...), d.what)
	}
	if d.kind == KindArbiter {
		b = wire.AppendText(append(b, `,"by":`...), d.by)
	}
	head := len(b)
	b = appendChanges(b, d.old, &d.state, false)
	if len(b) == head {
		return machine.Entry{}, machine.ErrNothing
	}
	if bytes.HasPrefix(b[1:], []byte(hiddenMark)) { // the mark needs its comma
		b = append([]byte(`{,"set":{}`), b[1:]...)
	}
	b = append(b[:1], b[2:]...)
	return machine.Entry{
		Kind: d.kind, Version: d.state.versionOf(d.kind), At: d.at, By: c.By, Command: c.ID, Body: append(b, '}'),
	}, nil
}

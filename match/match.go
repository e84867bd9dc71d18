package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mancala/match/machine"
	"mancala/match/wire"
)

// Kind is the kind of room that runs a Match.
const Kind = "match"

// Kinds of commands that people send; of entries these and those below.
const (
	KindCreate   = "create" // makes the first entry; see [Creation]
	KindSettings = "settings"
	KindSit      = "sit"
	KindStand    = "stand"
	KindYoungest = "youngest"
	KindMove     = "move"
	KindResign   = "resign"
	KindAbort    = "abort"
	KindOffer    = "offer"
	KindAccept   = "accept"
	KindDecline  = "decline"
	KindClaim    = "claim"
	KindNext     = "next"
)

// Kinds of entries that come of time, of the network or of a task.
const (
	kindFlag    = "flag"    // a time has run out and it costs the game
	kindExpire  = "expire"  // nobody came
	kindGone    = "gone"    // a countdown begins
	kindBack    = "back"    // it ends, or an outage does
	kindOutage  = "outage"  // an outage is credited, the clocks stand
	kindResume  = "resume"  // they run again, although nobody came back
	kindRematch = "rematch" // the room for the next contest is there
	kindRate    = "rate"    // it has been rated
)

// entryKinds says up to which version the entries of each kind are understood.
var entryKinds = map[string]int{
	KindCreate: 0, KindSettings: 0, KindSit: 0, KindStand: 0, KindYoungest: 0, KindMove: 0, KindResign: 0, KindAbort: 0,
	KindOffer: 0, KindAccept: 0, KindDecline: 0, KindClaim: 0, KindNext: 0, kindFlag: 0, kindExpire: 0,
	kindGone: 0, kindBack: 0, kindOutage: 0, kindResume: 0, kindRematch: 0, kindRate: 0,
}

func known(e machine.Entry) bool {
	newest, ok := entryKinds[e.Kind]
	return ok && e.Version >= 0 && e.Version <= newest
}

// Match is one contest. Make it with [New] and give it its entries, the first
// of which comes of a [Creation].
type Match struct {
	state
	here    []string // what Players gives while people are still coming
	planned *plan    // of the move that was decided last, until an entry comes; not a part of the state
}

var (
	_ machine.Open    = (*Match)(nil)
	_ machine.Teller  = (*Match)(nil)
	_ machine.Delayed = (*Match)(nil)
	_ machine.HasBots = (*Match)(nil)
	_ machine.Trimmer = (*Match)(nil)
)

// New makes a match without entries.
func New() *Match { return new(Match) }

// Apply folds an entry into the state. If it fails the state is as it was.
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
		case "seat", "what": // for people
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

// Trim implements [machine.Trimmer]: the trace of the last ply is a part of its entry's
// body, and lists grow by more than they need.
func (m *Match) Trim() {
	m.last.trace = bytes.Clone(m.last.trace)
	m.moves = bytes.Clone(m.moves)
	m.hist = m.hist.Clone()
}

// Audience says which seat a player has; everybody else watches.
func (m *Match) Audience(player string) machine.Audience {
	return machine.Audience(m.seatOf(player)) // -1 is Watchers
}

// Delay implements [machine.Delayed]. Who comes to a table hears at once what is
// agreed there; only the game itself is shown late.
func (m *Match) Delay() time.Duration {
	if m.stage <= waiting || m.began == 0 {
		return 0
	}
	return time.Duration(m.behind) * time.Second
}

// Players are those who play, and before that who sits or made the game.
func (m *Match) Players() []string { return m.here }

func (m *Match) present() []string {
	if len(m.seats) > 0 {
		return m.seats
	}
	if m.creator == "" || slices.Contains(m.sitters, m.creator) {
		return m.sitters
	}
	return append([]string{m.creator}, m.sitters...)
}

// Wake is when time alone will do something.
func (m *Match) Wake() time.Time {
	if at := m.wake(); at > 0 {
		return time.UnixMilli(at)
	}
	return time.Time{}
}

// wake is Wake in ms; 0: never.
func (s *state) wake() int64 {
	switch s.stage {
	case waiting:
		return s.expires
	case pause:
		return s.due
	case setup, live:
		switch {
		case s.out(s.onTurn()):
			return s.at // who has left passes at once
		case s.hold.on():
			return s.hold.until
		case s.due > 0:
			return s.due
		case s.run > 0:
			return s.flagAt()
		case s.control.kind == noClock:
			return s.expires
		}
	}
	return 0
}

// Tasks are what must happen outside: that a bot answers, the next contest of the
// same people, and that this one is rated.
func (m *Match) Tasks() (open []machine.Task) {
	if t, ok := m.askBot(); ok {
		open = append(open, t)
	}
	if m.rematches && m.rematch == "" {
		open = append(open, machine.Task{ID: TaskRematch, Kind: TaskRematch, Body: m.nextCreation().body()})
	}
	if !m.counted && m.counts() {
		body, err := json.Marshal(m.ratedGame())
		if err != nil {
			panic(err) // strings and numbers always encode
		}
		open = append(open, machine.Task{ID: TaskRate, Kind: TaskRate, Body: body})
	}
	return open
}

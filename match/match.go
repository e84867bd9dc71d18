package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mancala/match/machine"
)

// Kind is the kind of room that runs a Match.
const Kind = "match"

// Kinds of commands that people send. Entries have these kinds and those below.
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

// Kinds of entries that come from time, from the network or from a task.
const (
	kindFlag    = "flag"    // a deadline has passed: the seat loses, or leaves a game of four
	kindExpire  = "expire"  // no player came, no player moved, or no host resumed a paused game
	kindGone    = "gone"    // a countdown begins
	kindBack    = "back"    // the countdown or an outage ends
	kindOutage  = "outage"  // an outage is credited and the clocks stop
	kindResume  = "resume"  // the clocks run again, although the player on turn has not come back
	kindRematch = "rematch" // the room for the next contest exists
	kindRate    = "rate"    // the contest has been rated
	kindReport  = "report"  // the result has been reported to the tournament
)

// entryKinds holds the newest version of each kind of entry that this release reads.
var entryKinds = map[string]int{
	KindCreate: recentRules, KindSettings: recentRules, KindSit: 0, KindStand: 0, KindYoungest: 0, KindMove: 0, KindResign: 0, KindAbort: 0,
	KindOffer: 0, KindAccept: 0, KindDecline: 0, KindClaim: 0, KindNext: 0, kindFlag: 0, kindExpire: 0,
	kindGone: 0, kindBack: 0, kindOutage: 0, kindResume: 0, kindRematch: 0, kindRate: 0,
	KindArbiter: 0, kindReport: 0,
}

// Versions of entries with what earlier releases do not read. Their instances leave the room to others.
const (
	ofTournament = 1 // a game of a tournament
	recentRules  = 2 // rules that the release before does not know, see [engine.Rules.Recent]
)

// versionOf returns the version of a kind of entry after which the state is s.
func (s *state) versionOf(kind string) int {
	switch {
	case (kind == KindCreate || kind == KindSettings) && s.rules.recent:
		return recentRules
	case kind == KindCreate && s.event != nil:
		return ofTournament
	}
	return 0
}

func known(e machine.Entry) bool {
	newest, ok := entryKinds[e.Kind]
	return ok && e.Version >= 0 && e.Version <= newest
}

// Match is one contest. Make it with [New] and apply its entries. The first entry
// comes from a [Creation].
type Match struct {
	state
	here    []string // what Players returns
	planned *plan    // the plan of the last decided move, until an entry comes; not part of the state
}

var (
	_ machine.NoSecrets   = (*Match)(nil)
	_ machine.Staged      = (*Match)(nil)
	_ machine.Answerer    = (*Match)(nil)
	_ machine.Checksummed = (*Match)(nil)
	_ machine.Delayed     = (*Match)(nil)
	_ machine.Clocked     = (*Match)(nil)
	_ machine.HasBots     = (*Match)(nil)
	_ machine.Awaiting    = (*Match)(nil)
	_ machine.Trimmer     = (*Match)(nil)

	_ machine.Checkpointer = (*Match)(nil)

	_ machine.PresenceTimeout = (*Match)(nil)
	_ machine.DefersArrivals  = (*Match)(nil)
)

// New returns a match without entries.
func New() *Match { return new(Match) }

// Trim implements [machine.Trimmer]. It copies the trace of the last ply, which is
// part of its entry's body, and the lists, which have more capacity than they need.
func (m *Match) Trim() {
	m.last.trace = bytes.Clone(m.last.trace)
	m.moves = bytes.Clone(m.moves)
	m.hist = m.hist.Clone()
}

// Audience returns the seat of a player as an audience; all others are watchers.
func (m *Match) Audience(player string) machine.Audience {
	return machine.Audience(m.seatOf(player)) // -1 is Watchers
}

// Delay implements [machine.Delayed]. Before the game begins it is 0: watchers see
// at once what is agreed at the table, and only the game itself is delayed.
func (m *Match) Delay() time.Duration {
	if m.stage <= waiting || m.began == 0 {
		return 0
	}
	return time.Duration(m.behind) * time.Second
}

// Players returns the players of the game, or before it begins its creator and the
// players who have sat down.
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

// Sum returns the checksum of the board once the game has begun.
func (m *Match) Sum() string {
	if m.began == 0 {
		return ""
	}
	return fmt.Sprintf("%08x", m.pos.Checksum())
}

// Wake returns the time at which the match changes without a command.
func (m *Match) Wake() time.Time {
	if at := m.wake(); at > 0 {
		return time.UnixMilli(at)
	}
	return time.Time{}
}

// wake is Wake in ms; 0 means never.
func (s *state) wake() int64 {
	if s.paused() {
		return s.pauseEnds()
	}
	switch s.stage {
	case waiting:
		return s.expires
	case between:
		return s.due
	case setup, live:
		switch {
		case s.out(s.onTurn()):
			return s.at // a seat that has left passes at once
		case s.hold.on():
			return s.hold.until
		case s.due > 0:
			return s.due
		case s.run > 0:
			return s.flagAt()
		case s.expires > 0:
			return s.expires
		default:
			return s.idleAt()
		}
	}
	return 0
}

// Tasks returns what must happen outside the match: a bot has to answer, the next
// contest of the same players has to be created, or this contest has to be rated or reported to
// its tournament.
func (m *Match) Tasks() (open []machine.Task) {
	if t, ok := m.askBot(); ok {
		open = append(open, t)
	}
	if m.rematches && m.rematch == "" {
		open = append(open, machine.Task{ID: TaskRematch, Kind: TaskRematch, Body: m.nextCreation().body()})
	}
	if !m.counted && m.counts() {
		open = append(open, taskOf(TaskRate, m.ratedGame()))
	}
	if m.reports() {
		open = append(open, taskOf(TaskReport, m.reported()))
	}
	return open
}

// taskOf returns a task with one name for its ID and its kind.
func taskOf(name string, content any) machine.Task {
	body, err := json.Marshal(content)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return machine.Task{ID: name, Kind: name, Body: body}
}

package match

import (
	"encoding/json"
	"slices"
	"time"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

// A game of a tournament is an ordinary game of two seats that belongs to an [Event]. Its
// players can neither abort it nor play it again, since the tournament pairs them. When it is
// over, a task reports the result (deploy/decisions/0035).
//
// A player who does not come loses the game. The side on turn has the time Creation.NoShow for
// its first ply, also in a game without a clock. If it misses this deadline, it loses, or no side
// wins if the opponent is not there either. The room tells the match who is there: a player
// counts as absent until the room has seen them, since it may be loaded only when the deadline
// comes.

// Event is the place of a game in a tournament.
type Event struct {
	Room  string `json:"room"` // the tournament's
	Round int    `json:"round"`
	Board int    `json:"board"`
	Game  int    `json:"game"` // all three from 1
}

const maxEventNumber = 1 << 20

// valid reports whether a game can have this place.
func (e *Event) valid() bool {
	for _, n := range []int{e.Round, e.Board, e.Game} {
		if n < 1 || n > maxEventNumber {
			return false
		}
	}
	return e.Room != "" && len(e.Room) <= maxName
}

// MaxNoShow bounds the time for a first ply.
const MaxNoShow = maxNoShow * time.Millisecond

const maxNoShow = 30 * day // ms

// tournamentPart is what a state has only if its game belongs to a tournament. It is replaced and never
// changed, so that a copy of the state is small.
type tournamentPart struct {
	Event
	NoShow   int64 // ms that a side has for its first ply, 0: no such deadline
	Reported bool
	Here     uint8 // seats whose players are there and have not made a ply; one bit for each
	Pause    pausedClock
}

// changeEvent replaces the tournament part by a copy that may be changed.
func (s *state) changeEvent() *tournamentPart {
	c := tournamentPart{}
	if s.event != nil {
		c = *s.event
	}
	s.event = &c
	return &c
}

// sameEvent compares something in the tournament parts of two states.
func sameEvent[T comparable](a, b *state, part func(*tournamentPart) T) bool {
	var none tournamentPart
	x, y := &none, &none
	if a.event != nil {
		x = a.event
	}
	if b.event != nil {
		y = b.event
	}
	return x == y || part(x) == part(y)
}

// eventFields are the public fields of a game of a tournament. No move changes them. Their kind is
// board, so that the entry of a move leaves them out.
var eventFields = []field{
	{"event", board,
		func(a, b *state) bool { return sameEvent(a, b, func(c *tournamentPart) Event { return c.Event }) },
		func(b []byte, s *state) []byte {
			if s.event == nil {
				return append(b, null...)
			}
			text, err := json.Marshal(s.event.Event)
			if err != nil {
				panic(err) // strings and numbers always encode
			}
			return append(b, text...)
		},
		func(f *fold, raw []byte) error { return json.Unmarshal(raw, &f.changeEvent().Event) }},
	eventNumber("noShow", board, func(c *tournamentPart) *int64 { return &c.NoShow }),
	eventNumber("paused", board, func(c *tournamentPart) *int64 { return &c.Pause.Since }),
}

// eventNumber returns a field with a number of the tournament part, which is left out if it is 0.
func eventNumber(name string, kind fieldKind, at func(*tournamentPart) *int64) field {
	return field{name, kind,
		func(a, b *state) bool { return sameEvent(a, b, func(c *tournamentPart) int64 { return *at(c) }) },
		func(b []byte, s *state) []byte {
			if s.event == nil || *at(s.event) == 0 {
				return append(b, null...)
			}
			return wire.AppendInt(b, *at(s.event))
		},
		func(f *fold, raw []byte) (err error) {
			n := at(f.changeEvent())
			if *n = 0; !wire.IsNull(raw) {
				*n, err = wire.Int(raw)
			}
			return err
		}}
}

// tournamentField is what no page sees of the tournament part. Journals have it as "contest".
var tournamentField = field{"contest", private,
	func(a, b *state) bool {
		return a.event == b.event || sameEvent(a, b, func(c *tournamentPart) [4]int64 { return c.hidden() })
	},
	func(b []byte, s *state) []byte {
		if s.event == nil {
			return append(b, null...)
		}
		n := s.event.hidden()
		return wire.AppendInts(b, n[:])
	},
	func(f *fold, raw []byte) error {
		var n [4]int64
		if err := read(raw, n[:]); err != nil {
			return err
		}
		if n[1] < 0 || n[1] >= 1<<maxSeats {
			return wire.ErrSyntax
		}
		c := f.changeEvent()
		c.Reported, c.Here, c.Pause.Run, c.Pause.Due = n[0] != 0, uint8(n[1]), n[2], n[3]
		return nil
	}}

func (c *tournamentPart) hidden() (n [4]int64) {
	if c.Reported {
		n[0] = 1
	}
	n[1], n[2], n[3] = int64(c.Here), c.Pause.Run, c.Pause.Due
	return n
}

// takesEvent takes over the tournament of a creation.
func (s *state) takesEvent(o *creationBody) error {
	switch e := o.Event; {
	case e == nil && o.NoShow == 0:
		return nil
	case e == nil, !e.valid(), o.NoShow < 0, o.NoShow > maxNoShow, len(o.Seats) != 2, s.rules.game.Seats() != 2, anySeatmate(o.Seats):
		return refusal.New(CodeBadSettings)
	default:
		s.event = &tournamentPart{Event: *e, NoShow: o.NoShow}
	}
	return nil
}

// hasNoShow reports whether a player who does not come loses.
func (s *state) hasNoShow() bool { return s.event != nil && s.event.NoShow > 0 }

// awaitFirstPly begins the turn of a seat that has made no ply in a game of a tournament. A
// lay-out has at least the time that it has in any game. Without the rule on players who do not
// come, the seat's clock runs.
func (s *state) awaitFirstPly(from int64) {
	c, wait := s.control, s.event.NoShow
	if s.stage == setup && (wait > 0 || c.atBoard()) {
		wait = max(wait, layOutTime)
	}
	switch {
	case wait > 0:
		s.due = from + wait
	case c.kind == days:
		s.due = from + c.base
	case c.kind == delay:
		s.run = from + c.inc
	case c.kind == fischer:
		s.run = from
	}
}

// isThere reports whether the player of a seat has come, as far as the match knows. A player who
// has made a ply has come.
func (s *state) isThere(seat int) bool {
	return s.bot(seat) || s.made[seat] > 0 || s.event.Here>>seat&1 != 0
}

// arrival notes that a player who has made no ply has come or gone. It returns false if that
// does not matter.
func (d *decision) arrival(here bool) bool {
	if d.seat < 0 || !d.hasNoShow() || d.made[d.seat] > 0 || d.stage == over {
		return false
	}
	bits := d.event.Here &^ (1 << d.seat)
	if here {
		bits |= 1 << d.seat
	}
	if bits != d.event.Here {
		d.changeEvent().Here = bits
	}
	return true
}

// missesFirstPly reports whether the deadline that runs is the one for the first ply of a side
// in a game of a tournament.
func (s *state) missesFirstPly() bool { return s.hasNoShow() && s.due > 0 && s.made[s.onTurn()] == 0 }

// noShow ends the game of a side that has not come.
func (d *decision) noShow() {
	r := result{Reason: engine.ByNoShow}
	if other := 1 - d.onTurn(); d.isThere(other) {
		r.Winners = []int{d.side(other)}
	}
	d.kind, d.seat = kindFlag, d.onTurn()
	d.finish(d.at, r)
}

// TaskReport is the kind and ID of the task that reports the result of a game to its tournament.
// Its body is a [Reported].
const TaskReport = "report"

// Reported is a finished game whose result is due to its tournament.
type Reported struct {
	Event  string `json:"event"` // the tournament's room
	Report Report `json:"report"`
}

// Report says how a game of a tournament has ended.
type Report struct {
	Round   int    `json:"round"`
	Board   int    `json:"board"`
	Game    int    `json:"game"` // from 1
	Reason  string `json:"reason"`
	Played  bool   `json:"played"`  // false: a player did not come
	Winners []int  `json:"winners"` // seats; none: no player wins, both: a draw
	Scores  []int  `json:"scores"`  // seeds by seat; of a match of several rounds, what each seat has gained
	// Awarded is the seeds by seat when the winner gets every seed on the board (RULES.md §7.9). It is empty if
	// the game was played to its end, has no single winner, or is a match of several rounds.
	Awarded []int `json:"awarded,omitempty"`
}

// reports reports whether the result has still to be reported.
func (s *state) reports() bool { return s.event != nil && s.stage == over && !s.event.Reported }

// reported returns the body of the task. Sides are seats, since there are two of each.
func (s *state) reported() Reported {
	e, r := s.event, s.result
	return Reported{e.Room, Report{
		Round: e.Round, Board: e.Board, Game: e.Game, Reason: r.Reason, Played: s.wasPlayed(),
		Winners: append([]int{}, r.Winners...), Scores: r.Scores, Awarded: s.awarded(),
	}}
}

// awarded returns Awarded of a report.
func (s *state) awarded() []int {
	if !s.result.cutShort() || len(s.result.Winners) != 1 || s.rules.rules.Match == engine.MatchDifference {
		return nil
	}
	p := s.pos
	s.rules.game.ResignRound(&p, engine.Seat(1-s.result.Winners[0]))
	return p.Scores()
}

// cutShort reports whether a player has lost the game before its end by the rules.
func (r *result) cutShort() bool {
	return slices.Contains([]string{engine.ByResign, engine.ByTime, engine.ByAbandoned, engine.ByNoShow}, r.Reason)
}

// wasPlayed reports whether the game ended otherwise than by the absence of a player. Without the
// rule on players who do not come, a game is aborted in which no person has moved.
func (s *state) wasPlayed() bool {
	return s.result.Reason != engine.ByNoShow && s.result.Reason != byAbort
}

// closeReport closes the task.
func (d *decision) closeReport() error {
	if !d.reports() {
		return machine.ErrNothing
	}
	d.kind, d.seat = kindReport, -1
	d.changeEvent().Reported = true
	return nil
}

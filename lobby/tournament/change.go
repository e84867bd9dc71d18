package tournament

import (
	"slices"
	"time"

	"mancala/match"
	"mancala/match/machine"
)

// A Change is what an entry does: the rows that are different after it.
type Change struct {
	Settings  *Settings `json:"settings,omitempty"`
	Stage     Stage     `json:"stage,omitempty"`
	Hosts     []string  `json:"hosts,omitempty"`   // all of them
	Players   []Player  `json:"players,omitempty"` // new rows come after the old ones
	Former    *Former   `json:"former,omitempty"`  // a player whose place another person takes; is added to State.Former
	Start     []int     `json:"start,omitempty"`
	Forbidden *[][2]int `json:"forbidden,omitempty"` // all of them
	Apart     *Apart    `json:"apart,omitempty"`     // of the rounds so far; is added to State.Apart
	Round     int       `json:"round,omitempty"`     // whose boards follow
	Boards    []Board   `json:"boards,omitempty"`
	Past      [][]Board `json:"past,omitempty"` // the boards of rounds that were played elsewhere, by round
	Due       *int64    `json:"due,omitempty"`
	Ends      int64     `json:"ends,omitempty"`
	Closed    int       `json:"closed,omitempty"`
	Act       *Act      `json:"act,omitempty"`     // a new one
	ActDone   int       `json:"actDone,omitempty"` // the number of one that the rooms have confirmed
	Left      *Left     `json:"left,omitempty"`    // the boards that an order did not reach
	Paused    *int      `json:"paused,omitempty"`
	Recall    *int      `json:"recall,omitempty"`
	Recalled  int       `json:"recalled,omitempty"`
	Drop      int       `json:"drop,omitempty"`   // a round that is taken back; Start is then the order before it
	Reread    *int64    `json:"reread,omitempty"` // 0: the ratings are read
	Indexed   string    `json:"indexed,omitempty"`
	Text      string    `json:"text,omitempty"`   // of an announcement
	Reason    string    `json:"reason,omitempty"` // why a host did it; for hosts alone
	Undo      *Undo     `json:"undo,omitempty"`   // the step that can be taken back from now on
	Final     bool      `json:"final,omitempty"`  // no step can be taken back any more
}

// Left is the boards with the games that an order did not reach. An instance of a release before this field
// ignores it and sends the order to all games again. That is harmless, since every try of an order has the
// same ID. So an entry with Left has no version: otherwise the host would not learn which games are left
// until every instance is upgraded. The exception is the order that resumes games after a recall. Such an
// instance then resumes all games of the round, also those that a host had paused.
type Left struct {
	Act    int   `json:"act,omitempty"` // its number; 0: the round is being taken back
	Boards []int `json:"boards"`
}

// Versions of entries with what earlier releases do not read. They are written once every instance reads
// them, see [journal.FormOf].
const (
	pastRounds = 2 // Past or Apart
	roundEnds  = 3 // rounds with an end, and what unplayed games count
	exactEnds  = 4 // an exact end of the first round

	newest = exactEnds
)

func (c *Change) version() int {
	switch {
	case c.Settings != nil && c.Settings.Version() > 0:
		return c.Settings.Version()
	case c.Closed != 0, c.Act != nil && c.Act.Kind == match.ActClose:
		return roundEnds
	case c.Past != nil || c.Apart != nil:
		return pastRounds
	}
	return 0
}

// Version returns the version of entries with these settings.
func (s *Settings) Version() int {
	switch {
	case s.Ends != 0:
		return exactEnds
	case s.Days > 0 || s.Unplayed != "":
		return roundEnds
	}
	return 0
}

// reads reports whether this release understands an entry with this change. At first, entries about the
// end of rounds had no version.
func reads(e machine.Entry, c *Change) bool {
	version := c.version()
	return e.Version == version || e.Version == 0 && version == roundEnds
}

// UndoWithin is how long a step can be taken back.
const UndoWithin = time.Minute

// Undo is a step that can be taken back, and what was there before it.
type Undo struct {
	Kind   string  `json:"kind"`
	By     string  `json:"by"`
	Until  int64   `json:"until"`            // ms
	Before *Change `json:"before,omitempty"` // the rows as they were
}

// Fold applies the change of a later entry, of the time at in ms, as the room does. It reports whether
// the change fits.
func (s *State) Fold(c *Change, at int64) bool {
	if !s.fits(c) {
		return false
	}
	s.fold(c)
	switch {
	case c.Text != "":
		s.Announced = &Announcement{c.Text, at}
	case c.Stage == Deleted:
		s.Announced = nil
	}
	return true
}

// fold applies a change. The state keeps nothing that the change refers to but strings.
func (s *State) fold(c *Change) {
	if c.Settings != nil {
		s.Settings = *c.Settings
	}
	if c.Stage != "" {
		s.Stage = c.Stage
	}
	if c.Hosts != nil {
		s.Hosts = c.Hosts
	}
	for _, p := range c.Players {
		if p.Number > len(s.Players) {
			s.Players = append(s.Players, p)
		} else {
			s.Players[p.Number-1] = p
		}
	}
	if c.Former != nil {
		s.Former = append(s.Former, *c.Former)
	}
	if c.Start != nil || c.Drop > 0 {
		s.Start = c.Start
	}
	if c.Drop > 0 {
		s.Rounds, s.Paused, s.Closed = s.Rounds[:c.Drop-1], 0, min(s.Closed, c.Drop-1)
	}
	if c.Recall != nil {
		s.Recall, s.Left = *c.Recall, nil
	}
	if c.Left != nil {
		s.leave(c.Left)
	}
	if c.Recalled != 0 {
		s.Recalled = c.Recalled
	}
	if c.Apart != nil {
		s.Apart = append(s.Apart, *c.Apart)
	}
	if c.Forbidden != nil {
		s.Forbidden = *c.Forbidden
	}
	for _, boards := range c.Past {
		s.Rounds = append(s.Rounds, slices.Clone(boards))
	}
	s.foldRound(c)
	if c.Due != nil {
		s.Due = *c.Due
	}
	if c.Ends != 0 {
		s.Ends = c.Ends
	}
	if c.Closed != 0 {
		s.Closed = c.Closed
	}
	if c.Act != nil {
		a := *c.Act
		a.Left = slices.Clone(a.Left)
		s.hold(a)
		s.Acts, s.Acted = append(s.Acts, a), a.Number
	}
	if c.Paused != nil {
		s.Paused = *c.Paused
	}
	if s.Paused > 0 && !slices.ContainsFunc(s.round(), func(b Board) bool { g := b.Running(); return g != nil && g.Paused }) {
		s.Paused = 0 // no game stands still any more
	}
	if c.ActDone != 0 {
		s.Acts = slices.DeleteFunc(s.Acts, func(a Act) bool { return a.Number == c.ActDone })
	}
	if c.Reread != nil {
		s.Reread = *c.Reread
	}
	if c.Indexed != "" {
		s.Indexed = c.Indexed
	}
	if c.Undo != nil {
		s.Undo = c.Undo
	} else if c.Final {
		s.Undo = nil
	}
}

// leave notes which boards an order did not reach. A host may have given a later order about some of them
// meanwhile, which replaces this one there. See [State.hold], where the later order comes second.
func (s *State) leave(left *Left) {
	boards := slices.Clone(left.Boards)
	if left.Act == 0 {
		s.Left = boards
		return
	}
	i := slices.IndexFunc(s.Acts, func(a Act) bool { return a.Number == left.Act })
	if i < 0 {
		return
	}
	a := &s.Acts[i]
	for _, later := range s.Acts[i+1:] {
		if later.replaces(a) {
			boards = s.beyond(boards, &later)
		}
	}
	if a.Left = boards; len(boards) == 0 {
		s.Acts = slices.Delete(s.Acts, i, i+1)
	}
}

func (s *State) foldRound(c *Change) {
	if c.Round > len(s.Rounds) {
		s.Rounds, s.Paused = append(s.Rounds, nil), 0
	}
	for _, b := range c.Boards {
		b.Games = slices.Clone(b.Games)
		if boards := &s.Rounds[c.Round-1]; b.Number > len(*boards) {
			*boards = append(*boards, b)
		} else {
			(*boards)[b.Number-1] = b
		}
	}
}

// fits reports whether a change can be folded into the state.
func (s *State) fits(c *Change) bool {
	if c.Drop != 0 && c.Drop != len(s.Rounds) || c.Act != nil && (c.Act.Round < 1 || c.Act.Round > len(s.Rounds)) {
		return false
	}
	next := len(s.Players) + 1
	for _, p := range c.Players {
		if p.Number < 1 || p.Number > next {
			return false
		}
		next = max(next, p.Number+1)
	}
	if c.Past != nil {
		return len(s.Rounds) == 0 && c.Round == 0 && len(c.Boards) == 0 && !slices.ContainsFunc(c.Past, func(boards []Board) bool {
			return slices.ContainsFunc(boards, func(b Board) bool { return b.First < 1 || max(b.First, b.Second) >= next || b.Second < 0 })
		})
	}
	if len(c.Boards) == 0 {
		return c.Round >= 0 && c.Round <= len(s.Rounds)+1
	}
	if c.Round < 1 || c.Round > len(s.Rounds)+1 {
		return false
	}
	next = 1
	if c.Round <= len(s.Rounds) {
		next = len(s.Rounds[c.Round-1]) + 1
	}
	for _, b := range c.Boards {
		if b.Number < 1 || b.Number > next || s.numbered(b.First) == nil || b.Second != 0 && s.numbered(b.Second) == nil {
			return false
		}
		next = max(next, b.Number+1)
	}
	return true
}

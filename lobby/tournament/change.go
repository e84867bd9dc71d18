package tournament

import (
	"slices"
	"time"
)

// A Change is what an entry does: the rows that are different after it.
type Change struct {
	Settings  *Settings `json:"settings,omitempty"`
	Stage     Stage     `json:"stage,omitempty"`
	Hosts     []string  `json:"hosts,omitempty"`   // all of them
	Players   []Player  `json:"players,omitempty"` // new rows come after the old ones
	Start     []int     `json:"start,omitempty"`
	Forbidden *[][2]int `json:"forbidden,omitempty"` // all of them
	Round     int       `json:"round,omitempty"`     // whose boards follow
	Boards    []Board   `json:"boards,omitempty"`
	Due       *int64    `json:"due,omitempty"`
	Ends      int64     `json:"ends,omitempty"`
	Text      string    `json:"text,omitempty"`   // of an announcement
	Reason    string    `json:"reason,omitempty"` // why a host did it
	Undo      *Undo     `json:"undo,omitempty"`   // the step that can be taken back from now on
	Final     bool      `json:"final,omitempty"`  // no step can be taken back any more
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
	if c.Start != nil {
		s.Start = c.Start
	}
	if c.Forbidden != nil {
		s.Forbidden = *c.Forbidden
	}
	s.foldRound(c)
	if c.Due != nil {
		s.Due = *c.Due
	}
	if c.Ends != 0 {
		s.Ends = c.Ends
	}
	if c.Undo != nil {
		s.Undo = c.Undo
	} else if c.Final {
		s.Undo = nil
	}
}

func (s *State) foldRound(c *Change) {
	if c.Round > len(s.Rounds) {
		s.Rounds = append(s.Rounds, nil)
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
	next := len(s.Players) + 1
	for _, p := range c.Players {
		if p.Number < 1 || p.Number > next {
			return false
		}
		next = max(next, p.Number+1)
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

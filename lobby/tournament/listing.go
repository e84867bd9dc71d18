package tournament

import (
	"fmt"
	"hash/fnv"
	"slices"
)

// TaskIndex is the kind of the task that puts a tournament into the list of tournaments, or
// takes a deleted one out of it. Its body is a [Listing].
const TaskIndex = "index"

// A Listing is a tournament as the list of tournaments shows it.
type Listing struct {
	Name   string `json:"name"`
	Format Format `json:"format"`
	Rules  string `json:"rules"`
	House  bool   `json:"house"` // by house rules
	Clock  string `json:"clock"`
	Rated  bool   `json:"rated,omitempty"`
	Stage  Stage  `json:"stage"`
	Starts int64  `json:"starts,omitempty"` // ms
	Listed bool   `json:"listed,omitempty"`

	// Of a deleted tournament, the players whose names go with it.
	Forget []string `json:"forget,omitempty"` // guests without a device, who exist in this tournament only
	Unname []string `json:"unname,omitempty"` // the others
}

// Listing returns the tournament's row of the list. It is nil before the first entry.
func (s *State) Listing() *Listing {
	if s.Stage == "" {
		return nil
	}
	o := &s.Settings
	l := &Listing{
		Name: o.Name, Format: o.Format, Rules: o.Rules, House: o.Options != "", Clock: o.Clock, Rated: o.Rated,
		Stage: s.Stage, Starts: o.Starts, Listed: o.Listed,
	}
	if s.Stage == Deleted {
		l.Name = ""
		for _, p := range s.Players {
			l.drop(p.ID, p.Paper)
		}
		for _, f := range s.Former {
			if s.Player(f.ID) == nil { // otherwise their row is among the players
				l.drop(f.ID, f.Paper)
			}
		}
	}
	return l
}

// drop adds a player to those whose names go. The ID is empty in a row that was given up.
func (l *Listing) drop(id string, paper bool) {
	switch {
	case id == "":
	case paper:
		l.Forget = append(l.Forget, id)
	default:
		l.Unname = append(l.Unname, id)
	}
}

// putFormer remembers a player whose row gets another ID, since a deletion drops their name, too.
func (d *decision) putFormer(f Former) {
	if !slices.Contains(d.Former, f) {
		d.change.Former = &f
	}
}

// task returns the ID of the task with this listing.
func (l *Listing) task() string {
	sum := fnv.New64a()
	sum.Write(encode(l))
	return fmt.Sprintf("%s-%x", TaskIndex, sum.Sum64())
}

package tournament

import (
	"fmt"
	"slices"

	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// A round in which no player has moved can be taken back. Only the rooms of its games know whether
// a player has moved. So the machine notes that the round is being taken back, and a task asks
// the rooms: it stops every game, and if no player has moved it ends them all. Otherwise they go on,
// except those that a host had paused before. Until then hosts can give no orders about games.

// TaskRecall is the kind of the task that takes back a round. Its body is a [Recall]. Its answer
// is {"moved": true} if a player has moved. "left" lists the rooms that it could not reach. With
// "moved", their games are still paused. Without it, the task is tried again for them.
const TaskRecall = "recall"

// A Recall is the games of a round that is being taken back.
type Recall struct {
	By    string   `json:"by"` // a host
	Rooms []string `json:"rooms"`

	Paused []string `json:"paused,omitempty"` // those of them that stay paused if the round goes on
	Left   int      `json:"left,omitempty"`   // how many could not be reached so far
}

// recall begins to take back the last round. Results refuse it.
func (d *decision) recall() error {
	round := len(d.Rounds)
	switch {
	case d.Recall == round:
		return machine.ErrNothing
	case d.hasResults():
		return refusal.New(CodeNothing)
	case len(d.blocks()) > 0:
		return refusal.New(CodeOpening)
	}
	d.change.Recall = &round
	if d.Due != 0 { // of a round without a game
		d.change.Due = new(int64)
	}
	return nil
}

// hasResults reports whether a game or a host has given a board of the last round a result.
func (s *State) hasResults() bool {
	return slices.ContainsFunc(s.round(), func(b Board) bool {
		return b.ByHost || slices.ContainsFunc(b.Games, func(g Game) bool { return g.Result != "" && g.Result != Void })
	})
}

func (s *State) recallTask() machine.Task {
	r := Recall{By: s.Hosts[0], Rooms: []string{}, Left: len(s.Left)}
	for _, b := range s.round() {
		for _, g := range b.Games {
			r.Rooms = append(r.Rooms, g.Room)
			if g.Paused {
				r.Paused = append(r.Paused, g.Room)
			}
		}
	}
	id := fmt.Sprintf("%s-%d-%d", TaskRecall, s.Recall, s.Recalled)
	if r.Left > 0 { // another task, which begins at once
		id += fmt.Sprintf("-%d", r.Left)
	}
	return machine.Task{ID: id, Kind: TaskRecall, Body: encode(r)}
}

// recalled takes the round back, unless a player has moved, or a result has come meanwhile. Players who
// have joined for the next round then take part in this one. So do those who have joined as substitutes, if
// players can join again. Until every game is reached, the round is still being taken back.
func (d *decision) recalled() error {
	left := d.boardsOf(d.Recall, d.order.Left)
	if len(left) > 0 && !d.order.Moved {
		d.change.Left = &Left{Boards: left}
		return nil
	}
	none := 0
	d.change = Change{Recall: &none, Final: true}
	if len(left) > 0 {
		d.change.Act = &Act{
			Number: d.Acted + 1, Kind: match.ActResume, By: d.Hosts[0], Round: d.Recall, Boards: len(d.round()), Left: left, Recalled: d.Recalled,
		}
	}
	if d.order.Moved || d.hasResults() {
		return nil
	}
	d.change.Drop, d.change.Recalled = d.Recall, d.Recalled+1
	d.change.Start = d.Undo.Before.Start
	if d.Recall == 1 {
		d.change.Stage = Entry
	}
	joins := d.Recall == 1 || d.Settings.Format == Swiss // players can join again
	for _, p := range d.Players {
		if p.Joined == d.Recall+1 {
			if joins && p.ID != "" && d.substitutes(&p) {
				p.Out = false
			}
			if p.Joined--; p.Joined == 1 {
				p.Joined = 0
			}
			d.put(p)
		}
	}
	return nil
}

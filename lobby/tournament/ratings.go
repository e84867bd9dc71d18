package tournament

import (
	"strconv"

	"mancala/match"
	"mancala/match/machine"
)

// Players are in the starting order by their ratings in the game of the tournament, which are read when they
// enter. A host can change the game until the first round starts. Then a task reads the ratings of the
// players again.

// TaskRatings is the kind of the task that reads the players' ratings in another game. Its body is a
// [Rerating]. Its answer is {"ratings": [1500, 0]}: a rating for each of the players, 0 without one.
const TaskRatings = "ratings"

// A Rerating is the players whose ratings are read, by number from 1.
type Rerating struct {
	RatedGame
	Players []string `json:"players"` // an empty ID in a row that was given up
}

// A RatedGame is what players have one rating for. Without a speed they have none.
type RatedGame struct {
	System string `json:"system"`
	Speed  string `json:"speed"`
}

// RatedGame returns what the ratings of the players are for.
func (s *Settings) RatedGame() RatedGame {
	if s.Options != "" { // house rules have no ratings
		return RatedGame{System: s.Rules}
	}
	return RatedGame{System: s.Rules, Speed: match.Settings{Clock: s.Clock}.Speed()}
}

// rerates reports whether the players' ratings must be read again with these settings.
func (s *State) rerates(to *Settings) bool {
	return s.Stage == Entry && len(s.Players) > 0 && to.RatedGame() != s.Settings.RatedGame()
}

// reratesAll makes a task read the ratings of all players again. The ID of the task derives from the time, which two
// commands can share: the room's clock stands still after it was set back. So the players and the hosts' orders are
// added, one of which grows with each command that comes here. It makes the time some milliseconds late.
func (d *decision) reratesAll() {
	d.change.Reread = new(max(d.at+int64(len(d.Players)+d.orders), d.Reread+1))
}

func (s *State) ratingsTask() machine.Task {
	r := Rerating{RatedGame: s.Settings.RatedGame()}
	for _, p := range s.Players {
		r.Players = append(r.Players, p.ID)
	}
	return machine.Task{ID: TaskRatings + "-" + strconv.FormatInt(s.Reread, 10), Kind: TaskRatings, Body: encode(r)}
}

// reread gives the players the ratings that the task has read. Those without devices keep the ratings of
// their report file. Players who have entered since have their ratings in the new game: an entry that was under
// way when the host changed it has made another task.
func (d *decision) reread() error {
	for i := range min(len(d.order.Ratings), len(d.Players)) {
		p, rating := d.Players[i], min(max(d.order.Ratings[i], 0), MaxRating)
		if p.ID == "" || p.Paper || p.Rating == rating {
			continue
		}
		p.Rating = rating
		d.put(p)
	}
	d.change.Reread = new(int64)
	return nil
}

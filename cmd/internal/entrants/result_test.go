package entrants

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"mancala/lobby/tournament"
)

func TestGameThatDiffersFromItsBoardIsFound(t *testing.T) {
	c := newClub(t, tournament.Settings{Format: tournament.Swiss, Rounds: 1, Clock: "5+3"}, 2)
	c.finish()
	k := &checker{Event: c.event, rooms: map[string]place{}}
	k.replay(c.entries)
	b := k.state.Rounds[0][0]
	room := b.Games[0].Room
	for _, tt := range []struct {
		name   string
		change func(p *played)
		err    error
		want   string
	}{
		{"the same", func(*played) {}, nil, ""},
		{"goes on", func(p *played) { p.State = "live" }, nil, "is live"},
		{"of another tournament", func(p *played) { p.Event.Room = "cup2" }, nil, "belongs to"},
		{"of another round", func(p *played) { p.Event.Round = 2 }, nil, "belongs to"},
		{"of another board", func(p *played) { p.Event.Board = 2 }, nil, "belongs to"},
		{"another game of the board", func(p *played) { p.Event.Game = 2 }, nil, "belongs to"},
		{"a stranger plays first", func(p *played) { p.Seats[0] = "p9" }, nil, "the seats in"},
		{"a stranger plays second", func(p *played) { p.Seats[1] = "p9" }, nil, "the seats in"},
		{"the seats are swapped", func(p *played) { p.Seats[0], p.Seats[1] = p.Seats[1], p.Seats[0] }, nil, "the seats in"},
		{"no-show", func(p *played) { p.Result.Reason = "no-show" }, nil, "for not coming"},
		{"the other player wins", func(p *played) { p.Result.Winners = []int{1} }, nil, "has ended with"},
		{"a draw", func(p *played) { p.Result.Winners = []int{0, 1} }, nil, "has ended with"},
		{"no player wins", func(p *played) { p.Result.Winners = nil }, nil, "has ended with"},
		{"another reason", func(p *played) { p.Result.Reason = "time" }, nil, "has ended with"},
		{"other seeds", func(p *played) { p.Result.Scores[0]++ }, nil, "has ended with"},
		{"out of reach", func(*played) {}, errors.New("no answer"), "no answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := played{State: "over", Seats: []string{k.state.Players[b.First-1].ID, k.state.Players[b.Second-1].ID}}
			p.Event.Room, p.Event.Round, p.Event.Board, p.Event.Game = "cup1", 1, 1, 1
			p.Result.Reason, p.Result.Winners, p.Result.Scores = "resign", []int{0}, []int{1, 1}
			tt.change(&p)
			k.wrong = nil
			k.result(func(path string) (string, error) {
				if path != "/api/v1/games/"+room {
					t.Errorf("asked for %s", path)
				}
				text, err := json.Marshal(map[string]any{"snap": p})
				return string(text), errors.Join(err, tt.err)
			}, room, k.rooms[room])
			if wrong := strings.Join(k.wrong, "\n"); !strings.Contains(wrong, tt.want) || (wrong == "") != (tt.want == "") {
				t.Errorf("found %q, want %q", wrong, tt.want)
			}
		})
	}
}

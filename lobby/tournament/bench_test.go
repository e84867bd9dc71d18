package tournament_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"mancala/lobby/tournament"
	"mancala/lobby/tournament/tiebreak"
)

// large returns a Swiss of a thousand players after nine rounds, with random pairings.
func large() *tournament.State {
	rng := rand.New(rand.NewPCG(1, 22))
	s := &tournament.State{
		Settings: tournament.Settings{Name: "Open", Format: tournament.Swiss, Rounds: 9, TieBreaks: tiebreak.Usual + ",SEEDS", Games: 1},
		Stage:    tournament.Running, Hosts: []string{"phost"},
	}
	const players = 1000
	for n := range players {
		s.Players = append(s.Players, tournament.Player{Number: n + 1, ID: fmt.Sprintf("p%012d", n), Rating: 2400 - n})
		s.Start = append(s.Start, n+1)
	}
	results := []string{tournament.FirstWins, tournament.SecondWins, tournament.Drawn}
	for range 9 {
		var boards []tournament.Board
		order := rng.Perm(players)
		for n := range players / 2 {
			result := results[rng.IntN(3)]
			boards = append(boards, tournament.Board{
				Number: n + 1, First: order[2*n] + 1, Second: order[2*n+1] + 1, Result: result, Seeds: rng.IntN(20),
				Games: []tournament.Game{{Room: "k3v9qa2mx1", Opened: true, Result: result, Reason: "seeds"}},
			})
		}
		s.Rounds = append(s.Rounds, boards)
	}
	return s
}

func BenchmarkStandingsOfAThousandPlayers(b *testing.B) {
	s := large()
	for b.Loop() {
		s.Standings()
	}
}

// BenchmarkReadAThousandPlayers decodes a snapshot, as each reader of the room's state does.
func BenchmarkReadAThousandPlayers(b *testing.B) {
	text, err := json.Marshal(large())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var s tournament.State
		if err := json.Unmarshal(text, &s); err != nil {
			b.Fatal(err)
		}
	}
}

// Rows of the standings that one result changes go to every socket.
func TestOneResultChangesFewRowsOfTheStandings(t *testing.T) {
	s := large()
	before := map[int]string{}
	values := func(row tournament.Standing) string {
		text := fmt.Sprintf(`{"n":%d,"points":%d,"breaks":[`, row.Number, row.Points)
		for i, b := range row.Breaks {
			if i > 0 {
				text += ","
			}
			text += fmt.Sprint(b.Value)
		}
		return text + "]}"
	}
	for _, row := range s.Standings() {
		before[row.Number] = values(row)
	}
	s.Rounds[8][250].Result = map[string]string{tournament.FirstWins: tournament.SecondWins}[s.Rounds[8][250].Result]
	if s.Rounds[8][250].Result == "" {
		s.Rounds[8][250].Result = tournament.FirstWins
	}
	rows, size := 0, 0
	for _, row := range s.Standings() {
		if now := values(row); now != before[row.Number] {
			rows, size = rows+1, size+len(now)+1
		}
	}
	t.Logf("%d rows, %d bytes", rows, size)
	if rows < 2 || size > 2000 {
		t.Errorf("a result changes %d rows of %d bytes", rows, size)
	}
}

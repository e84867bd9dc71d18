package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"mancala/lobby/tournament"
	"mancala/web/webtest"
)

// manyRounds imports a Swiss with the given numbers of players and rounds, in which all games were drawn. It
// returns its ID.
func (s *service) manyRounds(players, rounds int) (id string) {
	s.Helper()
	host := s.guest()
	made, err := s.Hosting.Open(s.ctx, s.id(host), netip.Addr{}, tournament.Settings{Name: "Open", Format: tournament.Swiss, Rounds: rounds + 1})
	s.must(err)
	var file strings.Builder
	fmt.Fprintf(&file, "012 Open\r142 %d\r", rounds+1)
	for n := range players {
		fmt.Fprintf(&file, "001 %4d      %-33s %4d%28s%4.1f %4d", n+1, fmt.Sprintf("Player %d", n+1), 2400-n, "", float64(rounds)/2, n+1)
		for round := range rounds {
			other, color := meets(n, round, players)
			fmt.Fprintf(&file, "  %4d %s =", other+1, color)
		}
		file.WriteByte('\r')
	}
	_, err = s.Hosting.Import(s.ctx, made.ID, s.id(host), []byte(file.String()), true)
	s.must(err)
	return made.ID
}

// meets returns the opponent and the seat of a player in a round. The players with even numbers stay, and those with
// odd ones move on by one board each round.
func meets(n, round, players int) (other int, color string) {
	boards := players / 2
	if n%2 == 0 {
		return (n/2+round)%boards*2 + 1, "w"
	}
	return (n/2 + boards - round%boards) % boards * 2, "b"
}

func TestPageOfATournamentLeadsToItsEarlierRounds(t *testing.T) {
	s := serve(t)
	id := s.manyRounds(6, 3)
	hall := s.plain("/t/"+id, nil).Body
	if n := strings.Count(hall, "<tr data-pairing"); n != 3+1 {
		t.Errorf("%d boards and rows to copy, want those of the last round and one", n)
	}
	for round, want := range map[string]int{"1": 3, "2": 3, "3": 3, "0": 0, "4": 0, "-1": 0, "x": 0} {
		path := "/t/" + id + "/rounds/" + round
		if got := strings.Contains(hall, `href="`+path+`"`); got != (round == "1" || round == "2") {
			t.Errorf("the page has a link to round %s: %v", round, got)
		}
		page := s.plain(path, nil)
		if n := strings.Count(page.Body, "<tr data-pairing"); n != want || want == 0 && page.Status != http.StatusNotFound {
			t.Errorf("round %s: %d, %d boards, want %d", round, page.Status, n, want)
		}
		if want > 0 && !strings.Contains(page.Body, "<title>Round "+round+" · Open") {
			t.Errorf("the page of round %s has another title", round)
		}
	}
}

func BenchmarkPageOfATournament(b *testing.B) {
	s := serve(b)
	for _, tt := range []struct{ players, rounds int }{{20, 5}, {200, 1}, {200, 10}, {500, 3}} {
		b.Run(fmt.Sprintf("players=%d/rounds=%d", tt.players, tt.rounds), func(b *testing.B) {
			id := s.manyRounds(tt.players, tt.rounds)
			size := 0
			for b.Loop() {
				page := s.plain("/t/"+id, nil)
				if page.Status != http.StatusOK {
					b.Fatal(page.Status)
				}
				size = len(page.Body)
			}
			b.ReportMetric(float64(size)/1000, "kB")
		})
	}
}

// gameAmong starts a Swiss of Ada, Ben and a number of players without devices. It returns the page of Ada's
// and Ben's game.
func (s *service) gameAmong(players int) (ada *webtest.Person, path string) {
	s.Helper()
	names := make([]string, players)
	for n := range names {
		names[n] = fmt.Sprintf("Player %d", n+1)
	}
	c := s.club(tournament.Settings{Rounds: 3}, names...)
	ada = s.joins(c.ID, "Ada")
	s.joins(c.ID, "Ben")
	pairings := [][2]int{{players + 1, players + 2}}
	for n := 1; n < players; n += 2 {
		pairings = append(pairings, [2]int{n, n + 1})
	}
	c.order(tournament.KindStart, tournament.Order{Round: 1, Pairings: pairings})
	s.eventually("a game is open", func() bool {
		found := regexp.MustCompile(`data-action="play" href="(/[a-z0-9]{10})"`).FindStringSubmatch(s.body(ada, "/t/"+c.ID))
		if found != nil {
			path = found[1]
		}
		return found != nil
	})
	return ada, path
}

func BenchmarkPageOfATournamentsGame(b *testing.B) {
	s := serve(b)
	for _, players := range []int{2, 300} {
		b.Run(fmt.Sprintf("players=%d", players), func(b *testing.B) {
			ada, path := s.gameAmong(players)
			b.ReportAllocs()
			for b.Loop() {
				if !strings.Contains(s.body(ada, path), "event-bar") {
					b.Fatal("the page has no bar of the tournament")
				}
			}
		})
	}
}

package e2e

import (
	"fmt"
	"testing"
)

// field is the players of a tournament that goes on after its first games.
type field struct {
	evening
	last map[*person]string // the last game of each
}

// gathers makes a tournament that four players enter, and lets a watcher follow it.
func gathers(t *testing.T, fields map[string]string) (f *field, watcher *person, players []*person) {
	t.Helper()
	s := serve(t)
	f = &field{evening{halves: map[string]int{}}, map[*person]string{}}
	f.cup = s.person("Host", desktop).makesCup(s, fields)
	for i, name := range []string{"Ada", "Ben", "Cleo", "Dan"} {
		players = append(players, f.enters(name, []screen{phone, desktop}[i%2]))
		f.halves[name] = 0
	}
	watcher = s.person("Watcher", desktop)
	watcher.opens("/t/" + f.id)
	watcher.stays()
	return f, watcher, players
}

// meet waits until each player is in a new game, to which their page has taken them. It returns the games.
func (f *field) meet(players []*person) (games [][2]*person) {
	f.t.Helper()
	waits := map[string]*person{}
	for _, p := range players {
		p.until(fmt.Sprintf(`location.pathname !== "/%s" && e2e.board()?.state === "live"`, f.last[p]))
		game := p.isPlaying()
		f.last[p] = game
		if other := waits[game]; other != nil {
			games = append(games, [2]*person{other, p})
			delete(waits, game)
		} else {
			waits[game] = p
		}
	}
	if len(waits) > 0 {
		f.t.Fatalf("players wait alone in the games %v", waits)
	}
	return games
}

// end lets the first player of each game resign. It returns the winners, each of whom has
// gained the given number of points.
func (f *field) end(games [][2]*person, points int) (winners []*person) {
	f.t.Helper()
	for _, two := range games {
		two[0].resigns()
		for _, p := range two {
			p.until(`document.querySelector("#game").dataset.view === "over"`)
		}
		f.halves[two[1].name] += 2 * points
		winners = append(winners, two[1])
	}
	return winners
}

// over ends the tournament and checks that the watcher has followed it without loading the page again.
func (f *field) over(watcher *person) {
	f.t.Helper()
	f.orders("finish", `{}`)
	watcher.hears("#stage", "Over")
	watcher.stayed()
}

func TestKnockoutOfFourIsPlayedToItsWinner(t *testing.T) {
	t.Parallel()
	f, watcher, players := gathers(t, map[string]string{"format": "knockout", "clock": "none"})
	f.orders("start", `{round: 1}`)
	finalists := f.end(f.meet(players), 1)
	watcher.until(`document.querySelectorAll(".bracket section:first-of-type .won").length === 2`)
	f.orders("start", `{round: 2}`)
	watcher.hears("#stage", "Final")
	winner := f.end(f.meet(finalists), 1)[0]
	watcher.until(fmt.Sprintf(`document.querySelector(".bracket section:last-of-type .won bdi")?.textContent === %q`, winner.name))
	f.over(watcher)
	winner.hears("#event-news", "place 1 of 4")
}

func TestPlayersOfAnArenaArePairedAgainInTheNextWave(t *testing.T) {
	t.Parallel()
	f, watcher, players := gathers(t, map[string]string{"format": "arena", "clock": "none"})
	f.orders("start", `{round: 1}`)
	f.end(f.meet(players), 2)
	second := f.meet(players)
	f.orders("wait", `{}`)
	f.end(second, 2)
	watcher.until(`document.querySelectorAll("#pairings .won").length === 4`)
	f.ranks(watcher, pageRows)
	f.over(watcher)
}

func TestPupilsOfAClassPlayTwoGamesEach(t *testing.T) {
	t.Parallel()
	f, watcher, players := gathers(t, map[string]string{"format": "class", "clock": "none"})
	watcher.hears("#stage", "4 pupils")
	f.orders("start", `{round: 1}`)
	f.end(f.meet(players), 1)
	second := f.meet(players)
	f.orders("wait", `{}`)
	f.end(second, 1)
	watcher.until(`document.querySelectorAll("#pairings tr").length === 4 && document.querySelectorAll("#pairings .won").length === 4`)
	for _, p := range players {
		watcher.until(fmt.Sprintf(`[...document.querySelectorAll("#pairings tr")].filter((tr) => tr.textContent.includes(%q)).length === 2`, p.name))
	}
	f.over(watcher)
}

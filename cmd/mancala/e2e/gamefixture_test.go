package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// table is a game with the people at it.
type table struct {
	t        *testing.T
	server   *server
	id       string
	players  []*person // in the order of arrival; the first made the game
	watchers []*person
	seats    []*person         // by seat
	draft    map[*person][]int // each player's last lay-out, in Egyptian games
	random   *rand.Rand
	hands    bool // play with mouse and finger; otherwise by the fastest way
}

// settings are the fields of the form that makes a game.
type settings struct {
	rules, options, clock, start, delay string
	name                                string // of the creator
	listed                              bool
	rated                               bool // the players get accounts
}

// fixed returns the source of a test's random choices, the same in every run.
func fixed() *rand.Rand { return chosen(2) }

// chosen is fixed with other choices. Random games of Oware and for four have up to 200 plies.
// Each costs a page a twentieth of a second, so tests choose a number whose game is short.
func chosen(number uint64) *rand.Rand { return rand.New(rand.NewPCG(1, number)) }

const (
	shortOware = 850 // 46 plies
	shortFour  = 363 // 30 plies
)

// names are the names of the players at a table. screens are their screens.
var (
	names   = []string{"Ada", "Ben", "Cleo", "Dan"}
	screens = []screen{desktop, phone, tablet, phone}
)

// makes fills in the form on the home page and makes a game. It returns the
// game's ID.
func (p *person) makes(s settings) string {
	p.t.Helper()
	p.opens("/")
	for _, set := range [][2]string{{"#rules", s.rules}, {"#options", s.options}, {"#clock", s.clock}, {"#start", s.start}, {"#delay", s.delay}} {
		field, value := set[0], set[1]
		if value != "" {
			p.sets(field, value)
		}
	}
	if s.rated {
		ask[bool](p, `(document.querySelector("[name=rated]").checked = true)`)
	}
	if s.listed {
		ask[bool](p, `(document.querySelector("[name=listed]").checked = true)`)
	}
	p.clicks(action("new"))
	p.until("location.pathname.length === 11")
	p.online()
	if s.name != "" {
		p.sets("#name", s.name)
		p.clicks("#name-form button")
		p.hears("#sitters", s.name)
	}
	return strings.TrimPrefix(ask[string](p, "location.pathname"), "/")
}

// joins opens a game by its link and takes a seat.
func (p *person) joins(id string) {
	p.t.Helper()
	p.opens("/" + id)
	p.online()
	p.clicks(action("play"))
}

// deal makes a game and brings the players and one watcher to it.
func deal(t *testing.T, s *server, how settings, players int) *table {
	t.Helper()
	return dealAt(t, s, how, screens[:players], tablet)
}

// dealAt is deal with the screens of the players and of the watcher.
func dealAt(t *testing.T, s *server, how settings, players []screen, watcher screen) *table {
	t.Helper()
	g := &table{t: t, server: s, random: fixed(), draft: map[*person][]int{}}
	for i, size := range players {
		g.players = append(g.players, s.person(names[i], size))
	}
	g.watchers = []*person{s.person("Wanda", watcher)}
	if how.rules == "ignorant" || how.options == "start=rightmost" { // the tests play forced moves themselves
		for _, p := range g.players {
			p.prefers("forced", "off")
		}
	}
	if how.rated {
		for _, p := range g.players {
			p.makesAccount(p.name + " of " + how.rules)
		}
	}
	g.id = g.players[0].makes(how)
	for _, p := range g.players[1:] {
		p.joins(g.id)
	}
	// On a phone the invitation stands above the board until the game begins.
	g.players[0].until(`["live", "setup"].includes(document.querySelector("[data-board]")?.dataset.state)`)
	g.watchers[0].opens("/" + g.id)
	for _, p := range g.all() {
		p.until(`["live", "setup"].includes(document.querySelector("[data-board]")?.dataset.state)`)
		p.online()
	}
	return g
}

func (g *table) all() []*person {
	return append(append([]*person{}, g.players...), g.watchers...)
}

// seat returns the person in a seat.
func (g *table) seat(n int) *person {
	g.t.Helper()
	if g.seats == nil { // seats do not change once the game has begun
		g.seats = make([]*person, len(g.players))
		for _, p := range g.players {
			p.until(seated) // the page on which a player took the seat is loaded again
			seat, err := strconv.Atoi(p.role())
			if err != nil || seat >= len(g.seats) || g.seats[seat] != nil {
				g.t.Fatalf("%s has seat %q", p.name, p.role())
			}
			g.seats[seat] = p
		}
	}
	return g.seats[n]
}

// side returns the side whose pits a player owns.
func (g *table) side(p *person) int {
	g.t.Helper()
	sides := ask[int](p, `Number(document.querySelector("[data-board]").dataset.sides)`)
	return slices.IndexFunc(g.seats, func(q *person) bool { return q == p }) % sides
}

// seated holds on the page of a person who has a seat.
const seated = `!["spectator", "", undefined].includes(document.querySelector("[data-board]")?.dataset.role)`

// role returns a person's seat number, or "spectator".
func (p *person) role() string {
	p.t.Helper()
	return ask[string](p, `document.querySelector("[data-board]")?.dataset.role ?? ""`)
}

// shown is the board of a page, in the words of testdata/page.js.
type shown struct {
	State  string `json:"state"`
	Turn   int    `json:"turn"`
	Ply    int    `json:"ply"`
	Anim   string `json:"anim"`
	Pits   []int  `json:"pits"`
	Stores []int  `json:"stores"`
}

// shows waits until every page shows the server's state, pit by pit, and
// returns that state.
func (g *table) shows() view {
	g.t.Helper()
	var v view
	for deadline := time.Now().Add(patience); ; {
		v = g.server.game(g.id)
		s := shown{v.Snap.State, v.Snap.Turn, v.Snap.Ply, "idle", v.Snap.Pits, v.Snap.Stores}
		if s.State == "pause" {
			s.State = "over" // the round is over
		}
		want, err := json.Marshal(s)
		if err != nil {
			g.t.Fatal(err)
		}
		// A round may begin by itself meanwhile. Then the server is asked
		// again.
		late := g.late(fmt.Sprintf("JSON.stringify(e2e.board()) === %q", want))
		if late == nil {
			return v
		}
		if time.Now().After(deadline) {
			g.t.Fatalf("%s does not see %s\n%s", late.name, want, late.describe())
		}
	}
}

// late returns a person on whose page a condition does not become true within a
// few seconds. It returns nil if the condition holds on every page.
func (g *table) late(condition string) *person {
	g.t.Helper()
	people := g.all()
	held, errs := make([]bool, len(people)), make([]error, len(people))
	var wg sync.WaitGroup
	for i, p := range people {
		wg.Go(func() { held[i], errs[i] = p.comes(condition, 3*time.Second) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		g.t.Fatal(err)
	}
	if i := slices.Index(held, false); i >= 0 {
		return people[i]
	}
	return nil
}

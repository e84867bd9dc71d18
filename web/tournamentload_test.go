package web

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match/room"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// school starts a service with the default limits, and a tournament in it.
func school(t *testing.T, settings tournament.Settings) *club {
	t.Helper()
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits.Register(flag.NewFlagSet("defaults", flag.PanicOnError))
	})
	return s.club(settings)
}

// Sixty people behind one IPv4 address enter a tournament with its code, check in, play a round and
// chat in their games. They do in seconds what takes people minutes, and meet no limit.
func TestSchoolPlaysATournamentBehindOneAddress(t *testing.T) {
	const players = 60
	c := school(t, tournament.Settings{Rounds: 1})
	people := map[string]*webtest.Person{}
	var group sync.WaitGroup
	for n := range players {
		name, p := fmt.Sprintf("Pupil %d", n+1), c.person()
		people[name] = p
		group.Go(func() {
			if err := enterByCode(c, p, name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if group.Wait(); t.Failed() {
		return
	}
	for _, p := range people {
		c.follow(p)
	}
	c.order(tournament.KindStart, tournament.Order{Round: 1})
	for board := range players / 2 {
		id, pair := c.board(board, people)
		group.Go(func() {
			if err := playAndChatIn(c.service, id, pair, uint64(board)); err != nil {
				t.Errorf("board %d: %v", board+1, err)
			}
		})
	}
	group.Wait()
	c.eventually("a result of each board", func() bool {
		hall, err := c.Hosting.Look(c.ctx, c.ID, "")
		c.must(err)
		over := 0
		for _, b := range hall.State.Rounds[0] {
			if b.Result != "" {
				over++
			}
		}
		return over == players/2
	})
	if n := c.counted("refused_total", string(lobby.CodeSlowDown)); n > 0 {
		t.Errorf("%v requests were refused by a limit", n)
	}
}

// enterByCode lets a stranger type the code, give a name and check in, with the pages' forms.
func enterByCode(c *club, p *webtest.Person, name string) error {
	path := "/j?code=" + c.Code
	for range 3 { // the code leads to the room, and the room to the page of the tournament
		page, err := p.Get(c.ctx, path)
		if err != nil {
			return err
		}
		if page.Status != http.StatusOK && page.Status != http.StatusSeeOther {
			return fmt.Errorf("%s: %d", path, page.Status)
		}
		if page.Status == http.StatusOK {
			break
		}
		path = page.Header.Get("Location")
	}
	for _, form := range []string{"/join", "/here"} {
		page, err := p.Post(c.ctx, path+form, url.Values{"name": {name}})
		if err == nil && page.Status == http.StatusTemporaryRedirect { // the answer to a stranger, who has a cookie now
			page, err = p.Post(c.ctx, page.Header.Get("Location"), url.Values{"name": {name}})
		}
		if err != nil {
			return err
		}
		if page.Status != http.StatusSeeOther {
			return fmt.Errorf("%s: %d", form, page.Status)
		}
	}
	return nil
}

// board waits until the game of a board of round 1 is open. It returns the game and its players.
func (c *club) board(n int, people map[string]*webtest.Person) (id string, pair []*webtest.Person) {
	c.Helper()
	c.eventually(fmt.Sprintf("the game of board %d", n+1), func() bool {
		hall, err := c.Hosting.Look(c.ctx, c.ID, c.id(c.host))
		c.must(err)
		b := hall.State.Rounds[0][n]
		if len(b.Games) == 0 || !b.Games[0].Opened {
			return false
		}
		id, pair = b.Games[0].Room, nil
		for _, number := range []int{b.First, b.Second} {
			pair = append(pair, people[hall.Names[hall.State.Players[number-1].ID]])
		}
		return true
	})
	return id, pair
}

// joinOnce joins as a program does. It returns the code of a refusal. A busy room is asked again.
func joinOnce(c *club, p *webtest.Person, name string) (code string, err error) {
	for {
		page, err := p.Send(c.ctx, "/api/v1/tournaments/"+c.ID+"/players", fmt.Sprintf(`{"name":%q}`, name))
		if err != nil || page.Status == http.StatusCreated {
			return "", err
		}
		var no struct{ Code string }
		if err := json.Unmarshal([]byte(page.Body), &no); err != nil {
			return "", fmt.Errorf("%d %s: %w", page.Status, page.Body, err)
		}
		if no.Code != string(room.CodeBusy) {
			return no.Code, nil
		}
	}
}

// A script joins a tournament five thousand times from one address. It is told of each join whether
// it has succeeded or has to slow down, and the tournament has the players whose joins succeeded.
func TestEveryOneOfFiveThousandJoinsHasAClearAnswer(t *testing.T) {
	const joins, atOnce = 5000, 20
	c := school(t, tournament.Settings{})
	script := c.person()
	script.HTTP.Jar = nil // each request comes from a stranger
	script.HTTP.Transport = &http.Transport{MaxIdleConnsPerHost: atOnce}
	var next, refused atomic.Int64
	var entered sync.Map
	var group sync.WaitGroup
	for range atOnce {
		group.Go(func() {
			for n := next.Add(1); n <= joins; n = next.Add(1) {
				name := fmt.Sprintf("Player %d", n)
				switch code, err := joinOnce(c, script, name); {
				case err == nil && code == "":
					entered.Store(name, true)
				case err == nil && code == string(lobby.CodeSlowDown):
					refused.Add(1)
				default:
					t.Errorf("%s: %s %v", name, code, err)
					return
				}
			}
		})
	}
	group.Wait()
	hall, err := c.Hosting.Look(c.ctx, c.ID, c.id(c.host))
	c.must(err)
	for _, p := range hall.State.Players {
		if _, ok := entered.LoadAndDelete(hall.Names[p.ID]); !ok {
			t.Errorf("%s is in the tournament and was told otherwise", hall.Names[p.ID])
		}
	}
	entered.Range(func(name, _ any) bool {
		t.Errorf("%s was told that they are in the tournament, and are not", name)
		return true
	})
	if n := len(hall.State.Players); n == 0 || n+int(refused.Load()) != joins {
		t.Errorf("%d have joined and %d were refused, of %d", n, refused.Load(), joins)
	}
}

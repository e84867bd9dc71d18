package web

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"mancala/engine"
	"mancala/match"
	"mancala/web/webtest"
)

// The test plays a game of every system over real sockets with random legal
// moves. The players and a watcher fold frames and check the board's checksum
// after every entry. At the end each of them has the state that the API
// returns. The replay and the exported record lead to the same state.
func TestGameOfEverySystemOverSockets(t *testing.T) {
	for _, row := range engine.Systems {
		t.Run(row.Name, func(t *testing.T) {
			s := serve(t)
			settings := "rules=" + row.Name
			if strings.Contains(row.Text, "match=difference") {
				settings += "&options=target=20 max_rounds=3"
			}
			id, players := s.game(settings)
			watcher := s.open(s.person(), id)
			s.playOut(players, watcher)
			s.sameEverywhere(id, append(players, watcher))
			s.replays(id, players[0])
			s.exports(id)
		})
	}
}

// playOut plays until the game is over, and waits until every client has seen
// the end.
func (s *service) playOut(players []*webtest.Client, others ...*webtest.Client) {
	s.Helper()
	var group sync.WaitGroup
	for i, c := range players {
		group.Go(func() {
			if err := c.PlayOn(s.ctx, rand.New(rand.NewPCG(1, uint64(i))), nil); err != nil {
				s.Error(err)
			}
		})
	}
	group.Wait()
	for _, c := range append(players, others...) {
		s.must(c.Until(s.ctx, "the end", (*webtest.Game).Over))
	}
}

// sameEverywhere compares the state that clients have folded with the server's
// snapshot.
func (s *service) sameEverywhere(id string, tabs []*webtest.Client) {
	s.Helper()
	page, err := s.person().Get(s.ctx, "/api/v1/games/"+id)
	s.must(err)
	var api struct {
		Seq  uint64
		Snap json.RawMessage
	}
	s.must(json.Unmarshal([]byte(page.Body), &api))
	want, err := webtest.Decode(api.Snap)
	s.must(err)
	for i, c := range tabs {
		s.must(c.Until(s.ctx, "the last entry", func(g *webtest.Game) bool { return g.Seq == api.Seq }))
		c.Look(func(g *webtest.Game) {
			if !reflect.DeepEqual(g.State, want) {
				s.Errorf("tab %d has folded\n%v\nand the server has\n%v", i, g.State, want)
			}
		})
	}
}

type replay struct {
	Rounds []struct {
		First match.BoardJSON
		Plies []struct {
			Move   string
			Pits   []int
			Stores []int
		}
	}
}

// replays checks that the replay, applied ply by ply, ends with the game's
// board.
func (s *service) replays(id string, c *webtest.Client) {
	s.Helper()
	page, err := s.person().Get(s.ctx, "/api/v1/games/"+id+"/replay")
	s.must(err)
	var r replay
	s.must(json.Unmarshal([]byte(page.Body), &r))
	if len(r.Rounds) == 0 {
		s.Fatalf("a replay without rounds: %.200s", page.Body)
	}
	last := r.Rounds[len(r.Rounds)-1].Plies
	var moves []string
	for _, p := range last {
		moves = append(moves, p.Move)
	}
	c.Look(func(g *webtest.Game) {
		if got, want := fmt.Sprint(moves), fmt.Sprint(g.Texts("moves")); got != want {
			s.Errorf("the replay has the moves %s, the game %s", got, want)
		}
		if n := len(last); n > 0 && fmt.Sprint(last[n-1].Pits, last[n-1].Stores) != fmt.Sprint(g.Numbers("pits"), g.Numbers("stores")) {
			s.Errorf("the replay ends at %v %v, the game at %v %v", last[n-1].Pits, last[n-1].Stores, g.Numbers("pits"), g.Numbers("stores"))
		}
	})
}

// exports checks that another program can replay the exported record.
func (s *service) exports(id string) {
	s.Helper()
	page, err := s.person().Get(s.ctx, "/"+id+"/record")
	s.must(err)
	for text := range strings.SplitSeq(strings.TrimSpace(page.Body), "\n\n[") {
		rec, err := engine.ParseRecord("[" + strings.TrimPrefix(text, "["))
		if err != nil {
			s.Errorf("%v in\n%s", err, text)
			continue
		}
		if _, err := rec.Replay(); err != nil {
			s.Errorf("%v in\n%s", err, text)
		}
	}
}

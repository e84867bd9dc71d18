package process

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"mancala/lobby/tournament"
)

// host is a host of a tournament with a socket to one instance.
type host struct {
	*visitor
	id      string            // of the tournament
	answers map[string]string // by the ID of a command: the code of its refusal, or "" if it was carried out
	heard   map[string]int    // by kind: how many entries the socket was sent
}

// follows makes a visitor a host who has subscribed to the tournament.
func (v *visitor) follows(id string) *host {
	v.Helper()
	v.say(fmt.Sprintf(`{"t":"sub","room":%q}`, id))
	v.hear("snap", id)
	return &host{v, id, map[string]string{}, map[string]int{}}
}

// orders sends a command and does not wait for its answer.
func (h *host) orders(id, kind string, round int) {
	h.Helper()
	h.say(fmt.Sprintf(`{"t":"cmd","room":%q,"id":%q,"kind":%q,"round":%d}`, h.id, id, kind, round))
}

// until reads the socket until a condition is true.
func (h *host) until(what string, cond func() bool) {
	h.Helper()
	for !cond() {
		_, msg, err := h.conn.Read(h.ctx)
		if err != nil {
			h.Fatalf("waiting for %s: %v", what, err)
		}
		var f struct {
			T, Room, ID, Code string
			Ev                struct{ K string }
		}
		if err := json.Unmarshal(msg, &f); err != nil {
			h.Fatal(err)
		}
		switch {
		case f.Room != h.id:
		case f.T == "ev":
			h.heard[f.Ev.K]++
		case f.T == "ack" || f.T == "err":
			h.answers[f.ID] = f.Code
		}
	}
}

// answer waits for the answer to a command.
func (h *host) answer(id string) (code string) {
	h.Helper()
	h.until("the answer to "+id, func() bool { _, ok := h.answers[id]; return ok })
	return h.answers[id]
}

// posts sends a request of the API, which must succeed, and reads its answer.
func (v *visitor) posts(path, body string, answer any) {
	v.Helper()
	page, err := v.person.Send(v.ctx, "/api/v1"+path, body)
	if err == nil && page.Status >= 300 {
		err = fmt.Errorf("%d %s", page.Status, page.Body)
	}
	if err == nil {
		err = json.Unmarshal([]byte(page.Body), answer)
	}
	if err != nil {
		v.Fatalf("%s: %v", path, err)
	}
}

// boards waits until each board of the last round of a tournament is as wanted. It returns the
// tournament as this instance shows it.
func (p *program) boards(id string, round int, wanted func(tournament.Board) bool) tournament.State {
	p.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for p.ctx.Err() == nil {
		var hall struct{ State tournament.State }
		if err := json.Unmarshal([]byte(p.get("/api/v1/tournaments/"+id)), &hall); err != nil {
			p.Fatal(err)
		}
		rounds := hall.State.Rounds
		if len(rounds) == round && !slices.ContainsFunc(rounds[round-1], func(b tournament.Board) bool { return !wanted(b) }) {
			return hall.State
		}
		<-tick.C
	}
	p.Fatalf("round %d does not come", round)
	return tournament.State{}
}

// Two hosts on two instances press the button at the same time. One is told that the round has
// started, the other that there is no such round to start. Both are sent one start, and each board
// has one game.
func TestRoundIsStartedOnceByTwoHostsOnTwoInstances(t *testing.T) {
	t.Parallel()
	const rounds = 3
	instances := startInstances(t, 2)
	ada, ben := enter(t, instances[0]), enter(t, instances[1])
	var made struct{ ID, HostKey string }
	var ok any
	ada.posts("/tournaments", fmt.Sprintf(`{"name":"Club Cup","rounds":%d}`, rounds), &made)
	ben.posts("/tournaments/"+made.ID+"/hosts", fmt.Sprintf(`{"key":%q}`, made.HostKey), &ok)
	players := map[string]*visitor{}
	for n := range 4 {
		v := enter(t, instances[n%2])
		var entered struct{ Player string }
		v.posts("/tournaments/"+made.ID+"/players", fmt.Sprintf(`{"name":"Player %d"}`, n+1), &entered)
		players[entered.Player] = v
	}
	hosts := []*host{ada.follows(made.ID), ben.follows(made.ID)}
	for round := 1; round <= rounds; round++ {
		command := fmt.Sprintf("start-%d-of-", round)
		for i, h := range hosts {
			h.orders(command+fmt.Sprint(i), tournament.KindStart, round)
		}
		var codes []string
		for i, h := range hosts {
			codes = append(codes, h.answer(command+fmt.Sprint(i)))
		}
		if slices.Sort(codes); !slices.Equal(codes, []string{"", string(tournament.CodeNoRound)}) {
			t.Errorf("round %d: the answers are %q", round, codes)
		}
		var state tournament.State
		for _, p := range instances {
			state = p.boards(made.ID, round, func(b tournament.Board) bool { return b.Games[0].Opened })
			for _, b := range state.Rounds[round-1] {
				if len(b.Games) != 1 {
					t.Errorf("round %d: board %d has the games %v", round, b.Number, b.Games)
				}
				p.get("/" + b.Games[0].Room)
			}
		}
		for _, b := range state.Rounds[round-1] {
			players[state.Players[b.Second-1].ID].posts("/games/"+b.Games[0].Room+"/commands", `{"id":"r","kind":"resign"}`, &ok)
		}
		instances[0].boards(made.ID, round, func(b tournament.Board) bool { return b.Result == tournament.FirstWins })
	}
	hosts[0].orders("end", tournament.KindFinish, 0)
	for i, h := range hosts {
		h.until("the end", func() bool { return h.heard[tournament.KindFinish] == 1 })
		if n := h.heard[tournament.KindStart]; n != rounds {
			t.Errorf("host %d was sent %d starts, want %d", i+1, n, rounds)
		}
	}
}

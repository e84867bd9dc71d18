package bot

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"mancala/engine"
	"mancala/engine/search"
	"mancala/lobby/searchpool"
	"mancala/match"
	"mancala/match/machine"
)

const pause = 500 * time.Millisecond

func TestBotsOfALevelHaveDifferentNamesInOneGame(t *testing.T) {
	for id, want := range map[string]string{"bot1": "Pip", "bot8": "Sankofa", "bot3.2": "Basil 2", "bot9": "Level 9"} {
		if got, ok := Name(id); got != want || !ok {
			t.Errorf("%s is %q, %v", id, got, ok)
		}
	}
	if _, ok := Name("pabcdefghijkl"); ok {
		t.Error("a person has a bot's name")
	}
	for i, c := range Characters {
		if i > 0 && c.Rating <= Characters[i-1].Rating {
			t.Errorf("%s is not rated above %s", c.Name, Characters[i-1].Name)
		}
	}
}

// contest plays a match without a room. It carries out the bots' tasks, and a bot also
// moves for the person.
type contest struct {
	t    *testing.T
	m    *match.Match
	bots *Bots
	id   string
}

func begin(t *testing.T, b *Bots, s match.Settings, bots ...string) *contest {
	t.Helper()
	c := &contest{t, match.New(), b, "k3v9qa2mx1"}
	s.Start = "creator"
	c.do(match.Creation{Settings: s, Creator: "p0", Bots: bots, Secret: "secret"}.Command("create"))
	return c
}

func (c *contest) do(cmd machine.Command) {
	c.t.Helper()
	e, err := c.m.Decide(cmd, time.Now())
	if err == nil {
		e.At, e.By, e.Command = time.Now().UnixMilli(), cmd.By, cmd.ID
		err = c.m.Apply(e)
	}
	if err != nil {
		c.t.Fatalf("%s of %s: %s at %v: %v", cmd.Kind, cmd.By, cmd.Body, c.m.Position(), err)
	}
}

// task returns the open task of a bot.
func (c *contest) task() (machine.Task, bool) {
	for _, t := range c.m.Tasks() {
		if t.Kind == match.TaskBot {
			return t, true
		}
	}
	return machine.Task{}, false
}

// turn makes the next ply, of the person or of a bot.
func (c *contest) turn() {
	c.t.Helper()
	t, ok := c.task()
	if !ok { // the person's ply, chosen by level 1
		q := c.m.Question()
		p := c.bots.idle.take(1, q.Game)
		m, _ := p.Move(context.Background(), q.Position, &q.History, 1)
		c.bots.idle.keep(1, q.Game, p)
		body := fmt.Sprintf(`{"ply":%d,"move":"%v"}`, q.Position.Ply, m)
		c.do(machine.Command{ID: "m", Kind: match.KindMove, By: "p0", Body: []byte(body)})
		return
	}
	cmd, err := c.bots.Answer(context.Background(), c.id, t)
	if err != nil {
		c.t.Fatal(err)
	}
	c.do(cmd)
	if again, ok := c.task(); ok && again.ID == t.ID {
		c.t.Fatalf("the task %s of %s is still open", t.ID, cmd.By)
	}
}

// TestBotsPlayEveryGame plays whole games against each fast level and some plies against
// the others.
func TestBotsPlayEveryGame(t *testing.T) {
	options := map[string]string{"wise": "target=4", "ignorant": "target=4"} // shorter matches
	for _, row := range engine.Systems {
		rules, _ := engine.System(row.Name)
		for level := 1; level <= len(Characters); level++ {
			if level > 6 && row.Name != "kalah" {
				continue
			}
			t.Run(row.Name+" "+Characters[level-1].Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					whole(t, level, match.Settings{Rules: row.Name, Options: options[row.Name]}, rules.Sides*rules.Partners)
				})
			})
		}
	}
}

func whole(t *testing.T, level int, s match.Settings, seats int) {
	pool := searchpool.New(searchpool.Options{Workers: 1})
	defer pool.Close()
	c := begin(t, New(pool, pause), s, Table(level, seats-1)...)
	most := 2000
	switch {
	case level == len(Characters):
		most = 3
	case level > 5:
		most = 12
	}
	plies := 0
	for ; plies < most && c.m.State() != "over"; plies++ {
		if c.m.State() == "pause" {
			c.do(machine.Command{ID: "n", Kind: match.KindNext, By: "p0"})
		}
		c.turn()
	}
	if most == 2000 && c.m.State() != "over" {
		t.Errorf("the game is not over after %d plies: %v", plies, c.m.Position())
	}
}

func TestMoveComesAfterItsPauseAndIsTheSameWhenAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := searchpool.New(searchpool.Options{Workers: 1})
		defer pool.Close()
		c := begin(t, New(pool, pause), match.Settings{}, "bot3")
		c.do(machine.Command{ID: "m", Kind: match.KindMove, By: "p0", Body: []byte(`{"ply":0,"move":"a"}`)})
		task, _ := c.task()
		began := time.Now()
		first, err := c.bots.Answer(context.Background(), c.id, task)
		if took := time.Since(began); err != nil || took != 2*pause { // four seeds
			t.Errorf("answered after %v: %v", took, err)
		}
		again, _ := New(pool, 0).Answer(context.Background(), c.id, task)
		if string(first.Body) != string(again.Body) || first.ID != again.ID || first.By != "bot3" {
			t.Errorf("answered %+v first and %+v again", first, again)
		}
		ctx, cancel := context.WithTimeout(context.Background(), pause)
		defer cancel()
		if _, err := c.bots.Answer(ctx, c.id, task); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after its context ended, Answer returned %v", err)
		}
	})
}

func TestBotTriesAgainUntilAWorkerIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := searchpool.New(searchpool.Options{Workers: 1, Queue: 1})
		defer pool.Close()
		hold := make(chan struct{})
		for range 2 {
			go pool.Do(context.Background(), searchpool.Job{Budget: time.Hour}, func(context.Context) { <-hold })
			synctest.Wait()
		}
		c := begin(t, New(pool, pause), match.Settings{Start: "friend"}, "bot1")
		c.do(machine.Command{ID: "m", Kind: match.KindMove, By: "p0", Body: []byte(`{"ply":0,"move":"a"}`)})
		time.AfterFunc(time.Minute, func() { close(hold) })
		began := time.Now()
		c.turn()
		if took := time.Since(began); took < time.Minute || took > time.Minute+2*time.Second {
			t.Errorf("the bot moved after %v", took)
		}
	})
}

func TestBotAcceptsADrawUnlessItIsAhead(t *testing.T) {
	pool := searchpool.New(searchpool.Options{Workers: 1})
	defer pool.Close()
	b, s := New(pool, 0), match.Settings{Options: "pits=3 seeds=2"}
	start := begin(t, b, s, "bot6").m.Question()
	solver := search.New(start.Game, 1<<20)
	answers := map[string]int{}
	for _, r := range solver.Rate(context.Background(), start.Position, nil, search.Limits{}).Moves {
		c := begin(t, b, s, "bot6")
		c.do(machine.Command{ID: "m", Kind: match.KindMove, By: "p0", Body: []byte(`{"ply":0,"move":"` + r.Move.String() + `"}`)})
		c.do(machine.Command{ID: "o", Kind: match.KindOffer, By: "p0", Body: []byte(`{"what":"draw"}`)})
		task, _ := c.task()
		cmd, err := b.Answer(context.Background(), c.id, task)
		want := match.KindAccept
		if r.Value < 0 { // worse for p0 is better for the bot
			want = match.KindDecline
		}
		if err != nil || cmd.Kind != want {
			t.Errorf("after %v, worth %v to p0, the bot answers %s, %v", r.Move, r.Value, cmd.Kind, err)
		}
		answers[cmd.Kind]++
		c.do(cmd)
	}
	if len(answers) != 2 {
		t.Errorf("the test needs both answers and has %v", answers)
	}
}

func TestHintIsTheBestMove(t *testing.T) {
	pool := searchpool.New(searchpool.Options{Workers: 1})
	defer pool.Close()
	b := New(pool, 0)
	c := begin(t, b, match.Settings{}, "bot1")
	a, err := b.Hint(context.Background(), "p0", netip.Addr{}, c.m.Question())
	if err != nil || len(a.Line) == 0 || a.Line[0] != (engine.Move{Pit: 2}) {
		t.Errorf("the hint is %v, %v; want c, which ends in the store", a.Line, err)
	}
}

func TestPlayerIsNotUsedAgainAfterAPanic(t *testing.T) {
	pool := searchpool.New(searchpool.Options{Workers: 1})
	defer pool.Close()
	b := New(pool, 0)
	q := begin(t, b, match.Settings{}, "bot1").m.Question()
	q.Position.Phase = engine.Over // no search may be asked for it
	if _, err := b.Hint(t.Context(), "p0", netip.Addr{}, q); err == nil || len(b.idle.list) > 0 {
		t.Errorf("after %v there are %d players to use again", err, len(b.idle.list))
	}
}

func TestIdlePlayersAreUsedAgainAndBounded(t *testing.T) {
	var i idle
	g := engine.MustCompile(engine.Systems[0].Text)
	first := i.take(8, g)
	i.keep(8, g, first)
	if i.take(8, g) != first {
		t.Error("a player was not used again")
	}
	for range 3 {
		i.keep(8, g, first)
	}
	if len(i.list) != 3 {
		t.Errorf("%d of three strong players were kept", len(i.list))
	}
	for level := adviser; level <= 8; level++ {
		for range 4 {
			i.keep(level, g, first)
		}
	}
	if i.size > maxIdle || len(i.list) == 0 {
		t.Errorf("kept %d players with %d nodes", len(i.list), i.size)
	}
}

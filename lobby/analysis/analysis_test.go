package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"sync"
	"testing"
	"time"

	"mancala/engine"
	"mancala/engine/search/review"
	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/lobby/searchpool"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// played are the entries of a game of two people in which the first legal move is made
// until there is none, or so many have been.
func played(t *testing.T, rules, options string, plies int) (list []*room.Published) {
	t.Helper()
	m, at := match.New(), time.UnixMilli(1_795_252_000_000)
	do := func(c machine.Command) {
		t.Helper()
		e, err := m.Decide(c, at)
		if err == nil {
			e.At, e.By, e.Command = at.UnixMilli(), c.By, c.ID
			err = m.Apply(e)
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &room.Published{Seq: uint64(len(list) + 1), Entry: e})
	}
	people := []string{"ada", "ben"}
	do(match.Creation{Settings: match.Settings{Rules: rules, Options: options}, Seats: people, Secret: "s"}.Command("create"))
	for m.State() == "live" && plies > 0 {
		p := m.Position()
		body, _ := json.Marshal(map[string]any{"ply": p.Ply, "move": m.Game().LegalMoves(&p, nil)[0].String()})
		do(machine.Command{ID: "m", Kind: match.KindMove, By: m.Players()[p.Seat], Body: body})
		plies--
	}
	return list
}

// shelf is games by room.
type shelf struct {
	mu    sync.Mutex
	games map[string][]*room.Published
	read  int
	fails error
}

func (s *shelf) Entries(_ context.Context, id, player string) ([]*room.Published, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read++
	if player != "" {
		return nil, errors.New("read as a player: watchers may see less")
	}
	return s.games[id], s.fails
}

// instances are several that share a database, with a clock of their own.
type instances struct {
	*testing.T
	db    lobby.DB
	lobby *lobby.Lobby
	games *shelf
	now   time.Time
}

func open(t *testing.T, db lobby.DB) *instances {
	t.Helper()
	l, err := lobby.Open(t.Context(), db, lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	over := played(t, "kalah", "pits=3 seeds=2", 100)
	return &instances{t, db, l, &shelf{games: map[string][]*room.Published{"over0": over, "live0": over[:4], "empty0": nil}}, time.UnixMilli(1_800_000_000_000)}
}

func (in *instances) start(name string, opt Options) *Analyses {
	in.Helper()
	pool := searchpool.New(searchpool.Options{Workers: 1})
	opt.Self, opt.Pool, opt.Games = name, pool, in.games
	opt.Now = func() time.Time { return in.now }
	a, err := Open(in.Context(), in.db, in.lobby, opt)
	if err != nil {
		in.Fatal(err)
	}
	in.Cleanup(func() {
		if err := a.Close(); err != nil {
			in.Error(err)
		}
		pool.Close()
	})
	return a
}

func (in *instances) ask(a *Analyses, id, who string) *Analysis {
	in.Helper()
	x, err := a.Ask(in.Context(), id, who, netip.Addr{})
	if err != nil {
		in.Fatal(err)
	}
	return x
}

// made waits for the analysis of a game.
func (in *instances) made(a *Analyses, id string) *Analysis {
	in.Helper()
	a.group.Wait()
	x, err := a.Find(in.Context(), id)
	if err != nil || !x.Made() {
		in.Fatalf("%s: %+v, %v", id, x, err)
	}
	return x
}

// TestOnce: a game is looked at once, on whichever instance it is asked for, and what
// was found is what the review of the game says.
func TestOnce(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		in := open(t, db)
		a, b := in.start("a", Options{}), in.start("b", Options{})
		if _, err := a.Find(t.Context(), "over0"); !errors.Is(err, ErrNone) {
			t.Errorf("before anybody asked: %v", err)
		}
		if x := in.ask(a, "over0", "ada"); x.Asker != "ada" || x.All != 6 {
			t.Errorf("asked for: %+v", x)
		}
		in.ask(b, "over0", "ben")
		first := in.made(a, "over0")
		read := in.games.read
		again := in.made(b, "over0")
		in.ask(b, "over0", "ben")
		if len(b.running) > 0 || in.games.read != read {
			t.Errorf("it was looked at twice")
		}
		story, err := Story(t.Context(), in.games, "over0", "")
		if err != nil {
			t.Fatal(err)
		}
		want, err := review.Of(t.Context(), replay(story.Match.Game(), story.Rounds[0]), a.opt.Budget)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := json.Marshal(first.Rounds)
		y, _ := json.Marshal(again.Rounds)
		z, _ := json.Marshal([]*review.Review{want})
		if string(x) != string(y) || string(x) != string(z) || first.Done != first.All {
			t.Errorf("found %s\nthen  %s\nwant  %s", x, y, z)
		}
	})
}

// TestTakenUp: the work of an instance that is dead is taken up by another, once its
// claim has run out; and if the first one was only slow, what it has changes nothing.
func TestTakenUp(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a, b := in.start("a", Options{}), in.start("b", Options{})
	if mine, err := a.claim(t.Context(), "over0", "ada", 20); !mine || err != nil { // and says nothing more
		t.Fatal(mine, err)
	}
	if err := b.takeUp(t.Context()); err != nil || len(b.running) > 0 {
		t.Fatalf("taken from one who lives: %v", err)
	}
	in.now = in.now.Add(held + time.Second)
	if err := b.takeUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.made(b, "over0")
	if mine, err := a.renew(t.Context(), "over0", 3); mine || err != nil {
		t.Errorf("the first one goes on: %v", err)
	}
	if mine, err := a.finish(t.Context(), "over0", nil); mine || err != nil {
		t.Errorf("the first one writes over it: %v", err)
	}
}

// TestGivenUp: an instance that closes lets go at once, and it was no failure.
func TestGivenUp(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a, b := in.start("a", Options{}), in.start("b", Options{})
	for range tries + 1 {
		if mine, err := a.claim(t.Context(), "over0", "ada", 20); err != nil {
			t.Fatal(mine, err)
		}
		if err := a.giveUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if mine, err := a.takeOver(t.Context(), "over0"); !mine || err != nil {
			t.Fatal(mine, err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.takeUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.made(b, "over0")
}

// TestFailed: a game that cannot be read is tried a few times; then it is said so, and
// somebody may ask again.
func TestFailed(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{})
	if mine, err := a.claim(t.Context(), "over0", "ada", 20); !mine || err != nil {
		t.Fatal(mine, err)
	}
	in.games.fails = errors.New("the database is away")
	for range tries + 1 {
		in.now = in.now.Add(held + time.Second)
		if err := a.takeUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.group.Wait()
	}
	if x, err := a.Find(t.Context(), "over0"); err != nil || !x.Failed {
		t.Fatalf("after %d tries: %+v, %v", tries, x, err)
	}
	in.games.fails = nil
	if x := in.ask(a, "over0", "ben"); x.Failed || x.Asker != "ben" {
		t.Errorf("asked again: %+v", x)
	}
	in.made(a, "over0")
}

// TestCancelled: who has asked may give it up while it is not there, on any instance,
// and nobody else.
func TestCancelled(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a, b := in.start("a", Options{AtOnce: 1}), in.start("b", Options{})
	a.slots <- struct{}{} // somebody else is at work
	in.ask(a, "over0", "ada")
	if err := b.Cancel(t.Context(), "over0", "ben"); err != nil {
		t.Fatal(err)
	}
	if x, err := b.Find(t.Context(), "over0"); err != nil || x.Made() {
		t.Fatalf("ben gave up what ada wants: %+v, %v", x, err)
	}
	if err := a.Cancel(t.Context(), "over0", "ada"); err != nil {
		t.Fatal(err)
	}
	a.group.Wait()
	if _, err := b.Find(t.Context(), "over0"); !errors.Is(err, ErrNone) {
		t.Errorf("given up: %v", err)
	}
	in.ask(b, "over0", "ada")
	in.made(b, "over0")
	if err := b.Cancel(t.Context(), "over0", "ada"); err != nil {
		t.Fatal(err)
	}
	in.made(b, "over0") // what has been made stays
}

// TestAskedAgainAtOnce: who has given up an analysis and asks again gets it, also if
// what was at work has not left yet.
func TestAskedAgainAtOnce(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{})
	left := &run{done: make(chan struct{})}
	left.ctx, left.cancel = context.WithCancel(t.Context())
	a.running["over0"] = left
	if err := a.Cancel(t.Context(), "over0", "ada"); err != nil || left.ctx.Err() != nil {
		t.Errorf("what nobody has asked for was given up: %v", err)
	}
	left.cancel()
	in.ask(a, "over0", "ada")
	close(left.done)
	in.made(a, "over0")
	if len(a.running) > 0 {
		t.Errorf("still at work: %v", a.running)
	}
}

// TestRefused: games that go on, that nobody has played in, and those that there is no
// room for.
func TestRefused(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{AtOnce: 1, Waiting: 1})
	var refused *machine.Error
	if _, err := a.Ask(t.Context(), "live0", "ada", netip.Addr{}); !errors.As(err, &refused) || refused.Code != CodeNotOver {
		t.Errorf("a game that goes on: %v", err)
	}
	a.slots <- struct{}{}
	for _, id := range []string{"over1", "over2", "over3"} {
		in.games.games[id] = in.games.games["over0"]
	}
	in.ask(a, "over1", "ada")
	in.ask(a, "over2", "ada")
	if _, err := a.Ask(t.Context(), "over3", "ben", netip.Addr{}); !errors.Is(err, searchpool.ErrBusy) {
		t.Errorf("no room: %v", err)
	}
	<-a.slots
	in.made(a, "over2")
	in.ask(a, "over3", "ben")
	in.made(a, "over3")
}

// TestAskerForgotten: nothing of him stays in the table.
func TestAskerForgotten(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{})
	in.ask(a, "over0", "ada")
	a.group.Wait()
	if err := in.lobby.People.Forget(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	if x := in.made(a, "over0"); x.Asker != "" {
		t.Errorf("asked for by %q", x.Asker)
	}
}

// TestLook: a position is looked at by itself.
func TestLook(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{})
	g := engine.MustCompile("kalah")
	p, err := g.Parse("0,0,4,0,0,1/0,0,4,0,3,0 18/18 S play 0 0")
	if err != nil {
		t.Fatal(err)
	}
	ply, err := a.Look(t.Context(), g, p, "ada", netip.Addr{})
	if err != nil || !ply.Exact || ply.Value != 0 || len(ply.Moves) != 2 || len(ply.Best) == 0 {
		t.Errorf("%+v, %v", ply, err)
	}
}

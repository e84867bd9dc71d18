package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/engine"
	"mancala/engine/search/review"
	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/lobby/searchpool"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// first makes the first legal move.
func first(legal []engine.Move) engine.Move { return legal[0] }

// fakeGames holds games by room.
type fakeGames struct {
	mu    sync.Mutex
	games map[string][]*room.Published
	read  int
	fails error
}

func (s *fakeGames) View(context.Context, string, string) (room.View, error) {
	return room.View{Kind: match.Kind}, nil
}

func (s *fakeGames) Entries(_ context.Context, id, player string) ([]*room.Published, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read++
	if player != "" {
		return nil, errors.New("the game was read as a player may see it, not as watchers may")
	}
	return s.games[id], s.fails
}

// instances are several instances that share a database and a clock.
type instances struct {
	*testing.T
	db    lobby.DB
	lobby *lobby.Lobby
	games *fakeGames
	now   time.Time
}

func open(t *testing.T, db lobby.DB) *instances {
	t.Helper()
	l, err := lobby.Open(t.Context(), db, lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	over := lobbytest.Played(t, match.Settings{Rules: "kalah", Options: "pits=3 seeds=2"}, 100, first)
	return &instances{t, db, l, &fakeGames{games: map[string][]*room.Published{"over0": over, "live0": over[:4], "empty0": nil}}, time.UnixMilli(1_800_000_000_000)}
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

// made waits until the analysis of a game is complete.
func (in *instances) made(a *Analyses, id string) *Analysis {
	in.Helper()
	a.group.Wait()
	x, err := a.Find(in.Context(), id)
	if err != nil || !x.Made() {
		in.Fatalf("the analysis of %s is not complete: %+v, %v", id, x, err)
	}
	return x
}

// TestGameIsReviewedOnceForAllInstances also checks that the result is the review of the
// game.
func TestGameIsReviewedOnceForAllInstances(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		in := open(t, db)
		a, b := in.start("a", Options{}), in.start("b", Options{})
		if _, err := a.Find(t.Context(), "over0"); !errors.Is(err, ErrNone) {
			t.Errorf("before any request, Find returned %v", err)
		}
		if x := in.ask(a, "over0", "ada"); x.Asker != "ada" || x.All != 6 {
			t.Errorf("the request returned %+v", x)
		}
		in.ask(b, "over0", "ben")
		first := in.made(a, "over0")
		read := in.games.read
		again := in.made(b, "over0")
		in.ask(b, "over0", "ben")
		if len(b.running) > 0 || in.games.read != read {
			t.Errorf("the game was reviewed twice")
		}
		story, err := Story(t.Context(), in.games, "over0", "")
		if err != nil {
			t.Fatal(err)
		}
		want, err := review.Of(t.Context(), story.Rounds[0].Replay(story.Match.Game()), a.opt.Budget)
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

func TestAbandonedGameIsTakenOverAndItsFirstOwnerWritesNothing(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a, b := in.start("a", Options{}), in.start("b", Options{})
	if mine, err := a.claim(t.Context(), "over0", "ada", 20); !mine || err != nil { // and it never renews the claim
		t.Fatal(mine, err)
	}
	if err := b.takeOverAbandoned(t.Context()); err != nil || len(b.running) > 0 {
		t.Fatalf("a game with a valid claim was taken over: %v", err)
	}
	in.now = in.now.Add(claimFor + time.Second)
	if err := b.takeOverAbandoned(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.made(b, "over0")
	if mine, err := a.renew(t.Context(), "over0", 3); mine || err != nil {
		t.Errorf("the first instance renewed a claim that it had lost: %v", err)
	}
	if mine, err := a.finish(t.Context(), "over0", nil); mine || err != nil {
		t.Errorf("the first instance overwrote the result: %v", err)
	}
}

// watched is a database that tells of each write, until ignored is closed.
type watched struct {
	lobby.DB
	wrote, ignored chan struct{}
}

func (db watched) Write(ctx context.Context, fn func(lobby.Tx) error) error {
	err := db.DB.Write(ctx, fn)
	select {
	case db.wrote <- struct{}{}:
	case <-db.ignored:
	}
	return err
}

func TestClaimIsRenewedWhileAStepWaitsForAWorker(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a, b := in.start("a", Options{}), in.start("b", Options{})
	taken, free := make(chan struct{}), make(chan struct{})
	go a.opt.Pool.Do(t.Context(), searchpool.Job{Kind: searchpool.Analysis}, func(context.Context) { close(taken); <-free })
	<-taken
	var later atomic.Int64
	a.opt.Now = func() time.Time { return in.now.Add(time.Duration(later.Load())) }
	db := watched{a.db, make(chan struct{}), make(chan struct{})}
	a.db = db
	go a.Ask(t.Context(), "over0", "ada", netip.Addr{})
	<-db.wrote // the claim
	later.Store(int64(claimFor))
	<-db.wrote // it may have begun before that
	<-db.wrote
	close(db.ignored)
	b.opt.Now = func() time.Time { return in.now.Add(claimFor + time.Second) }
	if err := b.takeOverAbandoned(t.Context()); err != nil || len(b.running) > 0 {
		t.Errorf("a game whose next step waits for a worker was taken over: %v", err)
	}
	close(free)
	in.made(a, "over0")
}

func TestClosingReleasesGamesWithoutCountingATry(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a, b := in.start("a", Options{}), in.start("b", Options{})
	for range maxTries + 1 {
		if mine, err := a.claim(t.Context(), "over0", "ada", 20); err != nil {
			t.Fatal(mine, err)
		}
		if err := a.release(t.Context()); err != nil {
			t.Fatal(err)
		}
		if mine, err := a.takeOver(t.Context(), "over0"); !mine || err != nil {
			t.Fatal(mine, err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.takeOverAbandoned(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.made(b, "over0")
}

func TestAnalysisFailsAfterSomeTriesAndMayBeRequestedAgain(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{})
	if mine, err := a.claim(t.Context(), "over0", "ada", 20); !mine || err != nil {
		t.Fatal(mine, err)
	}
	in.games.fails = errors.New("the database is away")
	for range maxTries + 1 {
		in.now = in.now.Add(claimFor + time.Second)
		if err := a.takeOverAbandoned(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.group.Wait()
	}
	if x, err := a.Find(t.Context(), "over0"); err != nil || !x.Failed {
		t.Fatalf("after %d tries: %+v, %v", maxTries, x, err)
	}
	in.games.fails = nil
	if x := in.ask(a, "over0", "ben"); x.Failed || x.Asker != "ben" {
		t.Errorf("the second request returned %+v", x)
	}
	in.made(a, "over0")
}

func TestOnlyTheAskerMayCancelAnUnfinishedAnalysis(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a, b := in.start("a", Options{AtOnce: 1}), in.start("b", Options{})
	a.slots <- struct{}{} // another game takes the slot
	in.ask(a, "over0", "ada")
	if err := b.Cancel(t.Context(), "over0", "ben"); err != nil {
		t.Fatal(err)
	}
	if x, err := b.Find(t.Context(), "over0"); err != nil || x.Made() {
		t.Fatalf("ben cancelled ada's analysis: %+v, %v", x, err)
	}
	if err := a.Cancel(t.Context(), "over0", "ada"); err != nil {
		t.Fatal(err)
	}
	a.group.Wait()
	if _, err := b.Find(t.Context(), "over0"); !errors.Is(err, ErrNone) {
		t.Errorf("after it was cancelled, Find returned %v", err)
	}
	in.ask(b, "over0", "ada")
	in.made(b, "over0")
	if err := b.Cancel(t.Context(), "over0", "ada"); err != nil {
		t.Fatal(err)
	}
	in.made(b, "over0") // a complete analysis stays
}

func TestRequestAfterCancelWaitsForTheCancelledRun(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{})
	left := &run{done: make(chan struct{})}
	left.ctx, left.cancel = context.WithCancel(t.Context())
	a.running["over0"] = left
	if err := a.Cancel(t.Context(), "over0", "ada"); err != nil || left.ctx.Err() != nil {
		t.Errorf("an analysis without a row was cancelled: %v", err)
	}
	left.cancel()
	in.ask(a, "over0", "ada")
	close(left.done)
	in.made(a, "over0")
	if len(a.running) > 0 {
		t.Errorf("still running: %v", a.running)
	}
}

func TestGamesThatGoOnAndGamesBeyondTheQueueAreRefused(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{AtOnce: 1, Waiting: 1})
	if _, err := a.Ask(t.Context(), "live0", "ada", netip.Addr{}); !refusal.Is(err, CodeNotOver) {
		t.Errorf("for a game that goes on, Ask returned %v", err)
	}
	a.slots <- struct{}{}
	for _, id := range []string{"over1", "over2", "over3"} {
		in.games.games[id] = in.games.games["over0"]
	}
	in.ask(a, "over1", "ada")
	in.ask(a, "over2", "ada")
	if _, err := a.Ask(t.Context(), "over3", "ben", netip.Addr{}); !errors.Is(err, searchpool.ErrBusy) {
		t.Errorf("with a full queue, Ask returned %v", err)
	}
	<-a.slots
	in.made(a, "over2")
	in.ask(a, "over3", "ben")
	in.made(a, "over3")
}

func TestForgottenAskerIsRemovedFromTheTable(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{})
	in.ask(a, "over0", "ada")
	a.group.Wait()
	if err := in.lobby.People.Forget(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	if x := in.made(a, "over0"); x.Asker != "" {
		t.Errorf("the asker is still %q", x.Asker)
	}
}

func TestLookReturnsTheValueOfEachMove(t *testing.T) {
	in := open(t, lobbytest.Memory(t))
	a := in.start("a", Options{})
	g := engine.MustCompile("kalah")
	p, err := g.Parse("0,0,4,0,0,1/0,0,4,0,3,0 18/18 S play 0 0")
	if err != nil {
		t.Fatal(err)
	}
	ply, err := a.Look(t.Context(), g, p, "ada", netip.Addr{})
	if err != nil || !ply.Exact || ply.Value != 0 || len(ply.Moves) != 2 || len(ply.Best) == 0 {
		t.Errorf("the ply is %+v, %v", ply, err)
	}
}

// An analysis is kept for a time after it was made. An analysis of a release that wrote no
// time counts as made at the first sweep.
func TestAnalysisIsDeletedAfterATime(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		in := open(t, db)
		a := in.start("one", Options{Kept: 30 * 24 * time.Hour})
		in.ask(a, "over0", "ada")
		in.made(a, "over0")
		if _, err := a.exec(t.Context(), `INSERT INTO analyses (room, format, asker, owner, until, tries, done, total, result)
			VALUES ('older0', 1, 'ada', 'one', 0, 1, 1, 1, '[]')`); err != nil {
			t.Fatal(err)
		}
		has := func(room string) bool {
			t.Helper()
			_, err := a.Find(t.Context(), room)
			if err != nil && !errors.Is(err, ErrNone) {
				t.Fatal(err)
			}
			return err == nil
		}
		for _, step := range []struct {
			after       time.Duration
			over, older bool
		}{{29 * 24 * time.Hour, true, true}, {2 * 24 * time.Hour, false, true}, {28*24*time.Hour + time.Second, false, false}} {
			in.now = in.now.Add(step.after)
			if err := a.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if over, older := has("over0"), has("older0"); over != step.over || older != step.older {
				t.Errorf("after %v: %v, %v, want %v, %v", step.after, over, older, step.over, step.older)
			}
		}
	})
}

package seeks_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby/seeks"
	"mancala/match"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

type listener struct {
	news []seeks.News
	gone []*seeks.Copy
}

func (l *listener) Changed(n seeks.News)        { l.news = append(l.news, n) }
func (l *listener) Note(room.Note)              {}
func (l *listener) Gone(p *seeks.Copy, _ error) { l.gone = append(l.gone, p) }

// newRegistry starts a registry that runs the lobby, and ends it with the test. It opens no
// games.
func newRegistry(t *testing.T) *room.Registry { return openRegistry(t, nil) }

// openRegistry is newRegistry with a function that opens the games of pairs.
func openRegistry(t *testing.T, open room.Handler) *room.Registry {
	t.Helper()
	journal, err := seeks.Journal(t.Context(), memjournal.New())
	if err != nil {
		t.Fatal(err)
	}
	tasks := map[string]room.Handler{}
	if open != nil {
		tasks[seeks.TaskOpen] = open
	}
	ctx, cancel := context.WithCancel(context.Background())
	rooms, err := room.Start(ctx, room.Config{
		Self: "test", Journal: journal, Tasks: tasks, Grace: 5 * time.Minute, // a busy machine may stop the test for seconds
		Kinds: map[string]func(string) machine.Machine{
			seeks.Kind: func(string) machine.Machine { return seeks.New() },
			match.Kind: func(string) machine.Machine { return match.New() },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rooms.Drain(context.Background(), nil); err != nil {
			t.Error(err)
		}
		cancel()
		rooms.Wait()
	})
	return rooms
}

func TestClientSharesOneCopyUntilTheLastHoldIsReleased(t *testing.T) {
	rooms := newRegistry(t)
	c := seeks.NewClient(rooms)
	a, err := c.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Hold(t.Context())
	if err != nil || a != b {
		t.Fatalf("a second hold got %p and %v, want the same copy %p", b, err, a)
	}
	a.Release()
	if b.Gone() {
		t.Fatal("the copy has ended although it is held")
	}
	b.Release()
	if !b.Gone() {
		t.Error("the copy has not ended although it is not held")
	}
	next, err := c.Hold(t.Context())
	if err != nil || next == a || next.Gone() {
		t.Errorf("a hold after the last release got %p, ended: %v, and %v; want a new copy", next, next.Gone(), err)
	}
	next.Release()
}

func TestClientFollowsAnewWhenACopyHasEnded(t *testing.T) {
	rooms := newRegistry(t)
	c := seeks.NewClient(rooms)
	l := &listener{}
	c.Listen(l)
	old, err := c.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := rooms.Drain(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if len(l.gone) != 1 || l.gone[0] != old || !old.Gone() {
		t.Fatalf("the listener got the end of %v, want %p", l.gone, old)
	}
	if _, err := c.Hold(t.Context()); err == nil {
		t.Error("a drained registry was followed")
	}
	old.Release()
}

// seek makes a player wait with an open seek, and returns its ID.
func seek(t *testing.T, c *seeks.Client, p *seeks.Copy, player string) string {
	t.Helper()
	p.Join(player)
	if _, err := c.Do(t.Context(), player, seeks.KindSeek, json.RawMessage(`{"key":"k","rules":"oware","clock":"5+3"}`)); err != nil {
		t.Fatal(err)
	}
	return seeks.GameID(player, "k")
}

// waiting returns the players who wait as this client knows it.
func waiting(t *testing.T, c *seeks.Client) (players []string, followed bool) {
	t.Helper()
	look := func(s *seeks.State) {
		for _, w := range s.Waits {
			players = append(players, w.Player)
		}
	}
	followed = c.Followed(func(*seeks.State) {})
	if err := c.State(t.Context(), look); err != nil {
		t.Fatal(err)
	}
	return players, followed
}

func TestClientFoldsTheStateOnceACopyHasBegun(t *testing.T) {
	c := seeks.NewClient(newRegistry(t))
	l := &listener{}
	c.Listen(l)
	copy, err := c.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seek(t, c, copy, "ada")
	if players, followed := waiting(t, c); followed || !slices.Equal(players, []string{"ada"}) || len(l.news) > 0 {
		t.Errorf("before: %q wait, followed: %t, %d news", players, followed, len(l.news))
	}
	for range 2 { // the second call reads nothing
		if err := copy.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	seek(t, c, copy, "ben")
	if players, followed := waiting(t, c); !followed || !slices.Equal(players, []string{"ada", "ben"}) {
		t.Errorf("afterwards: %q wait, followed: %t", players, followed)
	}
	if len(l.news) != 1 || l.news[0].In == nil || l.news[0].In.Player != "ben" {
		t.Errorf("the listener got %+v", l.news)
	}
	copy.Release()
	if _, followed := waiting(t, c); followed {
		t.Error("the state is known although no copy is held")
	}
}

func TestNewsNameTheChallengesThatHaveEnded(t *testing.T) {
	c := seeks.NewClient(newRegistry(t))
	l := &listener{}
	c.Listen(l)
	copy, err := c.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer copy.Release()
	if err := copy.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Do(t.Context(), "ada", seeks.KindChallenge, json.RawMessage(`{"key":"k","to":"ben","rules":"oware","clock":"5+3"}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Do(t.Context(), "ben", seeks.KindDecline, json.RawMessage(`{"seek":"`+seeks.GameID("ada", "k")+`"}`)); err != nil {
		t.Fatal(err)
	}
	if len(l.news) != 2 || len(l.news[1].Over) != 1 || l.news[1].Over[0].By != "ada" || l.news[1].Over[0].Why != seeks.EndDeclined {
		t.Errorf("the listener got %+v", l.news)
	}
}

func TestPlayersWhoWaitAreKeptApart(t *testing.T) {
	c := seeks.NewClient(newRegistry(t))
	copy, err := c.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer copy.Release()
	seek(t, c, copy, "ada")
	if err := c.KeepApart(t.Context(), "ada", "ben"); err != nil {
		t.Errorf("one of them waits: %v", err)
	}
	seek(t, c, copy, "ben")
	if err := c.KeepApart(t.Context(), "ada", "ben"); err != nil {
		t.Fatal(err)
	}
	err = c.State(t.Context(), func(s *seeks.State) {
		for player, other := range map[string]string{"ada": "ben", "ben": "ada"} {
			if got := s.Of(player).Facts.Apart; !slices.Equal(got, []string{other}) {
				t.Errorf("%s is kept apart from %q", player, got)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWithdrawEndsWhatAPlayerHasOpen(t *testing.T) {
	c := seeks.NewClient(newRegistry(t))
	copy, err := c.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer copy.Release()
	seek(t, c, copy, "ada")
	seek(t, c, copy, "ben")
	for by, to := range map[string]string{"ada": "ben", "cleo": "ada"} {
		if _, err := c.Do(t.Context(), by, seeks.KindChallenge, json.RawMessage(`{"key":"c","to":"`+to+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // a repeat has nothing to end
		if err := c.Withdraw(t.Context(), "ada"); err != nil {
			t.Fatal(err)
		}
	}
	err = c.State(t.Context(), func(s *seeks.State) {
		if s.Of("ada") != nil || s.Of("ben") == nil || len(s.Asked) != 1 || s.Asked[0].By != "cleo" {
			t.Errorf("%+v is left", s)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMissedGameIsTakenOnceAndSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := seeks.NewClient(newRegistry(t))
		c.Missed(seeks.Found{Player: "ada", Game: "g1", At: time.Now().UnixMilli()})
		if f, ok := c.TakeMissed("ada"); !ok || f.Game != "g1" {
			t.Errorf("took %+v, %t", f, ok)
		}
		if f, ok := c.TakeMissed("ada"); ok {
			t.Errorf("took %+v again", f)
		}
		c.Missed(seeks.Found{Player: "ben", Game: "g2", At: time.Now().UnixMilli()})
		time.Sleep(seeks.FoundFor + time.Second)
		if f, ok := c.TakeMissed("ben"); ok {
			t.Errorf("took %+v too late", f)
		}
	})
}

// pairs has ben accept ada's seek, and returns the ID of their game.
func pairs(t *testing.T, c *seeks.Client) string {
	t.Helper()
	copy, err := c.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(copy.Release)
	id := seek(t, c, copy, "ada")
	if _, err := c.Do(t.Context(), "ben", seeks.KindAccept, json.RawMessage(`{"seek":"`+id+`"}`)); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestAwaitReturnsAsSoonAsTheGameOfThePairExists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rooms *room.Registry
		begin := make(chan struct{})
		rooms = openRegistry(t, func(ctx context.Context, task room.Task) (json.RawMessage, error) {
			<-begin
			var p seeks.Pair
			if err := json.Unmarshal(task.Body, &p); err != nil {
				return nil, err
			}
			return nil, rooms.Create(ctx, p.ID, match.Kind, p.Creation(time.Hour, "free"))
		})
		c := seeks.NewClient(rooms)
		id := pairs(t, c)
		done := make(chan error, 1)
		go func() { done <- c.Await(t.Context(), id) }()
		synctest.Wait()
		began := time.Now()
		close(begin)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("it took %v, so Await has looked again and not heard of it", took)
		}
		if _, err := rooms.View(t.Context(), id, ""); err != nil {
			t.Errorf("the game: %v", err)
		}
		if err := c.Await(t.Context(), id); err != nil {
			t.Errorf("for a game that exists: %v", err)
		}
		if n := c.Awaited(); n != 0 {
			t.Errorf("%d games are still expected", n)
		}
	})
}

func TestAwaitIsRefusedIfThePairMustNotMeet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := make(chan struct{})
		c := seeks.NewClient(openRegistry(t, func(context.Context, room.Task) (json.RawMessage, error) {
			<-begin
			return json.RawMessage(`{"apart":true}`), nil
		}))
		id := pairs(t, c)
		done := make(chan error, 1)
		go func() { done <- c.Await(t.Context(), id) }()
		synctest.Wait()
		close(begin)
		if err := <-done; !refusal.Is(err, seeks.CodeSeekGone) {
			t.Errorf("got %v", err)
		}
		if n := c.Awaited(); n != 0 {
			t.Errorf("%d games are still expected", n)
		}
	})
}

func TestAwaitEndsWithItsContext(t *testing.T) {
	c := seeks.NewClient(newRegistry(t))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := c.Await(ctx, seeks.GameID("ada", "k")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if n := c.Awaited(); n != 0 {
		t.Errorf("%d games are still expected", n)
	}
}

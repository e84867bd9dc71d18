package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/match/journal"
)

// A session that was ended is refused at once on the same instance, and on other
// instances after their next poll.
func TestEndedSessionIsRefusedOnEveryInstance(t *testing.T) {
	with(t, func(p *place) {
		i, other := p.instance(), p.instance()
		ada, _ := i.account("Ada")
		ben, _ := i.account("Ben")
		first, err := i.Begin(p.Context(), ada, "Firefox on Linux")
		p.must(err)
		second, err := i.Begin(p.Context(), ada, "Safari on iPhone")
		p.must(err)
		good := func(i *instance, what string, s Session, want bool) {
			p.Helper()
			code := CodeNoSession
			if want {
				code = ""
			}
			_, err := i.Session(p.Context(), s.ID, ada)
			p.refused(what, err, code)
		}
		for _, i := range []*instance{i, other, i, other} { // first read, then cached
			good(i, "first", first, true)
			good(i, "second", second, true)
		}
		_, err = i.Session(p.Context(), first.ID, ben)
		p.refused("another player's", err, CodeNoSession)
		_, err = i.Session(p.Context(), "s"+first.ID[2:]+"a", ada)
		p.refused("none", err, CodeNoSession)
		p.must(i.End(p.Context(), ben, first.ID))
		good(i, "ended by another", first, true)

		var told []string
		other.WhenEnded(func(ids []string) { told = append(told, ids...) })
		p.must(other.Poll(p.Context()))
		told = nil
		p.must(i.End(p.Context(), ada, first.ID))
		good(i, "ended", first, false)
		good(i, "the other one", second, true)
		p.advance(pollEvery)
		p.must(other.Poll(p.Context()))
		good(other, "ended elsewhere", first, false)
		good(other, "the other one", second, true)
		p.must(other.Poll(p.Context()))
		if !slices.Equal(told, []string{first.ID}) {
			p.Errorf("another instance heard of %q, want once %s", told, first.ID)
		}
		p.must(i.EndAll(p.Context(), ada))
		good(i, "all ended", second, false)
		p.advance(sessionRead) // without a poll too
		good(other, "all ended elsewhere", second, false)
	})
}

// Instances of a release that does not know renewed sessions still end the session.
func TestReplacedSessionIsToldAsEndedAndAsRenewed(t *testing.T) {
	with(t, func(p *place) {
		i, other := p.instance(), p.instance()
		ada, _ := i.account("Ada")
		s, err := i.Begin(p.Context(), ada, "here")
		p.must(err)
		_, err = other.Session(p.Context(), s.ID, ada) // it is cached there
		p.must(err)
		p.must(other.Poll(p.Context()))
		var here, there []string
		i.WhenEnded(func(ids []string) { here = append(here, ids...) })
		other.WhenEnded(func(ids []string) { there = append(there, ids...) })
		p.must(i.Replace(p.Context(), s))
		p.advance(pollEvery)
		p.must(other.Poll(p.Context()))
		for where, told := range map[string][]string{"here": here, "on another instance": there} {
			slices.Sort(told)
			if want := []string{"renewed-" + s.ID, s.ID}; !slices.Equal(told, want) {
				p.Errorf("%s came %q, want %q", where, told, want)
			}
		}
		_, err = other.Session(p.Context(), s.ID, ada)
		p.refused("the session before", err, CodeNoSession)
	})
}

func TestSessionSaysWhenItWasLastUsed(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		ada, _ := i.account("Ada")
		s, err := i.Begin(p.Context(), ada, "here")
		p.must(err)
		look := func(fresh bool) Session {
			p.Helper()
			got, err := i.Session(p.Context(), s.ID, ada)
			p.must(err)
			if got.Fresh != fresh {
				p.Errorf("fresh: %t, want %t", got.Fresh, fresh)
			}
			list, err := i.Sessions(p.Context(), ada)
			p.must(err)
			return list[0]
		}
		p.advance(9 * time.Minute)
		if got := look(true); !got.Seen.Equal(s.Seen.Truncate(time.Millisecond)) {
			p.Errorf("after nine minutes it was seen %v later", got.Seen.Sub(s.Seen))
		}
		p.advance(2 * time.Minute)
		if got := look(false); got.Seen.Sub(s.Seen) < 10*time.Minute {
			p.Errorf("after eleven minutes it was seen %v later", got.Seen.Sub(s.Seen))
		}
		p.advance(399 * 24 * time.Hour)
		p.must(i.Sweep(p.Context()))
		look(false)
		p.advance(401 * 24 * time.Hour)
		p.must(i.Sweep(p.Context()))
		_, err = i.Session(p.Context(), s.ID, ada)
		p.refused("a session of long ago", err, CodeNoSession)
	})
}

// A player who signs in again and again does not fill the table.
func TestOldestSessionEndsWhenThereAreTooMany(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		ada, _ := i.account("Ada")
		var all []Session
		for n := range maxSessions + 3 {
			s, err := i.Begin(p.Context(), ada, fmt.Sprint("device ", n))
			p.must(err)
			all = append(all, s)
			p.advance(time.Second)
		}
		list, err := i.Sessions(p.Context(), ada)
		p.must(err)
		if len(list) != maxSessions || list[0].ID != all[len(all)-1].ID {
			p.Errorf("%d sessions, the latest %s", len(list), list[0].Device)
		}
		_, err = i.Session(p.Context(), all[2].ID, ada)
		p.refused("the third", err, CodeNoSession)
	})
}

// conflicting is a database in which each write conflicts with another one at first, and so
// runs twice.
type conflicting struct{ lobby.DB }

func (db conflicting) Write(ctx context.Context, fn func(lobby.Tx) error) error {
	conflict := errors.New("a conflict")
	err := db.DB.Write(ctx, func(tx lobby.Tx) error { return cmp.Or(fn(tx), conflict) })
	if err != conflict {
		return err
	}
	return db.DB.Write(ctx, fn)
}

func TestOldestSessionIsToldOnceAfterAConflict(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		ada, _ := i.account("Ada")
		var all []Session
		for range maxSessions {
			s, err := i.Begin(p.Context(), ada, "here")
			p.must(err)
			all = append(all, s)
			p.advance(time.Second)
		}
		var told []string
		i.WhenEnded(func(ids []string) { told = append(told, ids...) })
		i.Accounts.db = conflicting{p.db}
		_, err := i.Begin(p.Context(), ada, "there")
		p.must(err)
		if !slices.Equal(told, []string{all[0].ID}) {
			p.Errorf("told of %q, want once %s", told, all[0].ID)
		}
	})
}

// faulty is a database in which one write fails.
type faulty struct {
	lobby.DB
	before  int  // how many writes succeed before that one; negative if none fails
	unknown bool // the write is stored, but its outcome is reported as unknown
}

func (db *faulty) Write(ctx context.Context, fn func(lobby.Tx) error) error {
	db.before--
	switch {
	case db.before != -1:
		return db.DB.Write(ctx, fn)
	case db.unknown:
		return cmp.Or(db.DB.Write(ctx, fn), journal.ErrUnknown)
	}
	return db.DB.Write(ctx, func(tx lobby.Tx) error { return cmp.Or(fn(tx), journal.ErrUnavailable) })
}

// The listeners delete what belongs to a session or a player, such as devices for messages.
func TestFailedWritesAreNotToldAsEnds(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		broken := &faulty{DB: db, before: -1}
		p := newPlace(t, broken)
		i := p.instance()
		all := func(i *instance, here Session) error { return i.EndAll(i.Context(), here.Player) }
		password := func(i *instance, here Session) error {
			return i.SetPassword(i.Context(), here, "Ada", "eight blue turtles")
		}
		forget := func(i *instance, here Session) error { return i.Forget(i.Context(), here.Player) }
		for n, tt := range []struct {
			name     string
			do       func(*instance, Session) error
			before   int
			unknown  bool
			now      string // whose IDs are told at once
			nextPoll string // whose IDs are told at the next poll
		}{
			{name: "all sessions", do: all},
			{name: "all sessions, outcome unknown", do: all, unknown: true, nextPoll: "here, other"},
			{name: "another password", do: password},
			{name: "another password, outcome unknown", do: password, unknown: true, nextPoll: "other"},
			{name: "the sessions of a deleted player", do: forget},
			{name: "the sessions of a deleted player, outcome unknown", do: forget, unknown: true, nextPoll: "here, other"},
			{name: "a deleted player", do: forget, before: 1, now: "here, other"},
			{name: "a deleted player, outcome unknown", do: forget, before: 1, unknown: true, now: "here, other, player"},
			{name: "the row of a deleted player", do: forget, before: 2, now: "here, other, player"},
		} {
			player, _ := i.account(fmt.Sprint("Ada ", n))
			here, err := i.Begin(p.Context(), player, "here")
			p.must(err)
			other, err := i.Begin(p.Context(), player, "there")
			p.must(err)
			p.must(i.Poll(p.Context()))
			p.advance(time.Second)
			var told []string
			i.open.tell = nil
			i.WhenEnded(func(ids []string) {
				for _, id := range ids {
					told = append(told, map[string]string{here.ID: "here", other.ID: "other", player: "player"}[id])
				}
			})
			heard := func(when, want string) {
				slices.Sort(told)
				if got := strings.Join(told, ", "); got != want {
					p.Errorf("%s: told of %q %s, want %q", tt.name, got, when, want)
				}
				told = nil
			}
			broken.before, broken.unknown = tt.before, tt.unknown
			if err := tt.do(i, here); err == nil {
				p.Errorf("%s: no error", tt.name)
			}
			heard("at once", tt.now)
			p.must(i.Poll(p.Context()))
			heard("at the next poll", tt.nextPoll)
		}
	})
}

// Other instances learn that a guest got an account, and that a player was deleted.
func TestInstancesLearnOfPlayersChangedElsewhere(t *testing.T) {
	with(t, func(p *place) {
		i, other := p.instance(), p.instance()
		g, err := i.people.Guest(p.Context())
		p.must(err)
		if guest, err := other.people.IsGuest(p.Context(), g.ID); !guest || err != nil {
			p.Fatalf("a guest is one: %t, %v", guest, err)
		}
		p.must(other.people.Seen(p.Context(), g.ID))
		_, err = i.Create(p.Context(), g.ID, "Ada", secret)
		p.must(err)
		p.must(other.Poll(p.Context()))
		if guest, err := other.people.IsGuest(p.Context(), g.ID); guest || err != nil {
			p.Errorf("an account is a guest: %t, %v", guest, err)
		}
		p.must(other.people.Seen(p.Context(), g.ID))
		p.advance(time.Second)
		p.must(i.Forget(p.Context(), g.ID))
		p.must(other.Poll(p.Context()))
		p.refused("the deleted", other.people.Seen(p.Context(), g.ID), lobby.CodeNoPlayer)
	})
}

// A program's open connection is closed by the ID of its token.
func TestDeletionEndsSessionsAndTokensOnEveryInstance(t *testing.T) {
	with(t, func(p *place) {
		i, other := p.instance(), p.instance()
		ada, _ := i.account("Ada")
		ben, _ := i.account("Ben")
		var want []string
		for _, player := range []string{ada, ben} {
			s, err := i.Begin(p.Context(), player, "here")
			p.must(err)
			_, err = i.MakeToken(p.Context(), player, "bot", []string{"play"})
			p.must(err)
			tokens, err := i.Tokens(p.Context(), player)
			p.must(err)
			if player == ada {
				want = []string{player, s.ID, tokens[0].ID}
			}
		}
		slices.Sort(want)
		p.must(other.Poll(p.Context()))
		p.advance(time.Second)
		var here, there []string // the IDs that each instance passed on
		i.WhenEnded(func(ids []string) { here = append(here, ids...) })
		other.WhenEnded(func(ids []string) { there = append(there, ids...) })
		p.must(i.Forget(p.Context(), ada))
		p.must(other.Poll(p.Context()))
		for _, told := range [][]string{here, there} {
			if slices.Sort(told); !slices.Equal(told, want) {
				p.Errorf("told of %q, want %q", told, want)
			}
		}
	})
}

// The instance was paused, or could not reach the database.
func TestInstanceWithoutPollsForMinutesLearnsOnceWhatHasEnded(t *testing.T) {
	with(t, func(p *place) {
		i, other := p.instance(), p.instance()
		ada, _ := i.account("Ada")
		var all []string
		for range 3 {
			s, err := i.Begin(p.Context(), ada, "here")
			p.must(err)
			all = append(all, s.ID)
		}
		p.advance(5 * time.Minute)
		var told []string
		other.WhenEnded(func(ids []string) { told = append(told, ids...) })
		p.must(i.End(p.Context(), ada, all[0]))
		p.must(other.Poll(p.Context()))
		p.must(i.End(p.Context(), ada, all[1]))
		p.advance(3 * time.Minute)
		ctx, cancel := context.WithCancel(p.Context())
		cancel()
		if err := other.Poll(ctx); err == nil {
			p.Error("a poll succeeded whose context had ended")
		}
		p.must(other.End(p.Context(), ada, all[2])) // it forgets what no poll reads any more
		for range 2 {
			p.must(other.Poll(p.Context()))
		}
		want := append([]string{ada}, all...)
		slices.Sort(want)
		if slices.Sort(told); !slices.Equal(told, want) {
			p.Errorf("told of %q, want each once: %q", told, want)
		}
	})
}

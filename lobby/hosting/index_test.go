package hosting_test

import (
	"context"
	"net/netip"
	"slices"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match/journal"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// opening are rooms whose making ends with an error, after look.
type opening struct {
	hosting.Rooms
	look  func(id string)
	err   error
	reads int // the newest form that every instance reads
}

func (o opening) AllRead(_ context.Context, form int) (bool, error) { return form <= o.reads, nil }

func (o opening) Create(_ context.Context, id, _ string, _ ...machine.Command) error {
	o.look(id)
	return o.err
}

func TestTournamentWhoseRoomIsRefusedHasNoRow(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		for _, tt := range []struct {
			err  error
			rows int
		}{
			{refusal.New(tournament.CodeBadSettings), 0},
			{room.ErrUnavailable, 1}, // the room may be there
		} {
			rows := -1
			c.Rooms = opening{c.rooms, func(id string) { rows = c.count("tournaments", "id = $1", id) }, tt.err, journal.NewestForm}
			_, err := c.Open(t.Context(), c.guest(), netip.Addr{}, tournament.Settings{Name: "Cup", Listed: true})
			c.refused(lobby.CodeOf(tt.err), err)
			if n := c.count("tournaments", "1 = 1"); rows != 1 || n != tt.rows {
				t.Errorf("%v: there are %d rows when the room is made and %d afterwards, want 1 and %d", tt.err, rows, n, tt.rows)
			}
		}
		if list, err := c.Index.List(t.Context(), tournament.Entry, 5); err != nil || len(list) != 0 {
			t.Errorf("the list shows %+v, %v", list, err)
		}
	})
}

func TestTournamentIsNotMadeBesideAnInstanceOfAnOlderRelease(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		made := false
		rooms := opening{Rooms: c.rooms, look: func(string) { made = true }, err: room.ErrUnavailable}
		for _, tt := range []struct {
			settings tournament.Settings
			needs    int // the form
		}{
			{tournament.Settings{}, journal.FormTournaments},
			{tournament.Settings{Days: 7}, journal.FormRoundEnds},
			{tournament.Settings{Unplayed: tournament.UnplayedHost}, journal.FormRoundEnds},
			{tournament.Settings{Days: 7, Ends: time.Now().Add(24 * time.Hour).UnixMilli()}, journal.FormExactEnds},
		} {
			tt.settings.Name = "Cup"
			for _, form := range []int{tt.needs - 1, tt.needs} {
				made, rooms.reads = false, form
				c.Rooms = rooms
				_, err := c.Open(t.Context(), c.guest(), netip.Addr{}, tt.settings)
				if refused := refusal.Is(err, hosting.CodeUpgrading); refused != (form < tt.needs) || made == refused {
					t.Errorf("%+v beside an instance that reads form %d: %v", tt.settings, form, err)
				}
			}
		}
	})
}

func TestListTellsWhenTheStageLastChanged(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{Listed: true})
		changed := func(stage tournament.Stage) time.Time {
			c.settle()
			list, err := c.Index.List(t.Context(), stage, 5)
			if err != nil || len(list) != 1 {
				t.Fatalf("the list is %+v, %v", list, err)
			}
			return list[0].Changed
		}
		opened := changed(tournament.Entry)
		c.must(made.ID, host, tournament.KindSettings, tournament.Order{Settings: &tournament.Settings{Name: "School Cup 2", Listed: true}})
		if again := changed(tournament.Entry); !again.Equal(opened) {
			t.Errorf("new settings count as a new stage: %v, %v", opened, again)
		}
		c.join(made.ID, "Ada")
		c.join(made.ID, "Ben")
		started := time.Now().Truncate(time.Millisecond)
		c.must(made.ID, host, tournament.KindStart, tournament.Order{Round: 1})
		if at := changed(tournament.Running); at.Before(started) {
			t.Errorf("it changed at %v, and started at %v", at, started)
		}
	})
}

func TestSweepHidesTournamentsThatTakePlayersForLongUnlessTheyStartLater(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		const day = 24 * 60 * 60 * 1000 // ms
		now := time.Now().UnixMilli()
		for _, tt := range []struct {
			name         string
			made, starts int64 // ms
		}{
			{"new", now - 13*day, 0},
			{"old", now - 15*day, 0},
			{"old, starts later", now - 15*day, now + day},
			{"old, was to start long ago", now - 16*day, now - 15*day},
			{"old, was to start lately", now - 15*day, now - 13*day},
		} {
			made := c.open(c.guest(), tournament.Settings{Name: tt.name, Listed: true, Starts: tt.starts})
			c.settle()
			if err := c.db.Write(t.Context(), func(tx lobby.Tx) error {
				_, err := tx.Exec("UPDATE tournaments SET changed = $2 WHERE id = $1", made.ID, tt.made)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Index.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		rows, err := c.Index.List(t.Context(), tournament.Entry, 9)
		var names []string
		for _, r := range rows {
			names = append(names, r.Name)
		}
		slices.Sort(names)
		if want := []string{"new", "old, starts later", "old, was to start lately"}; err != nil || !slices.Equal(names, want) {
			t.Errorf("the list shows %q, %v, want %q", names, err, want)
		}
	})
}

func TestWholeNamesGoWithTheirPlayerAndTheirTournament(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made, other := c.open(host, tournament.Settings{Initials: true}), c.open(host, tournament.Settings{Initials: true})
		ada := c.join(made.ID, "Ada Lovelace")
		c.join(made.ID, "Anton Lang")
		c.join(other.ID, "Grace Hopper")
		if err := c.People.Forget(t.Context(), ada); err != nil {
			t.Fatal(err)
		}
		if n := c.count("tournament_names", "player = $1", ada); n != 0 || c.count("tournament_names", "1 = 1") != 2 {
			t.Errorf("%d whole names of a deleted player are kept", n)
		}
		c.must(made.ID, host, tournament.KindDelete, tournament.Order{})
		c.settle()
		if n := c.count("tournament_names", "tournament = $1", made.ID); n != 0 || c.count("tournament_names", "1 = 1") != 1 {
			t.Errorf("%d whole names of a deleted tournament are kept", n)
		}
	})
}

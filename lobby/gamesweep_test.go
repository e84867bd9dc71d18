package lobby

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/match/journal"
)

// storedRooms are the rooms of a test. Those in awake cannot be deleted.
type storedRooms struct {
	awake   map[string]bool
	deleted []string
	err     error
	last    context.CancelFunc // called with each deletion
}

func (s *storedRooms) Delete(_ context.Context, room string) error {
	if s.awake[room] {
		return fmt.Errorf("room %s: %w", room, journal.ErrConflict)
	}
	if s.err != nil {
		return s.err
	}
	s.deleted = append(s.deleted, room)
	if s.last != nil {
		s.last()
	}
	return nil
}

// play puts a game of two players into their lists, as it was at the time of the clock.
func (l *Lobby) play(t *testing.T, c *clock, room string, over bool, players ...string) {
	t.Helper()
	g := Game{Room: room, Title: "Kalah", State: "over", Ended: over, Updated: c.now()}
	for seat, p := range players {
		g.In = append(g.In, Part{p, seat})
	}
	if err := l.Games.Put(t.Context(), g); err != nil {
		t.Fatal(err)
	}
}

func (l *Lobby) account(t *testing.T, id string) {
	t.Helper()
	l.know(t, id)
	err := l.db.Write(t.Context(), func(tx Tx) error {
		_, err := tx.Exec("UPDATE players SET account = 1 WHERE id = $1", id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func roomsIn(t *testing.T, db DB, table string) string {
	t.Helper()
	rows, err := db.Reader().Query("SELECT DISTINCT room FROM " + table + " ORDER BY room")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var room string
		if err := rows.Scan(&room); err != nil {
			t.Fatal(err)
		}
		all = append(all, room)
	}
	return strings.Join(all, " ")
}

func TestOldGamesOfGuestsAreDeletedWithWhatBelongsToThem(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		stored := &storedRooms{awake: map[string]bool{"visited": true}}
		l := openLobby(t, db, c, Options{GamesKept: 30 * 24 * time.Hour, Rooms: stored})
		l.know(t, "ada", "ben", "gone")
		l.account(t, "cyd")
		l.Games.WhenDeleted("DELETE FROM other WHERE room = $1")
		if err := db.Migrate(t.Context(), "other", []string{"CREATE TABLE other (room TEXT NOT NULL)"}); err != nil {
			t.Fatal(err)
		}
		l.play(t, c, "bot", true, "ada", "bot3")
		l.play(t, c, "guests", true, "ada", "ben")
		l.play(t, c, "visited", true, "ada", "ben")
		l.play(t, c, "going", false, "ada", "ben")
		l.play(t, c, "account", true, "ada", "cyd")
		l.play(t, c, "forgotten", true, "gone")
		l.play(t, c, "half", true, "gone", "cyd")
		for _, room := range []string{"guests", "account", "visited"} {
			for range turnRows + 1 {
				if _, err := l.Lines.Say(t.Context(), Line{Room: room, Stream: StreamPlayers, Player: "ada", Preset: "hello"}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := l.Invitations.Invite(t.Context(), room, c.now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			err := db.Write(t.Context(), func(tx Tx) error {
				_, err := tx.Exec("INSERT INTO other (room) VALUES ($1)", room)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := l.People.Forget(t.Context(), "gone"); err != nil {
			t.Fatal(err)
		}
		c.advance(29 * 24 * time.Hour)
		l.play(t, c, "new", true, "ada", "ben")
		sweep := func() {
			t.Helper()
			if err := l.Games.sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if sweep(); len(stored.deleted) > 0 {
			t.Errorf("deleted %q after 29 days", stored.deleted)
		}
		c.advance(2 * 24 * time.Hour)
		sweep()
		slices.Sort(stored.deleted)
		if fmt.Sprint(stored.deleted) != "[bot forgotten guests]" {
			t.Errorf("deleted %q", stored.deleted)
		}
		for table, want := range map[string]string{
			"games": "account going half new visited", "orphaned_games": "half", "chat": "account visited",
			"invitations": "account visited", "other": "account visited",
		} {
			if got := roomsIn(t, db, table); got != want {
				t.Errorf("%s holds %q, want %q", table, got, want)
			}
		}
		// The next walk finds a game that a reader had open, and one of an account that was
		// deleted since.
		stored.awake = nil
		if err := l.People.Forget(t.Context(), "cyd"); err != nil {
			t.Fatal(err)
		}
		c.advance(walkEvery)
		sweep()
		if got := roomsIn(t, db, "games"); got != "going new" || roomsIn(t, db, "orphaned_games") != "" {
			t.Errorf("after a day there are %q, %q", got, roomsIn(t, db, "orphaned_games"))
		}
	})
}

func TestGamesAreKeptForEverByDefault(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		stored := &storedRooms{}
		l := openLobby(t, db, c, Options{Rooms: stored})
		l.know(t, "ada")
		l.play(t, c, "r", true, "ada")
		c.advance(100 * 365 * 24 * time.Hour)
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		// The list of games goes with the guest. The game stays.
		if len(stored.deleted) > 0 || roomsIn(t, db, "orphaned_games") != "r" {
			t.Errorf("deleted %q; games in no list: %q", stored.deleted, roomsIn(t, db, "orphaned_games"))
		}
	})
}

func TestSweepOfGamesCanBeBrokenOff(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		stored := &storedRooms{}
		l := openLobby(t, db, c, Options{GamesKept: time.Hour, Rooms: stored})
		l.know(t, "ada")
		for i := range 20 {
			l.play(t, c, fmt.Sprint("r", i), true, "ada")
		}
		c.advance(2 * time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		stored.last = cancel // after the room, before its other rows
		if err := l.Games.sweep(ctx); err == nil || len(stored.deleted) != 1 {
			t.Errorf("broken off: %v, %d rooms were deleted", err, len(stored.deleted))
		}
		stored.last, stored.err = nil, journal.ErrUnavailable
		if err := l.Games.sweep(t.Context()); !errors.Is(err, journal.ErrUnavailable) {
			t.Errorf("without the journal: %v", err)
		}
		if stored.err = nil; roomsIn(t, db, "games") == "" {
			t.Error("rows were deleted whose room was not")
		}
		if err := l.Games.sweep(t.Context()); err != nil || roomsIn(t, db, "games") != "" {
			t.Errorf("at last %v, and %q is left", err, roomsIn(t, db, "games"))
		}
	})
}

func TestGameWhosePlayersAreGoneIsFoundByTheSweep(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		stored := &storedRooms{}
		l := openLobby(t, db, c, Options{GamesKept: time.Hour, GuestIdle: time.Minute, Rooms: stored})
		l.know(t, "ada")
		l.play(t, c, "r", true, "ada")
		c.advance(30 * time.Minute)
		if n, err := l.People.Sweep(t.Context()); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		l.play(t, c, "r", true, "ada") // a reader has opened it, and it was written down again
		if roomsIn(t, db, "games") != "" || roomsIn(t, db, "orphaned_games") != "r" {
			t.Errorf("lists %q, orphans %q", roomsIn(t, db, "games"), roomsIn(t, db, "orphaned_games"))
		}
		c.advance(2 * time.Hour)
		if err := l.Games.sweep(t.Context()); err != nil || fmt.Sprint(stored.deleted) != "[r]" {
			t.Errorf("deleted %q, %v", stored.deleted, err)
		}
	})
}

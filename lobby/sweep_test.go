package lobby

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// watched counts what each transaction changes.
type watched struct {
	DB
	deleted []int // players, by transaction
}

func (w *watched) Write(ctx context.Context, fn func(Tx) error) error {
	return w.DB.Write(ctx, func(tx Tx) error {
		w.deleted = append(w.deleted, 0)
		return fn(watchedTx{tx, w})
	})
}

type watchedTx struct {
	Tx
	w *watched
}

func (tx watchedTx) Exec(query string, args ...any) (int64, error) {
	n, err := tx.Tx.Exec(query, args...)
	if strings.HasPrefix(query, "DELETE FROM players") {
		tx.w.deleted[len(tx.w.deleted)-1] += int(n)
	}
	return n, err
}

func TestSweepTakesFewGuestsAtATime(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		w := &watched{DB: db}
		timer := time.Now()
		l := openLobby(t, w, c, Options{GuestIdle: time.Hour, timer: func() time.Time {
			timer = timer.Add(turnTime / 2) // passes for each guest
			return timer
		}})
		for range 10 {
			l.mustGuest(t)
		}
		c.advance(2 * time.Hour)
		w.deleted = nil
		if n, err := l.People.Sweep(t.Context()); err != nil || n != 10 {
			t.Fatalf("swept %d, %v; want 10", n, err)
		}
		if got := fmt.Sprint(w.deleted); got != "[2 2 2 2 2]" {
			t.Errorf("the transactions deleted %v guests; want 2 in each, after which %v have passed", got, turnTime)
		}
	})
}

func TestSweepCanBeInterrupted(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{GuestIdle: time.Hour})
		for range turnRows + 1 {
			l.mustGuest(t)
		}
		c.advance(2 * time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		l.People.opt.timer = func() time.Time { cancel(); return time.Time{} }
		if _, err := l.People.Sweep(ctx); err == nil {
			t.Error("an interrupted sweep reports no error")
		}
		l.People.opt.timer = time.Now
		if _, err := l.People.Sweep(t.Context()); err != nil {
			t.Error(err)
		}
		left := 0
		if err := db.Reader().QueryRow("SELECT COUNT(*) FROM players").Scan(&left); err != nil || left != 0 {
			t.Errorf("%d guests are left, %v", left, err)
		}
	})
}

// TestTrimTakesFewerRowsWhenTheyAreSlow: the statement's rows take 2 ms each, so that two of
// them fit into a transaction.
func TestTrimTakesFewerRowsWhenTheyAreSlow(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		for range 12 {
			l.mustGuest(t)
		}
		w := &watched{DB: db}
		now, begun := time.Now(), false
		timer := func() time.Time {
			if begun = !begun; !begun {
				now = now.Add(time.Duration(w.deleted[len(w.deleted)-1]) * 2 * time.Millisecond)
			}
			return now
		}
		n, err := trim(t.Context(), w, timer, "DELETE FROM players WHERE id IN (SELECT id FROM players WHERE seen > $1 LIMIT $2)", 0)
		if got := fmt.Sprint(w.deleted); err != nil || n != 12 || got != "[5 2 2 2 1 0]" {
			t.Errorf("trimmed %d rows, %v, in transactions of %v", n, err, got)
		}
	})
}

// What a sweep reads outside of transactions is found by an index too. A game that goes on
// may have any number of old lines, and the table of games any number of rows.
func TestSweepsReadByIndex(t *testing.T) {
	db := openSQLite(t)
	openLobby(t, db, newClock(), Options{})
	for query, args := range map[string][]any{
		oldLines:   {0, 1, "", "", 0, swept},
		idleGames:  {"", 1, swept},
		idleGuests: {1, 0, "", swept},
		oldGames:   {1, 0, "", swept},
		oldOrphans: {1, 0, "", swept},
	} {
		rows, err := db.Reader().Query("EXPLAIN QUERY PLAN "+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(step, "SCAN ") || step == "USE TEMP B-TREE FOR ORDER BY" || strings.Contains(step, "games_room") {
				t.Errorf("%s\nreads more than it needs: %s", query, step)
			}
		}
		rows.Close()
	}
}

// The old lines of a game that goes on are read once in a sweep, and stay.
func TestSweepOfChatPassesLinesOfGamesThatGoOn(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{ChatKept: time.Hour})
		ada := l.mustGuest(t)
		for _, room := range []string{"goes", "over"} {
			if err := l.Games.Put(t.Context(), Game{Room: room, Ended: room == "over", Updated: c.now(), In: []Part{{ada.ID, 0}}}); err != nil {
				t.Fatal(err)
			}
			for range 2*turnRows + 1 {
				if _, err := l.Lines.Say(t.Context(), Line{Room: room, Stream: StreamPlayers, Player: ada.ID, Preset: "hello"}); err != nil {
					t.Fatal(err)
				}
			}
		}
		c.advance(2 * time.Hour)
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		for room, want := range map[string]int{"goes": 2*turnRows + 1, "over": 0} {
			if lines, err := l.Lines.Last(t.Context(), room, StreamPlayers, 999); err != nil || len(lines) != want {
				t.Errorf("%d lines are left in %s, %v; want %d", len(lines), room, err, want)
			}
		}
	})
}

// BenchmarkSweep deletes guests from a database with 20,000 of them. It reports how long
// the statements of a transaction take, during which rooms cannot write, and how long
// the transaction takes with its commit and with SQLite's checkpoints, which wait for the
// disk.
func BenchmarkSweep(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		db := &timed{DB: openSQLite(b)}
		c := newClock()
		l, err := Open(b.Context(), db, Options{GuestIdle: time.Hour, now: c.now})
		if err != nil {
			b.Fatal(err)
		}
		err = db.Write(b.Context(), func(tx Tx) error {
			_, err := tx.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
				INSERT INTO players (id, name, created, seen) SELECT 'p' || i, 'Ada', 0, i FROM n`)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		db.statements, db.whole = nil, nil
		b.StartTimer()
		if n, err := l.People.Sweep(b.Context()); err != nil || n != 20000 {
			b.Fatal(n, err)
		}
		for name, took := range map[string][]time.Duration{"statements": db.statements, "whole": db.whole} {
			slices.Sort(took)
			b.ReportMetric(took[len(took)*99/100].Seconds()*1000, name+"-p99-ms")
			b.ReportMetric(took[len(took)-1].Seconds()*1000, name+"-max-ms")
		}
	}
}

// timed measures transactions.
type timed struct {
	DB
	statements, whole []time.Duration
}

func (t *timed) Write(ctx context.Context, fn func(Tx) error) error {
	begun := time.Now()
	err := t.DB.Write(ctx, func(tx Tx) error {
		begun := time.Now()
		err := fn(tx)
		t.statements = append(t.statements, time.Since(begun))
		return err
	})
	t.whole = append(t.whole, time.Since(begun))
	return err
}

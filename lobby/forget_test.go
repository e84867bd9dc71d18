package lobby

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// rowCounter counts the rows that each transaction changes. It calls after, if any, when a
// transaction has ended.
type rowCounter struct {
	DB
	rows  []int64
	after func()
}

func (c *rowCounter) Write(ctx context.Context, fn func(Tx) error) error {
	err := c.DB.Write(ctx, func(tx Tx) error {
		c.rows = append(c.rows, 0)
		return fn(countedTx{tx, c})
	})
	if c.after != nil {
		c.after()
	}
	return err
}

type countedTx struct {
	Tx
	c *rowCounter
}

func (tx countedTx) Exec(query string, args ...any) (int64, error) {
	n, err := tx.Tx.Exec(query, args...)
	tx.c.rows[len(tx.c.rows)-1] += n
	return n, err
}

// busyPlayer makes an account with many games and lines of chat.
func (l *Lobby) busyPlayer(t *testing.T, c *clock) Player {
	t.Helper()
	ada := l.mustUpgrade(t, "Ada")
	for i := range 5 * forgetRows {
		room := fmt.Sprintf("r%03d", i)
		if err := l.Games.Put(t.Context(), Game{Room: room, Ended: true, Updated: c.now(), In: []Part{{ada.ID, 0}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Lines.Say(t.Context(), Line{Room: room, Stream: StreamPlayers, Player: ada.ID, Text: "I am Ada"}); err != nil {
			t.Fatal(err)
		}
	}
	return ada
}

// left returns how many rows still name a player.
func left(t *testing.T, db DB, id string) (n int) {
	t.Helper()
	for table, column := range map[string]string{"players": "id", "handles": "player", "games": "player", "chat": "player", "forgotten": "player"} {
		rows := 0
		if err := db.Reader().QueryRowContext(context.WithoutCancel(t.Context()), "SELECT COUNT(*) FROM "+table+" WHERE "+column+" = $1", id).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		n += rows
	}
	return n
}

func TestDeletionOfAPlayerTakesFewRowsInATransaction(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c, w := newClock(), &rowCounter{DB: db}
		l := openLobby(t, w, c, Options{})
		ada := l.busyPlayer(t, c)
		w.rows = nil
		if err := l.People.Forget(t.Context(), ada.ID); err != nil {
			t.Fatal(err)
		}
		if n := left(t, db, ada.ID); n > 0 {
			t.Errorf("%d rows still name the player", n)
		}
		for i, n := range w.rows {
			if n > 4*forgetRows {
				t.Errorf("transaction %d changed %d rows; all changed %v", i, n, w.rows)
			}
		}
	})
}

// A deletion that is broken off leaves nothing of the player to be seen, and the next sweep
// goes on with it.
func TestDeletionThatWasBrokenOffGoesOnWithTheNextSweep(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c, w := newClock(), &rowCounter{DB: db}
		l := openLobby(t, w, c, Options{})
		ada := l.busyPlayer(t, c)
		ctx, cancel := context.WithCancel(t.Context())
		w.after = cancel
		if err := l.People.Forget(ctx, ada.ID); err != nil {
			t.Fatal(err)
		}
		w.after = nil
		if n := left(t, db, ada.ID); n < forgetRows {
			t.Fatalf("only %d rows are left: the deletion was not broken off", n)
		}
		if _, err := l.People.Player(t.Context(), ada.ID); codeOf(err) != CodeNoPlayer {
			t.Errorf("the player is still there: %v", err)
		}
		for i := range 5 * forgetRows {
			room := fmt.Sprintf("r%03d", i)
			if lines, err := l.Lines.Last(t.Context(), room, StreamPlayers, 9); err != nil || len(lines) > 0 {
				t.Fatalf("the chat of %s shows %v, %v", room, lines, err)
			}
			if _, err := l.Lines.Line(t.Context(), room, StreamPlayers, 1); codeOf(err) != CodeNoLine {
				t.Fatalf("the line in %s: %v", room, err)
			}
		}
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := left(t, db, ada.ID); n > 0 {
			t.Errorf("%d rows still name the player", n)
		}
	})
}

// A swept guest leaves no list of games. Their lines of chat stay for as long as others'.
func TestSweptGuestLeavesNoListOfGames(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{GuestIdle: time.Hour})
		few, many, other := l.mustGuest(t), l.mustGuest(t), l.mustUpgrade(t, "Ben")
		for i := range 2*forgetRows + 1 {
			in := []Part{{many.ID, 0}, {other.ID, 1}}
			if i == 0 {
				in[0].Player = few.ID
			}
			if err := l.Games.Put(t.Context(), Game{Room: fmt.Sprintf("r%03d", i), Ended: true, Updated: c.now(), In: in}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := l.Lines.Say(t.Context(), Line{Room: "r000", Stream: StreamPlayers, Player: few.ID, Text: "Hello"}); err != nil {
			t.Fatal(err)
		}
		c.advance(2 * time.Hour)
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, m := left(t, db, few.ID), left(t, db, many.ID); n != 1 || m != 0 {
			t.Errorf("%d and %d rows still name swept guests; want 1, a line of chat, and 0", n, m)
		}
		if games, err := l.Games.Of(t.Context(), other.ID, 99); err != nil || len(games) != 2*forgetRows+1 {
			t.Errorf("the opponent has %d games, %v", len(games), err)
		}
	})
}

package lobby

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"mancala/match/gather"
	"mancala/match/refusal"
)

// The streams of a room's chat. Package chat decides who reads which.
const (
	StreamPlayers  = "players"
	StreamWatchers = "watchers"
)

// presets are the lines that each reader sees in their own language.
var presets = []string{"hello", "good-luck", "nice-move", "oops", "well-played", "thanks", "one-moment", "rematch", "wow", "so-close"}

// Line is one line of chat beside a room: a preset or a text.
type Line struct {
	Room   string
	Stream string
	N      int64 // from 1, within its stream
	Player string
	Seat   int // NoSeat for a watcher
	At     time.Time
	Preset string
	Text   string
	Erased bool // removed by an operator, or its player was deleted; Preset and Text are empty
}

// Chat keeps the lines of chat. They are not part of a room's sequence: moderation can
// remove a line and leave no gap in the game.
type Chat struct {
	db    DB
	opt   Options
	reads gather.Gather[stream, bool] // reports whether each stream has lines
}

// stream is a stream of a room.
type stream struct{ room, name string }

func newChat(db DB, opt Options) *Chat {
	c := &Chat{db: db, opt: opt}
	c.reads = gather.New(gather.Config[stream, bool]{Ask: c.readStreams, Calls: 2, Fits: fitsStreams})
	return c
}

// Say appends a line to its stream, with this instance's time if it has none. It returns the
// line as stored: with its number, its time, and its text cleaned by [CleanText]. It refuses with [CodeText] a line that is
// neither a preset nor a text that can be shown. The caller has already checked whether
// the player may speak, and how often.
func (c *Chat) Say(ctx context.Context, line Line) (Line, error) {
	if line.Stream != StreamPlayers && line.Stream != StreamWatchers {
		return Line{}, fmt.Errorf("lobby: say in %s: no stream %q", line.Room, line.Stream)
	}
	switch {
	case line.Preset == "":
		text, err := CleanText(line.Text)
		if err != nil {
			return Line{}, err
		}
		line.Text = text
	case line.Text != "" || !slices.Contains(presets, line.Preset):
		return Line{}, refuseText("preset")
	}
	if line.At.IsZero() {
		line.At = c.opt.now()
	}
	line.At = time.UnixMilli(line.At.UnixMilli())
	for {
		err := c.db.Write(ctx, func(tx Tx) error { return c.add(tx, &line) })
		if !errors.Is(err, errTaken) {
			return line, wrap(err, "say in %s", line.Room)
		}
	}
}

// errTaken means that another instance used the line's number first.
var errTaken = errors.New("the line's number is taken")

func (c *Chat) add(tx Tx, line *Line) error {
	stream := []any{line.Room, line.Stream}
	if err := tx.Scan("SELECT COALESCE(MAX(n), 0) + 1 FROM chat WHERE room = $1 AND stream = $2", stream, &line.N); err != nil {
		return err
	}
	added, err := tx.Exec(`INSERT INTO chat (room, stream, n, player, seat, at, preset, text)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (room, stream, n) DO NOTHING`,
		line.Room, line.Stream, line.N, line.Player, line.Seat, line.At.UnixMilli(), line.Preset, line.Text)
	if err != nil {
		return err
	}
	if added == 0 {
		return errTaken
	}
	_, err = tx.Exec("DELETE FROM chat WHERE room = $1 AND stream = $2 AND n <= $3", line.Room, line.Stream, line.N-int64(c.opt.Keep))
	return err
}

// notForgotten is false of a line whose player is being deleted: it is erased soon.
const notForgotten = "NOT EXISTS (SELECT 1 FROM forgotten f WHERE f.player = chat.player AND f.chat = 1)"

// Last returns the last lines of a stream in order, at most limit. It leaves out erased
// lines.
func (c *Chat) Last(ctx context.Context, room, name string, limit int) ([]Line, error) {
	if some, err := c.reads.Do(ctx, stream{room, name}); err != nil || !some {
		return nil, wrap(err, "read chat of %s", room)
	}
	rows, err := c.db.Reader().QueryContext(ctx, `SELECT n, player, seat, at, preset, text FROM chat
		WHERE room = $1 AND stream = $2 AND erased = 0 AND `+notForgotten+` ORDER BY n DESC LIMIT $3`, room, name, max(limit, 0))
	if err != nil {
		return nil, wrap(err, "read chat of %s", room)
	}
	defer rows.Close()
	var lines []Line
	for rows.Next() {
		line := Line{Room: room, Stream: name}
		var at int64
		if err := rows.Scan(&line.N, &line.Player, &line.Seat, &at, &line.Preset, &line.Text); err != nil {
			return nil, wrap(err, "read chat of %s", room)
		}
		line.At = time.UnixMilli(at)
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return lines, wrap(rows.Err(), "read chat of %s", room)
}

func fitsStreams(together []stream, _ stream) bool { return len(together) < chunk }

// readStreams reports whether each of these streams has lines. All games of a round begin at once, and nearly
// none of them has one.
func (c *Chat) readStreams(asked []stream) ([]bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), namesTimeout)
	defer cancel()
	rooms := make([]string, len(asked))
	for i, s := range asked {
		rooms[i] = s.room
	}
	places, args := Among(1, rooms)
	rows, err := c.db.Reader().QueryContext(ctx, "SELECT DISTINCT room, stream FROM chat WHERE room IN ("+places+")", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[stream]bool{}
	for rows.Next() {
		var s stream
		if err := rows.Scan(&s.room, &s.name); err != nil {
			return nil, err
		}
		found[s] = true
	}
	some := make([]bool, len(asked))
	for i, s := range asked {
		some[i] = found[s]
	}
	return some, rows.Err()
}

// Line returns a line. It refuses with [CodeNoLine] if the line does not exist or was
// erased.
func (c *Chat) Line(ctx context.Context, room, stream string, n int64) (Line, error) {
	line := Line{Room: room, Stream: stream, N: n}
	var at int64
	err := c.db.Reader().QueryRowContext(ctx, `SELECT player, seat, at, preset, text FROM chat
		WHERE room = $1 AND stream = $2 AND n = $3 AND erased = 0 AND `+notForgotten, room, stream, n).
		Scan(&line.Player, &line.Seat, &at, &line.Preset, &line.Text)
	if errors.Is(err, sql.ErrNoRows) {
		return Line{}, refusal.New(CodeNoLine)
	}
	line.At = time.UnixMilli(at)
	return line, wrap(err, "read line %d of %s", n, room)
}

// Around returns a line of a stream together with up to aside numbers before it and
// after it, in order. It includes erased lines, without their text.
func (c *Chat) Around(ctx context.Context, room, stream string, n, aside int64) ([]Line, error) {
	rows, err := c.db.Reader().QueryContext(ctx, `SELECT n, player, seat, at, preset, text, erased FROM chat
		WHERE room = $1 AND stream = $2 AND n BETWEEN $3 AND $4 ORDER BY n`, room, stream, n-aside, n+aside)
	if err != nil {
		return nil, wrap(err, "read chat of %s", room)
	}
	defer rows.Close()
	var lines []Line
	for rows.Next() {
		line := Line{Room: room, Stream: stream}
		var at int64
		var erased int
		if err := rows.Scan(&line.N, &line.Player, &line.Seat, &at, &line.Preset, &line.Text, &erased); err != nil {
			return nil, wrap(err, "read chat of %s", room)
		}
		line.At, line.Erased = time.UnixMilli(at), erased == 1
		lines = append(lines, line)
	}
	return lines, wrap(rows.Err(), "read chat of %s", room)
}

// Erase removes the text of a line permanently. It returns the line as it was, for the
// operators' log. The line's number is not used again. Erase refuses with [CodeNoLine] a
// line that does not exist or was erased before.
func (c *Chat) Erase(ctx context.Context, room, stream string, n int64) (Line, error) {
	line := Line{Room: room, Stream: stream, N: n}
	err := c.db.Write(ctx, func(tx Tx) error {
		key := []any{room, stream, n}
		var at int64
		err := tx.Scan("SELECT player, seat, at, preset, text FROM chat WHERE room = $1 AND stream = $2 AND n = $3 AND erased = 0",
			key, &line.Player, &line.Seat, &at, &line.Preset, &line.Text)
		if errors.Is(err, sql.ErrNoRows) {
			return refusal.New(CodeNoLine)
		}
		if err != nil {
			return err
		}
		line.At = time.UnixMilli(at)
		// The row stays, so that its number is not given to another line.
		_, err = tx.Exec("UPDATE chat SET erased = 1, preset = '', text = '' WHERE room = $1 AND stream = $2 AND n = $3", key...)
		return err
	})
	if err != nil {
		return Line{}, wrap(err, "erase line %d of %s", n, room)
	}
	return line, nil
}

// gameGoes is true of a line of chat c in a game that is not over.
const gameGoes = "EXISTS (SELECT 1 FROM games g WHERE g.room = c.room AND g.ended = 0)"

// oldLines selects lines in games that are over, the oldest first, at most $6: those before
// $2 that come after the line ($1, $3, $4, $5).
const oldLines = `SELECT c.at, c.room, c.stream, c.n FROM chat c
	WHERE c.at >= $1 AND c.at < $2 AND (c.at > $1 OR (c.room, c.stream, c.n) > ($3, $4, $5)) AND NOT ` + gameGoes + `
	ORDER BY c.at, c.room, c.stream, c.n LIMIT $6`

// oldLine is a line that a sweep may delete.
type oldLine struct {
	at           int64
	room, stream string
	n            int64
}

// sweep deletes the lines that are older than ChatKept, except in games in progress. It
// reads each old line once, and outside of transactions, however many games are in progress.
func (c *Chat) sweep(ctx context.Context) error {
	if c.opt.ChatKept < 0 {
		return nil
	}
	before := c.opt.now().Add(-c.opt.ChatKept).UnixMilli()
	var last oldLine
	for {
		list, err := c.old(ctx, before, last)
		if err != nil || len(list) == 0 {
			return wrap(err, "sweep chat")
		}
		last = list[len(list)-1]
		_, err = inTurns(ctx, c.db, c.opt.timer, list, func(tx Tx, l oldLine) (bool, error) {
			n, err := tx.Exec("DELETE FROM chat AS c WHERE room = $1 AND stream = $2 AND n = $3 AND NOT "+gameGoes, l.room, l.stream, l.n)
			return n > 0, err
		})
		if err != nil {
			return wrap(err, "sweep chat")
		}
	}
}

// old returns the next lines for sweep after one of them.
func (c *Chat) old(ctx context.Context, before int64, after oldLine) (list []oldLine, err error) {
	rows, err := c.db.Reader().QueryContext(ctx, oldLines, after.at, before, after.room, after.stream, after.n, swept)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var l oldLine
		if err := rows.Scan(&l.at, &l.room, &l.stream, &l.n); err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, rows.Err()
}

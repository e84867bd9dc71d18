package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"mancala/engine"
	"mancala/lobby"
	"mancala/match"
	"mancala/match/journal"
	"mancala/match/journal/sqljournal"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mancala": main})
}

// TestCommandsPrintWhatTheScriptsExpect runs the files of testdata/script: commands and
// their expected output.
func TestCommandsPrintWhatTheScriptsExpect(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Cmds: map[string]func(*testscript.TestScript, bool, []string){
		"makedatabase": func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(makeDatabase(ts.MkAbs(args[0]))) },
	}})
}

// makeDatabase makes a file with a few games and people.
func makeDatabase(file string) (err error) {
	ctx := context.Background()
	db, err := sqljournal.Open(ctx, sqljournal.Options{Path: file})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := updateTables(ctx, lobby.On(db)); err != nil {
		return err
	}
	for id, wake := range map[string]time.Time{"r1": {}, "r2": {}, "r3": {}, "r4": time.Now().Add(time.Hour)} {
		if err := db.Create(ctx, journal.Room{ID: id, Kind: match.Kind, Wake: wake}, journal.Row{Seq: 1, Data: []byte("{}")}); err != nil {
			return err
		}
	}
	for _, id := range []string{"r1", "r2"} {
		if err := db.Fold(ctx, id); err != nil {
			return err
		}
	}
	day := func(month time.Month) int64 { return time.Date(2026, month, 1, 0, 0, 0, 0, time.UTC).UnixMilli() }
	return db.Write(ctx, func(tx *sqljournal.Tx) error {
		for i := range 5 {
			if _, err := tx.Exec("INSERT INTO players (id, name, created, seen, account) VALUES ($1, 'Ada', $2, $2, $3)", fmt.Sprint("p", i), day(time.January), i/4); err != nil {
				return err
			}
		}
		_, err := tx.Exec(`INSERT INTO games (player, room, seat, title, state, ended, updated, finished) VALUES
			('p1', 'r1', 0, 'Kalah', 'over', 1, $1, $1), ('p1', 'r4', 0, 'Kalah', 'live', 0, $2, 0)`, day(time.February), day(time.March))
		return err
	})
}

func TestStreamsAreSplitIntoRecords(t *testing.T) {
	for _, tt := range []struct {
		name, stream string
		want         []string
	}{
		{"none", "", nil},
		{"only white space", "\n \t\n", nil},
		{"one, without an end of line", "[A \"\"]\n\nc", []string{"[A \"\"]\n\nc"}},
		{"two", "[A \"\"]\n\nc\n\n[B \"\"]\n\nd\n", []string{"[A \"\"]\n\nc\n\n", "[B \"\"]\n\nd\n"}},
		{"no empty line between", "[A \"\"]\nc\n[B \"\"]\nd\n", []string{"[A \"\"]\nc\n", "[B \"\"]\nd\n"}},
		{"no moves", "[A \"\"]\n\n[B \"\"]\n\n", []string{"[A \"\"]\n\n", "[B \"\"]\n\n"}},
		{"two tags are one record", "[A \"\"]\n[B \"\"]\n\nc", []string{"[A \"\"]\n[B \"\"]\n\nc"}},
		{"empty lines before a record", "\n\n[A \"\"]\n\nc", []string{"[A \"\"]\n\nc"}},
		{"words before a record", "hello\n[A \"\"]\n\nc", []string{"hello\n", "[A \"\"]\n\nc"}},
		{"a tag in a comment", "[A \"\"]\n\nc {\n[B \"\"]\n} d\n[C \"\"]\n\ne", []string{"[A \"\"]\n\nc {\n[B \"\"]\n} d\n", "[C \"\"]\n\ne"}},
		{"a comment that does not end", "[A \"\"]\n\nc {\n\n[Rules \"\"]\n\nd", []string{"[A \"\"]\n\nc {\n\n", "[Rules \"\"]\n\nd"}},
		{"a brace in a tag begins no comment", "[A \"{\"]\n\nc\n\n[B \"\"]\n\nd", []string{"[A \"{\"]\n\nc\n\n", "[B \"\"]\n\nd"}},
		{"a long tag", "[A \"" + strings.Repeat("x", 100_000) + "\"]\n[B \"\"]\n\nc\n[C \"\"]\n", []string{"[A \"" + strings.Repeat("x", 100_000) + "\"]\n[B \"\"]\n\nc\n", "[C \"\"]\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newRecordScanner(strings.NewReader(tt.stream))
			var got []string
			for s.next() {
				got = append(got, s.text())
			}
			if strings.Join(got, "|") != strings.Join(tt.want, "|") || s.err != nil {
				t.Errorf("got %.200q, %v\nwant %.200q", got, s.err, tt.want)
			}
		})
	}
}

// The streams have 16 MB. Each ends with a valid record, which must still be played.
func TestReplayKeepsNoMoreThanOneRecordInMemory(t *testing.T) {
	const good = "\n\n[Rules \"kalah\"]\n\nc\n"
	for name, text := range map[string]string{
		"one line":       "9",
		"tags":           "[A \"\"]\n",
		"moves":          "c ",
		"comments":       "{",
		"empty lines":    "\n",
		"bad UTF-8":      "\xff",
		"lines of tags ": "[",
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			var out bytes.Buffer
			runtime.ReadMemStats(&before)
			in := io.MultiReader(io.LimitReader(&repeated{text: text}, 16<<20), strings.NewReader(good))
			err := runReplay(context.Background(), nil, in, &out, io.Discard)
			runtime.ReadMemStats(&after)
			if !strings.HasSuffix(out.String(), `"result":"*","termination":""}`+"\n") {
				t.Errorf("%v; printed %.200q", err, out.String())
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64*engine.MaxRecordBytes {
				t.Errorf("took %d bytes", used)
			}
		})
	}
}

// repeated reads as its text, again and again without an end.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.text[r.at]
		r.at = (r.at + 1) % len(r.text)
	}
	return len(p), nil
}

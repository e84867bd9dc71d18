package engine_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"sync"
	"testing"

	"mancala/engine"
)

// update rewrites the files in testdata with what the engine says now. Hashes must
// never change, and an independent implementation confirmed the counts and games:
// look at the difference before you commit it.
var update = flag.Bool("update", false, "rewrite the files in testdata")

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("rapid.nofailfile", "true") // a failure prints the number to repeat it with, and leaves no file
	os.Exit(m.Run())
}

var compiled sync.Map // *engine.Game by rules text

// game compiles rules, "NAME key=value ...", and keeps the result for later calls.
func game(t testing.TB, rules string) *engine.Game {
	t.Helper()
	if g, ok := compiled.Load(rules); ok {
		return g.(*engine.Game)
	}
	r, err := engine.ParseRules(rules)
	if err != nil {
		t.Fatalf("rules %q: %v", rules, err)
	}
	g, err := engine.Compile(r)
	if err != nil {
		t.Fatalf("rules %q: %v", rules, err)
	}
	compiled.Store(rules, g)
	return g
}

// position reads a position; an empty text means the first position.
func position(t testing.TB, g *engine.Game, text string) engine.Position {
	t.Helper()
	if text == "" {
		return g.Start()
	}
	p, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func move(t testing.TB, text string) engine.Move {
	t.Helper()
	m, ok := engine.ParseMove(text)
	if !ok {
		t.Fatalf("%q is not a move", text)
	}
	return m
}

// solveSeeds bounds the boards that TestSmallKalahBoardsHaveThePublishedValues
// solves.
var solveSeeds = flag.Int("seeds", 30, "solve Kalah boards with at most this many seeds")

// play makes the moves, separated by spaces, and fails if one is refused.
func play(t testing.TB, g *engine.Game, p *engine.Position, h *engine.History, moves string) {
	t.Helper()
	for text := range strings.FieldsSeq(moves) {
		if err := g.Play(p, h, move(t, text), nil); err != nil {
			t.Fatalf("%s in %v: %v", text, p, err)
		}
	}
}

// refusal plays a move that must be refused, and returns the error.
func refusal(t testing.TB, g *engine.Game, p engine.Position, text string) *engine.MoveError {
	t.Helper()
	err := g.Play(&p, nil, move(t, text), nil)
	var refused *engine.MoveError
	if !errors.As(err, &refused) {
		t.Fatalf("%s in %v: got %v, want a refusal", text, p, err)
	}
	return refused
}

func moveTexts(moves []engine.Move) string {
	var out []string
	for _, m := range moves {
		out = append(out, m.String())
	}
	return strings.Join(out, " ")
}

// golden compares got with a file in testdata. With -update it writes the file first.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%swant\n%s", file, got, want)
	}
}

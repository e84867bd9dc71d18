package engine_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mancala/engine"
	"mancala/engine/enginetest"
)

// TestRandomGamesKeepTheLaws plays random games of random rules and checks at every
// ply what must be true of all of them. For more games: go test ./engine -run Laws
// -rapid.checks=10000.
func TestRandomGamesKeepTheLaws(t *testing.T) { rapid.Check(t, laws) }

func FuzzLaws(f *testing.F) { f.Fuzz(rapid.MakeFuzz(laws)) }

func laws(t *rapid.T) {
	g := enginetest.Game(t)
	p := enginetest.Position(t, g)
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "dice"), 0))
	h := &engine.History{}
	moves := conceivable(g)
	if g.Shape().Sides == 4 && p.Phase == engine.Play {
		p.Out = uint8(rapid.SampledFrom([]int{0, 0, 1, 2, 5, 14}).Draw(t, "seats that have left"))
	}
	for ply := range 25 {
		positionSurvivesPrintingAndParsing(t, g, p)
		legalIsWhatPlayAccepts(t, g, p, h, moves)
		if ply%8 == 0 {
			perftCountsEveryMove(t, g, p, moves)
		}
		if p.Phase == engine.Over {
			return
		}
		m := choose(g, &p, random)
		seedsAreNeitherMadeNorLost(t, g, p, h, m)
		p = traceIsComplete(t, g, p, h, m)
	}
}

// choose makes a random move, or a lay-out where one is due.
func choose(g *engine.Game, p *engine.Position, random *rand.Rand) engine.Move {
	if p.Phase == engine.Setup {
		return g.RandomLayOut(random)
	}
	legal := g.Legal(p)
	return legal.At(random.IntN(legal.Len()))
}

func positionSurvivesPrintingAndParsing(t *rapid.T, g *engine.Game, p engine.Position) {
	if p.Out != 0 {
		return // the text does not contain Out, and the end rules depend on it
	}
	again, err := g.Parse(p.String())
	if err != nil {
		t.Fatalf("%v: %v\nrules %v", p, err, g.Rules())
	}
	again.End = p.End // the text does not contain End
	if again != p || again.String() != p.String() {
		t.Fatalf("printed %v, read %v\nrules %v", p, again, g.Rules())
	}
}

// legalIsWhatPlayAccepts tries every move. A refused move must leave everything
// unchanged and list the legal moves.
func legalIsWhatPlayAccepts(t *rapid.T, g *engine.Game, p engine.Position, h *engine.History, moves []engine.Move) {
	legal := g.LegalMoves(&p, nil)
	set := g.Legal(&p)
	if set.Len() != len(legal) || len(legal) == 0 && (p.Phase == engine.Play || p.Phase == engine.Swapping) {
		t.Fatalf("%v: %d legal moves in the set, %v in the list\nrules %v", p, set.Len(), legal, g.Rules())
	}
	accepted := 0
	for _, m := range moves {
		q, n, tr := p, h.Len(), &engine.Trace{Events: make([]engine.Event, 1)}
		err := g.Play(&q, h, m, tr)
		if err == nil {
			accepted++
			h.Truncate(n)
			if !slices.Contains(legal, m) || !set.Has(m) {
				t.Fatalf("%v: %+v was played, legal are %v\nrules %v", p, m, legal, g.Rules())
			}
			continue
		}
		var refused *engine.MoveError
		if !errors.As(err, &refused) || refused.Reason == "" || refused.Message() == "" || refused.Move != m {
			t.Fatalf("%v: %+v: the refusal is %v\nrules %v", p, m, err, g.Rules())
		}
		if refused.Reason != engine.NotALayout && !slices.Equal(refused.Legal, legal) {
			t.Fatalf("%v: %+v: refused with %v, legal are %v", p, m, refused.Legal, legal)
		}
		if q != p || h.Len() != n || len(tr.Events) != 1 {
			t.Fatalf("%v: refusing %+v left %v, %d positions, %d events\nrules %v", p, m, q, h.Len()-n, len(tr.Events)-1, g.Rules())
		}
		if slices.Contains(legal, m) || set.Has(m) {
			t.Fatalf("%v: %+v is legal and was refused: %v\nrules %v", p, m, err, g.Rules())
		}
	}
	if accepted != len(legal) {
		t.Fatalf("%v: %d moves were played, legal are %v\nrules %v", p, accepted, legal, g.Rules())
	}
}

// perftCountsEveryMove compares Perft with a count that tries every move.
func perftCountsEveryMove(t *rapid.T, g *engine.Game, p engine.Position, moves []engine.Move) {
	var naive func(p engine.Position, h engine.History, depth int) uint64
	naive = func(p engine.Position, h engine.History, depth int) uint64 {
		if depth == 0 {
			return 1
		}
		n := uint64(0)
		for _, m := range moves {
			q, k := p, h.Clone()
			if g.Play(&q, &k, m, nil) == nil {
				n += naive(q, k, depth-1)
			}
		}
		return n
	}
	h := &engine.History{}
	if got, want := g.Perft(&p, h, 2), naive(p, engine.History{}, 2); got != want && p.Phase != engine.Setup {
		t.Fatalf("%v: perft counts %d, naively %d\nrules %v", p, got, want, g.Rules())
	}
	if h.Len() != 0 {
		t.Fatalf("%v: perft left %d positions", p, h.Len())
	}
}

// seedsAreNeitherMadeNorLost allows one exception: a split may award seeds to no
// side.
func seedsAreNeitherMadeNorLost(t *rapid.T, g *engine.Game, p engine.Position, h *engine.History, m engine.Move) {
	q, tr, n := p, &engine.Trace{}, h.Len()
	if err := g.Play(&q, h, m, tr); err != nil {
		t.Fatalf("%v: %v: %v\nrules %v", p, m, err, g.Rules())
	}
	h.Truncate(n)
	want := sum(p)
	if m.Kind == engine.MoveLayOut {
		want += g.Rules().Total
	}
	for _, e := range tr.Events {
		if e.To == engine.NoSlot {
			want -= int(e.Seeds)
		}
	}
	if sum(q) != want || tr.Laps() > 1000 {
		t.Fatalf("%v: %v gives %v: %d seeds, want %d\nrules %v", p, m, q, sum(q), want, g.Rules())
	}
	won := false
	for side := range int(p.Shape.Sides) {
		won = won || q.Score(side) > p.Score(side)
		if q.Score(side) < p.Score(side) && g.Rules().Reserve == 0 {
			t.Fatalf("%v: %v gives %v: a store lost seeds", p, m, q)
		}
	}
	won = won || slices.ContainsFunc(tr.Events, func(e engine.Event) bool {
		return e.Kind == engine.EventSeize || e.Kind == engine.EventEnter
	})
	if q.Phase == engine.Play && p.Phase == engine.Play && (q.Clock == 0) != won {
		t.Fatalf("%v: %v gives %v: seeds won %v, clock %d", p, m, q, won, q.Clock)
	}
}

func sum(p engine.Position) int {
	n := 0
	for _, seeds := range p.Slots {
		n += int(seeds)
	}
	return n
}

// traceIsComplete checks that a ply is the same with and without a trace and a
// history, and that the events turn the old slots into the new ones.
func traceIsComplete(t *rapid.T, g *engine.Game, p engine.Position, h *engine.History, m engine.Move) engine.Position {
	plain, traced, alone, tr := p, p, p, &engine.Trace{}
	n := h.Len()
	if err := g.Play(&plain, h, m, nil); err != nil {
		t.Fatalf("%v: %v: %v", p, m, err)
	}
	played := h.Len()
	h.Truncate(n)
	errTraced, errAlone := g.Play(&traced, h, m, tr), g.Play(&alone, nil, m, nil)
	if errTraced != nil || errAlone != nil || traced != plain || h.Len() != played {
		t.Fatalf("%v: %v gives %v, and with a trace %v (%v, %v)\nrules %v", p, m, plain, traced, errTraced, errAlone, g.Rules())
	}
	if alone != plain && plain.End != engine.EndRepetition {
		t.Fatalf("%v: %v gives %v, and without a history %v\nrules %v", p, m, plain, alone, g.Rules())
	}
	for side, at := range p.Marks.Claimed {
		if at != 0 && (plain.Marks.Claimed[side] != at || plain.Slots[at-1] > 0) {
			t.Fatalf("%v: %v gives %v: a claimed pit is claimed for good, and empty\nrules %v", p, m, plain, g.Rules())
		}
	}
	applied := p
	tr.Apply(&applied)
	if applied.Slots != plain.Slots || applied.Marks != plain.Marks {
		t.Fatalf("%v: %v gives %v, its trace %v\nrules %v\n%v", p, m, plain, applied, g.Rules(), tr.Events)
	}
	return plain
}

// The rules survive as text of their own and as changes of any base.
func TestRulesSurvivePrintingAndParsing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := enginetest.Game(t).Rules()
		again, err := engine.ParseRules(r.String())
		if err != nil || again.String() != r.String() || again.Hash() != r.Hash() {
			t.Fatalf("printed %v, read %v, %v", r, again, err)
		}
		base, _ := engine.System(rapid.SampledFrom(engine.Systems).Draw(t, "base").Name)
		if again, err = base.With(r.Changes(base)...); err != nil || again.String() != r.String() {
			t.Fatalf("%v as a change of %v: %v, %v", r, base, again, err)
		}
		if n := len(engine.Differences(r, base)); n != len(r.Changes(base)) {
			t.Fatalf("%d differences, %d changes", n, len(r.Changes(base)))
		}
		if text := r.Describe(); !strings.HasSuffix(text, ".") || strings.Contains(text, "  ") || strings.Contains(text, "..") {
			t.Fatalf("%v is described as %q", r, text)
		}
	})
}

// A random game is printed as a record, read again and replayed.
func TestGamesSurvivePrintingAndReplaying(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(engine.Systems).Draw(t, "base").Name
		base, _ := engine.System(name)
		g := enginetest.Game(t)
		start := enginetest.Position(t, g)
		rec := &engine.Record{Tags: []engine.Tag{
			{Name: "Rules", Value: name},
			{Name: "Options", Value: strings.Join(g.Rules().Changes(base), " ")},
			{Name: "South", Value: rapid.StringMatching(`[ -~äß日]*`).Draw(t, "player")},
			{Name: "Start", Value: start.String()},
		}}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "dice"), 1))
		p, h, positions, legal := start, &engine.History{}, []engine.Position(nil), []string(nil)
		for len(positions) < 80 && p.Phase != engine.Over {
			m := choose(g, &p, random)
			legal = append(legal, moveTexts(g.LegalMoves(&p, nil)))
			if err := g.Play(&p, h, m, nil); err != nil {
				t.Fatal(err)
			}
			rec.Moves = append(rec.Moves, m.String())
			positions = append(positions, p)
		}
		if p.Phase == engine.Over {
			rec.Result = p.ResultText()
			rec.Tags = append(rec.Tags, engine.Tag{Name: "Termination", Value: string(p.End)})
		}
		text := rec.String()
		read, err := engine.ParseRecord(text)
		if err != nil || read.String() != text || !slices.Equal(read.Moves, rec.Moves) || !slices.Equal(read.Tags, rec.Tags) {
			t.Fatalf("printed\n%sread %v, %v", text, read, err)
		}
		played, err := read.Replay()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if !slices.Equal(played.Positions, positions) || played.Termination != string(p.End) {
			t.Fatalf("replayed %v\nplayed %v\n%s", played.Positions, positions, text)
		}
		for i, moves := range played.Legal {
			if moveTexts(moves) != legal[i] {
				t.Fatalf("ply %d: legal were %s, in the replay %v", i+1, legal[i], moves)
			}
		}
	})
}

// conceivable returns every move that a player could try, and some that are absurd.
func conceivable(g *engine.Game) []engine.Move {
	var out []engine.Move
	row := int(g.Shape().Pits)
	for pit := range row + 2 {
		for way := engine.NoWay; way <= engine.CW+1; way++ {
			out = append(out, engine.Move{Pit: uint8(pit), Way: way}, engine.Move{Pit: uint8(pit), Way: way | engine.SowHouse}, engine.Move{Kind: engine.MoveGift, Pit: uint8(pit), Way: way})
		}
	}
	for kind := engine.MovePass; kind <= engine.MoveSwap+1; kind++ {
		out = append(out, engine.Move{Kind: kind}, engine.Move{Kind: kind, Pit: 1}, engine.Move{Kind: kind, Way: engine.CW}, engine.Move{Kind: kind, Lay: "\x01"})
	}
	even := make([]int, 2*g.Shape().Pits)
	return append(out, engine.Move{Pit: 255}, engine.Move{Kind: engine.MoveGift, Pit: 255}, engine.Move{Lay: "\x01"}, engine.LayOut(even))
}

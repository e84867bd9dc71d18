package review_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"mancala/engine"
	"mancala/engine/search"
	"mancala/engine/search/review"
)

// small is a budget for tests with many games.
var small = review.Budget{Nodes: 2000, Total: 40_000, Memory: 1 << 20}

// record reads a game.
func record(t testing.TB, text string) *engine.Replay {
	t.Helper()
	rec, err := engine.ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	game, err := rec.Replay()
	if err != nil {
		t.Fatal(err)
	}
	return game
}

// played returns a game of random moves.
func played(t testing.TB, rules, options string, plies int) *engine.Replay {
	t.Helper()
	rec := engine.Record{Tags: []engine.Tag{{Name: "Rules", Value: rules}}}
	if options != "" {
		rec.Tags = append(rec.Tags, engine.Tag{Name: "Options", Value: options})
	}
	g, err := rec.Game()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	p, h := g.Start(), &engine.History{}
	for p.Phase != engine.Over && len(rec.Moves) < plies {
		m := engine.Move{}
		if p.Phase == engine.Setup {
			m = g.RandomLayOut(random)
		} else {
			legal := g.Legal(&p)
			m = legal.At(random.IntN(legal.Len()))
		}
		if err := g.Play(&p, h, m, nil); err != nil {
			t.Fatal(err)
		}
		rec.Moves = append(rec.Moves, m.String())
	}
	return record(t, rec.String())
}

// TestReviewLabelsEveryPlyWithAChoice reviews a game of each system: teams, four
// players, lay-outs, passes and gifts. The best line must be playable.
func TestReviewLabelsEveryPlyWithAChoice(t *testing.T) {
	for _, row := range engine.Systems {
		game := played(t, row.Name, "", 60)
		r, err := review.Of(context.Background(), game, small)
		if err != nil || len(r.Plies) != len(game.Moves) {
			t.Fatalf("%s: %v, %d plies of %d", row.Name, err, len(r.Plies), len(game.Moves))
		}
		p := game.Start
		for i, ply := range r.Plies {
			legal := game.Game.LegalMoves(&p, nil)
			choice := p.Phase == engine.Setup || len(legal) > 1
			if choice != (ply.Label != "") || ply.Loss < 0 || ply.Loss != ply.Value-ply.Played || ply.Seat != int(p.Seat) {
				t.Fatalf("%s: ply %d in %v: %+v", row.Name, i+1, p, ply)
			}
			if p.Phase != engine.Setup && choice && len(ply.Moves) != len(legal) {
				t.Errorf("%s: ply %d: %d moves of %d", row.Name, i+1, len(ply.Moves), len(legal))
			}
			q := p
			for _, text := range ply.Best {
				m, _ := engine.ParseMove(text)
				if err := game.Game.Play(&q, nil, m, nil); err != nil {
					t.Fatalf("%s: ply %d in %v: line %v: %v", row.Name, i+1, p, ply.Best, err)
				}
			}
			p = game.Positions[i]
		}
	}
}

// TestReviewOfASolvedGameAgreesWithTheSolver plays a game that can be solved.
func TestReviewOfASolvedGameAgreesWithTheSolver(t *testing.T) {
	game := played(t, "kalah", "pits=4 seeds=3", 200)
	r, err := review.Of(context.Background(), game, review.Budget{Nodes: 1_000_000, Memory: 1 << 22})
	if err != nil {
		t.Fatal(err)
	}
	solver, p := search.New(game.Game, 1<<22), game.Start
	for i, ply := range r.Plies {
		worth := solver.Search(context.Background(), p, nil, search.Limits{})
		after := solver.Search(context.Background(), game.Positions[i], nil, search.Limits{})
		played := after.Value
		if game.Positions[i].Seat != p.Seat {
			played = -played
		}
		if !ply.Exact || ply.Value != worth.Value || ply.Played != played || ply.Label != "" && !ply.Sure {
			t.Errorf("ply %d in %v: %+v, the solver says %v, and %v for what was played", i+1, p, ply, worth.Value, played)
		}
		p = game.Positions[i]
	}
	if score := p.Score(int(p.Seat)) - p.Score(1-int(p.Seat)); !r.End.Exact || r.End.Value != float64(score) {
		t.Errorf("the end is %+v, want exactly %d", r.End, score)
	}
}

func TestReviewDependsOnTheGameAndTheBudgetAlone(t *testing.T) {
	game := played(t, "oware", "", 40)
	first, _ := review.Of(context.Background(), game, small)
	again, _ := review.Of(context.Background(), game, small)
	if !reflect.DeepEqual(first, again) {
		t.Errorf("first %+v\nthen %+v", first, again)
	}
}

// TestGameTurnsAtTheBlunder has a position in which e keeps the balance and d loses
// six seeds and the game.
func TestGameTurnsAtTheBlunder(t *testing.T) {
	for _, tt := range []struct {
		moves   string
		turning int
		labels  []review.Label
		best    string // first of the best line of the last ply
	}{
		{"c,d", 2, []review.Label{review.Fine, review.Blunder}, "e"},
		{"c,e", 0, []review.Label{review.Fine, review.Fine}, "e"},
		{"f", 0, []review.Label{review.Fine}, "f"},
	} {
		game := record(t, "[Rules \"kalah\"]\n[Start \"0,0,4,0,0,1/0,0,4,0,3,0 18/18 S play 0 0\"]\n\n"+tt.moves)
		r, err := review.Of(context.Background(), game, small)
		if err != nil {
			t.Fatal(err)
		}
		var labels []review.Label
		for _, p := range r.Plies {
			labels = append(labels, p.Label)
		}
		last := r.Plies[len(r.Plies)-1]
		if r.Turning != tt.turning || !reflect.DeepEqual(labels, tt.labels) || last.Best[0] != tt.best {
			t.Errorf("%s: turned at %d, labels %v, best %v; want %d, %v, %s", tt.moves, r.Turning, labels, last.Best, tt.turning, tt.labels, tt.best)
		}
	}
}

// TestReviewEndsWithAnErrorWhenCancelledOrTooLong also goes on after a step was
// cancelled.
func TestReviewEndsWithAnErrorWhenCancelledOrTooLong(t *testing.T) {
	game := played(t, "oware", "", 40)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := review.New(game, small)
	if err != nil || r.Steps() != 41 {
		t.Fatalf("%v, %d steps for 40 plies", err, r.Steps())
	}
	for range 3 {
		if err := r.Step(ctx); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	if err := r.Step(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for err == nil && r.More() { // a cancelled step can be repeated
		err = r.Step(context.Background())
	}
	if whole, _ := review.Of(context.Background(), game, small); err != nil || !reflect.DeepEqual(r.Review().Plies[38:], whole.Plies[38:]) {
		t.Errorf("after it was cancelled: %v", err)
	}
	long := *game
	long.Moves = make([]engine.Move, review.MaxPlies+1)
	if _, err := review.Of(context.Background(), &long, small); !errors.Is(err, review.ErrTooLong) {
		t.Errorf("too long: %v", err)
	}
}

// TestLabelsHaveTheBoundsOfTheDesign checks UX.md §6.
func TestLabelsHaveTheBoundsOfTheDesign(t *testing.T) {
	for loss, want := range map[float64]review.Label{
		0: review.Fine, 0.5: review.Fine, 0.6: review.Inaccuracy, 2: review.Inaccuracy,
		2.1: review.Mistake, 5: review.Mistake, 5.1: review.Blunder, 40: review.Blunder,
	} {
		if got := review.LabelOf(loss); got != want {
			t.Errorf("%v: %s, want %s", loss, got, want)
		}
	}
}

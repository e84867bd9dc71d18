package movie

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/engine"
	"mancala/web/picture"
)

// playout plays random moves, at most the given number of plies.
func playout(t testing.TB, rules, options string, run uint64, plies int) *engine.Replay {
	t.Helper()
	g, err := (&engine.Record{Tags: []engine.Tag{{Name: "Rules", Value: rules}, {Name: "Options", Value: options}}}).Game()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(run, 1))
	game := &engine.Replay{Game: g, Start: g.Start()}
	p, h := game.Start, &engine.History{}
	for len(game.Moves) < plies && p.Phase != engine.Over {
		var m engine.Move
		if p.Phase == engine.Setup {
			m = g.RandomLayOut(random)
		} else {
			legal := g.LegalMoves(&p, nil)
			m = legal[random.IntN(len(legal))]
		}
		if err := g.Play(&p, h, m, nil); err != nil {
			t.Fatal(err)
		}
		game.Moves, game.Positions = append(game.Moves, m), append(game.Positions, p)
	}
	game.Termination = engine.ByResign
	return game
}

// made returns the file of a movie.
func made(t testing.TB, game *engine.Replay, winners ...int) []byte {
	t.Helper()
	m := New(game, winners)
	for {
		complete, err := m.Draw(25)
		if err != nil {
			t.Fatal(err)
		}
		if complete {
			return m.GIF()
		}
	}
}

func decoded(t testing.TB, file []byte) *gif.GIF {
	t.Helper()
	g, err := gif.DecodeAll(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// shown returns what a GIF shows after each frame.
func shown(g *gif.GIF) (frames []*image.RGBA) {
	c := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for _, frame := range g.Image {
		draw.Draw(c, frame.Rect, frame, frame.Rect.Min, draw.Over)
		frames = append(frames, &image.RGBA{Pix: slices.Clone(c.Pix), Stride: c.Stride, Rect: c.Rect})
	}
	return frames
}

// still returns the picture of one board.
func still(t testing.TB, b picture.Board) *image.RGBA {
	t.Helper()
	film := picture.NewFilm(b)
	if err := film.Add(b, time.Second); err != nil {
		t.Fatal(err)
	}
	return shown(decoded(t, film.GIF()))[0]
}

// sixtyPlies is a game of Kalah with 60 plies.
func sixtyPlies(t testing.TB) *engine.Replay {
	for run := range uint64(1000) {
		if game := playout(t, "kalah", "", run, 60); len(game.Moves) == 60 {
			return game
		}
	}
	t.Fatal("every game is shorter")
	return nil
}

func TestKalahGameOfSixtyPliesTakesLessThan600KB(t *testing.T) {
	if file := made(t, sixtyPlies(t), 0); len(file) > 600_000 {
		t.Errorf("it takes %d bytes", len(file))
	}
}

// BenchmarkKalahGameOfSixtyPlies prints how long a movie takes and how large it is. The aim is
// 1.5 s of one processor and 600 kB.
func BenchmarkKalahGameOfSixtyPlies(b *testing.B) {
	game, size := sixtyPlies(b), 0
	for b.Loop() {
		size = len(made(b, game, 0))
	}
	b.ReportMetric(float64(size), "bytes")
}

// TestMovieOfEverySystemShowsItsPliesAndEndsWithTheLastBoard also writes the movies to the
// folder in MANCALA_PICTURES, for people to look at. Then they are of whole games.
func TestMovieOfEverySystemShowsItsPliesAndEndsWithTheLastBoard(t *testing.T) {
	folder, plies := os.Getenv("MANCALA_PICTURES"), 3
	if folder != "" {
		plies = MaxPlies
	}
	for _, row := range engine.Systems {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			game := playout(t, row.Name, "", 7, plies)
			file := made(t, game, 0)
			if folder != "" {
				if err := os.WriteFile(filepath.Join(folder, row.Name+".gif"), file, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			g := decoded(t, file)
			if len(g.Image) < len(game.Moves)+1 {
				t.Fatalf("%d frames for %d plies", len(g.Image), len(game.Moves))
			}
			frames, at := shown(g), 0
			for _, p := range slices.Concat([]engine.Position{game.Start}, game.Positions[:len(game.Positions)-1]) {
				want := still(t, BoardOf(game.Game, p)).Pix
				for at < len(frames) && !bytes.Equal(frames[at].Pix, want) {
					at++
				}
			}
			end := BoardOf(game.Game, game.Positions[len(game.Positions)-1])
			end.Turn, end.Winners = -1, []int{0}
			if at >= len(frames)-1 {
				t.Error("not every position has a frame, in the order of the game")
			}
			if !bytes.Equal(frames[len(frames)-1].Pix, still(t, end).Pix) {
				t.Error("the last frame does not show the last board")
			}
			if last := g.Delay[len(g.Delay)-1]; last < 300 {
				t.Errorf("the last frame stays for %d hundredths of a second", last)
			}
		})
	}
}

// The boards are the sizes that pages and records allow: the largest and the smallest.
func TestMoviesOfHouseRulesCanBeDrawn(t *testing.T) {
	for _, rules := range []struct{ system, options string }{
		{"kalah", "pits=1 seeds=1"}, {"kalah", "pits=13 seeds=9"}, {"oware", "pits=13"}, {"basic-four", "pits=13 seeds=4"},
	} {
		game := playout(t, rules.system, rules.options, 3, 4)
		if g := decoded(t, made(t, game)); len(g.Image) < len(game.Moves)+1 {
			t.Errorf("%v: %d frames for %d plies", rules, len(g.Image), len(game.Moves))
		}
	}
}

func TestPliesAreShownByTheirPitAndTheirCaptures(t *testing.T) {
	for _, tt := range []struct {
		name, rules, from, move string
		pit                     int
		captured                [][]int
	}{
		{"a plain ply", "kalah", "", "a", 0, nil},
		{"a capture across takes both pits", "kalah", "4,2,1,3,0,5/0,1,0,6,2,2 11/11 N play 0 20", "b", 7, [][]int{{8, 3}}},
		{"captures of neighbours are one picture", "oware", "0,0,0,0,0,2/1,1,4,4,4,4 14/14 S play 0 20", "f", 5, [][]int{{7, 6}}},
	} {
		game := playout(t, tt.rules, "", 1, 0)
		if tt.from != "" {
			var err error
			if game.Start, err = game.Game.Parse(tt.from); err != nil {
				t.Fatal(err)
			}
		}
		move, _ := engine.ParseMove(tt.move)
		after := game.Start
		if err := game.Game.Play(&after, &engine.History{}, move, nil); err != nil {
			t.Fatal(err)
		}
		game.Moves, game.Positions = []engine.Move{move}, []engine.Position{after}
		events := New(game, nil).events(game.Start, after, move)
		if pit, ok := played(events); !ok || pit != tt.pit {
			t.Errorf("%s: the pit is %d, want %d", tt.name, pit, tt.pit)
		}
		var pits [][]int
		for _, c := range captures(events) {
			pits = append(pits, c.pits)
		}
		if !slices.EqualFunc(pits, tt.captured, slices.Equal) {
			t.Errorf("%s: the captures are %v, want %v", tt.name, pits, tt.captured)
		}
		if frames, want := len(decoded(t, made(t, game)).Image), 3+len(tt.captured); frames != want {
			t.Errorf("%s: %d frames, want %d", tt.name, frames, want)
		}
	}
}

func TestGameWithoutPliesIsOnePicture(t *testing.T) {
	game := playout(t, "kalah", "", 1, 0)
	frames := shown(decoded(t, made(t, game, 1)))
	end := BoardOf(game.Game, game.Start)
	end.Turn, end.Winners = -1, []int{1}
	if len(frames) != 1 || !bytes.Equal(frames[0].Pix, still(t, end).Pix) {
		t.Errorf("it has %d frames", len(frames))
	}
}

// A longer game is bounded: after its first position come its last plies.
func TestLongGameShowsItsLastPlies(t *testing.T) {
	game := playout(t, "kalah", "", 1, 0)
	game.Moves = make([]engine.Move, MaxPlies+100)
	m := New(game, nil)
	if _, err := m.Draw(0); err != nil || m.next != 100 {
		t.Errorf("the first ply is %d, want 100; %v", m.next, err)
	}
}

// FuzzRecordBecomesAGIF draws the first plies of any record.
func FuzzRecordBecomesAGIF(f *testing.F) {
	for _, name := range []string{"systems", "houserules", "claims", "owntracks"} {
		text, err := os.ReadFile(filepath.Join("../../engine/testdata/games", name+".rec"))
		if err != nil {
			f.Fatal(err)
		}
		for i, record := range strings.Split(string(text), "\n\n[")[:6] {
			f.Add(strings.Repeat("[", min(i, 1)) + record) // the separator had its bracket
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		record, err := engine.ParseRecord(text)
		if err != nil {
			return
		}
		game, err := record.Replay()
		if err != nil {
			return
		}
		n := min(len(game.Moves), 3)
		game.Moves, game.Positions = game.Moves[:n], game.Positions[:n]
		if g := decoded(t, made(t, game)); len(g.Image) < n+1 {
			t.Errorf("%d frames for %d plies", len(g.Image), n)
		}
	})
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"mancala/cmd/internal/server"
)

// TestMain runs the tests, or is a child: mancala-bench starts its own program again, which is
// the test's program here.
func TestMain(m *testing.M) {
	if isChild, err := runAsChild(context.Background(), os.Args[1:], os.Stdout); isChild {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	built.Remove()
	unraced.Remove()
	os.Exit(code)
}

// built is the server's program of all tests but the longest. unraced never has the race detector, and no
// other flags of the compiler, so it shares the packages that other tests have compiled.
var (
	built   = server.Program{Flags: server.ForTests}
	unraced = server.Program{Flags: func(string) ([]string, error) { return []string{"-pgo=off", "-gcflags=all="}, nil }}
)

// testProgram returns the server's program, built from this repository.
func testProgram(t *testing.T) *program {
	t.Helper()
	return &program{given: pathOf(t, &built)}
}

// pathOf returns the path of one of the server's programs.
func pathOf(t *testing.T, p *server.Program) string {
	t.Helper()
	path, err := p.Path(context.Background()) // it outlives this test
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// raceless prints what the benchmark and its servers say. The test fails if the race detector has found
// something in one of them.
type raceless struct{ *testing.T }

func (r raceless) Write(said []byte) (int, error) {
	if bytes.Contains(said, []byte("DATA RACE")) {
		r.Error("the race detector has found something")
	}
	return r.Output().Write(said)
}

// tiny are flags for short workloads. Their results say nothing about speed.
const tiny = "--json --rounds 1 --time 100ms --rooms 3 --watchers 20 --idle 20 --deliveries 2000 "

// bench runs mancala-bench with these flags and returns its results. What it and the servers
// report is shown with a failure of the test.
func bench(t *testing.T, args string) []result {
	t.Helper()
	return benchOf(t, &built, args)
}

// benchOf is bench with one of the server's programs.
func benchOf(t *testing.T, p *server.Program, args string) []result {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), append(strings.Fields(args), "--server", pathOf(t, p)), nil, &out, raceless{t}); err != nil {
		t.Fatal(err)
	}
	var got []result
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEveryWorkloadRunsOnEveryServerThatFitsIt(t *testing.T) {
	t.Parallel()
	got := bench(t, tiny+"--baseline --transport --work full,rate,whole,whole-rate,watch,stalled")
	// The hub waits for slow readers without a limit, so it has no stalled watchers.
	// The journal in memory is only for rooms at full speed and for whole games.
	want := map[string]int{"hub": 5, "transport": 6, "memory": 3, "sqlite": 6}
	for _, r := range got {
		want[r.Server]--
		reading := 2*r.Rooms + r.Watchers - r.Stalled
		if r.Moves == 0 || r.P50 == 0 || r.P99 < r.P50 || r.Sockets != 2*r.Rooms+r.Watchers ||
			r.Deliveries < 2*r.Moves || r.Deliveries > reading*(r.Moves+1) {
			t.Errorf("%+v", r)
		}
	}
	for server, missing := range want {
		if missing != 0 {
			t.Errorf("%d results of %s are missing", missing, server)
		}
	}
}

// The players and watchers go on with new games also after all prepared games.
func TestPlayersGoOnWhenAGameEnds(t *testing.T) {
	t.Parallel()
	p := plan{errOut: raceless{t}, program: testProgram(t)}
	server, err := p.start(t.Context(), "memory")
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	d := server.driver.(*mancalaDriver)
	d.short = 5
	const moves = 5 * (mostRooms + 6) // more rooms than a socket may follow
	r, err := playRooms(t.Context(), server, roomLoad{rooms: 2, watchers: 2, most: moves, length: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if r.Moves != 2*moves {
		t.Errorf("%d moves, want %d", r.Moves, 2*moves)
	}
}

// A whole game has about 44 plies, so that each room has several.
func TestWholeGamesAreMadeOneAfterTheOther(t *testing.T) {
	t.Parallel()
	p := plan{errOut: raceless{t}, program: testProgram(t)}
	server, err := p.start(t.Context(), "memory")
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	const moves = 300
	r, err := playRooms(t.Context(), server, roomLoad{rooms: 2, most: moves, length: time.Hour, whole: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Moves != 2*moves {
		t.Errorf("%d moves, want %d", r.Moves, 2*moves)
	}
	for _, s := range server.driver.(*mancalaDriver).series {
		if games := len(s.rooms); games < moves/100 || games > moves/10 {
			t.Errorf("%d games of %d moves", games, moves)
		}
	}
}

func TestRandomMovesAreAmongTheLegalOnes(t *testing.T) {
	choose := randomMoves(rand.New(rand.NewPCG(1, 2)))
	seen := map[string]bool{}
	for range 100 {
		seen[choose([]byte(`,"you":{"legal":[{"m":"a","trace":[["lift",0,4]]},{"m":"c","trace":[["lift",2,1]]}]}}`))] = true
	}
	if want := map[string]bool{"a": true, "c": true}; !maps.Equal(seen, want) {
		t.Errorf("chose %v, want %v", seen, want)
	}
	if got := choose([]byte(`{"t":"ev"}`)); got != "" {
		t.Errorf("%q without legal moves", got)
	}
}

func TestARunningServerCanBeMeasured(t *testing.T) {
	t.Parallel()
	p := plan{errOut: raceless{t}, program: testProgram(t)}
	server, err := p.start(t.Context(), "memory")
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	got := bench(t, tiny+"--work full --target "+server.driver.(*mancalaDriver).bases[0])
	if len(got) != 1 || got[0].Server != "target" || got[0].Moves == 0 {
		t.Errorf("%+v", got)
	}
	if found := listenerPID(server.driver.(*mancalaDriver).bases[0]); found != 0 && found != server.proc.pids[0] {
		t.Errorf("the server is process %d, not %d", server.proc.pids[0], found)
	}
}

func TestQuietestMoveLiftsFewSeedsAndCapturesNone(t *testing.T) {
	for _, tt := range []struct{ frame, want string }{
		{`{"t":"ev"}`, ""},
		{`,"you":{"legal":[{"m":"a","trace":[["lift",0,4],["sow","1-4"]]},{"m":"c","trace":[["lift",2,1],["sow",3],["take",3,1,"s0"]]},{"m":"e","trace":[["lift",4,2],["sow",5,"s0"]],"again":true}]}}`, "e"},
	} {
		if got := quietestMove([]byte(tt.frame)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.frame, got, tt.want)
		}
	}
}

func TestFlagsWithoutAnythingToMeasureAreRefused(t *testing.T) {
	for _, args := range []string{"--journal none", "--work nothing", "--work chaos --targets http://127.0.0.1:1", "--chaos --instances 1", "--work tournament --format paper", "--work tournament --players 1", "--work tournament --games 3", "--journal paper", "--baseline --watchers few", "--nonsense",
		"full", "--rounds 0", "--time 0s", "--work idle --idle 0", "--work year --days 0"} {
		if err := run(t.Context(), strings.Fields(args), nil, &bytes.Buffer{}, &bytes.Buffer{}); err == nil {
			t.Errorf("mancala-bench %s: no error", args)
		}
	}
}

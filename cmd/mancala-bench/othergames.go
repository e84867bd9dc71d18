package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// otherGames are games whose moves are measured while this process makes another load. A process
// of its own plays them, so that no move waits for this process. It is this program again, with
// the load as its argument.
type otherGames struct {
	Bases  []string // http://host:port of each instance that players are spread over
	Rooms  int
	Rate   float64 // moves per second of all rooms
	Length time.Duration
}

// otherMoves is what that process prints at the end.
type otherMoves struct {
	Moves   int
	Latency []time.Duration
}

// playOthers plays the games in args. It prints a line when the measured time begins.
func playOthers(ctx context.Context, args []string, out io.Writer) error {
	var g otherGames
	if len(args) != 1 {
		return fmt.Errorf("want one argument, got %d", len(args))
	}
	if err := json.Unmarshal([]byte(args[0]), &g); err != nil {
		return err
	}
	begun := func() { fmt.Fprintln(out, "the games have begun") }
	l := roomLoad{rooms: g.Rooms, length: g.Length, rate: g.Rate, busy: true, begun: begun}
	r, err := playRooms(ctx, target{driver: newMancalaDriver(g.Bases...)}, l)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(otherMoves{r.Moves, r.latency})
}

// start starts the process, and waits until its games have begun. wait waits for the end.
func (g otherGames) start(ctx context.Context, stderr io.Writer) (wait func() (otherMoves, error), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	load, err := json.Marshal(g)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "others", string(load))
	cmd.Stderr = stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	out := bufio.NewReader(pipe)
	wait = func() (m otherMoves, err error) {
		err = json.NewDecoder(out).Decode(&m)
		return m, firstOf([]error{cmd.Wait(), err})
	}
	if _, err := out.ReadString('\n'); err != nil {
		return nil, fmt.Errorf("play other games: %w", firstOf([]error{cmd.Wait(), err}))
	}
	return wait, nil
}

package entrants

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"mancala/cmd/internal/ledger"
	"mancala/lobby/tournament"
	"mancala/match/journal"
	"mancala/match/machine"
)

// Entries reads the entries of a room from the journal.
func Entries(ctx context.Context, j journal.Journal, room string) (entries []machine.Entry, err error) {
	rows, err := j.Read(ctx, room, 0, 0)
	for _, row := range rows {
		var e machine.Entry
		if err := json.Unmarshal(row.Data, &e); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, err
}

// checker collects what is wrong with a tournament.
type checker struct {
	*Event
	state tournament.State      // after the entries so far
	table []tournament.Standing // after all entries
	rooms map[string]place      // of games
	mu    sync.Mutex
	wrong []string
}

// place is where a game belongs.
type place struct{ round, board, game int }

func (c *checker) fault(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong = append(c.wrong, fmt.Sprintf("%s: %s", c.id, fmt.Sprintf(format, args...)))
}

// Check checks a tournament that is over, and returns everything that is wrong. entries are those of
// its room. The results of the games, and their plies, are read from the instances.
func (e *Event) Check(ctx context.Context, entries []machine.Entry) []string {
	c := &checker{Event: e, rooms: map[string]place{}}
	c.replay(entries)
	e.host.mu.Lock()
	if seen := e.host.state; !reflect.DeepEqual(plain(seen), plain(&c.state)) {
		c.fault("the host sees another state than the journal has:\n%s\n%s", plain(seen), plain(&c.state))
	}
	e.host.mu.Unlock()
	c.results(ctx)
	c.rules()
	c.standings()
	return c.wrong
}

// replay folds the entries, and checks that each game has got one result.
func (c *checker) replay(entries []machine.Entry) {
	reports, results := 0, 0
	for i, entry := range entries {
		var change tournament.Change
		if err := json.Unmarshal(entry.Body, &change); err != nil {
			c.fault("entry %d: %v", i+1, err)
			return
		}
		if entry.Kind == tournament.KindReport {
			reports++
		}
		results += c.boards(&change)
		if !c.state.Fold(&change, entry.At) {
			c.fault("entry %d, %s, does not fit: %s", i+1, entry.Kind, entry.Body)
			return
		}
	}
	c.table = c.state.Standings()
	if reports != results || results != len(c.rooms) {
		c.fault("%d reports have set %d results of %d games", reports, results, len(c.rooms))
	}
}

// plain returns what a page shows of a state.
func plain(s *tournament.State) string {
	text, err := json.Marshal([]any{s.Stage, s.Players, s.Start, s.Rounds})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// boards checks the boards of a change before it is folded. It returns how many games have got their
// result.
func (c *checker) boards(change *tournament.Change) (results int) {
	for k, b := range change.Boards {
		var old tournament.Board
		if r := change.Round; r <= len(c.state.Rounds) && b.Number <= len(c.state.Rounds[r-1]) {
			if old = c.state.Rounds[r-1][b.Number-1]; old.First != b.First || old.Second != b.Second {
				c.fault("round %d, board %d is given to other players", r, b.Number)
			}
		} else {
			c.begins(r, &b, change.Boards[:k])
		}
		for i, g := range b.Games {
			at := place{change.Round, b.Number, i + 1}
			if before, known := c.rooms[g.Room]; known && before != at {
				c.fault("the room %s belongs to %v and to %v", g.Room, before, at)
			}
			c.rooms[g.Room] = at
			var was string
			if i < len(old.Games) {
				was = old.Games[i].Result
			}
			switch {
			case was == "" && g.Result != "":
				results++
			case was != g.Result:
				c.fault("%v has the result %s and then %s", at, was, g.Result)
			}
		}
		if old.Result != "" && old.Result != b.Result {
			c.fault("round %d, board %d has the result %s and then %s", change.Round, b.Number, old.Result, b.Result)
		}
	}
	return results
}

// begins checks that the players of a new board are free. others are the boards of the same change
// before it.
func (c *checker) begins(round int, b *tournament.Board, others []tournament.Board) {
	for _, boards := range append(slices.Clone(c.state.Rounds), others) {
		for _, other := range boards {
			if other.Result == "" && (has(&other, b.First) || b.Second != 0 && has(&other, b.Second)) {
				c.fault("round %d, board %d begins while a player of it is at board %d", round, b.Number, other.Number)
			}
		}
	}
}

func has(b *tournament.Board, number int) bool { return b.First == number || b.Second == number }

// played is a game as its room shows it.
type played struct {
	State string   `json:"state"`
	Seats []string `json:"seats"`
	Event struct {
		Room               string
		Round, Board, Game int
	} `json:"event"`
	Result struct {
		Reason  string `json:"reason"`
		Winners []int  `json:"winners"`
		Scores  []int  `json:"scores"`
	} `json:"result"`
}

// results compares each game with what its board says.
func (c *checker) results(ctx context.Context) {
	var next atomic.Int64
	var group sync.WaitGroup
	rooms := make([]string, 0, len(c.rooms))
	for room := range c.rooms {
		rooms = append(rooms, room)
	}
	get := func(path string) (string, error) { return c.service.Get(ctx, path) }
	for range 8 {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(rooms) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				room := rooms[i]
				c.result(get, room, c.rooms[room])
				c.Event.mu.Lock()
				g := c.games[room]
				c.Event.mu.Unlock()
				if g == nil {
					g = ledger.NewGame(room, c.Settings.Rules)
				}
				for _, what := range g.Check(get) {
					c.fault("%s", what)
				}
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		c.fault("%v", ctx.Err())
	}
}

func (c *checker) result(get func(string) (string, error), room string, at place) {
	text, err := get("/api/v1/games/" + room)
	var view struct{ Snap played }
	if err == nil {
		err = json.Unmarshal([]byte(text), &view)
	}
	if err != nil {
		c.fault("%v: %v", at, err)
		return
	}
	p := &view.Snap
	b := &c.state.Rounds[at.round-1][at.board-1]
	g := &b.Games[at.game-1]
	first := slices.Index(p.Seats, c.state.Players[b.First-1].ID)
	second := slices.Index(p.Seats, c.state.Players[b.Second-1].ID)
	switch {
	case p.State != "over":
		c.fault("%v: the game in %s is %s", at, room, p.State)
	case p.Event.Room != c.id || (place{p.Event.Round, p.Event.Board, p.Event.Game}) != at:
		c.fault("%v: the game in %s belongs to %+v", at, room, p.Event)
	case first < 0 || second < 0 || (first == 1) != g.Swapped:
		c.fault("%v: the seats in %s are %q, swapped: %v", at, room, p.Seats, g.Swapped)
	case p.Result.Reason == "no-show":
		c.fault("%v: a player who was there has lost %s for not coming", at, room)
	case g.Result != p.resultFor(first) || g.Reason != p.Result.Reason || g.Seeds != p.Result.Scores[first]-p.Result.Scores[second]:
		c.fault("%v: the game in %s has ended with %+v, the tournament has %+v", at, room, p.Result, *g)
	}
}

// resultFor returns the result for the board's first player, who has this seat.
func (p *played) resultFor(first int) string {
	won, lost := slices.Contains(p.Result.Winners, first), slices.Contains(p.Result.Winners, 1-first)
	switch {
	case won && lost:
		return tournament.Drawn
	case won:
		return tournament.FirstWins
	case lost:
		return tournament.SecondWins
	}
	return tournament.Void
}

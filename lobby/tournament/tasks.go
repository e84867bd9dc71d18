package tournament

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
)

// TaskOpen is the kind of the task that opens games. Its body is an [Opening].
const TaskOpen = "open-round"

// openAtOnce is how many games one task opens. A round of a thousand boards has few tasks, so
// that it has few entries.
const openAtOnce = 50

// An Opening is the games that one task opens.
type Opening struct {
	Settings match.Settings `json:"settings"`
	NoShow   int64          `json:"noShow"` // ms, after which a player who has not moved loses
	Games    []NewGame      `json:"games"`
}

// A NewGame is one game to open.
type NewGame struct {
	Room  string    `json:"room"`
	Seats [2]string `json:"seats"` // players by seat
	Round int       `json:"round"`
	Board int       `json:"board"`
	Game  int       `json:"game"`
}

// gameID returns the ID of a game's room.
func (d *decision) gameID(round, board, game int) string {
	parts := []string{"tournament", d.id, strconv.Itoa(round), strconv.Itoa(board), strconv.Itoa(game)}
	if d.Recalled > 0 { // the rooms of a round that was taken back are not used again
		parts = append(parts, strconv.Itoa(d.Recalled))
	}
	return lobby.DerivedRoomID(parts...)
}

// Tasks implements [machine.Machine]. A task opens the games of one block of boards that have
// no room yet. When other games of the block need rooms, another task replaces it. Other tasks
// carry out the acts of hosts, read the players' ratings again, and keep the list of tournaments up to date.
func (t *Tournament) Tasks() (tasks []machine.Task) {
	for _, games := range t.state.blocks() {
		tasks = append(tasks, machine.Task{ID: taskID(games), Kind: TaskOpen, Body: encode(t.opening(games))})
	}
	acts := t.state.Acts
	if t.state.Recall > 0 && !slices.ContainsFunc(acts, func(a Act) bool { return a.holds() }) {
		tasks = append(tasks, t.state.recallTask())
	}
	for i, a := range acts {
		if !a.waits(acts[:i]) {
			tasks = append(tasks, machine.Task{ID: a.task(), Kind: TaskAct, Body: encode(t.state.acting(a))})
		}
	}
	if t.state.Reread != 0 && t.state.Stage == Entry {
		tasks = append(tasks, t.state.ratingsTask())
	}
	if l := t.state.Listing(); l != nil && l.task() != t.state.Indexed {
		tasks = append(tasks, machine.Task{ID: l.task(), Kind: TaskIndex, Body: encode(l)})
	}
	return tasks
}

// blocks returns the games of the last round that have no room, divided for the tasks.
func (s *State) blocks() (blocks [][]NewGame) {
	for boards := range slices.Chunk(s.round(), openAtOnce) {
		if games := s.unopened(boards); len(games) > 0 {
			blocks = append(blocks, games)
		}
	}
	return blocks
}

// unopened returns the games of these boards that have no room.
func (s *State) unopened(boards []Board) (games []NewGame) {
	for i := range boards {
		b := &boards[i]
		n := len(b.Games)
		if n == 0 || b.Games[n-1].Opened || b.Result != "" {
			continue
		}
		g := NewGame{Room: b.Games[n-1].Room, Round: len(s.Rounds), Board: b.Number, Game: n}
		first := seatOfFirst(b.Games[n-1].Swapped)
		g.Seats[first], g.Seats[1-first] = s.Players[b.First-1].ID, s.Players[b.Second-1].ID
		games = append(games, g)
	}
	return games
}

func (t *Tournament) opening(games []NewGame) Opening {
	s := &t.state.Settings
	wait := s.noShow()
	if s.NoShow == 0 && t.state.closed() {
		wait = lateNoShow
	}
	return Opening{Settings: s.game(), NoShow: wait.Milliseconds(), Games: games}
}

// taskID returns an ID that derives from the games of a task: a task with other games has another
// ID.
func taskID(games []NewGame) string {
	sum := fnv.New64a()
	for _, g := range games {
		fmt.Fprintln(sum, g.Room, g.Seats)
	}
	return fmt.Sprintf("%s-%x", TaskOpen, sum.Sum64())
}

// done notes that a task has been carried out. A task that other games have replaced is carried
// out again with them.
func (d *decision) done() error {
	if l := d.Listing(); l != nil && l.task() == d.order.Task {
		d.change.Indexed = d.order.Task
		return nil
	}
	if d.Reread != 0 && d.Stage == Entry && d.ratingsTask().ID == d.order.Task {
		return d.reread()
	}
	if d.Recall > 0 && d.recallTask().ID == d.order.Task {
		return d.recalled()
	}
	if i := slices.IndexFunc(d.Acts, func(a Act) bool { return a.task() == d.order.Task }); i >= 0 {
		return d.acted(d.Acts[i])
	}
	for _, games := range d.blocks() {
		if taskID(games) != d.order.Task {
			continue
		}
		d.change.Round = len(d.Rounds)
		for _, g := range games {
			b := *d.board(g.Round, g.Board)
			b.Games = slices.Clone(b.Games)
			b.Games[g.Game-1].Opened, b.Games[g.Game-1].Acted = true, d.Acted
			d.change.Boards = append(d.change.Boards, b)
		}
		return nil
	}
	return machine.ErrNothing
}

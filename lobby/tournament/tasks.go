package tournament

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// TaskOpen is the kind of the task that opens games. Its body is an [Opening].
const TaskOpen = "open"

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
	return lobby.DerivedRoomID("tournament", d.id, strconv.Itoa(round), strconv.Itoa(board), strconv.Itoa(game))
}

// Tasks implements [machine.Machine]. It returns the games of the last round that have no room
// yet. A task has all boards of a block whose games are not open, so its ID names the block
// and the first of these games: another task follows when that one is done.
func (t *Tournament) Tasks() (tasks []machine.Task) {
	boards := t.state.round()
	for from := 0; from < len(boards); from += openAtOnce {
		block := boards[from:min(from+openAtOnce, len(boards))]
		if games := t.unopened(block); len(games) > 0 {
			tasks = append(tasks, machine.Task{ID: taskID(games), Kind: TaskOpen, Body: encode(t.opening(games))})
		}
	}
	return tasks
}

// unopened returns the games of these boards that have no room.
func (t *Tournament) unopened(boards []Board) (games []NewGame) {
	for i := range boards {
		b := &boards[i]
		n := len(b.Games)
		if n == 0 || b.Games[n-1].Opened || b.Result != "" {
			continue
		}
		g := NewGame{Room: b.Games[n-1].Room, Round: len(t.state.Rounds), Board: b.Number, Game: n}
		first := seatOfFirst(b.Games[n-1].Swapped)
		g.Seats[first], g.Seats[1-first] = t.state.Players[b.First-1].ID, t.state.Players[b.Second-1].ID
		games = append(games, g)
	}
	return games
}

func (t *Tournament) opening(games []NewGame) Opening {
	s := &t.state.Settings
	wait := time.Duration(s.NoShow) * time.Second
	if wait == 0 {
		wait = usualNoShow
	}
	return Opening{Settings: s.game(), NoShow: wait.Milliseconds(), Games: games}
}

// taskID names every game of the task by its board and its number, since games that follow
// may join the block while a task is under way.
func taskID(games []NewGame) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s-%d", TaskOpen, games[0].Round)
	for _, g := range games {
		fmt.Fprintf(&b, "-%d.%d", g.Board, g.Game)
	}
	return b.String()
}

// done notes that the games of a task are open.
func (d *decision) done() error {
	rest, ok := strings.CutPrefix(d.order.Task, TaskOpen+"-")
	round, games, found := strings.Cut(rest, "-")
	if r, err := strconv.Atoi(round); !ok || !found || err != nil || r != len(d.Rounds) {
		return machine.ErrNothing // of a round that is over
	}
	d.change.Round = len(d.Rounds)
	for name := range strings.SplitSeq(games, "-") {
		var board, game int
		if n, err := fmt.Sscanf(name, "%d.%d", &board, &game); n != 2 || err != nil {
			return refusal.New(match.CodeBadCommand)
		}
		old := d.board(len(d.Rounds), board)
		if old == nil || game < 1 || game > len(old.Games) || old.Games[game-1].Opened {
			continue
		}
		b := *old
		b.Games = slices.Clone(old.Games)
		b.Games[game-1].Opened = true
		d.change.Boards = append(d.change.Boards, b)
	}
	if len(d.change.Boards) == 0 {
		return machine.ErrNothing
	}
	return nil
}

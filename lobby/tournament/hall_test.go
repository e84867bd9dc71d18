package tournament_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

const host = "phost"

// hall runs a tournament without a room.
type hall struct {
	*testing.T
	machine *tournament.Tournament
	entries []machine.Entry
	now     time.Time
}

func open(t *testing.T, s tournament.Settings) *hall {
	t.Helper()
	h := &hall{T: t, machine: tournament.New("cup1"), now: time.UnixMilli(1_700_000_000_000)}
	if s.Name == "" {
		s.Name = "School Cup"
	}
	h.must(host, tournament.KindCreate, tournament.Order{Settings: &s})
	return h
}

// send sends a command, and applies its entry.
func (h *hall) send(by, kind string, o any) error {
	h.Helper()
	body, err := json.Marshal(o)
	if err != nil {
		h.Fatal(err)
	}
	e, err := h.machine.Decide(machine.Command{Kind: kind, By: by, Server: by == "", Body: body}, h.now)
	if err != nil {
		return err
	}
	e.At, e.By = h.now.UnixMilli(), by
	named := h.named(e)
	if err := h.machine.Apply(e); err != nil {
		h.Fatalf("%s is decided and not understood: %v", kind, err)
	}
	if named != nil && !reflect.DeepEqual(*named, h.state()) {
		h.Fatalf("the rows of %s do not follow from the numbers of the boards", e.Body)
	}
	h.entries = append(h.entries, e)
	return nil
}

func (h *hall) must(by, kind string, o any) {
	h.Helper()
	if err := h.send(by, kind, o); err != nil {
		h.Fatalf("%s by %q: %v", kind, by, err)
	}
}

func (h *hall) refused(code refusal.Code, by, kind string, o any) {
	h.Helper()
	if err := h.send(by, kind, o); !refusal.Is(err, code) {
		h.Errorf("%s by %q: %v, want %s", kind, by, err, code)
	}
}

func (h *hall) state() (s tournament.State) {
	h.Helper()
	if err := json.Unmarshal(h.machine.Snapshot(machine.Watchers), &s); err != nil {
		h.Fatal(err)
	}
	return s
}

// join enters players p1, p2 and so on, the strongest first.
func (h *hall) join(n int) {
	h.Helper()
	for i := range n {
		h.must("", tournament.KindJoin, tournament.Order{Player: id(i + 1), Rating: 2000 - i})
	}
}

func id(number int) string { return fmt.Sprintf("p%d", number) }

func (h *hall) start() {
	h.Helper()
	h.must(host, tournament.KindStart, tournament.Order{Round: len(h.state().Rounds) + 1})
}

// tasks returns the open tasks of a kind.
func (h *hall) tasks(kind string) (list []machine.Task) {
	for _, t := range h.machine.Tasks() {
		if t.Kind == kind {
			list = append(list, t)
		}
	}
	return list
}

// opening returns what the first task to open games asks for.
func (h *hall) opening() (o tournament.Opening) {
	h.Helper()
	if tasks := h.tasks(tournament.TaskOpen); len(tasks) == 0 || json.Unmarshal(tasks[0].Body, &o) != nil {
		h.Fatalf("tasks %+v", tasks)
	}
	return o
}

// openGames does what the tasks ask for.
func (h *hall) openGames() (opened []tournament.NewGame) {
	h.Helper()
	for {
		tasks := h.machine.Tasks()
		if len(tasks) == 0 {
			return opened
		}
		var o tournament.Opening
		if err := json.Unmarshal(tasks[0].Body, &o); err != nil {
			h.Fatal(err)
		}
		opened = append(opened, o.Games...)
		h.must("", machine.KindDone, tournament.Order{Task: tasks[0].ID})
	}
}

// report ends a game that seat 0 wins (0), seat 1 wins (1) or nobody wins (2).
func (h *hall) report(g tournament.NewGame, outcome int, seeds ...int) {
	h.Helper()
	winners := [][]int{{0}, {1}, {0, 1}}[outcome]
	h.must("", tournament.KindReport, tournament.Order{Report: &tournament.Report{Room: g.Room, Report: match.Report{
		Round: g.Round, Board: g.Board, Game: g.Game, Reason: "normal", Played: true, Winners: winners, Scores: seeds,
	}}})
}

// playRound opens and ends the games of the round.
func (h *hall) playRound(outcome func() int) {
	h.Helper()
	for {
		games := h.openGames()
		if len(games) == 0 {
			return
		}
		for _, g := range games {
			h.report(g, outcome(), 25, 23)
		}
	}
}

// agrees fails the test unless a replay and a checkpoint give the same state.
func (h *hall) agrees() {
	h.Helper()
	replayed, loaded := tournament.New("cup1"), tournament.New("cup1")
	half := len(h.entries) / 2
	for i, e := range h.entries {
		if i == half {
			checkpoint, err := replayed.Checkpoint()
			if err == nil {
				err = loaded.LoadCheckpoint(checkpoint)
			}
			if err != nil {
				h.Fatal(err)
			}
		}
		for _, m := range []*tournament.Tournament{replayed, loaded} {
			if m == loaded && i < half {
				continue
			}
			if err := m.Apply(e); err != nil {
				h.Fatal(err)
			}
		}
	}
	want := string(h.machine.Snapshot(machine.Watchers))
	for name, m := range map[string]*tournament.Tournament{"replay": replayed, "checkpoint": loaded} {
		if got := string(m.Snapshot(machine.Watchers)); got != want || !slices.Equal(m.Players(), h.machine.Players()) {
			h.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

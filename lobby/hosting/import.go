package hosting

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/trf"
	"mancala/match/refusal"
)

// CodeBadFile refuses a report file that cannot be read. Its detail is a [FileProblem].
const CodeBadFile refusal.Code = "tournament-file"

// A FileProblem says what is wrong with a file.
type FileProblem struct {
	Line    int                 `json:"line,omitempty"`   // from 1; 0: the file as a whole
	Player  int                 `json:"player,omitempty"` // the number of the player whose name or rating cannot be used
	Why     string              `json:"why"`              // in English
	Problem *crosstable.Problem `json:"problem"`          // the same for programs
}

// badFile refuses a file. player is the player whose name or rating cannot be used, or 0.
func badFile(player int, problem *crosstable.Problem) error {
	why := *problem
	why.Line = 0
	return refusal.With(CodeBadFile, FileProblem{problem.Line, player, why.Error(), problem})
}

// An Imported is what has come from a report file.
type Imported struct {
	Players int `json:"players"`
	Rounds  int `json:"rounds"` // that were played elsewhere
}

// Import enters the players of a report file, with their ratings, as players without devices. Either all
// of them enter, or none. With their results, a Swiss goes on after the last round of the file.
func (h *Hosting) Import(ctx context.Context, id, host string, file []byte, results bool) (in Imported, err error) {
	s, err := h.hosted(ctx, id, host)
	switch {
	case err != nil:
		return in, err
	case s.Stage != tournament.Entry, results && len(s.Players) > 0: // looked at first, since players are made below
		return in, refusal.New(tournament.CodeStarted)
	case s.Settings.Accounts:
		return in, refusal.New(tournament.CodeNeedsAccount)
	}
	names, o, err := readFile(file, results)
	list := o.Entrants
	switch {
	case err != nil:
		return in, err
	case len(s.Players)+len(list) > tournament.MaxPlayers:
		return in, refusal.New(tournament.CodeFull)
	}
	if err := lobby.SlowDown(h.Limits.Entries.WaitMany(host, len(list))); err != nil {
		return in, err
	}
	players := make([]string, 0, len(list))
	for n, name := range names {
		player, err := h.newGuest(ctx, id, name, s)
		if err != nil {
			if refused(err) {
				err = errors.Join(badFile(n+1, &crosstable.Problem{Code: "name"}), err)
			}
			return in, errors.Join(err, h.forget(ctx, players...))
		}
		players = append(players, player)
		list[n].ID = player
	}
	switch err := h.order(ctx, id, host, tournament.KindImport, o); {
	case undone(err):
		return in, errors.Join(err, h.forget(ctx, players...))
	case err != nil:
		return in, err
	}
	in.Players = len(list)
	if o.Past != nil {
		in.Rounds = len(o.Past.Boards)
	}
	return in, nil
}

// mostPast is how many bytes the order of a file with results may have. The players' IDs are added to it
// later, and a room takes commands of 64 kB.
const mostPast = 40 << 10

// readFile returns the names in a report file, and the order that enters its players.
func readFile(file []byte, results bool) (names []string, o tournament.Order, err error) {
	event, err := trf.Read(bytes.NewReader(file))
	if problem, ok := errors.AsType[*crosstable.Problem](err); ok {
		return nil, o, badFile(0, problem)
	}
	switch {
	case err != nil:
		return nil, o, err
	case len(event.Players) > tournament.MaxImport:
		return nil, o, badFile(0, &crosstable.Problem{Code: "many", Most: tournament.MaxImport})
	case len(event.Players) == 0:
		return nil, o, badFile(0, &crosstable.Problem{Code: "no-players"})
	}
	for i, p := range event.Players {
		name, err := lobby.CleanName(lobby.ShortName(inOrder(p.Name)))
		if err != nil {
			return nil, o, badFile(i+1, &crosstable.Problem{Code: "name"})
		}
		if p.Rating < 0 || p.Rating > tournament.MaxRating {
			return nil, o, badFile(i+1, &crosstable.Problem{Code: "rating-range"})
		}
		names = append(names, name)
		o.Entrants = append(o.Entrants, tournament.Entrant{Rating: p.Rating})
	}
	if !results {
		return names, o, nil
	}
	if o.Entrants, o.Past, err = tournament.Entrants(event); err != nil {
		if problem, ok := errors.AsType[*crosstable.Problem](err); ok {
			return nil, o, badFile(0, problem)
		}
		return nil, o, err
	}
	if text, err := json.Marshal(o); err != nil || len(text) > mostPast {
		return nil, o, errors.Join(badFile(0, &crosstable.Problem{Code: "large"}), err)
	}
	return names, o, nil
}

// inOrder returns a name as people say it. Report files have "Lovelace, Ada".
func inOrder(name string) string {
	if family, given, ok := strings.Cut(name, ","); ok {
		return given + " " + family
	}
	return name
}

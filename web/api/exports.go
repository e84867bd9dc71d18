package api

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/lobby/tournament/trf"
	"mancala/web/site"
)

// An export is a tournament as a file.
type export struct {
	kind string // of the content
	make func(*http.Request, *hosting.Hall) ([]byte, error)
}

// exports are the files of a tournament by name. Names of players are those that the client sees.
var exports = map[string]export{
	"export.trf":      {"text/plain; charset=utf-8", exportTRF},
	"standings.csv":   {"text/csv; charset=utf-8", exportStandings},
	"games.csv":       {"text/csv; charset=utf-8", exportGames},
	"games.ndjson":    {"application/x-ndjson", exportLines},
	"tournament.json": {"application/json", exportJSON},
}

// ExportFile serves a file of a tournament.
func (srv *API) ExportFile(name string) site.Handler {
	e := exports[name]
	return func(w http.ResponseWriter, r *http.Request) error {
		person, _ := srv.WhoIs(w, r)
		hall, err := srv.Hosting.Look(r.Context(), r.PathValue("id"), person)
		if err != nil {
			return err
		}
		body, err := e.make(r, hall)
		if err != nil {
			return err
		}
		h := w.Header()
		h.Set("Content-Type", e.kind)
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Disposition", `attachment; filename="`+fileName(r, hall, name)+`"`)
		_, _ = w.Write(body) // fails only if the client has gone
		return nil
	}
}

// fileName returns the name under which a browser keeps a file: "club-evening-round-3.trf". The round is
// the last one, or of a report file the one that was asked for. The other files have all rounds.
func fileName(r *http.Request, hall *hosting.Hall, name string) string {
	round := 0
	stem, ext, _ := strings.Cut(name, ".")
	if ext == "trf" {
		round, _ = numberIn(r, "round") // a wrong number has been refused
	}
	parts := []string{site.FileStem(hall.State.Settings.Name)}
	if round = cmp.Or(round, len(hall.State.Rounds)); round > 0 && hall.State.Settings.Format != tournament.Arena && hall.State.Settings.Format != tournament.Class {
		parts = append(parts, "round", strconv.Itoa(round))
	}
	if stem == "standings" || stem == "games" {
		parts = append(parts, stem)
	}
	return strings.Join(parts, "-") + "." + ext
}

// apiExport serves the file that the path names.
func (srv *API) apiExport(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("file")
	if _, there := exports[name]; !there {
		return site.ErrNoPath
	}
	return srv.ExportFile(name)(w, r)
}

// exportTRF makes the report file of a Swiss or of a round robin, or with ?round= the one from which a
// round of a Swiss was paired.
func exportTRF(r *http.Request, hall *hosting.Hall) ([]byte, error) {
	s := &hall.State
	round, err := numberIn(r, "round")
	switch {
	case err != nil:
		return nil, err
	case !s.Settings.Format.HasReport(), round > 0 && s.Settings.Format != tournament.Swiss, round > len(s.Rounds):
		return nil, site.ErrNoPath
	}
	e := s.CrossTable(hall.Names)
	if round > 0 {
		e = s.CrossTableBefore(round, hall.Names)
	}
	var file bytes.Buffer
	err = trf.Write(&file, e)
	return file.Bytes(), err
}

func exportStandings(_ *http.Request, hall *hosting.Hall) ([]byte, error) {
	rows := hall.State.Standings()
	head := []string{"place", "number", "name", "rating", "points"}
	if len(rows) > 0 {
		for _, b := range rows[0].Breaks {
			head = append(head, b.Code)
		}
	}
	return table(head, len(rows), func(i int) []string {
		s := rows[i]
		p := &hall.State.Players[s.Number-1]
		cells := []string{
			strconv.Itoa(s.Place), strconv.Itoa(s.Number), harmless(hall.Names[p.ID]), strconv.Itoa(p.Rating),
			strconv.FormatFloat(float64(s.Points)/10, 'f', -1, 64),
		}
		for _, b := range s.Breaks {
			cells = append(cells, strconv.FormatFloat(float64(b.Value)/100, 'f', -1, 64))
		}
		return cells
	})
}

func exportGames(_ *http.Request, hall *hosting.Hall) ([]byte, error) {
	games := hall.State.Played()
	head := []string{"round", "board", "game", "first", "first name", "second", "second name", "result", "counts", "reason", "seeds", "room"}
	return table(head, len(games), func(i int) []string {
		g := namedGame(games[i], hall)
		return []string{
			strconv.Itoa(g.Round), strconv.Itoa(g.Board), strconv.Itoa(g.Game), strconv.Itoa(g.First), harmless(g.FirstName),
			strconv.Itoa(g.Second), harmless(g.SecondName), g.Result, g.Counts, g.Reason, strconv.Itoa(g.Seeds), g.Room,
		}
	})
}

// gameLine is a game with its players' names.
type gameLine struct {
	tournament.Played
	FirstName  string `json:"firstName"`
	SecondName string `json:"secondName,omitempty"`
}

func namedGame(g tournament.Played, hall *hosting.Hall) gameLine {
	name := func(number int) string {
		if number == 0 {
			return ""
		}
		return hall.Names[hall.State.Players[number-1].ID]
	}
	return gameLine{g, name(g.First), name(g.Second)}
}

func exportLines(_ *http.Request, hall *hosting.Hall) ([]byte, error) {
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	for _, g := range hall.State.Played() {
		if err := out.Encode(namedGame(g, hall)); err != nil {
			return nil, err
		}
	}
	return lines.Bytes(), nil
}

func exportJSON(_ *http.Request, hall *hosting.Hall) ([]byte, error) {
	return json.Marshal(map[string]any{
		"room": hall.ID, "seq": hall.Seq, "state": hall.State, "names": hall.Names, "standings": append([]tournament.Standing{}, hall.State.Standings()...),
	})
}

// table writes rows as comma-separated values.
func table(head []string, rows int, row func(i int) []string) ([]byte, error) {
	var file bytes.Buffer
	out := csv.NewWriter(&file)
	out.UseCRLF = true // as RFC 4180 says
	_ = out.Write(head)
	for i := range rows {
		_ = out.Write(row(i))
	}
	out.Flush()
	return file.Bytes(), out.Error()
}

// harmless returns a name that no spreadsheet takes for a formula.
func harmless(name string) string {
	if strings.IndexAny(name, "=+-@\t\r＝＋－＠") == 0 {
		return "'" + name
	}
	return name
}

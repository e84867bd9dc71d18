package event

import (
	"net/http"
	"slices"
	"strconv"

	"mancala/lobby/tournament"
	"mancala/web/pages"
	"mancala/web/site"
)

// roundPage is one round of a tournament. The page of the tournament has the boards of the last round, and shows the
// page of an earlier one in a dialog.
type roundPage struct {
	pages.Head
	ID, Event string
	Round     int
	Waves     bool // the boards are those of all games
	Boards    []boardRow
}

// boardRow is one board of a round. The script writes the same rows (static/event/boards.js).
type boardRow struct {
	Number        int
	First, Second string // names
	Won           string // "first" or "second"
	Score         string // such as "1 – 0"
	Words         string // the same in words
	Room          string // its game, or the last one
}

// round serves the page of a round.
func (srv *Pages) round(w http.ResponseWriter, r *http.Request) error {
	person, _ := srv.WhoIs(w, r)
	v, err := srv.look(r, person)
	if err != nil {
		return err
	}
	round, err := strconv.Atoi(r.PathValue("round"))
	if err != nil || round < 1 || round > len(v.State.Rounds) {
		return site.ErrNoPath
	}
	p := roundPage{ID: v.ID, Event: v.State.Settings.Name, Round: round, Waves: v.waves(), Boards: v.boards(round)}
	title := v.t("live.round", "n", round)
	if p.Waves {
		title = v.t("games")
	}
	p.Head = srv.NewHead(r, title+" · "+p.Event, "")
	return srv.Render(w, r, http.StatusOK, "tournament-round", p)
}

// boards returns the boards of a round. An arena has one round, of which the latest boards come first.
func (v *view) boards(round int) (list []boardRow) {
	boards := v.State.Rounds[round-1]
	list = make([]boardRow, 0, len(boards))
	for i := range boards {
		list = append(list, v.boardRow(&boards[i]))
	}
	if v.waves() {
		slices.Reverse(list)
	}
	return list
}

func (v *view) boardRow(b *tournament.Board) boardRow {
	r := boardRow{Number: b.Number, First: v.name(b.First), Second: v.name(b.Second)}
	for _, g := range b.Games {
		if g.Opened {
			r.Room = g.Room
		}
	}
	r.Score, r.Words = v.score(b)
	switch b.Result {
	case tournament.FirstWins, tournament.FirstUnplayed:
		r.Won = "first"
	case tournament.SecondWins, tournament.SecondUnplayed:
		r.Won = "second"
	}
	return r
}

// score returns how a board stands, in figures and in words.
func (v *view) score(b *tournament.Board) (figures, words string) {
	first, second := v.name(b.First), v.name(b.Second)
	switch {
	case b.Second == 0:
		return "", v.t("live.board.bye")
	case b.Result != "":
		figures, words = site.ResultFigures[b.Result], v.t("live.result."+b.Result, "first", first, "second", second)
		if v.State.Settings.Games == 2 && b.Seeds != 0 {
			figures += " (" + v.c.Signed(b.Seeds) + ")"
		}
		return figures, words
	case b.Running() != nil:
		return "", v.t("live.board.playing")
	case b.Paper:
		return "", v.t("live.board.paper")
	}
	return "", v.t("live.board.opens")
}

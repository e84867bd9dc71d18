package event

import (
	"fmt"
	"slices"

	"mancala/lobby/tournament"
	"mancala/web/site"
)

// roundView is the boards of a round.
type roundView struct {
	Number int
	Boards []boardRow
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

// rounds returns all rounds, the last one first. An arena has one, of which the latest boards come
// first.
func (v *view) rounds() (list []roundView) {
	for i := range slices.Backward(v.State.Rounds) {
		r := roundView{Number: i + 1}
		for j := range v.State.Rounds[i] {
			r.Boards = append(r.Boards, v.boardRow(&v.State.Rounds[i][j]))
		}
		if v.waves() {
			slices.Reverse(r.Boards)
		}
		list = append(list, r)
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
			figures += fmt.Sprintf(" (%+d)", b.Seeds)
		}
		return figures, words
	case b.Running() != nil:
		return "", v.t("live.board.playing")
	case b.Paper:
		return "", v.t("live.board.paper")
	}
	return "", v.t("live.board.opens")
}

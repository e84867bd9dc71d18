package event

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
	"mancala/web/pages"
)

// playerPage tells of one player in a tournament: the games, and how each tie-break comes about.
// The page of the tournament shows it in a dialog.
type playerPage struct {
	pages.Head
	ID, Event, Name string
	Place           int // 0: none
	Points          string
	Games           []playerGame
	Breaks          []explained
}

type playerGame struct {
	Round int
	Words string
	Room  string
}

// An explained tie-break: "Buchholz 12.5 = 4 + 3.5 + 3 + 2".
type explained struct{ Name, Value, Why, About string }

func (srv *Pages) player(w http.ResponseWriter, r *http.Request) error {
	person, _ := srv.WhoIs(w, r)
	v, err := srv.lookWithTable(r, person)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil || number < 1 || number > len(v.State.Players) {
		return refusal.New(lobby.CodeNoPlayer)
	}
	p := playerPage{ID: v.ID, Event: v.State.Settings.Name, Name: v.name(number), Games: v.games(number)}
	p.Head = srv.NewHead(r, v.t("player.title", "name", p.Name, "event", p.Event), "")
	for _, s := range v.known.Rows {
		if s.Number != number || v.State.Stage == tournament.Entry {
			continue
		}
		p.Place = s.Place
		if v.State.Settings.Format != tournament.Knockout {
			p.Points = v.c.Tenths(s.Points)
		}
		for _, b := range s.Breaks {
			p.Breaks = append(p.Breaks, explained{v.t("break." + b.Code), v.c.Hundredths(b.Value), v.because(b), v.t("why." + b.Code)})
		}
	}
	return srv.Render(w, r, http.StatusOK, "tournament-player", p)
}

// games returns what a player did in each round.
func (v *view) games(number int) (list []playerGame) {
	for i, boards := range v.State.Rounds {
		for j := range boards {
			b := &boards[j]
			if b.First != number && b.Second != number {
				continue
			}
			row := v.boardRow(b)
			g := playerGame{Round: i + 1, Room: row.Room, Words: row.Words}
			if v.waves() {
				g.Round = b.Number
			}
			if mine := v.Me != nil && v.Me.Number == number; mine && b.Result != "" && b.Second != 0 {
				g.Words = v.t("live.me."+outcome(b, number), "name", v.name(b.First+b.Second-number))
			}
			list = append(list, g)
		}
	}
	return list
}

// clockTime returns a time until something in the form 2:10.
func clockTime(ms int64) string {
	s := max(0, int64(time.Duration(ms)*time.Millisecond/time.Second))
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// because returns how a tie-break comes about, in words. A tie-break of an arena has none.
func (v *view) because(b tournament.Break) string {
	if b.Reason.Kind == "" {
		return ""
	}
	pairs := b.Reason.Pairs()
	for i := 1; i < len(pairs); i += 2 {
		pairs[i] = v.c.List(strings.Split(v.c.Decimals(fmt.Sprint(pairs[i])), ", "))
	}
	return v.t("because."+string(b.Reason.Kind), pairs...)
}

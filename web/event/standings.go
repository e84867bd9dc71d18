package event

import (
	"strings"

	"mancala/lobby/tournament"
	"mancala/web/pages"
	"mancala/web/site"
)

// table is the standings as a table.
type table struct {
	Breaks []column
	Rows   []standing
	Points bool // a knockout has places only
	Level  bool // the direct encounter separates nobody, so that its column is not shown
}

// A column is a tie-break.
type column struct{ Code, Name string }

// A value is a tie-break of one player.
type value struct {
	Text      string
	Encounter bool // it is the direct encounter
}

// A standing is one row. The script sorts and rewrites the rows (static/event/standings.js).
type standing struct {
	Place, Number int
	Name          string
	Points        string
	Values        []value
	Out, Mine     bool
}

// table returns the standings as a table. It is nil where there are none.
func (v *view) table(list []tournament.Standing) *table {
	if len(list) == 0 {
		return nil
	}
	t := &table{Points: v.State.Settings.Format != tournament.Knockout, Level: true}
	for _, b := range list[0].Breaks {
		t.Breaks = append(t.Breaks, column{pages.ShortTieBreak(b.Code), v.t("break." + b.Code)})
	}
	for _, s := range list {
		p := &v.State.Players[s.Number-1]
		row := standing{
			Place: s.Place, Number: s.Number, Name: v.name(s.Number), Points: v.c.Tenths(s.Points), Out: p.Out, Mine: v.Me != nil && v.Me.Number == s.Number,
		}
		for _, b := range s.Breaks {
			cell := value{v.c.Hundredths(b.Value), b.Code == "DE"}
			switch {
			case cell.Encounter && b.Value == 0:
				cell.Text = "" // it separates nobody
			case cell.Encounter:
				t.Level = false
			}
			row.Values = append(row.Values, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// cross is the cross-table of a round robin: each player's results against each other.
type cross struct {
	Rows     []crossRow
	Unplayed bool // some results are of boards that were not played
}

type crossRow struct {
	Place, Number int
	Name, Points  string
	Cells         []string // by the place of the opponent; "" for nobody
	Mine          bool
}

// mostCrossed is how many players a cross-table has at most.
const mostCrossed = 40

// cross returns the cross-table. It is nil for other formats.
func (v *view) cross(list []tournament.Standing) *cross {
	s := &v.State
	if s.Settings.Format != tournament.RoundRobin && s.Settings.Format != tournament.DoubleRound || len(s.Rounds) == 0 || len(list) > mostCrossed {
		return nil
	}
	at := map[int]int{}
	c := &cross{}
	for i, row := range list {
		at[row.Number] = i
		c.Rows = append(c.Rows, crossRow{
			Place: i + 1, Number: row.Number, Name: v.name(row.Number), Points: v.c.Tenths(row.Points), Cells: make([]string, len(list)),
			Mine: v.Me != nil && v.Me.Number == row.Number,
		})
	}
	for _, boards := range s.Rounds {
		for _, b := range boards {
			one, ok := at[b.First]
			other, both := at[b.Second]
			if !ok || !both || b.Result == "" {
				continue
			}
			c.Unplayed = c.Unplayed || site.Unplayed(b.Result)
			first, second, _ := strings.Cut(site.ResultFigures[b.Result], " – ")
			c.Rows[one].Cells[other] = strings.TrimSpace(c.Rows[one].Cells[other] + " " + first)
			c.Rows[other].Cells[one] = strings.TrimSpace(c.Rows[other].Cells[one] + " " + second)
		}
	}
	return c
}

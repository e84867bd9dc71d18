package site

import (
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
)

// TableRow is the values of a player in the standings of a tournament, for the API and for sockets.
type TableRow struct {
	Number int   `json:"n"`
	Place  int   `json:"place,omitempty"` // from 1; 0: readers find it by comparing the points, and then the tie-breaks
	Points int   `json:"points"`          // in tenths
	Breaks []int `json:"breaks"`          // in hundredths, one for each tie-break
}

// TableRows returns the standings in the order of the places.
func TableRows(t *hosting.Table) []TableRow {
	rows := make([]TableRow, len(t.Rows))
	for i, s := range t.Rows {
		rows[i] = TableRow{s.Number, s.Place, s.Points, make([]int, len(s.Breaks))}
		for k, b := range s.Breaks {
			rows[i].Breaks[k] = b.Value
		}
	}
	return rows
}

// RowsAlone returns rows that can be sent one by one: without places that follow from the other
// rows. The places of a knockout do not.
func RowsAlone(t *hosting.Table) []TableRow {
	rows := TableRows(t)
	if t.Format != tournament.Knockout {
		for i := range rows {
			rows[i].Place = 0
		}
	}
	return rows
}

package entrants

import (
	"testing"

	"mancala/lobby/tournament"
)

func TestBeginningOfAFrameIsRead(t *testing.T) {
	for _, tt := range []struct {
		text, kind, room string
		seq              uint64
	}{
		{`{"t":"ev","room":"cup1","seq":27,"ev":{"k":"report"}}`, "ev", "cup1", 27},
		{`{"t":"sync","room":"cup1","seq":0}`, "sync", "cup1", 0},
		{`{"t":"err","room":"cup1","id":"start-1","code":"busy"}`, "err", "cup1", 0},
		{`{"t":"pong"}`, "pong", "", 0},
		{`{`, "", "", 0},
	} {
		if f := readFrame([]byte(tt.text)); f.kind != tt.kind || f.room != tt.room || f.seq != tt.seq {
			t.Errorf("%s: %q %q %d", tt.text, f.kind, f.room, f.seq)
		}
	}
}

func TestPlayerFindsTheirLastBoard(t *testing.T) {
	const text = `{"t":"snap","snap":{"players":[{"n":1,"id":"p1"},{"n":12,"id":"p12"}],"rounds":[[{"n":1,"first":12,"second":3},{"n":2,"first":1,"second":4}],` +
		`[{"n":1,"first":5,"second":12,"games":[{"room":"g1","opened":true}]},{"n":2,"first":1}]]}}`
	for _, tt := range []struct {
		name          string
		number, board int
		first, second int
	}{
		{"first", 1, 2, 1, 0}, // not 12
		{"first", 12, 1, 12, 3},
		{"second", 12, 1, 5, 12},
		{"second", 4, 2, 1, 4},
		{"second", 5, 0, 0, 0},
	} {
		var b tournament.Board
		at := lastObject([]byte(text), tt.name, tt.number, &b)
		if (at >= 0) != (tt.board > 0) || b.Number != tt.board || b.First != tt.first || b.Second != tt.second {
			t.Errorf("%s %d: %+v at %d", tt.name, tt.number, b, at)
		}
	}
}

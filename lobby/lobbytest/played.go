package lobbytest

import (
	"encoding/json"
	"testing"
	"time"

	"mancala/engine"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// Played returns the entries of a game of ada and ben, who choose their moves by choose. It ends with the
// game, or after the given number of plies.
func Played(t testing.TB, settings match.Settings, plies int, choose func(legal []engine.Move) engine.Move) (list []*room.Published) {
	t.Helper()
	m, at := match.New(), time.UnixMilli(1_795_252_000_000)
	do := func(c machine.Command) {
		t.Helper()
		e, err := m.Decide(c, at)
		if err == nil {
			e.At, e.By, e.Command = at.UnixMilli(), c.By, c.ID
			err = m.Apply(e)
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &room.Published{Seq: uint64(len(list) + 1), Entry: e})
	}
	do(match.Creation{Settings: settings, Seats: []string{"ada", "ben"}, Secret: "s"}.Command("create"))
	for ; m.State() == "live" && plies > 0; plies-- {
		p := m.Position()
		body, err := json.Marshal(map[string]any{"ply": p.Ply, "move": choose(m.Game().LegalMoves(&p, nil)).String()})
		if err != nil {
			t.Fatal(err)
		}
		do(machine.Command{ID: "m", Kind: match.KindMove, By: m.Players()[p.Seat], Body: body})
	}
	return list
}

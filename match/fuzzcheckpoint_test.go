package match

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"mancala/match/machine"
)

// FuzzLoadCheckpoint changes a part of a checkpoint, or replaces all of it. The result is an
// error or a state that can be queried and played on, never a panic.
func FuzzLoadCheckpoint(f *testing.F) {
	parts := slices.Sorted(maps.Keys((&state{event: new(tournamentPart)}).stored()))
	for i := range parts {
		for _, text := range []string{"", "null", "0", "-1", "77", "[]", "[1]", "[[]]", "[9,9,9,9,9]", `"x"`, "{}", "[null]", `[[0,0,0]]`} {
			f.Add(uint8(i), uint8(i), []byte(text))
		}
	}
	at := slices.Index(parts, "event")
	for _, text := range []string{`{"room":"r","round":1,"board":1,"game":1,"NoShow":5}`, `{"room":"r","round":1,"board":1,"game":1,"Pause":{"Since":-1}}`} {
		for which := range uint8(4) {
			f.Add(which, uint8(at), []byte(text))
		}
	}
	f.Add(uint8(0), uint8(len(parts)), []byte(`{"v":1}`))
	f.Fuzz(func(t *testing.T, which, part uint8, data []byte) {
		tb := tableForFuzz(t, which)
		good, err := tb.m.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		bad := data
		if int(part) < len(parts) && json.Valid(data) {
			var c checkpoint
			if err := json.Unmarshal(good, &c); err != nil {
				t.Fatal(err)
			}
			c.State[parts[part]] = data
			if bad, err = json.Marshal(c); err != nil {
				return
			}
		}
		m := New()
		if m.LoadCheckpoint(bad) != nil {
			if m.stage != unborn {
				t.Fatal("a checkpoint that was refused has changed the match")
			}
			return
		}
		_ = sight(m)
		for _, by := range append([]string{""}, m.Players()...) {
			for _, c := range []machine.Command{
				{Kind: KindMove, Body: []byte(`{"ply":1,"move":"a"}`)}, {Kind: KindResign}, {Kind: KindAbort}, {Kind: KindSit}, {Kind: KindStand}, {Kind: KindNext},
				{Kind: KindOffer, Body: []byte(`{"what":"takeback","ply":1}`)}, {Kind: KindAccept, Body: []byte(`{"what":"draw"}`)},
				{Kind: machine.KindWake}, {Kind: machine.KindGone}, {Kind: machine.KindOutage, Body: []byte(`{"from":1795252000000}`)},
			} {
				c.By = by
				_, _ = m.Decide(c, time.UnixMilli(tb.at+1_000_000))
			}
		}
	})
}

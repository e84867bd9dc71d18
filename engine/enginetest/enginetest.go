// Package enginetest draws random valid rule sets and positions. The tests of the
// engine and of the packages above it use it; only tests may import it.
package enginetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"mancala/engine"
)

// bundles are changes that make sense only together.
var bundles = [][]string{
	{"capture=count", "cross_own=true", "cross_empty=false", "cross_run=false", "cross_needs=nothing", "counts=2,3"},
	{"capture=both", "counts=2,3", "cross_needs=nothing"},
	{"capture=both", "counts=none", "count_even=true", "count_chain=false", "skip_origin=false", "keep_first=true"},
	{"capture=count", "counts=1", "count_side=any", "grand_slam=capture", "cross_own=true", "cross_empty=false", "cross_run=false", "cross_needs=nothing"},
	{"capture=gap", "relay=next", "store=false", "again=none", "sow_counts=4", "cross_own=true", "cross_empty=false", "cross_run=false", "cross_needs=nothing",
		"counts=none", "count_side=opponent", "count_chain=true", "count_opposite=false", "grand_slam=capture", "count_even=false", "count_spare=none", "keep_first=false", "skip_origin=true", "second_round=opponent"},
	{"skip_origin=true", "second_round=opponent", "keep_first=false", "store=false", "again=none"},
	{"store=true", "capture=none", "sow_counts=2,4", "sow_winner=mover", "cross_own=true", "cross_empty=false", "cross_run=false", "cross_needs=nothing"},
	{"capture=count", "cross_own=true", "cross_empty=false", "cross_run=false", "cross_needs=nothing", "counts=2,4", "count_side=any", "count_opposite=true", "grand_slam=capture"},
	{"capture=count", "cross_own=true", "cross_empty=false", "cross_run=false", "cross_needs=nothing", "counts=2,3", "count_side=opponent", "count_opposite=false", "grand_slam=forbidden"},
	{"capture=cross", "counts=none", "count_side=opponent", "count_chain=true", "count_opposite=false", "grand_slam=capture"},
	{"capture=none", "cross_own=true", "cross_empty=false", "cross_run=false", "cross_needs=nothing", "counts=none", "count_side=opponent", "count_chain=true", "count_opposite=false", "grand_slam=capture", "store=true"},
	{"store=false", "again=none"},
	{"store=true", "again=store"},
	{"opening=fixed", "seeds=4", "total=0", "swap=none"},
	{"opening=free", "seeds=0", "total=20", "swap=keeps-first"},
	{"opening=paired", "seeds=0", "total=30", "swap=loses-first"},
	{"match=single", "target=0", "max_rounds=0"},
	{"match=difference", "target=9"},
	{"end=none", "remaining=own", "end_at_most=-1", "feed=give", "stuck=pass"},
	{"end=none", "remaining=own", "end_at_most=-1", "feed=must"},
	{"sides=4", "partners=1", "feed=none", "match=single", "target=0", "max_rounds=0", "seeds=4"},
	{"rows=2", "cross_depth=full", "remaining=rival", "store=false", "again=none", "cross_run=false", "cross_needs=nothing", "feed=none", "seeds=2"},
	{"rows=2", "cross_at=occupied", "captured=onward", "relay=same", "lift=two", "remaining=rival", "capture=cross", "cross_own=false", "cross_empty=false", "store=false", "again=none", "end=none",
		"cross_run=false", "cross_needs=nothing", "feed=none", "seeds=2", "sow_counts=none", "skip_origin=true", "second_round=all", "end_total=0", "repetition=3"},
	{"rows=2", "captured=restart", "direction=cw", "backward=1"},
	{"direction=ccw", "backward=2"},
	{"claim=3", "claim_ban=last,twin", "relay=none", "capture=count", "counts=none", "count_even=true", "count_side=opponent", "count_opposite=false", "count_chain=false",
		"cross_own=true", "cross_empty=false", "cross_run=false", "cross_needs=nothing", "sow_counts=none", "opening=fixed", "seeds=4", "total=0", "swap=none", "partners=1"},
	{"claim=2", "claim_ban=none", "relay=none", "count_side=opponent", "count_opposite=false", "sow_counts=none"},
	{"rows=2", "pits=4", "cross_at=occupied", "captured=head", "must_capture=true", "backward=0", "relay=same", "lift=two", "remaining=rival", "capture=cross", "cross_own=false", "cross_empty=false", "store=false",
		"again=none", "end=row-empty", "cross_run=false", "cross_needs=nothing", "feed=none", "seeds=2", "sow_counts=none", "second_round=all", "end_total=0", "repetition=3", "direction=choice"},
	{"must_capture=true", "reserve=3", "block=true", "lift=any"},
	{"pits=6", "must_capture=true", "reserve=5", "house=j", "block=true", "seeds=3"},
	{"rows=1", "cross_at=occupied", "captured=won", "cross_depth=any", "relay=same", "capture=cross", "cross_own=false", "cross_empty=false", "cross_run=false"},
	{"rows=2", "store=false", "again=none", "cross_run=false", "cross_needs=nothing", "feed=none", "seeds=2"},
}

// Game draws a system and changes it. A change that makes the rules invalid is kept
// until later changes make them valid again.
func Game(t *rapid.T) *engine.Game {
	r, _ := engine.System(rapid.SampledFrom(engine.Systems).Draw(t, "system").Name)
	var pending []string
	for range rapid.IntRange(0, 12).Draw(t, "changes") {
		change := drawChange(t)
		names := optionsOf(change)
		pending = slices.DeleteFunc(pending, func(c string) bool { return slices.Contains(names, optionOf(c)) })
		pending = append(pending, change...)
		changed, err := r.With(pending...)
		if err != nil {
			t.Fatalf("%q: %v", pending, err)
		}
		if _, err := engine.Compile(changed); err == nil {
			r, pending = changed, nil
		} else if len(pending) > 8 {
			pending = nil
		}
	}
	g, err := engine.Compile(r)
	if err != nil {
		t.Fatalf("%v: %v", r, err)
	}
	return g
}

func optionOf(change string) string { name, _, _ := strings.Cut(change, "="); return name }

func optionsOf(changes []string) []string {
	var out []string
	for _, c := range changes {
		out = append(out, optionOf(c))
	}
	return out
}

// drawChange draws a value for one option, or a bundle.
func drawChange(t *rapid.T) []string {
	if rapid.IntRange(0, 2).Draw(t, "bundle?") == 0 {
		return rapid.SampledFrom(bundles).Draw(t, "bundle")
	}
	o := rapid.SampledFrom(engine.Options()).Draw(t, "option")
	value := ""
	switch {
	case o.Name == "seeds":
		value = strconv.Itoa(rapid.IntRange(0, 9).Draw(t, "seeds"))
	case o.Name == "house":
		value = rapid.SampledFrom([]string{"none", "f", "k", "l"}).Draw(t, "house")
	case o.Name == "sow_counts":
		value = rapid.SampledFrom([]string{"none", "2", "4", "3,5"}).Draw(t, "sow_counts")
	case o.Name == "counts":
		value = rapid.SampledFrom([]string{"1", "2", "2,3", "2,4", "3", "4", "2,3,4,5", "none"}).Draw(t, "counts")
	case o.Many:
		var list []string
		for _, v := range o.Values {
			if rapid.Bool().Draw(t, v) {
				list = append(list, v)
			}
		}
		if value = strings.Join(list, ","); value == "" {
			value = "none"
		}
	case len(o.Values) > 0:
		value = rapid.SampledFrom(o.Values).Draw(t, o.Name)
	default:
		value = strconv.Itoa(rapid.SampledFrom(numbers[o.Name]).Draw(t, o.Name))
	}
	return []string{o.Name + "=" + value}
}

// numbers lists values to draw for the options that take a number.
var numbers = map[string][]int{
	"sides": {2, 4}, "partners": {1, 2}, "rows": {1, 2}, "pits": {1, 2, 3, 4, 5, 6, 7, 8, 13},
	"total": {0, 2, 5, 24, 72}, "end_at_most": {-1, 0, 1, 4}, "repetition": {0, 2, 3, 4},
	"no_progress": {0, 1, 7, 30, 100}, "target": {0, 9}, "max_rounds": {0, 3}, "end_total": {0, 3, 9}, "claim": {0, 1, 2, 3, 4}, "backward": {0, 1, 2, 5, 13}, "reserve": {0, 1, 4},
}

// Position draws the first position of g or any other position.
func Position(t *rapid.T, g *engine.Game) engine.Position {
	if rapid.Bool().Draw(t, "from the start") {
		return g.StartWith(engine.Seat(rapid.IntRange(0, g.Seats()-1).Draw(t, "seat")))
	}
	return Board(t, g, rapid.SampledFrom([]int{1, 2, 3, 5, 9, 30}).Draw(t, "most"), 250)
}

// Board draws a position of the phase play. No pit has more than most seeds, and the
// whole board has no more than left.
func Board(t *rapid.T, g *engine.Game, most, left int) engine.Position {
	shape, r, blocked := g.Shape(), g.Rules(), false
	draw := func(most int, label string) string {
		n := rapid.IntRange(0, min(most, left)).Draw(t, label)
		left -= n
		return strconv.Itoa(n)
	}
	var sides, stores []string
	claimed := drawClaimed(t, g)
	for side := range int(shape.Sides) {
		var pits []string
		sideMost := most
		if rapid.IntRange(0, 4).Draw(t, "poor") == 0 {
			sideMost = 1 // a side that may have to be fed
		}
		for i := range int(shape.Pits) {
			if claimed[side] == i {
				pits = append(pits, "x")
				continue
			}
			pit := draw(sideMost, fmt.Sprintf("pit %d.%d", side, i))
			if pit != "0" && r.House == engine.House('a'+rune(i)) && rapid.Bool().Draw(t, "house") {
				pit += "h"
			}
			if pit != "0" && r.Block && !blocked && i >= r.Pits && rapid.IntRange(0, 15).Draw(t, "blocked") == 0 {
				pit, blocked = pit+"!", true
			}
			pits = append(pits, pit)
		}
		sides = append(sides, strings.Join(pits, ","))
		stores = append(stores, draw(20, "store"))
	}
	seat := engine.Seat(rapid.IntRange(0, g.Seats()-1).Draw(t, "seat"))
	clock := rapid.IntRange(0, 8).Draw(t, "clock")
	text := fmt.Sprintf("%s %s %s play %d %d", strings.Join(sides, "/"), strings.Join(stores, "/"), shape.SeatName(seat), clock, clock+3)
	p, err := g.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// drawClaimed draws the claimed pit of each side, or -1 for none.
func drawClaimed(t *rapid.T, g *engine.Game) [4]int {
	none := [4]int{-1, -1, -1, -1}
	last := int(g.Shape().Pits) - 1
	if g.Rules().Claim == 0 || last < 1 {
		return none
	}
	claimed := none
	for side := range 2 {
		claimed[side] = rapid.IntRange(-1, last-1).Draw(t, "claimed")
	}
	if claimed[0] == claimed[1] {
		return none // claim_ban may forbid that
	}
	return claimed
}

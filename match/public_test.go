package match

import (
	"testing"

	"mancala/match/machine"
)

func TestGameIsTouchedOnceAPlayerHasMovedOrEndedIt(t *testing.T) {
	for _, tt := range []struct {
		name, rules, options string
		play                 func(tb *table)
		want                 bool
	}{
		{"new", "kalah", "", func(*table) {}, false},
		{"paused", "kalah", "", func(tb *table) { tb.order(`{"act":"pause"}`) }, false},
		{"ended by an arbiter", "kalah", "", func(tb *table) { tb.order(`{"act":"end"}`) }, false},
		{"moved", "kalah", "", func(tb *table) { tb.play("a") }, true},
		{"moved and ended by an arbiter", "kalah", "", func(tb *table) { tb.play("a"); tb.order(`{"act":"end"}`) }, true},
		{"resigned", "kalah", "", func(tb *table) { tb.must("p0", KindResign, "") }, true},
		{"laid out", "ignorant", "target=100", func(tb *table) { tb.play(someLayout) }, true},
		{"a round resigned", "ignorant", "target=100", func(tb *table) { tb.must("p0", KindResign, `{"what":"round"}`) }, true},
		{"in the next round", "ignorant", "target=100", func(tb *table) {
			tb.must("p0", KindResign, `{"what":"round"}`)
			tb.must("p0", KindNext, "")
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := someEvent
			tb := newTable(t, Creation{
				Settings: Settings{Rules: tt.rules, Options: tt.options}, Seats: []string{"p0", "p1"}, Event: &e,
			})
			tt.play(tb)
			p, err := ReadPublic("r1", tb.m.Snapshot(machine.Watchers))
			if err != nil || p.Touched() != tt.want {
				t.Errorf("touched is %t, %v: %s", p.Touched(), err, tb.m.Snapshot(machine.Watchers))
			}
		})
	}
}

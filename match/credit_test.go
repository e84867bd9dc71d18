package match

import (
	"fmt"
	"testing"

	"mancala/match/machine"
)

// The receipt after a game tells each player what outages would have cost them: the outage
// itself, the wait for the player after it, and slow writes.
func TestReceiptTellsWhatTheServiceWouldHaveCost(t *testing.T) {
	for _, tt := range []struct {
		name  string
		clock string
		play  func(tb *table, run int64)
		want  [2]int64
	}{
		{"nothing", "5+3", func(*table, int64) {}, [2]int64{}},
		{"an outage on a running clock", "5+3", func(tb *table, run int64) {
			tb.at = t0 + run + 10_000
			tb.outage(6_000)
			tb.at += 2_000
			tb.room(machine.KindGone, "p0", "") // the hold ends when its player is known to be here
			tb.room(machine.KindBack, "p0", "")
			tb.play("d")
		}, [2]int64{8_000, 0}},
		{"an outage that began within the grace of a sow", "5+3", func(tb *table, run int64) {
			tb.at = t0 + run + 5_000
			tb.outage(5_100)
			tb.play("d")
		}, [2]int64{5_100, 0}},
		{"an outage in each seat's turn", "5+3", func(tb *table, run int64) {
			tb.at = t0 + run + 3_000
			tb.outage(1_000)
			tb.play("d")
			tb.at += 5_000
			tb.outage(2_000)
			tb.play("d")
		}, [2]int64{1_000, 2_000}},
		{"a second outage before the player was back", "5+3", func(tb *table, run int64) {
			tb.at = t0 + run + 3_000
			tb.outage(1_000)
			tb.at += 4_000
			tb.outage(1_500)
			tb.play("d")
		}, [2]int64{5_000, 0}},
		{"a slow write", "5+3", func(tb *table, run int64) {
			tb.at = t0 + run + 3_000
			tb.room(machine.KindOutage, "", `{"lost":1200}`)
			tb.play("d")
		}, [2]int64{1_200, 0}},
		{"a game with days per move", "1/move", func(tb *table, run int64) {
			tb.at = t0 + run + 3_600_000
			tb.outage(1_800_000)
		}, [2]int64{1_800_000, 0}},
		{"the game ends while a player is waited for", "5+3", func(tb *table, run int64) {
			tb.at = t0 + run + 3_000
			tb.outage(1_000)
			tb.at += 500
		}, [2]int64{1_500, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb, run := opened(t, tt.clock)
			tt.play(tb, run)
			tb.must("p1", KindResign, "")
			var got [2]int64
			for seat, b := range tb.m.result.Receipt {
				got[seat] = b.Credited
			}
			if got != tt.want {
				t.Errorf("the receipt has %v ms, want %v", got, tt.want)
			}
			if replayed := tb.replayed(); fmt.Sprint(replayed.result.Receipt) != fmt.Sprint(tb.m.result.Receipt) || fmt.Sprint(replayed.credit) != fmt.Sprint(tb.m.credit) {
				t.Errorf("a replay has %v, want %v", replayed.credit, tb.m.credit)
			}
		})
	}
}

// The receipt splits the time by cause. Entries of older releases do not tell the cause, and
// count as outages.
func TestReceiptTellsWhyTimeWasGivenBack(t *testing.T) {
	tb, run := opened(t, "5+3")
	tb.at = t0 + run + 3_000
	tb.room(machine.KindOutage, "", `{"lost":1200,"why":"write"}`)
	tb.at += 2_000
	tb.room(machine.KindOutage, "", `{"lost":500}`)
	tb.at += 5_000
	tb.room(machine.KindOutage, "", fmt.Sprintf(`{"from":%d,"why":"freeze"}`, tb.at-2_000))
	tb.at += 1_000
	tb.play("d")
	tb.must("p1", KindResign, "")
	want := map[string]int64{"write": 1_200, "outage": 500, "freeze": 2_000, "wait": 1_000}
	for _, m := range []*Match{tb.m, tb.replayed()} {
		got := m.result.Receipt[0]
		if fmt.Sprint(got.Causes) != fmt.Sprint(want) || got.Credited != 4_700 {
			t.Errorf("the receipt is %+v, want %v", got, want)
		}
	}
}

// replayed applies the table's entries to a new match.
func (tb *table) replayed() *Match {
	tb.t.Helper()
	m := New()
	for _, e := range tb.entries {
		if err := m.Apply(e); err != nil {
			tb.t.Fatal(err)
		}
	}
	return m
}

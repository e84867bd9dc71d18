package match

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"mancala/match/machine"
)

// FuzzDecide sends bodies that no client would send. Each is refused or becomes an
// entry that can be applied, and none leads to a panic.
func FuzzDecide(f *testing.F) {
	for _, kind := range []string{KindMove, KindOffer, KindAccept, KindResign, KindClaim, KindSettings, KindSit, KindYoungest, KindAbort, KindArbiter, machine.KindOutage, machine.KindDone, machine.KindGone} {
		for _, body := range []string{``, `{}`, `{"ply":0,"move":"c"}`, `{"what":"draw"}`, `{"what":"takeback","ply":0}`, `{"what":"round"}`,
			`{"rules":"wise","options":"total=100 target=3","clock":"5d3","start":"youngest","forOthers":true,"assists":false,"chat":"off"}`, `{"from":1795252000000}`,
			`{"task":"rematch","room":"k3v9qa2mx2"}`, `{"task":"report"}`,
			`{"act":"pause"}`, `{"act":"resume"}`, `{"act":"end"}`, `{"act":"add","seat":1,"ms":60000}`, `{"act":"replace","seat":0,"player":"p7"}`, `{"ply":0,"move":"=7.6.5.8.6.4/6.5.8.4.9.4"}`, `[{"]":1}]`, `{"a":"\`} {
			f.Add(uint8(1), "p0", kind, []byte(body), int64(1000), int64(80))
			f.Add(uint8(5), "p0", kind, []byte(body), int64(1000), int64(80))
			f.Add(uint8(6), "host", kind, []byte(body), int64(1000), int64(80))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, by, kind string, body []byte, wait, lag int64) {
		var tb *table
		switch which % 7 {
		case 0:
			tb = newTable(t, Creation{Settings: Settings{Clock: "5+3"}, Creator: "p0"})
		case 1:
			tb = seated(t, "kalah", "", "5+3")
		case 2:
			tb = seated(t, "wise", "", "1d1")
		case 3:
			tb = seated(t, "basic-four", "", "2/move")
			tb.play("a")
		case 4:
			tb = seated(t, "giuthi", "", "none")
			tb.must("p0", KindResign, "")
			tb.must("p0", KindOffer, `{"what":"rematch"}`)
		case 5:
			tb = eventGame(t, "wise", "none", time.Minute)
			tb.come("p1")
		case 6:
			tb = eventGame(t, "kalah", "5+3", time.Minute)
			tb.play("a", "a")
			tb.order(`{"act":"pause"}`)
		}
		tb.at += max(0, wait)
		c := machine.Command{ID: "f", Kind: kind, By: by, Lag: time.Duration(lag) * time.Millisecond, Server: by == "host", Body: body}
		if tb.at > 1<<50 || tb.do(c) != nil {
			return
		}
		tb.look()
		tb.do(c) // and once more, in the state that it led to
		replayed := New()
		for _, e := range tb.entries {
			if err := replayed.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(replayed.Snapshot(0), tb.m.Snapshot(0)) {
			t.Fatal("replay differs")
		}
	})
}

// look calls all queries of a match.
func (tb *table) look() {
	for _, a := range append(audiences, 100, -100) {
		if s := tb.m.Snapshot(a); !json.Valid(s) {
			tb.t.Fatalf("not JSON: %s", s)
		} else {
			tb.members(s)
		}
		if p := tb.m.AppendPrivate(nil, a); p != nil && !json.Valid(p) {
			tb.t.Fatalf("not JSON: %s", p)
		}
	}
	tb.m.Wake()
	tb.m.Tasks()
	tb.m.Players()
	tb.m.Audience("p1")
	tb.m.Record(func(p string) string { return p })
}

// members compares the facts, which are read without decoding the whole snapshot,
// with the whole snapshot.
func (tb *table) members(snapshot []byte) {
	all, err := ReadPublic("room", snapshot)
	if err != nil {
		tb.t.Fatal(err)
	}
	var want Public
	if err := json.Unmarshal(snapshot, &want); err != nil || !reflect.DeepEqual(all, &want) {
		tb.t.Fatalf("of %s was read %+v, want %+v (%v)", snapshot, all, want, err)
	}
	facts, err := ReadFacts(snapshot)
	if want := (Facts{all.State, all.Rated, all.Listed}); err != nil || facts != want {
		tb.t.Fatalf("the facts of %s are %+v (%v), want %+v", snapshot, facts, err, want)
	}
}

// FuzzApply applies an entry that no release has written. The result is an error or
// a state that can be queried and played on, never a panic.
func FuzzApply(f *testing.F) {
	var entries []machine.Entry
	for run := range uint64(12) {
		simulate(&testing.T{}, run, func(s *sim) { entries = append(entries, s.entries...) })
	}
	for i, e := range entries {
		if i%7 == 0 || e.Kind != KindMove {
			f.Add(uint8(i), e.Kind, []byte(e.Body))
		}
	}
	for _, set := range []string{`"state":"over"`, `"state":"pause"`, `"result":{"reason":"time","winners":[9]}`, `"rounds":[{"winners":[7]}]`,
		`"offers":[{"what":"draw","seat":3,"yes":[2]}]`, `"turn":1`, `"phase":"swap"`, `"seats":[]`, `"clock":[1,2,3,4]`, `"moves":["c","a"]`} {
		f.Add(uint8(1), KindAccept, []byte(`{"seat":0,"set":{`+set+`},"~":{"layer":1,"leavers":[0,0],"gone":[1,1]}}`))
	}
	for _, set := range []string{`"event":{"room":"r","round":1,"board":1,"game":1}`, `"event":null`, `"noShow":5`, `"paused":1795252000000`, `"paused":-1`} {
		f.Add(uint8(1), KindArbiter, []byte(`{"set":{`+set+`}}`))
		f.Add(uint8(3), KindArbiter, []byte(`{"set":{`+set+`},"~":{"contest":[0,3,1,1]}}`))
	}
	f.Fuzz(func(t *testing.T, which uint8, kind string, body []byte) {
		tb := tableForFuzz(t, which)
		e := machine.Entry{Kind: kind, At: tb.at, Body: body}
		if shown := tb.m.AppendPublic(nil, e, 0); json.Valid(body) && shown != nil && !json.Valid(shown) {
			t.Fatalf("%s is shown as %s", body, shown)
		}
		if !json.Valid(body) || tb.m.Apply(e) != nil {
			return // the room checks that a row is JSON
		}
		tb.look()
		for _, by := range append([]string{""}, tb.m.Players()...) {
			for _, c := range []machine.Command{
				{Kind: KindMove, Body: []byte(`{"ply":1,"move":"a"}`)}, {Kind: KindResign}, {Kind: KindAbort}, {Kind: KindSit}, {Kind: KindStand}, {Kind: KindNext},
				{Kind: KindOffer, Body: []byte(`{"what":"takeback","ply":1}`)}, {Kind: KindAccept, Body: []byte(`{"what":"draw"}`)},
				{Kind: KindClaim, Body: []byte(`{"what":"win"}`)}, {Kind: machine.KindWake}, {Kind: machine.KindGone}, {Kind: machine.KindBack},
				{Kind: machine.KindOutage, Body: []byte(`{"from":1795252000000}`)},
			} {
				c.By = by
				tb.m.Decide(c, time.UnixMilli(tb.at+1_000_000))
			}
			for _, body := range []string{`{"act":"pause"}`, `{"act":"resume"}`, `{"act":"end"}`, `{"act":"add","seat":1,"ms":60000}`, `{"act":"replace","seat":0,"player":"p7"}`} {
				tb.m.Decide(arbiterOrder(body), time.UnixMilli(tb.at+1_000_000))
			}
		}
	})
}

// tableForFuzz returns one of four matches: one that waits for players, one after a move, one of
// four players of whom one has left, and one of a tournament that is paused.
func tableForFuzz(t *testing.T, which uint8) *table {
	switch which % 4 {
	case 0:
		return newTable(t, Creation{Creator: "p0"})
	case 1:
		tb := seated(t, "kalah", "", "5+3")
		tb.play("c")
		return tb
	case 3:
		tb := eventGame(t, "kalah", "5+3", time.Minute)
		tb.play("c")
		tb.order(`{"act":"pause"}`)
		return tb
	}
	tb := seated(t, "basic-four", "", "5+3")
	tb.must("p3", KindResign, "")
	return tb
}

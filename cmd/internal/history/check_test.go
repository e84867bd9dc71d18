package history

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/match"
	"mancala/match/journal"
	"mancala/match/machine"
)

// story is a short game with a clock of half a minute. North makes one move, and then thinks
// until their flag falls. Everything that the clients were told is right.
//
//	entry 1  create             entry 4  South offers a draw
//	entry 2  South moves c      entry 5  North declines
//	entry 3  South moves f      entry 6  North moves a
//	                            entry 7  South moves b, entry 8 North's flag
type story struct {
	h       History
	rows    []journal.Row
	machine *match.Match
}

const (
	room  = "aaaaaaaaa1"
	south = "south"
	north = "north"
)

func newStory(t *testing.T) *story {
	t.Helper()
	began := time.UnixMilli(1_795_252_000_000)
	s := &story{h: History{Began: began}, machine: match.New()}
	for i, who := range []string{south, north, "watcher"} {
		s.h.Places = append(s.h.Places, Place{who, who, room, 0, i})
	}
	s.h.Owners = []Owner{{room, 1, 0}}
	creation := match.Creation{Settings: match.Settings{Rules: "kalah", Clock: "0.5+0"}, Seats: []string{south, north}}.Command("new")
	s.do(t, 0, creation)
	for i, c := range []struct {
		by, kind, body string
	}{
		{south, "move", `{"ply":0,"move":"c"}`}, // the last seed falls into the store
		{south, "move", `{"ply":1,"move":"f"}`},
		{south, "offer", `{"what":"draw"}`},
		{north, "decline", `{"what":"draw"}`},
		{north, "move", `{"ply":2,"move":"a"}`},
		{south, "move", `{"ply":3,"move":"b"}`},
	} {
		at := time.Duration(i+1) * 2 * time.Second
		command := machine.Command{ID: fmt.Sprint("c", i), Kind: c.kind, By: c.by, Body: json.RawMessage(c.body)}
		var body struct {
			Ply  int
			Move string
		}
		if err := json.Unmarshal(command.Body, &body); err != nil {
			t.Fatal(err)
		}
		s.h.Ops = append(s.h.Ops, Op{
			Client: c.by, Player: c.by, Room: room, ID: command.ID, Kind: c.kind, Move: body.Move, Ply: body.Ply,
			Invoked: at - 20*time.Millisecond, Answered: at + 10*time.Millisecond, Outcome: OK, Seq: uint64(i) + 2,
		})
		s.do(t, at, command)
	}
	flag := s.machine.Wake().Sub(began)
	s.do(t, flag, machine.Command{ID: machine.KindWake, Kind: machine.KindWake})
	s.h.Seen = append(s.h.Seen, s.h.Seen[len(s.h.Seen)-1])
	page := &s.h.Seen[len(s.h.Seen)-1]
	page.Page, page.Asked, page.At = true, page.At+time.Second, page.At+1100*time.Millisecond
	return s
}

// do carries out a command, and lets all clients see the entry 10 ms later.
func (s *story) do(t *testing.T, at time.Duration, c machine.Command) {
	t.Helper()
	e, err := s.machine.Decide(c, s.h.Began.Add(at))
	if err == nil {
		e.At, e.By = s.h.Began.Add(at).UnixMilli(), c.By
		if !machine.Internal(c.Kind) {
			e.Command = c.ID
		}
		err = s.machine.Apply(e)
	}
	if err != nil {
		t.Fatalf("%s at %v: %v", c.Kind, at, err)
	}
	var now state
	data, err := json.Marshal(e)
	if err == nil {
		err = json.Unmarshal(s.machine.Snapshot(machine.Watchers), &now)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.rows = append(s.rows, journal.Row{Seq: uint64(len(s.rows)) + 1, Epoch: 1, Key: c.By + "\n" + c.ID, Data: data})
	for _, who := range []string{south, north, "watcher"} {
		shown := at + 10*time.Millisecond
		s.h.Seen = append(s.h.Seen, Seen{
			Client: who, Player: who, Room: room, Asked: shown, At: shown, Seq: uint64(len(s.rows)), Sum: now.Sum,
			Clock: now.Clock, Run: now.Run, Now: s.h.Began.Add(at).UnixMilli(), Over: now.State == "over",
		})
	}
}

// op returns the command that became entry seq.
func (s *story) op(seq uint64) *Op { return &s.h.Ops[seq-2] }

// seen returns what a client saw of entry seq.
func (s *story) seen(who string, seq uint64) *Seen {
	i := slices.IndexFunc(s.h.Seen, func(v Seen) bool { return v.Client == who && v.Seq == seq })
	return &s.h.Seen[i]
}

// change replaces a part of a row.
func (s *story) change(seq uint64, old, now string) {
	s.rows[seq-1].Data = []byte(strings.Replace(string(s.rows[seq-1].Data), old, now, 1))
}

// drop removes what was seen for which is reports true.
func (s *story) drop(is func(Seen) bool) { s.h.Seen = slices.DeleteFunc(s.h.Seen, is) }

func TestBadHistoriesAreFound(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(s *story)
		check string
		want  string // in the only kind of violation, or empty
	}{
		{"nothing is wrong", func(*story) {}, "", ""},
		{"an acknowledged command is lost", func(s *story) {
			s.rows = s.rows[:6]
			s.drop(func(v Seen) bool { return v.Seq > 6 })
		}, "linear", "was acknowledged as entry 7, and is lost"},
		{"a command is there twice", func(s *story) {
			s.change(4, `"c":"c2"`, `"c":"c1"`)
			s.h.Ops = slices.Delete(s.h.Ops, 2, 3)
		}, "linear", "it is in the journal 2 times"},
		{"a command was acknowledged with another number", func(s *story) { s.op(7).Seq = 6 }, "linear", "acknowledged as entry 6, and is entry 7"},
		{"a command was acknowledged as changing nothing", func(s *story) { s.op(4).Seq = 0 }, "linear", "changed nothing, and it is entry 4"},
		{"a refused command is there", func(s *story) { s.op(4).Outcome, s.op(4).Code = Refused, "not-live" }, "linear", "refused (not-live), and is entry 4"},
		{"a command without an answer is there", func(s *story) { s.op(7).Outcome, s.op(7).Answered, s.op(7).Seq = Unknown, 0, 0 }, "", ""},
		{"a command comes before one that was answered before it was asked", func(s *story) {
			s.op(3).Invoked, s.op(3).Answered = 4900*time.Millisecond, 5*time.Second
			s.op(2).Invoked, s.op(2).Answered = 5100*time.Millisecond, 6*time.Second
			for i := range s.h.Seen {
				if v := &s.h.Seen[i]; v.Seq > 1 && v.At < 5200*time.Millisecond {
					v.At, v.Asked = 5200*time.Millisecond, 5200*time.Millisecond
				}
			}
			s.drop(func(v Seen) bool { return v.Seq == 2 || v.Seq == 3 })
		}, "linear", "after entry 3 had been acknowledged"},
		{"a client saw a command before it was asked", func(s *story) { s.op(6).Invoked, s.op(6).Answered = 10100*time.Millisecond, 10200*time.Millisecond }, "linear", "before it was asked"},
		{"an entry was never asked for", func(s *story) { s.h.Ops = slices.Delete(s.h.Ops, 2, 3) }, "linear", "entry 4, offer of south, was never asked for"},
		{"a move was changed", func(s *story) { s.op(6).Move = "b" }, "linear", "entry 6 is a, ply 2"},
		{"a move was made for another ply", func(s *story) { s.op(6).Ply = 1 }, "linear", "entry 6 is a, ply 2"},
		{"a row is missing", func(s *story) { s.rows = slices.Delete(s.rows, 3, 4) }, "journal", "row 4 has the number 5"},
		{"a room is missing", func(s *story) { s.rows = nil }, "linear", "the room is not in the journal"},
		{"a client has another board", func(s *story) { s.seen("watcher", 6).Sum = "00000000" }, "agree", "a board 00000000"},
		{"a client has another clock", func(s *story) { s.seen(north, 6).Clock = []int64{1, 2} }, "agree", "clocks [1 2]"},
		{"a client's clock stands", func(s *story) { s.seen(north, 7).Run = 0 }, "agree", "running from 0"},
		{"a client has an entry that is not in the journal", func(s *story) { s.seen("watcher", 8).Seq = 9 }, "agree", "the journal ends at 8"},
		{"a reader falls back", func(s *story) {
			s.seen("watcher", 7).At += 5 * time.Minute
			s.seen("watcher", 7).Asked += 5 * time.Minute
		}, "monotonic", "watcher saw entry 7"},
		{"a page is older than the socket", func(s *story) {
			page := *s.seen("watcher", 5)
			page.Asked, page.At = s.seen("watcher", 7).At+time.Second, s.seen("watcher", 7).At+1200*time.Millisecond
			page.Now, page.Page = 0, true
			s.h.Seen = slices.Insert(s.h.Seen, len(s.h.Seen)-4, page)
		}, "monotonic", "watcher saw entry 5"},
		{"a page was asked before the socket had more", func(s *story) {
			page := *s.seen("watcher", 6)
			page.Asked, page.At = s.seen("watcher", 7).At-time.Millisecond, s.seen("watcher", 7).At+500*time.Millisecond
			page.Now, page.Page = 0, true
			s.h.Seen = slices.Insert(s.h.Seen, len(s.h.Seen)-4, page)
		}, "", ""},
		{"a socket brings what a page has shown already", func(s *story) {
			page := *s.seen("watcher", 7)
			page.Page, page.At, page.Asked = true, page.At-time.Millisecond, page.At-2*time.Millisecond
			s.seen("watcher", 6).At, s.seen("watcher", 6).Asked, s.seen("watcher", 6).Now = page.At+time.Microsecond, page.At+time.Microsecond, 0
			s.h.Seen = append(s.h.Seen, page)
		}, "", ""},
		{"a page is older than the page before", func(s *story) {
			page, old := *s.seen("watcher", 7), *s.seen("watcher", 6)
			page.Page, page.At, page.Asked = true, page.At-5*time.Millisecond, page.At-6*time.Millisecond
			old.Page, old.At, old.Asked, old.Now = true, page.At+2*time.Millisecond, page.At+time.Millisecond, 0
			s.h.Seen = append(s.h.Seen, page, old)
		}, "monotonic", "watcher saw entry 6"},
		{"an author sees less than the answer to their command", func(s *story) {
			s.seen(south, 7).At += time.Second
			s.seen(south, 7).Asked += time.Second
			late := *s.seen(south, 6)
			late.At, late.Asked, late.Now = s.op(7).Answered+time.Millisecond, s.op(7).Answered+time.Millisecond, 0
			s.h.Seen = slices.Insert(s.h.Seen, len(s.h.Seen)-4, late)
		}, "monotonic", "south saw entry 6"},
		{"an old owner has written", func(s *story) { s.rows[4].Epoch = 2 }, "fence", "row 6 was written in epoch 1, after one of epoch 2"},
		{"an outage has cost the game", func(s *story) {
			s.h.Faults = []Fault{{Name: "North's instance is paused", From: 20 * time.Second, To: 26 * time.Second, Stopped: []int{1}}}
		}, "flag", "north lost on time"},
		{"an owner that was cut off has cost the game", func(s *story) {
			s.h.Faults = []Fault{{Name: "0 has no PostgreSQL", From: 20 * time.Second, To: 26 * time.Second, NoPostgres: []int{0}}}
		}, "flag", "north lost on time"},
		{"an instance without Redis has cost the game", func(s *story) {
			s.h.Faults = []Fault{{Name: "0 has no Redis", From: 20 * time.Second, To: 26 * time.Second, NoRedis: []int{0}}}
		}, "flag", "north lost on time"},
		{"a flag fell just after Redis was away", func(s *story) {
			fell := s.seen(north, 8).At
			s.h.Faults = []Fault{{Name: "0 has no Redis", From: fell - 3*time.Second, To: fell + 6*time.Second, NoRedis: []int{0}}}
		}, "flag", "north lost on time"},
		{"a player was on the way to an instance that froze", func(s *story) {
			s.h.Places = append(s.h.Places, Place{Client: north, Player: north, Room: room, At: 19500 * time.Millisecond, Instance: 2})
			s.h.Faults = []Fault{{Name: "2 is paused", From: 20 * time.Second, To: 26 * time.Second, Stopped: []int{2}}}
		}, "flag", "north lost on time"},
		{"a flag of a player on the way fell before the silence was noticed", func(s *story) {
			fell := s.seen(north, 8).At
			s.h.Places = append(s.h.Places, Place{Client: north, Player: north, Room: room, At: fell - 3500*time.Millisecond, Instance: 2})
			s.h.Faults = []Fault{{Name: "2 is paused", From: fell - 3*time.Second, To: fell + 6*time.Second, Stopped: []int{2}}}
		}, "", ""},
		{"a fault elsewhere costs nothing", func(s *story) {
			s.h.Faults = []Fault{{Name: "2 is paused", From: 20 * time.Second, To: 26 * time.Second, Stopped: []int{2}, NoRedis: []int{2}, NoPostgres: []int{1}}}
		}, "", ""},
		{"a player's own network is their own", func(s *story) {
			s.h.Faults = []Fault{{Name: "1 cannot be reached", From: 20 * time.Second, To: 26 * time.Second, NoClients: []int{1}}}
		}, "", ""},
		{"a player saw their turn late", func(s *story) {
			s.seen(north, 7).At += 10 * time.Second
			s.seen(north, 7).Asked += 10 * time.Second
			s.seen(north, 7).Now = 0
		}, "flag", "north lost on time"},
		{"a busy machine recorded late that a player saw their turn", func(s *story) {
			at := s.seen(north, 7).At
			s.h.Lags = []Lag{{From: at, To: at + 10*time.Second}}
			s.seen(north, 7).At += 10 * time.Second
			s.seen(north, 7).Asked += 10 * time.Second
			s.seen(north, 7).Now = 0
		}, "", ""},
		{"a move that was sent in time did not count", func(s *story) {
			s.h.Ops = append(s.h.Ops, Op{Client: north, Player: north, Room: room, ID: "late", Kind: "move", Ply: 4, Move: "b", Invoked: 30 * time.Second, Answered: time.Minute, Outcome: Refused, Code: "too-late"})
		}, "flag", "took the game all the same"},
		{"a time is ahead", func(s *story) { s.seen("watcher", 6).Now += 60_000 }, "time", "was told at 10.01s that it is 59.99s later"},
		{"a time is behind", func(s *story) { s.seen("watcher", 6).Now -= 60_000 }, "time", "1m0.01s earlier"},
		{"a failover may lose what the standby did not have", func(s *story) { s.failOver(t, true) }, "", ""},
		{"a failover lost what the standby had", func(s *story) {
			s.failOver(t, true)
			s.h.Losses[0].Kept[room] = 7
		}, "linear", "was acknowledged as entry 7, and is lost"},
		{"a reader was not told of a failover", func(s *story) { s.failOver(t, false) }, "converge", "saw entry 7, which a failover lost"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStory(t)
			tt.spoil(s)
			slices.SortStableFunc(s.h.Seen, func(a, b Seen) int { return int(a.At - b.At) })
			rooms := Journal{}
			if s.rows != nil {
				rooms[room] = s.rows
			}
			report := Check(&s.h, rooms)
			found := false
			for _, v := range report.Violations {
				found = found || v.Check == tt.check && strings.Contains(v.What, tt.want)
			}
			if found != (tt.want != "") || !found && len(report.Violations) > 0 {
				t.Errorf("the violations are\n%swant %s: %s", report.Summary(20), tt.check, tt.want)
			}
			if tt.check == "" && (report.Commands == 0 || report.Views == 0 || report.Flags != 1 && s.h.Losses == nil) {
				t.Errorf("the report counts %+v", report)
			}
		})
	}
}

// failOver lets the standby keep only six entries. With told the clients see the sixth one
// again.
func (s *story) failOver(t *testing.T, told bool) {
	t.Helper()
	last := s.seen("watcher", 7).At
	s.drop(func(v Seen) bool { return v.Seq == 8 })
	s.rows = s.rows[:6]
	s.h.Losses = []Loss{{From: s.seen("watcher", 6).At + time.Second, At: last + time.Second, Kept: map[string]uint64{room: 6}}}
	if !told {
		return
	}
	for _, who := range []string{south, north, "watcher"} {
		again := *s.seen(who, 6)
		again.At = last + 3*time.Second
		again.Asked, again.Now = again.At, 0
		s.h.Seen = append(s.h.Seen, again)
	}
}

func TestRecorderKeepsCommandsWithoutAnAnswer(t *testing.T) {
	r := NewRecorder(7)
	r.Ask(Op{Client: "a", ID: "1", Kind: "move"})
	r.Ask(Op{Client: "a", ID: "2", Kind: "offer"})
	r.Answer("a", "2", OK, "", 5)
	r.Answer("a", "2", Refused, "stale", 0) // a repeat of the answer
	r.Answer("b", "1", OK, "", 6)
	end := r.Fail(Fault{Name: "a fault"})
	r.Own(Owner{Room: "r", Epoch: 1, Instance: 2})
	r.Own(Owner{Room: "r", Epoch: 1, Instance: 2})
	open := r.History()
	end()
	end()
	h := r.History()
	if h.Run != 7 || len(h.Ops) != 2 || h.Ops[0].Outcome != Unknown || h.Ops[1].Outcome != OK || h.Ops[1].Seq != 5 {
		t.Errorf("the history is %+v", h)
	}
	if len(h.Owners) != 1 || len(h.Faults) != 1 || open.Faults[0].To < open.Faults[0].From || h.Faults[0].To < open.Faults[0].To {
		t.Errorf("the owners are %v, the faults %v and before %v", h.Owners, h.Faults, open.Faults)
	}
}

func TestHistoryIsSavedWithItsJournal(t *testing.T) {
	s := newStory(t)
	file := filepath.Join(t.TempDir(), "history.json")
	if err := Save(file, &s.h, Journal{room: s.rows}); err != nil {
		t.Fatal(err)
	}
}

package room

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/machine"
)

// pass lets time go by, and the rooms do what is due.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// A bot has no socket. No follower is told so, and a bot keeps no room awake.
func TestBotsAreNeverMissed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const id = "r1"
		if err := w.Create(w.Context(), id, "ledger", cmd("", "open", 0), cmd("ann", "sit", 0), cmd("robot", "sit", 0)); err != nil {
			t.Fatal(err)
		}
		h := w.follow(id)
		h.Join("ann")
		pass(time.Minute)
		w.must(id, cmd("robot", "add", 1))
		if got := h.said(); got != nil {
			t.Errorf("notes %q", got)
		}
		h.Close()
		pass(time.Minute)
		if n := w.Stats().Live; n != 0 {
			t.Errorf("%d rooms are awake", n)
		}
		if got := w.kinds(id); got != "open sit sit add gone" {
			t.Errorf("journal: %s", got)
		}
	})
}

func TestAbsenceIsToldToFollowersAndThenToTheMachine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		h.Join("bob") // in two tabs
		pass(time.Minute)
		if got := h.kinds(); got != "" {
			t.Fatalf("with all players here: %s", got)
		}
		h.said()
		h.Leave("bob")
		pass(time.Minute)
		if got := h.said(); got != nil {
			t.Errorf("one of two tabs closed: %q", got)
		}
		for _, step := range []struct {
			do    func()
			wait  time.Duration
			notes []string
			kinds string
		}{
			{func() { h.Leave("bob") }, noteAfter - 1, nil, ""},
			{func() {}, 1, []string{`presence bob {"here":false}`}, ""},
			{func() {}, goneAfter - noteAfter - 1, nil, ""},
			{func() {}, 1, nil, "gone"},
			{func() {}, time.Minute, nil, "gone"},
			{func() { h.Join("bob") }, 0, []string{`presence bob {"here":true}`}, "gone back"},
			{func() { h.Leave("bob") }, noteAfter, []string{`presence bob {"here":false}`}, "gone back"},
			{func() { h.Join("bob") }, time.Minute, []string{`presence bob {"here":true}`}, "gone back"},
			{func() { h.Leave("bob"); h.Join("bob") }, time.Minute, nil, "gone back"},
			{func() { h.Close() }, time.Minute, nil, "gone back"}, // no client is left to be told
		} {
			step.do()
			pass(step.wait)
			if got := h.said(); !slices.Equal(got, step.notes) {
				t.Errorf("got notes %q, want %q", got, step.notes)
			}
			if got := h.kinds(); got != step.kinds {
				t.Errorf("got entries %q, want %q", got, step.kinds)
			}
		}
		if got := w.kinds(id); got != "open sit sit gone back gone gone" {
			t.Errorf("journal: %s", got)
		}
	})
}

// hasty is a ledger that waits less long for people.
type hasty struct{ *ledger }

func newHasty(id string) machine.Machine { return hasty{newLedger(id).(*ledger)} }

func (hasty) PresenceTimeout() time.Duration { return goneAfter / 2 }

// A machine with a timeout of its own is told sooner about a player who has left, and
// not about one whose page is still loading.
func TestPresenceTimeoutIsForPlayersWhoHaveBeenHere(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		if err := w.Create(w.Context(), "r1", "hasty", cmd("", "open", 0), cmd("ann", "sit", 0), cmd("bob", "sit", 0)); err != nil {
			t.Fatal(err)
		}
		h := w.follow("r1")
		h.Join("ann")
		pass(time.Second)
		h.Leave("ann")
		for _, step := range []struct {
			wait  time.Duration
			kinds string
		}{{goneAfter/2 - 1, ""}, {1, "gone"}, {goneAfter/2 - time.Second - 1, "gone"}, {1, "gone gone"}} {
			pass(step.wait)
			if got := h.kinds(); got != step.kinds {
				t.Errorf("got entries %q, want %q", got, step.kinds)
			}
		}
	})
}

// After a load it is unknown who is here. A player who has not come ten seconds later
// counts as gone, and one who was gone and is here is back.
func TestPresenceIsUnknownAfterALoad(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		pass(goneAfter) // bob never came
		if got := h.kinds(); got != "gone" {
			t.Fatalf("entries %q", got)
		}
		w.stop()
		pass(10 * time.Second)
		w = newWorld(t, "two", w.journal, nil)
		h = w.follow(id)
		h.Join("bob")
		pass(goneAfter)
		list, _ := w.Entries(w.Context(), id, "")
		var got []string
		for _, p := range list[4:] {
			got = append(got, strings.TrimSpace(p.Entry.Kind+" "+p.Entry.By))
		}
		if want := []string{"outage", "back bob", "gone ann"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestWatchersAreCounted(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h := w.follow(w.book("r1"))
		h.Join("ann")
		h.Join("bob")
		pass(2 * time.Second)
		h.said()
		for i := range 100 {
			h.Join(fmt.Sprint("w", i))
			pass(10 * time.Millisecond)
		}
		pass(time.Second)
		got := h.said()
		if len(got) > 3 || len(got) == 0 || got[len(got)-1] != `watching  {"count":100}` {
			t.Errorf("100 came within a second: got notes %q", got)
		}
		h.Leave("w7")
		pass(time.Second)
		if got := h.said(); !slices.Equal(got, []string{`watching  {"count":99}`}) {
			t.Errorf("one left: got notes %q", got)
		}
		s := &socket{player: "late"}
		if err := h.resume(w.Context(), s); err != nil || len(s.last.Notes) == 0 {
			t.Errorf("a later client is told %v (%v)", s.last.Notes, err)
		}
	})
}

func TestPlayersNotesAreChecked(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		w.must(id, cmd("ann", "add", 1))
		pass(time.Second)
		h.said()
		for i := range 30 {
			if err := h.Say("ann", "filling", json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))); err != nil {
				t.Fatal(err)
			}
			pass(100 * time.Millisecond)
		}
		pass(time.Second)
		got := slices.DeleteFunc(h.said(), func(s string) bool { return !strings.HasPrefix(s, "filling") })
		if len(got) != 4 || got[0] != `filling ann {"n":0}` || got[3] != `filling ann {"n":29}` {
			t.Errorf("thirty in three seconds: got %q, want one a second, from the first to the last", got)
		}
		for _, bad := range []struct{ by, kind, body string }{
			{"eve", "filling", "{}"},
			{"ann", "", "{}"},
			{"ann", "Filling", "{}"},
			{"ann", "seventeenletterss", "{}"},
			{"ann", NotePresence, `{"here":true}`},
			{"ann", "filling", `[1]`},
			{"ann", "filling", `{"a":`},
			{"ann", "filling", `{"a":"` + strings.Repeat("x", maxNote) + `"}`},
		} {
			if err := h.Say(bad.by, bad.kind, json.RawMessage(bad.body)); !errors.Is(err, ErrBadNote) {
				t.Errorf("%v: got %v, want ErrBadNote", bad, err)
			}
		}
		var err error
		for i := range noteSlots {
			err = h.Say("ann", "kind"+string(rune('a'+i)), nil)
		}
		if !errors.Is(err, ErrBadNote) {
			t.Errorf("any number of kinds: %v", err)
		}
		if err := h.Say("bob", "filling", nil); err != nil {
			t.Errorf("ann's many kinds take bob's place: %v", err)
		}
	})
}

// deferring is a ledger that need not know who is here until five seconds before its bell rings, and without a bell
// not at all. Once something was added it must know.
type deferring struct{ *ledger }

func newDeferring(id string) machine.Machine {
	l := newLedger(id).(*ledger)
	l.Gone = []string{"ann", "bob"}
	return deferring{l}
}

func (u deferring) ArrivalDue(string) (until time.Time, waits bool) {
	if u.Ring > 0 {
		until = u.Wake().Add(-5 * time.Second)
	}
	return until, u.Sum == 0
}

func TestMachineThatNeedNotKnowArrivalsLearnsThemBeforeTheyMatter(t *testing.T) {
	for name, tt := range map[string]struct {
		rings time.Duration      // 0: never
		do    func(*world, *hub) // after a second
		want  []string           // the entries after two seconds, and half a minute later
	}{
		"it need not know": {time.Hour, func(*world, *hub) {}, []string{"", ""}},
		"it never needs":   {0, func(*world, *hub) {}, []string{"", ""}},
		"soon before":      {20 * time.Second, func(*world, *hub) {}, []string{"", "back wake"}},
		"at once":          {4 * time.Second, func(*world, *hub) {}, []string{"back", "back wake"}},
		"when it must know": {time.Hour, func(w *world, _ *hub) {
			w.must("r1", cmd("ann", "add", 1))
		}, []string{"add back", "add back"}},
		"when the player has gone, who was there": {time.Hour, func(_ *world, h *hub) { h.Leave("ann") }, []string{"back", "back gone"}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				begin := []machine.Command{cmd("", "open", 0), cmd("ann", "sit", 0)}
				if tt.rings > 0 {
					bell := cmd("ann", "bell", 0)
					bell.Body = fmt.Appendf(nil, `{"in":%d}`, tt.rings.Milliseconds())
					begin = append(begin, bell)
				}
				if err := w.Create(w.Context(), "r1", "deferring", begin...); err != nil {
					t.Fatal(err)
				}
				h := w.follow("r1")
				h.Join("ann")
				pass(time.Second)
				tt.do(w, h)
				pass(time.Second)
				got := []string{h.kinds()}
				pass(30 * time.Second)
				if got = append(got, h.kinds()); !slices.Equal(got, tt.want) {
					t.Errorf("got entries %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// The owner dies before it has told the machine of anybody. The next owner tells it of those who are still here,
// before it matters.
func TestNextOwnerTellsArrivalsThatItsPredecessorDidNot(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		bell := cmd("ann", "bell", 0)
		bell.Body = []byte(`{"in":30000}`)
		if err := one.Create(t.Context(), "r1", "deferring", cmd("", "open", 0), cmd("ann", "sit", 0), cmd("bob", "sit", 0), bell); err != nil {
			t.Fatal(err)
		}
		one.follow("r1").Join("ann")
		two.follow("r1").Join("bob")
		pass(20 * time.Second)
		if got := two.kinds("r1"); got != "open sit sit bell" {
			t.Fatalf("the first owner has written %s", got)
		}
		one.stop()
		on.gone("one")
		pass(8 * time.Second)
		two.follow("r1").Join("bob") // as their page does when the room has a new owner
		pass(time.Minute)
		kinds := strings.Fields(two.kinds("r1"))
		if back, wake := slices.Index(kinds, "back"), slices.Index(kinds, "wake"); back < 0 || wake < back {
			t.Errorf("the second owner has written %q", kinds)
		}
	})
}

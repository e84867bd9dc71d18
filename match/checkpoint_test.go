package match

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mancala/engine"
	"mancala/match/journal"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// outsideStored are the fields that a checkpoint does not hold among the parts of the state,
// with the reason.
var outsideStored = map[string]string{
	"rules":   "the checkpoint names the rule set, which all matches share",
	"hist":    "the checkpoint has the keys of its positions",
	"here":    "it follows from the seats, the players who sit and the creator",
	"planned": "it is scratch space between a decision and its entry",
}

// TestCheckpointHoldsEveryFieldOfTheState fails if a field is added to the state and not to the
// checkpoint.
func TestCheckpointHoldsEveryFieldOfTheState(t *testing.T) {
	m := New()
	m.event = new(tournamentPart) // of a game of a tournament, which has one part more
	held := map[uintptr]reflect.Type{}
	for _, at := range m.stored() {
		v := reflect.ValueOf(at)
		held[v.Pointer()] = v.Type().Elem()
	}
	unused := maps.Clone(outsideStored)
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		for i := range v.NumField() {
			f, name := v.Field(i), v.Type().Field(i).Name
			_, outside := outsideStored[name]
			delete(unused, name)
			switch {
			case f.Kind() == reflect.Pointer && held[f.Pointer()] == f.Type().Elem():
				delete(held, f.Pointer())
				if why := lost(f.Type().Elem()); why != "" {
					t.Errorf("the field %s is stored without a part: %s", name, why)
				}
			case held[f.UnsafeAddr()] == f.Type():
				delete(held, f.UnsafeAddr())
				if why := lost(f.Type()); why != "" {
					t.Errorf("the field %s is stored without a part: %s", name, why)
				}
			case outside:
			case f.Kind() == reflect.Struct:
				look(f)
			default:
				t.Errorf("the field %s is not in the checkpoint. Add it to stored, or to outsideStored with the reason", name)
			}
		}
	}
	look(reflect.ValueOf(m).Elem())
	if len(held) > 0 || len(unused) > 0 {
		t.Errorf("there are no fields for %v and %v", slices.Collect(maps.Values(held)), slices.Collect(maps.Keys(unused)))
	}
}

// lost returns which part of a type's values encoding/json does not keep, or "".
func lost(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		var list []any
		data, err := json.Marshal(reflect.New(t).Interface())
		if err == nil {
			err = json.Unmarshal(data, &list)
		}
		if err != nil || len(list) != t.NumField() {
			return fmt.Sprintf("%v is stored as %s (%v)", t, data, err)
		}
		return ""
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return lost(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" {
				return fmt.Sprintf("%v.%s", t, f.Name)
			}
			if why := lost(f.Type); why != "" {
				return why
			}
		}
	case reflect.Interface, reflect.Func, reflect.Chan:
		return t.String()
	}
	return ""
}

// TestCheckpointAtEveryEntryAndTheEntriesAfterItGiveTheMatch plays random games, and begins to
// replay each from every one of its entries.
func TestCheckpointAtEveryEntryAndTheEntriesAfterItGiveTheMatch(t *testing.T) {
	for run := range uint64(8) {
		simulate(t, 5000+run, func(s *sim) {
			m := New()
			for k, e := range s.entries {
				if err := m.Apply(e); err != nil {
					t.Fatal(err)
				}
				if k%13 != int(run) && k+3 < len(s.entries) {
					continue
				}
				c, err := m.Checkpoint()
				if err != nil {
					t.Fatal(err)
				}
				got := New()
				if err := got.LoadCheckpoint(c); err != nil {
					t.Fatalf("load %s: %v", c, err)
				}
				for _, e := range s.entries[k+1:] {
					if err := got.Apply(e); err != nil {
						t.Fatalf("run %d, entry %s after a checkpoint at %d: %v", run, e.Kind, k+1, err)
					}
				}
				if got, want := sight(got), sight(s.m); got != want {
					t.Fatalf("run %d, with a checkpoint at %d of %d it is\n%s\nand from the first entry\n%s", run, k+1, len(s.entries), got, want)
				}
				if c, _ := got.Checkpoint(); !reflect.DeepEqual(got.state, s.m.state) {
					t.Fatalf("run %d, with a checkpoint at %d the hidden state differs: %s", run, k+1, c)
				}
			}
		})
	}
}

// sight is everything that a match shows or asks for.
func sight(m *Match) string {
	var b strings.Builder
	for _, a := range append(slices.Clone(audiences), machine.Host) {
		fmt.Fprintf(&b, "%s\n%s\n", m.Snapshot(a), m.AppendPrivate(nil, a))
	}
	fmt.Fprintln(&b, m.Wake(), m.Delay(), m.Sum(), m.State(), m.Players(), m.PresenceTimeout())
	for _, task := range m.Tasks() {
		fmt.Fprintf(&b, "%s %s %s\n", task.ID, task.Kind, task.Body)
	}
	fmt.Fprintln(&b, m.Record(func(p string) string { return p }))
	return b.String()
}

// TestVersionOfCheckpointsIsRaisedWhenTheyChange compares the checkpoints of the recorded
// journals with those that the release wrote which introduced the version. If they differ,
// raise checkpointVersion and run the test with -record: instances of the release before then
// replay their rooms, and do not take over a state that they would not have reached. A journal
// that is new needs -record alone.
func TestVersionOfCheckpointsIsRaisedWhenTheyChange(t *testing.T) {
	const file = "testdata/checkpoints.txt"
	recordMissing(t)
	files, err := filepath.Glob("testdata/*.journal")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "version %d\n", checkpointVersion)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := replayGolden(t, data)
		c, err := m.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %.8x\n", filepath.Base(file), sha256.Sum256(c))
	}
	now := b.String()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old := string(text)
	if *record {
		old = withNewCheckpoints(old, now)
		if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if old != now {
		t.Errorf("checkpoints have changed. If only journals are new, run this test with -record; otherwise raise checkpointVersion first\n%s", now)
	}
}

// withNewCheckpoints returns the lines of now. If the version is still the same, a journal that has a line already
// keeps it.
func withNewCheckpoints(old, now string) string {
	version, _, _ := strings.Cut(now, "\n")
	if !strings.HasPrefix(old, version+"\n") {
		return now
	}
	lines := map[string]string{}
	for line := range strings.Lines(old) {
		journal, _, _ := strings.Cut(line, " ")
		lines[journal] = line
	}
	var b strings.Builder
	for line := range strings.Lines(now) {
		journal, _, _ := strings.Cut(line, " ")
		b.WriteString(cmp.Or(lines[journal], line))
	}
	return b.String()
}

// A release reads only the version that it writes, and loads nothing that does not fit.
func TestCheckpointThatDoesNotFitIsRefused(t *testing.T) {
	tb := seated(t, "kalah", "", "5+3")
	tb.play("c", "a")
	good, err := tb.m.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(c *checkpoint){
		"newer":            func(c *checkpoint) { c.Version++ },
		"a part more":      func(c *checkpoint) { c.State["more"] = json.RawMessage("1") },
		"another part":     func(c *checkpoint) { delete(c.State, "run"); c.State["ran"] = json.RawMessage("1") },
		"a part less":      func(c *checkpoint) { delete(c.State, "run") },
		"a broken part":    func(c *checkpoint) { c.State["moves"] = json.RawMessage(`7`) },
		"a short list":     func(c *checkpoint) { c.State["offers"] = json.RawMessage(`[[1,2]]`) },
		"other rules":      func(c *checkpoint) { c.Rules[3] = "no rules" },
		"a board too wide": func(c *checkpoint) { c.State["pos"] = json.RawMessage(`{"Shape":{"Sides":4,"Partners":1,"Pits":9}}`) },
		"no such stage":    func(c *checkpoint) { c.State["stage"] = json.RawMessage(`77`) },
		"no such seat":     func(c *checkpoint) { c.State["offers"] = json.RawMessage(`[[0,3,0]]`) },
	} {
		var c checkpoint
		if err := json.Unmarshal(good, &c); err != nil {
			t.Fatal(err)
		}
		change(&c)
		bad, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		m := New()
		if err := m.LoadCheckpoint(bad); err == nil || m.stage != unborn {
			t.Errorf("%s: loaded with %v", name, err)
		}
	}
	if _, err := New().Checkpoint(); err == nil {
		t.Error("a match without entries has a checkpoint")
	}
	if err := New().LoadCheckpoint(good); err != nil {
		t.Error(err)
	}
}

// A history that is restored finds the same repetitions.
func TestRestoredHistoryHasTheSameKeys(t *testing.T) {
	tb := seated(t, "oware-abapa", "", "none")
	tb.play("c", "c", "d")
	keys := tb.m.hist.Since(&tb.m.pos)
	h := engine.MustCompile("oware-abapa").RestoreHistory(keys)
	if len(keys) == 0 || h.Len() != len(keys) || !slices.Equal(h.Since(&tb.m.pos), keys) {
		t.Errorf("restored %d of %d keys", h.Len(), len(keys))
	}
}

// TestLongMatchIsTakenOverWithItsCheckpoint kills the owner of a match of many rounds. The next
// one reads only the entries after the checkpoint, shows the same, and the match goes on.
func TestLongMatchIsTakenOverWithItsCheckpoint(t *testing.T) {
	entries := longMatch(t, 700)
	synctest.Test(t, func(t *testing.T) {
		j := &journaltest.Counting{Journal: memjournal.New()}
		if err := j.Create(t.Context(), journal.Room{ID: "g1", Kind: Kind, Wake: time.Now().Add(time.Hour)}, rowsOf(t, entries)...); err != nil {
			t.Fatal(err)
		}
		h, die := house(t, j, "one")
		play := func() {
			t.Helper()
			m, _, err := h.Replay(t.Context(), "g1")
			if err != nil {
				t.Fatal(err)
			}
			g := m.(*Match)
			if g.stage == between {
				send(t, h, "g1", "p0", KindNext, "")
				return
			}
			legal := g.rules.game.Legal(&g.pos)
			send(t, h, "g1", g.seats[g.onTurn()], KindMove, fmt.Sprintf(`{"ply":%d,"move":%q}`, g.pos.Ply, legal.At(0)))
		}
		play()
		synctest.Wait()
		if c, err := j.Checkpoint(t.Context(), "g1"); err != nil || c.Seq != 701 {
			t.Fatalf("the checkpoint is at %d, %v", c.Seq, err)
		}
		play()
		shown := see(t, h, "g1")
		die()
		time.Sleep(10 * time.Second)
		j.Rows.Store(0)
		h, _ = house(t, j, "two")
		if got := see(t, h, "g1"); got != shown {
			t.Errorf("taken over it shows\n%s, before\n%s", got, shown)
		}
		for range 5 {
			play()
		}
		if n := j.Rows.Load(); n > 50 {
			t.Errorf("%d rows were read", n)
		}
	})
}

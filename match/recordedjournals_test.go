package match

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"mancala/engine"
	"mancala/match/machine"
)

var record = flag.Bool("record", false, "write journals of this release that are not in testdata yet")

// TestJournalsOfEarlierReleasesReplayTheSame replays journals of earlier releases. The
// journals are never recorded again, since every release must read every older journal. The
// sum in every move checks the board. Every field of the recorded last snapshot must be
// equal; new fields may be added.
func TestJournalsOfEarlierReleasesReplayTheSame(t *testing.T) {
	recordMissing(t)
	files, err := filepath.Glob("testdata/*.journal")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range engine.Systems {
		if file := goldenFile(row.Name); !slices.Contains(files, file) {
			t.Errorf("%s is missing: record it with 'go test ./match -run %s -record', and commit it", file, t.Name())
		}
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, snapshot := replayGolden(t, data)
			now := decode(t, m.Snapshot(machine.Watchers))
			for name, want := range decode(t, []byte(snapshot)) {
				if !reflect.DeepEqual(now[name], want) {
					t.Errorf("%s is %v and was %v", name, now[name], want)
				}
			}
		})
	}
}

// TestFirstEntriesHaveOnlyFieldsOfEarlierReleases fails if the first entry of a game has a field that the
// oldest recorded games do not have. An instance of the release before refuses an entry with a field that
// it does not know. If every new game had one, it would put every new game into quarantine. A new field
// is therefore left out while it has no value (its add appends null, as that of mark does), and is read
// one release before it is written.
func TestFirstEntriesHaveOnlyFieldsOfEarlierReleases(t *testing.T) {
	fields := func(entry []byte) []string {
		var e struct {
			Body map[string]json.RawMessage `json:"b"`
		}
		if err := json.Unmarshal(entry, &e); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, part := range e.Body {
			names = slices.AppendSeq(names, maps.Keys(decode(t, part)))
		}
		return names
	}
	known := []string{"assists", "chat", "first", "unmoved"} // newer ones: add a field when the release before reads it
	for _, oldest := range []string{"kalah", "oware", "with-accept"} {
		data, err := os.ReadFile(goldenFile(oldest))
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := bytes.Cut(data, []byte("\n"))
		known = append(known, fields(first)...)
	}
	waiting := newTable(t, Creation{Settings: Settings{Rules: "kalah", Clock: "5+3"}, Creator: "p0"})
	for game, tb := range map[string]*table{
		"waiting": waiting, "untimed": seated(t, "kalah", "", "none"), "timed": seated(t, "kalah", "", "5+3"), "of days": seated(t, "kalah", "", "3/move"),
	} {
		first, err := json.Marshal(tb.entries[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range fields(first) {
			if !slices.Contains(known, name) {
				t.Errorf("the first entry of a game that is %s has the field %s, which no old game has", game, name)
			}
		}
	}
}

// replayGolden folds a recorded journal and returns the snapshot at its end.
func replayGolden(t *testing.T, data []byte) (m *Match, snapshot string) {
	t.Helper()
	m, public := New(), ""
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if after, ok := strings.CutPrefix(lines.Text(), "snapshot "); ok {
			snapshot = after
			break
		}
		var e machine.Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		if err := m.Apply(e); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		public = string(m.AppendPublic(nil, e, machine.Watchers))
	}
	if public == "" || snapshot == "" {
		t.Fatal("the journal is cut off")
	}
	return m, snapshot
}

var recorded sync.Once

// recordMissing records with -record, before the first test that reads the journals.
func recordMissing(t *testing.T) {
	if *record {
		recorded.Do(func() { recordGolden(t) })
	}
}

// recordedKinds are the kinds of entries of which a match with house rules is recorded.
var recordedKinds = []string{kindOutage, KindClaim, KindAccept, kindRematch, kindResume, KindSettings, KindYoungest, kindFlag, KindNext,
	kindBack, KindArbiter, kindReport}

// recordGolden records a simulated match of every system, and matches with house rules
// in which there were other entries than moves. It plays until no record is missing.
func recordGolden(t *testing.T) {
	missing := map[string]bool{}
	want := func(name string) {
		if _, err := os.Stat(goldenFile(name)); err != nil {
			missing[name] = true
		}
	}
	for _, row := range engine.Systems {
		want(row.Name)
	}
	for _, kind := range recordedKinds {
		want("with-" + kind)
	}
	for run := uint64(0); len(missing) > 0 && run < 3000; run++ {
		simulate(t, run, func(s *sim) {
			if n := len(s.entries); n < 20 || n > 130 || s.m.stage != over {
				return
			}
			if name := recordOf(s, missing); name != "" {
				delete(missing, name)
				writeGolden(t, goldenFile(name), s)
			}
		})
	}
}

// recordOf returns which of the missing records a match can be, or "".
func recordOf(s *sim, missing map[string]bool) string {
	if name := s.m.rules.system; s.m.rules.options == "" && missing[name] {
		return name
	}
	for _, kind := range recordedKinds {
		if name := "with-" + kind; missing[name] && slices.ContainsFunc(s.entries, func(e machine.Entry) bool { return e.Kind == kind }) {
			return name
		}
	}
	return ""
}

func goldenFile(name string) string { return filepath.Join("testdata", name+".journal") }

func writeGolden(t *testing.T, file string, s *sim) {
	var b bytes.Buffer
	for _, e := range s.entries {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", line)
	}
	fmt.Fprintf(&b, "snapshot %s\n", s.m.Snapshot(machine.Watchers))
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

package engine_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
)

// TestRecordsReplayAsTheReferencePlayedThem replays the records in testdata/games,
// which an independent implementation played. It compares every position, every list
// of legal moves, the result and the reason of the end.
func TestRecordsReplayAsTheReferencePlayedThem(t *testing.T) {
	for _, name := range []string{"systems", "houserules", "ended", "family", "claims", "owntracks", "bao"} {
		t.Run(name, func(t *testing.T) {
			records := strings.SplitAfter(read(t, "testdata/games/"+name+".rec"), "\n\n[Rules ")
			wants := strings.Split(read(t, "testdata/games/"+name+".want"), "\n\n")
			if len(records) != len(wants) {
				t.Fatalf("%d records, %d answers", len(records), len(wants))
			}
			for i, text := range records {
				text = strings.TrimSuffix(text, "[Rules ")
				if i > 0 {
					text = "[Rules " + text
				}
				if got, want := replay(t, text), strings.TrimSpace(wants[i]); got != want {
					t.Errorf("record %d\n%sgot\n%s\nwant\n%s", i+1, text, got, want)
				}
			}
		})
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replay plays a record and returns what happened in the form of the .want files. It
// also prints the record, which must equal the text except for spaces.
func replay(t *testing.T, text string) string {
	t.Helper()
	rec, err := engine.ParseRecord(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	played, err := rec.Replay()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got := rec.String(); !slices.Equal(strings.Fields(got), strings.Fields(text)) {
		t.Errorf("printed\n%sread\n%s", got, text)
	}
	lines := []string{played.Start.String()}
	for i, p := range played.Positions {
		legal := moveTexts(played.Legal[i])
		if legal == "" {
			legal = "="
		}
		lines = append(lines, legal+": "+p.String())
	}
	return strings.Join(append(lines, strings.TrimSpace(played.Result+" "+played.Termination)), "\n")
}

package match

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documented returns the first column of the table of fields under a heading of
// web/PROTOCOL.md.
func documented(t *testing.T, heading string) (names []string) {
	t.Helper()
	text, err := os.ReadFile("../web/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n"+heading+"\n")
	if !found {
		t.Errorf("web/PROTOCOL.md has no heading %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n##")
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(section, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

func TestProtocolDescribesTheFieldsOfEveryCommand(t *testing.T) {
	names := map[fieldSet]string{
		hasPly: "ply", hasMove: "move", hasWhat: "what", hasRules: "rules", hasOptions: "options", hasClock: "clock", hasStart: "start",
		hasForOthers: "forOthers", hasAssists: "assists", hasRated: "rated", hasChat: "chat", hasDelay: "delay", hasListed: "listed",
	}
	may := map[string]fieldSet{KindMove: hasPly | hasMove}
	for kind, c := range commands {
		may[kind] = c.may
	}
	for kind, set := range may {
		var want []string
		for field, name := range names {
			if set&field != 0 {
				want = append(want, name)
				set &^= field
			}
		}
		if set != 0 {
			t.Errorf("%s has fields that this test does not know: %b", kind, set)
		}
		slices.Sort(want)
		if got := documented(t, "### `cmd` `"+kind+"`"); !slices.Equal(got, want) {
			t.Errorf("web/PROTOCOL.md gives %s the fields %q, want %q", kind, got, want)
		}
	}
}

func TestProtocolDescribesTheFieldsOfASnapshotAndAResult(t *testing.T) {
	want := []string{"kind"}
	for _, f := range fields {
		if f.kind != private {
			want = append(want, f.name)
		}
	}
	slices.Sort(want)
	if got := documented(t, "#### Object: snapshot of a game"); !slices.Equal(got, want) {
		t.Errorf("web/PROTOCOL.md gives the snapshot the fields %q, want %q", got, want)
	}
	want = nil
	for f := range reflect.TypeFor[result]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		want = append(want, name)
	}
	slices.Sort(want)
	if got := documented(t, "#### Object: result"); !slices.Equal(got, want) {
		t.Errorf("web/PROTOCOL.md gives a result the fields %q, want %q", got, want)
	}
}

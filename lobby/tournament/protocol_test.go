package tournament

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/match/machine"
)

// byTheServer are the fields of an [Order] that only the server's own commands have.
var byTheServer = []string{"paper", "account", "rating", "for", "report", "entrants", "past", "broken", "left", "moved", "ratings", "task"}

// protocolAfter returns the part of web/PROTOCOL.md from a heading to the next text that ends it.
func protocolAfter(t *testing.T, heading, end string) string {
	t.Helper()
	text, err := os.ReadFile("../../web/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), heading)
	part, _, _ = strings.Cut(part, end)
	return part
}

// fieldsOf returns the fields that the tables of a part describe.
func fieldsOf(part string) (fields []string) {
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(part, -1) {
		fields = append(fields, m[1])
	}
	return fields
}

func TestProtocolDescribesEveryCommandAndFieldOfPeople(t *testing.T) {
	chapter := protocolAfter(t, "\n## Tournaments: client messages\n", "\n## ")
	described := map[string]string{}
	for _, section := range strings.Split(chapter, "\n### `cmd` `")[1:] {
		kind, table, _ := strings.Cut(section, "`\n")
		described[kind] = table
	}
	for kind, c := range commands {
		_, found := described[kind]
		if want := c.from != byServer && !machine.Internal(kind); found != want {
			t.Errorf("%s: web/PROTOCOL.md describes it: %t, want %t", kind, found, want)
		}
	}
	var got, want []string
	for kind, table := range described {
		if _, known := commands[kind]; !known {
			t.Errorf("web/PROTOCOL.md describes %s, which no tournament knows", kind)
		}
		got = append(got, fieldsOf(table)...)
	}
	for f := range reflect.TypeFor[Order]().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !slices.Contains(byTheServer, name) {
			want = append(want, name)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("web/PROTOCOL.md gives the commands the fields %q, want %q", got, want)
	}
}

func TestProtocolDescribesEveryFieldOfAChange(t *testing.T) {
	got := fieldsOf(protocolAfter(t, "\n#### Object: change\n", "\n##"))
	var want []string
	for f := range reflect.TypeFor[Change]().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "reason" { // only hosts read it, in the log
			want = append(want, name)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("web/PROTOCOL.md gives a change the fields %q, want %q", got, want)
	}
}

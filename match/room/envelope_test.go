package room

import (
	"encoding/json"
	"reflect"
	"testing"

	"mancala/match/machine"
)

func TestRowsAreTheJSONOfTheirEntries(t *testing.T) {
	for _, e := range []machine.Entry{
		{Kind: "move", At: 1700000000123},
		{Kind: "move", Version: 2, At: -5, By: "ann", Command: "c-1", Body: []byte(`{"pit":3}`)},
		{Kind: `quo"te`, By: "back\\slash", Command: "ünï\n", Body: []byte(`[1,2]`)},
		{Kind: "<b>", At: 1},
	} {
		data := appendEntry(nil, e)
		want, _ := json.Marshal(e)
		var a, b any
		if json.Unmarshal(data, &a) != nil || json.Unmarshal(want, &b) != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("got %s, want %s", data, want)
		}
		if got, err := decodeEntry(data); err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("%s decodes to %+v (%v)", data, got, err)
		}
	}
}

func FuzzRowsCanBeReadAgain(f *testing.F) {
	f.Add("move", "ann", "c1", []byte(`{}`), int64(1))
	f.Fuzz(func(t *testing.T, kind, by, command string, body []byte, at int64) {
		if len(body) > 0 && !json.Valid(body) {
			return // no machine makes such a body
		}
		data := appendEntry(nil, machine.Entry{Kind: kind, By: by, Command: command, Body: body, At: at})
		if _, err := decodeEntry(data); err != nil {
			t.Errorf("%q cannot be read again: %v", data, err)
		}
	})
}

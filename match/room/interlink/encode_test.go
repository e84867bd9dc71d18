package interlink

import (
	"encoding/json"
	"reflect"
	"testing"

	"mancala/match/room"
)

// A message arrives as it was sent, with and without an entry.
func TestMessageArrivesAsItWasSent(t *testing.T) {
	for _, m := range []room.Message{
		{Kind: "follow", Room: "r", Seq: 7, Players: []string{"a", "b\nc"}, Watchers: 3},
		{Kind: "entry", Room: "r", Epoch: 2, Seq: 8, Entry: json.RawMessage("{\n \"k\":\"move\"\n}")},
		{Kind: "done", Room: "r", Call: 9, Code: "busy", Detail: json.RawMessage(`{"n":1}`)},
	} {
		body, err := encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decode(body); err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%+v arrives as %+v, %v", m, got, err)
		}
	}
	if _, err := decode([]byte("not a message\n{}")); err == nil {
		t.Error("garbage is taken for a message")
	}
}

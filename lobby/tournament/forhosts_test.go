package tournament

import "testing"

func TestCommandsOfHostsAreToldFromThoseOfPlayers(t *testing.T) {
	for _, tt := range []struct {
		kind, body string
		want       bool
	}{
		{KindStart, `{"round":1}`, true},
		{KindUndo, ``, true},
		{KindHere, ``, false},
		{KindLeave, `{"player":"ada"}`, false},
		{KindLeave, `{"player":"ben"}`, true},
		{KindLeave, `{"Player":"ben"}`, true}, // the room reads it so
		{KindBye, `{"round":2,"bye":"zero"}`, false},
		{KindBye, `{"round":2,"bye":"half"}`, true},
		{KindSettings, `{"settings":{}}`, true},
		{KindSettings, `{"rules":"oware"}`, false}, // of a game
		{KindJoin, `{"player":"ben"}`, false},      // no person can send it
		{"move", `{"move":"c"}`, false},
		{KindStart, `{`, false},
	} {
		if got := ForHosts(tt.kind, "ada", []byte(tt.body)); got != tt.want {
			t.Errorf("%s %s: %t", tt.kind, tt.body, got)
		}
	}
}

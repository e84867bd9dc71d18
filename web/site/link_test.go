package site

import (
	"testing"
)

func TestReachOfAnAddressIsRecognised(t *testing.T) {
	for host, want := range map[string]Reach{
		"localhost:8080": OnMachine, "LOCALHOST": OnMachine, "me.localhost": OnMachine, "127.0.0.1:1": OnMachine, "127.8.8.8": OnMachine, "[::1]:8080": OnMachine,
		"192.168.1.5:8080": inNetwork, "10.0.0.2": inNetwork, "[fe80::1]:80": inNetwork, "[fd00::1]": inNetwork, "desk": inNetwork, "desk:8080": inNetwork, "desk.local": inNetwork, "": inNetwork,
		"play.example": everywhere, "play.example:8443": everywhere, "203.0.113.7": everywhere, "[2001:db8::1]:80": everywhere,
	} {
		if got := reachOf(host); got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
}

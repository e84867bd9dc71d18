package event

import (
	"net/url"
	"testing"
	"time"
)

func TestFormKeepsTheZoneOfTheStart(t *testing.T) {
	s, err := settingsOf(url.Values{"name": {"Cup"}, "format": {"swiss"}, "starts": {"2026-12-05T00:30"}, "zone": {"-60"}})
	if want := time.Date(2026, 12, 4, 23, 30, 0, 0, time.UTC).UnixMilli(); err != nil || s.Starts != want || s.Zone != -60 {
		t.Errorf("starts %d, zone %d, %v; want %d and -60", s.Starts, s.Zone, err, want)
	}
}

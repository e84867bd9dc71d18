package process

import (
	"net/url"
	"path/filepath"
	"testing"

	"mancala/match/journal/pgtest"
	"mancala/web/webtest"
)

// PostgreSQL refuses texts and numbers that SQLite stores. No request gets as far as that.
func TestNoRequestMakesTheProgramFailOnAnyDatabase(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(t *testing.T) string{
		"SQLite":     func(t *testing.T) string { return filepath.Join(t.TempDir(), "mancala.db") },
		"PostgreSQL": func(t *testing.T) string { return pgtest.Open(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := fast
			for _, limit := range []string{"chat", "codes", "passkeys", "pictures", "positions", "reports", "reports-per-address", "seeks", "settings", "looks", "entries", "tournaments", "replays"} {
				flags = append(flags[:len(flags):len(flags)], "--limit-"+limit, "off")
			}
			p := startProgram(t, database(t), flags...)
			ada := webtest.NewPerson(p.base())
			defer ada.Leave()
			game, err := ada.Make(p.ctx, nil) // gives her a cookie
			if err != nil {
				t.Fatal(err)
			}
			cup, err := ada.Host(p.ctx, url.Values{"name": {"Club evening"}, "format": {"swiss"}, "rounds": {"3"}, "rules": {"kalah"}, "clock": {"none"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range webtest.HostileRequests(game, cup) {
				if err := h.Check(p.ctx, ada); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

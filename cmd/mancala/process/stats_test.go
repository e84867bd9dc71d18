package process

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"

	"mancala/cmd/internal/ledger"
	"mancala/match/journal/pgtest"
)

func TestStatsArePrintedWhileAServerServes(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(*testing.T) string{
		"sqlite":     func(t *testing.T) string { return filepath.Join(t.TempDir(), "mancala.db") },
		"postgresql": func(t *testing.T) string { return pgtest.Open(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startProgram(t, database(t), fast...)
			people, err := gather([]*program{p}, 0, "kalah")
			if err != nil {
				t.Fatal(err)
			}
			defer ledger.Leave(people)
			for range 2 {
				if _, err := ledger.Play(p.ctx, people, "kalah", rand.New(rand.NewPCG(1, 2)), new(atomic.Int64)); err != nil {
					t.Fatal(err)
				}
				out, err := mancala(p.ctx, "db", "stats", "--database", p.file).CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				for _, want := range []string{`(?m)^rooms +\d+ +[1-9]\d* +[1-9]\d*$`, `(?m)^total +[1-9]`, `(?m)^games +[1-9]\d*$`, `(?m)^guests +[1-9]`, `(?m)^accounts +0$`, `(?m)^oldest guest +20`} {
					if !regexp.MustCompile(want).Match(out) {
						t.Errorf("no line %s in\n%s", want, out)
					}
				}
			}
		})
	}
}

package process

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"mancala/cmd/internal/ledger"
	"mancala/match/journal/pgtest"
)

func TestServiceGoesOnAfterACopyIntoPostgreSQL(t *testing.T) {
	t.Parallel()
	file, address := filepath.Join(t.TempDir(), "mancala.db"), pgtest.Open(t)
	p := startProgram(t, file, fast...)
	people, err := gather([]*program{p}, 0, "kalah")
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Leave(people)
	var pulse atomic.Int64
	var games ledger.Ledger
	for n := range uint64(3) {
		g, err := ledger.Play(p.ctx, people, "kalah", rand.New(rand.NewPCG(n, n)), &pulse)
		if err != nil {
			t.Fatal(err)
		}
		games.Add(g)
	}
	refuses(t, "in-use: ", "db", "copy", address, "--database", file)
	if code := p.stop(); code != 0 {
		t.Fatalf("exit status %d\n%s", code, p.log)
	}
	output, err := mancala(p.ctx, "db", "copy", address, "--database", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, table := range []string{"rooms", "players", "games", "chat", "token_keys"} {
		if !strings.Contains(string(output), "\n"+table+" ") && !strings.HasPrefix(string(output), table+" ") {
			t.Errorf("the output does not mention the table %s:\n%s", table, output)
		}
	}
	refuses(t, "there are games or people in it already", "db", "copy", address, "--database", file)

	p.file = address
	p.start()
	for _, g := range games.Games() {
		checkOn(t, p, g)
	}
	for _, person := range people { // they are still signed in
		me, err := person.Get(p.ctx, "/api/v1/me")
		if err != nil || me.Status != 200 || !strings.Contains(me.Body, `"id":"p`) {
			t.Errorf("%+v, %v", me, err)
		}
	}
}

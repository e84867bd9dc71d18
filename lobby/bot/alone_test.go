package bot

import (
	"reflect"
	"testing"

	"mancala/lobby/searchpool"
	"mancala/match"
	"mancala/match/machine"
)

func TestBotsWithoutAPoolGiveTheSameAnswers(t *testing.T) {
	pool := searchpool.New(searchpool.Options{Workers: 1})
	defer pool.Close()
	pooled, alone := New(pool, 0), &Alone{}
	for _, rules := range []string{"kalah", "bao", "basic-four"} {
		seats := 2
		if rules == "basic-four" {
			seats = 4
		}
		c := begin(t, pooled, match.Settings{Rules: rules}, Table(4, seats-1)...)
		for range 12 {
			if task, ok := c.task(); ok {
				want, err := pooled.Answer(t.Context(), c.id, task)
				got, _, wrong := alone.Answer(t.Context(), c.id, task)
				if err != nil || wrong != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: without a pool %s %s, %v; with one %s %s, %v", rules, got.Kind, got.Body, wrong, want.Kind, want.Body, err)
				}
			}
			c.turn()
		}
		if a := alone.Hint(t.Context(), c.m.Question()); len(a.Line) == 0 {
			t.Errorf("%s: there is no hint", rules)
		}
	}
	if _, _, err := alone.Answer(t.Context(), "room", machine.Task{Body: []byte(`{"player":"pada"}`)}); err == nil {
		t.Error("a person's task was answered")
	}
}

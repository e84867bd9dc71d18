package social

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"mancala/match/refusal"
)

// told records what relations tell the lobby and the pages.
type told struct {
	calls []string
	err   error // of the lobby
}

func (c *told) note(what string, players ...string) {
	c.calls = append(c.calls, what+" "+strings.Join(players, " "))
}

func (c *told) KeepApart(_ context.Context, player, other string) error {
	c.note("apart", player, other)
	return c.err
}

func (c *told) BlocksChanged(players ...string)                { c.note("blocks", players...) }
func (c *told) LookAgain(_ context.Context, players ...string) { c.note("look", players...) }
func (c *told) Invalidate(players ...string)                   { c.note("others", players...) }

func TestChangeOfATieIsToldToTheSocketsItConcerns(t *testing.T) {
	for _, tt := range []struct {
		action Action
		err    error // of the lobby
		want   []string
	}{
		{Follow, nil, []string{"look", "others"}},
		{Unfollow, nil, []string{"look", "others"}},
		{Block, nil, []string{"blocks", "apart", "look", "others"}},
		{Block, errors.New("no lobby"), []string{"blocks", "apart", "look", "others"}},
		{Unblock, nil, []string{"blocks", "look", "others"}},
	} {
		t.Run(string(tt.action), func(t *testing.T) {
			w := newTown(t, "Ada", "Ben")
			c := &told{err: tt.err}
			relations := Relations{Graph: w.Graph, Lobby: c, Pages: c, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
			if err := relations.Change(t.Context(), w.id["Ada"], tt.action, w.id["Ben"]); err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, what := range tt.want {
				want = append(want, what+" "+w.id["Ada"]+" "+w.id["Ben"])
			}
			if !slices.Equal(c.calls, want) {
				t.Errorf("told %q, want %q", c.calls, want)
			}
		})
	}
}

func TestRefusedTieIsToldToNobody(t *testing.T) {
	w := newTown(t, "Ada")
	c := new(told)
	relations := Relations{Graph: w.Graph, Lobby: c, Pages: c}
	for _, action := range []Action{Follow, Block} {
		if err := relations.Change(t.Context(), w.id["Ada"], action, w.id["Ada"]); !refusal.Is(err, CodeYourself) {
			t.Errorf("%s: got %v", action, err)
		}
	}
	if len(c.calls) > 0 {
		t.Errorf("told %q", c.calls)
	}
	if Action("marry").Known() || Action("").Known() {
		t.Error("an unknown action is known")
	}
}

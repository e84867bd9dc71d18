package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
)

// headline returns the end of the result line for a player on a side, or for a
// watcher (-1).
func headline(v view, side int) string {
	r := v.Snap.Result
	list := func(scores []int) string {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(scores), " ", ", "), "[]")
	}
	switch len(r.Winners) {
	case 0:
		return "Nobody won."
	case 1:
		winner := r.Winners[0]
		others := slices.Delete(slices.Clone(r.Scores), winner, winner+1)
		text := fmt.Sprintf(" won, %d to %s.", r.Scores[winner], list(others))
		if side == winner {
			return "You" + text
		}
		return text
	default:
		own := max(0, side)
		inOrder := append(slices.Clone(r.Scores[own:]), r.Scores[:own]...)
		if len(inOrder) == 2 {
			return fmt.Sprintf(", %d to %d.", inOrder[0], inOrder[1])
		}
		return ", " + list(inOrder) + "."
	}
}

// join writes numbers as JavaScript joins them.
func join(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
}

// replays checks that the exported record is the game. A match has one record
// for each round, in order.
func (g *table) replays(v view) {
	g.t.Helper()
	all := g.server.get("/" + g.id + "/record")
	texts := strings.Split(strings.ReplaceAll(all, "\n\n[", "\n\x00["), "\x00")
	for i, text := range texts {
		record, err := engine.ParseRecord(text)
		if err != nil {
			g.t.Fatalf("the record is not one: %v\n%s", err, text)
		}
		replay, err := record.Replay()
		if err != nil {
			g.t.Fatalf("the record does not replay: %v\n%s", err, text)
		}
		if i < len(texts)-1 {
			continue
		}
		if len(replay.Moves) != len(v.Snap.Moves) {
			g.t.Errorf("the record has %d plies, the game had %d", len(replay.Moves), len(v.Snap.Moves))
		}
		p := replay.Start
		if n := len(replay.Positions); n > 0 {
			p = replay.Positions[n-1]
		}
		if !slices.Equal(p.Scores(), v.Snap.Stores) {
			g.t.Errorf("the record ends with %v, the game with %v\n%s", p.Scores(), v.Snap.Stores, text)
		}
	}
}

func TestGamesOfTwoArePlayedToTheirEnd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rules  string
		hands  bool // the other games are long
		number uint64
	}{{"kalah", true, 2}, {"oware", false, shortOware}, {"giuthi", true, 2}, {"maruba", false, 2}} {
		t.Run(tt.rules, func(t *testing.T) {
			t.Parallel()
			g := deal(t, serve(t), settings{rules: tt.rules, start: "friend"}, 2)
			g.hands, g.random = tt.hands, chosen(tt.number)
			if got := g.players[1].role(); got != "0" {
				t.Errorf("the friend has seat %s, want 0, since the friend starts", got)
			}
			v := g.playOut()
			g.replays(v)
			t.Logf("%d plies, %s", v.Snap.Ply, v.Snap.Result.Reason)
		})
	}
}

func TestTeamsPlayOnFourPages(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "basic-teams"}, 4)
	g.replays(g.playOut())
}

func TestFourPlayersPlayOnFourPages(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "basic-four"}, 4)
	g.random = chosen(shortFour)
	g.replays(g.playOut())
}

// Five games with boards and traces of their own are played to their end on a phone and on a desktop, and watched
// on a tablet. The server is killed in the middle. With these numbers the random games are short. A pit of
// Omweso is sown backwards wherever that is allowed.
func TestGamesOfFiveCountriesArePlayedToTheirEndThroughARestart(t *testing.T) {
	t.Parallel()
	backwards := func(m engine.Move) bool { return m.Way != engine.NoWay }
	for _, tt := range []struct {
		rules  string
		number uint64
		heard  []string
	}{
		{"toguz-kumalak", 5574, []string{"claimed the pit"}},
		{"omweso", 17, []string{"took 2 from", "laps", "to the left"}},
		{"hus", 26, []string{"took", "laps"}},
		{"sungka", 24476, []string{"Last seed in their store.", "laps"}},
		{"songo", 28882, []string{"took"}},
	} {
		t.Run(tt.rules, func(t *testing.T) {
			t.Parallel()
			g := dealAt(t, serve(t), settings{rules: tt.rules, start: "creator"}, []screen{phone, desktop}, tablet)
			g.random = chosen(tt.number)
			g.hurries()
			g.lasts()
			rules := compiled(t, tt.rules)
			row := rules.Rules().PitsPerSide()
			v := g.shows()
			for v.Snap.State != "over" {
				if v.Snap.Ply == 8 {
					g.restarts(g.server.kill)
					v = g.returns(v)
				}
				p, m := g.seat(v.Snap.Turn), g.next(rules, v.Snap.Moves, backwards)
				p.until(mayAct)
				p.byTaps(row*v.Snap.Turn+int(m.Pit), m, fmt.Sprintf("e2e.board().ply > %d", v.Snap.Ply))
				v = g.shows()
			}
			g.ended(v)
			g.replays(v)
			said := ask[[]string](g.watchers[0], `e2e.heard("say")`)
			for _, want := range tt.heard {
				if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, want) }) {
					t.Errorf("the watcher never heard %q in\n%s", want, strings.Join(said, "\n"))
				}
			}
			t.Logf("%d plies, %s: %v", v.Snap.Ply, v.Snap.Result.Reason, v.Snap.Moves)
		})
	}
}

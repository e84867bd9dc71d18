package web

import (
	"strings"
	"testing"

	"mancala/web/webtest"
)

// In a game with assists, every watcher may ask what its moves would do, once
// for each position.
func TestWatchersAskForTheLegalMoves(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	stranger := s.talk(s.bare(s.person(), nil))
	ask := func(what string) { stranger.say(`{"t":"ask","room":%q,"what":%q}`, id, what) }
	ask("legal")
	stranger.refused("not-following")
	stranger.say(`{"t":"sub","room":%q}`, id)
	stranger.hear("sync")
	ask("legal")
	first := stranger.hear("legal")
	if !strings.Contains(first.Raw, `"seq":2,"legal":[{"m":"a","trace":[["lift",0,4]`) {
		t.Errorf("told %s", first.Raw)
	}
	ask("legal")
	stranger.refused("slow-down")
	ask("secret")
	stranger.refused("bad-command")
	s.move(seats[0], "a")
	stranger.hear("ev")
	ask("legal")
	if second := stranger.hear("legal"); !strings.Contains(second.Raw, `"seq":3,"legal":[{"m":"a","trace":[["lift",6,4]`) {
		t.Errorf("after a move told %s", second.Raw)
	}
	s.must(seats[0].Must(s.ctx, "resign", nil))
	stranger.hear("ev")
	ask("legal")
	if last := stranger.hear("legal"); !strings.HasSuffix(last.Raw, `"legal":[]}`) {
		t.Errorf("after the game told %s", last.Raw)
	}
}

func TestLegalMovesAreRefusedWithoutAssists(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah&boxes=1")
	watcher := s.talk(s.bare(s.person(), nil))
	watcher.say(`{"t":"sub","room":%q}`, id)
	watcher.hear("sync")
	watcher.say(`{"t":"ask","room":%q,"what":"legal"}`, id)
	watcher.refused("no-assists")
	seats[0].Look(func(g *webtest.Game) {
		if len(g.Legal) != 6 {
			t.Errorf("the seat on turn was told of the moves %v, and needs all for its own echo", g.Legal)
		}
	})
}

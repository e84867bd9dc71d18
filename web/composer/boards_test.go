package composer

import (
	"fmt"
	"testing"

	"mancala/engine"
	"mancala/web/messages"
)

func TestCacheForgetsRuleSetsOfGroupsWithoutBoards(t *testing.T) {
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	srv := New(nil)
	board := groups[0]
	for n := range 3 {
		g := engine.MustCompile(fmt.Sprint("kalah no_progress=", 100+n))
		before := srv.boards.Size()
		boards, err := srv.boardsOf(t.Context(), c, board, g)
		if err != nil || len(boards) > 0 {
			t.Fatalf("the group %s has %d boards, %v", board.Name, len(boards), err)
		}
		if text := g.Rules().String(); srv.boards.Size()-before < len(text) {
			t.Errorf("%s counts %d bytes", text, srv.boards.Size()-before)
		}
	}
}

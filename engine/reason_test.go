package engine_test

import (
	"strings"
	"testing"

	"mancala/engine"
)

// TestEveryRefusalExplainsItself has a row for every reason why a move is not
// allowed: the message for people, and the moves that are legal instead.
func TestEveryRefusalExplainsItself(t *testing.T) {
	const lay = "=0.9.10.8.9.0/0.10.9.9.8.0"
	for _, tt := range []struct {
		reason            engine.Reason
		rules, from, move string
		message, legal    string
		otherwise         string // a legal move in that position
	}{
		{engine.GameOver, "kalah", "0,0,0,0,0,0/0,0,0,0,0,0 25/23 S over 0 60", "a", "the game is over", "", ""},
		{engine.WrongPhase, "kalah", "", lay, "this is not the time for that", "a b c d e f", "a"},
		{engine.WrongPhase, "kalah", "", "swap", "this is not the time for that", "a b c d e f", ""},
		{engine.WrongPhase, "wise", "", "a", "the seeds must be laid out first", "", lay},
		{engine.WrongPhase, "wise", "", "keep", "this is not the time for that", "", ""},
		{engine.WrongPhase, "wise", "0,9,10,8,9,0/0,10,9,9,8,0 0/0 N swap 0 1", "b", "choose a side first; legal: keep swap", "keep swap", "swap"},
		{engine.NotYourPit, "kalah", "", "g", "there is no pit 7 on the mover's side", "a b c d e f", "f"},
		{engine.NotYourPit, "wise", starved, "+g", "there is no pit 7 on the mover's side", "+b +d", ""},
		{engine.EmptyPit, "kalah", capture, "a", "pit 1 is empty", "b d e f", "b"},
		{engine.EmptyPit, "wise", starved, "+c", "pit 3 is empty", "+b +d", "+b"},
		{engine.NeedsDirection, "giuthi", "", "a", "choose a direction", "a> a< b> b< c> c< d> d< e> e< f> f<", "a<"},
		{engine.NoDirection, "kalah", "", "a>", "the direction cannot be chosen in this game", "a b c d e f", "a"},
		{engine.MustLiftTwo, "giuthi", "1,2,6,6,6,6/6,6,6,6,6,6 0/0 S play 0 9", "a>", "pit 1 holds a single seed; legal: b> b< c> c< d> d< e> e< f> f<", "b> b< c> c< d> d< e> e< f> f<", "b>"},
		{engine.MustLiftTwo, "maruba", "", "o", "pit 15 holds a single seed", "a b c d e f g h i j k l m n", "n"},
		{engine.BlockedSingle, "maruba", singles, "d", "a single seed can only go into an empty pit; legal: a e k n", "a e k n", "e"},
		{engine.NotRightmost, "ignorant", ring, "e", "only the rightmost pit can be played; legal: f", "f", "f"},
		{engine.MustGive, "wise", starved, "b", "the opponent has no seeds and must be given one; legal: +b +d", "+b +d", "+b"},
		{engine.NoGift, "wise", starved, "+f", "no seed can be given from pit 6; legal: +b +d", "+b +d", "+d"},
		{engine.NoGift, "ignorant", starved, "+b", "no seed can be given from pit 2; legal: +d", "+d", "+d"},
		{engine.NoGift, "kalah", "", "+a", "no seed can be given from pit 1", "a b c d e f", ""},
		{engine.MustFeed, "oware", "2,1,0,0,0,4/0,0,0,0,0,0 20/21 S play 0 60", "a", "the opponent has no seeds and must be fed; legal: f", "f", "f"},
		{engine.EndlessSowing, "maruba", endless, "e", "sowing from pit 5 would never end; legal: c j k m n", "c j k m n", "c"},
		{engine.AgainstDirection, "omweso", "4,0,5,0,6,1,6,6,0,2,0,1,1,0,0,0/4,4,4,0,5,5,5,0,1,1,1,1,1,0,0,0 0/0 N play 3 3", "b<", "sowing pit 2 the other way must capture; legal: a< a b c e f g", "a< a b c e f g", "a<"},
		{engine.NoDirection, "omweso", "", "c<", "the direction cannot be chosen in this game", "a b c d e f g h", "c"},
		{engine.EnterInner, "bao", "0,0,0,1,1,2,0,4,0,0,0,6h,0,0,0,0/0,0,0,1,1,1,4,0,1,0,0,6h,0,0,0,0 18/18 S play 0 8", "h>", "a seed is entered into an inner pit", "l< l>", "l<"},
		{engine.EnterInner, "bao", "", "a>", "a seed is entered into an inner pit with seeds; legal: j< j> k< k>", "j< j> k< k>", "k>"},
		{engine.EnterElsewhere, "bao", "", "l<", "a seed without a capture is entered elsewhere; legal: j< j> k< k>", "j< j> k< k>", "k>"},
		{engine.Inwards, "bao", "0,0,0,0,0,0,0,0,0,0,0,8h,1,1,1,0/0,0,0,0,0,0,0,0,0,2,2,7h,0,0,0,1 20/21 N play 0 3", "j<", "seeds captured from pit 10 are sown inwards; legal: j> k< k> l< l>", "j> k< k> l< l>", "j>"},
		{engine.MustCapture, "bao", "0,0,0,0,0,0,0,0,0,0,0,8h,1,1,1,0/0,0,0,0,0,0,0,0,0,2,2,7h,0,0,0,1 20/21 N play 0 3", "p<", "a move that captures at once must be played; legal: j> k< k> l< l>", "j> k< k> l< l>", "l>"},
		{engine.InnerFirst, "bao", "1,4,1,3,4,1,4,4,1,10,4,1,0,0,0,0/1,0,2,0,2,2,2,2,1,4,5,3,2!,0,0,0 0/0 N play 1 45", "c<", "a move without a capture begins in the inner row; legal: j< j> k< k> l< l>", "j< j> k< k> l< l>", "j<"},
		{engine.BlockedPit, "bao", "1,4,1,3,4,1,4,4,1,10,4,1,0,0,0,0/1,0,2,0,2,2,2,2,1,4,5,3,2!,0,0,0 0/0 N play 1 45", "m<", "pit 13 is blocked for this move; legal: j< j> k< k> l< l>", "j< j> k< k> l< l>", "j>"},
		{engine.BadMove, "bao-kujifunza", "", "j>*", "this is not a move", "a< b< g> h> i> j> k< k> l< l> m< m> n< n> o< p<", "j>"},
		{engine.NoHouse, "bao", "", "j>*", "the sowing from pit 10 does not come to the house; legal: j< j> k< k>", "j< j> k< k>", "j>"},
		{engine.GrandSlammed, "oware grand_slam=forbidden", slam, "f", "a move may not take every seed of the opponent; legal: a", "a", "a"},
		{engine.NoPass, "kalah", "", "-", "one may pass only without a move; legal: a b c d e f", "a b c d e f", "a"},
		{engine.MustPass, "basic-four", "out", "a", "there is no move but to pass", "-", "-"},
		{engine.NotALayout, "wise", "", "=9.9.10.8.0.0/0.10.9.9.8.0", "the lay-out fills a corner pit", "", lay},
		{engine.NotALayout, "wise", "", "=0.18.0.8.10.0/0.9.9.9.9.0", "the lay-out fills a pit but not the one opposite", "", lay},
		{engine.NotALayout, "wise", "", "=0.9.10.8.9.0/0.10.9.9.9.0", "the lay-out has 73 seeds instead of 72", "", lay},
		{engine.NotALayout, "wise", "", "=0.9.10/0.10.9", "the lay-out must say the seeds of 6 pits on each side", "", lay},
		{engine.NotALayout, "ignorant", "", "=6.6.6.6.6.6/6.6.6.6.6.6", "the lay-out is even: some pits must differ", "", "=6.6.6.6.6.7/6.6.6.6.6.5"},
		{engine.NotALayout, "ignorant", "", "=250.6.6.6.6.6/6.6.6.6.6.6", "the lay-out has 316 seeds instead of 72", "", ""},
	} {
		t.Run(string(tt.reason)+" "+tt.rules+" "+tt.move, func(t *testing.T) {
			g := game(t, tt.rules)
			var p engine.Position
			if tt.from == "out" {
				p = g.Start()
				p.Out = 1
			} else {
				p = position(t, g, tt.from)
			}
			refused := refusal(t, g, p, tt.move)
			if refused.Reason != tt.reason {
				t.Errorf("got %s, want %s", refused.Reason, tt.reason)
			}
			if got := refused.Message(); !strings.HasPrefix(got, tt.message) {
				t.Errorf("got %q, want %q", got, tt.message)
			}
			if got := moveTexts(refused.Legal); got != tt.legal {
				t.Errorf("legal instead: got %q, want %q", got, tt.legal)
			}
			if !strings.Contains(refused.Error(), refused.Message()) {
				t.Errorf("the error %v does not say %q", refused, refused.Message())
			}
			if tt.otherwise != "" {
				if err := g.Play(&p, nil, move(t, tt.otherwise), nil); err != nil {
					t.Errorf("%s should be legal: %v", tt.otherwise, err)
				}
			}
		})
	}
}

// TestTextThatIsNotAMoveIsRefused checks the reason that only a text can have.
func TestTextThatIsNotAMoveIsRefused(t *testing.T) {
	for _, text := range []string{
		"", " ", "A", "aa", "1", ">a", "a^", "+", "+-", "++a", "--", "=", "=/", "=1/", "=1.2/3", "=1,2/3,4", "=-1/1", "=01/1", "=1/1/1", "keeps", "Swap", "\u0430", "\xff",
		"=1.1.1.1.1.1.1.1.1.1.1.1.1.1/1.1.1.1.1.1.1.1.1.1.1.1.1.1", "=251/1", "=99999999999/1", "=" + strings.Repeat("0", 500) + "/1",
	} {
		if m, ok := engine.ParseMove(text); ok {
			t.Errorf("%q was read as %v", text, m)
		}
	}
	if got := (&engine.MoveError{Reason: engine.BadMove}).Message(); got != "this is not a move" {
		t.Errorf("got %q", got)
	}
}
